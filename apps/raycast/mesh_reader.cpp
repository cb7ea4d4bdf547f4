// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_reader.h"

#include "../common/errors.h"
#include "../common/output_file.h"
#include "../common/vtk_messages.h"
#include "pose_file.h"
#include "surface_normals.h"

#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/io/obj_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/vtk_lib_io.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pcl {
namespace gpu {
namespace apps {

namespace fs = std::filesystem;

namespace {

const char* const expectation = "a .ply, .obj, .stl or .vtk file with polygons";

/** \brief What a file holds; one of the two has polygons. */
struct MeshFile {
  PolygonMesh polygons;
  TextureMesh texture;
  bool is_textured = false;
};

/** \brief Whether PCL can read an OBJ file with its texture coordinates: it crashes on a
 * face before the first material. */
bool
hasMaterials(const std::string& path)
{
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("usemtl", 0) == 0)
      return true;
    if (line.rfind("f ", 0) == 0)
      return false;
  }
  return false;
}

/** \brief PCL gives vertices the normals of OBJ files in the order of the file, whatever
 * the faces say: nothing is lost without them. */
void
dropNormals(PCLPointCloud2& cloud)
{
  const auto is_normal = [](const PCLPointField& field) {
    return field.name.rfind("normal_", 0) == 0;
  };
  cloud.fields.erase(
      std::remove_if(cloud.fields.begin(), cloud.fields.end(), is_normal),
      cloud.fields.end());
}

bool
readObj(const std::string& path, MeshFile& mesh)
{
  mesh.is_textured = hasMaterials(path);
  const bool read = mesh.is_textured ? io::loadOBJFile(path, mesh.texture) == 0
                                     : io::loadOBJFile(path, mesh.polygons) == 0;
  if (mesh.is_textured) {
    mesh.polygons.cloud = mesh.texture.cloud;
    for (const auto& of_material : mesh.texture.tex_polygons)
      mesh.polygons.polygons.insert(
          mesh.polygons.polygons.end(), of_material.begin(), of_material.end());
  }
  dropNormals(mesh.polygons.cloud);
  dropNormals(mesh.texture.cloud);
  return read;
}

/** \brief Whether a binary STL file ends early, which VTK does not mind. */
bool
isShortStl(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  char head[512] = {};
  file.read(head, sizeof head);
  const std::string start(head, static_cast<std::size_t>(file.gcount()));
  const bool is_text =
      start.rfind("solid", 0) == 0 && start.find("facet") != std::string::npos;
  constexpr std::size_t header = 84, triangle = 50;
  if (is_text || start.size() < header)
    return !is_text;
  std::uint32_t triangles;
  std::memcpy(&triangles, head + header - sizeof triangles, sizeof triangles);
  return fs::file_size(path) < header + triangle * triangles;
}

MeshFile
readFile(const std::string& path)
{
  if (!fs::exists(path))
    throw fileError(path, "no such file", expectation);
  if (fs::is_directory(path))
    throw fileError(path, "is a folder", expectation);
  const std::string extension = extensionOf(path);
  MeshFile mesh;
  bool complete = true;
  VtkMessages::clear();
  try {
    if (extension == ".ply")
      complete = io::loadPLYFile(path, mesh.polygons) == 0;
    else if (extension == ".obj")
      complete = readObj(path, mesh);
    else if (extension == ".stl")
      complete = !isShortStl(path) && io::loadPolygonFileSTL(path, mesh.polygons) >= 0;
    else if (extension == ".vtk")
      io::loadPolygonFileVTK(path, mesh.polygons);
    else
      throw fileError(path, "unknown kind of file", expectation);
  }
  catch (const InputError&) {
    throw;
  }
  catch (const std::exception&) { // PCL, Boost or the standard library, by the damage
    complete = false;
  }
  if (!complete || !VtkMessages::first().empty())
    throw fileError(path, "damaged or truncated", expectation);
  if (mesh.polygons.polygons.empty())
    throw fileError(path, "has no polygons", expectation);
  return mesh;
}

/** \brief Takes "MESH@POSE" apart; a file may have @ in its name. */
void
splitInput(const std::string& input, std::string& mesh, std::string& pose)
{
  const std::size_t at = input.rfind('@');
  mesh = input;
  if (at == std::string::npos || fs::exists(input))
    return;
  mesh = input.substr(0, at);
  pose = input.substr(at + 1);
}

/** \brief Colours of things without any: warm and cool by turns. */
RGB
plainColor(std::size_t number)
{
  constexpr std::array<std::array<std::uint8_t, 3>, 6> colors = {{{222, 196, 164},
                                                                  {104, 158, 165},
                                                                  {206, 124, 98},
                                                                  {136, 143, 186},
                                                                  {214, 176, 92},
                                                                  {139, 170, 120}}};
  const auto& color = colors[number % colors.size()];
  return RGB(color[0], color[1], color[2]);
}

InputMesh
readMesh(const std::string& input, std::size_t number, float crease_angle)
{
  InputMesh mesh;
  std::string pose;
  splitInput(input, mesh.name, pose);
  if (!pose.empty())
    mesh.pose = readPose(pose);
  MeshFile file = readFile(mesh.name);
  try {
    mesh.rest =
        file.is_textured ? toTriangleMesh(file.texture) : toTriangleMesh(file.polygons);
  }
  catch (const BadArgumentException& error) {
    throw InputError(mesh.name + ": " + plainMessage(error));
  }
  mesh.polygons = std::move(file.polygons);
  if (mesh.rest.normals.empty() && crease_angle > 0.0f)
    addSurfaceNormals(mesh.rest, crease_angle);
  if (mesh.rest.colors.empty())
    mesh.rest.colors.upload(
        std::vector<RGB>(mesh.rest.vertices.size(), plainColor(number)));

  std::vector<PointXYZ> vertices;
  std::vector<int> indices;
  mesh.rest.vertices.download(vertices);
  mesh.rest.triangles.download(indices);
  std::vector<bool> used(vertices.size());
  for (const int index : indices)
    used[index] = true;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (used[i] && vertices[i].getVector3fMap().allFinite()) {
      mesh.corners.push_back(vertices[i].getVector3fMap());
      mesh.box.extend(mesh.corners.back());
    }
  if (mesh.corners.empty())
    throw fileError(mesh.name, "has no vertex that is finite", expectation);
  return mesh;
}

} // namespace

std::vector<InputMesh>
readMeshes(const std::vector<std::string>& inputs, float crease_angle)
{
  std::vector<InputMesh> meshes;
  for (const std::string& input : inputs)
    meshes.push_back(readMesh(input, meshes.size(), crease_angle));
  return meshes;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
