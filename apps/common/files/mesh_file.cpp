// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_file.h"

#include "../command_line/errors.h"
#include "../view/vtk_messages.h"
#include "output_file.h"

#include <pcl/io/obj_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/vtk_lib_io.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

const char* const mesh_file_expectation =
    "a .ply, .obj, .stl or .vtk file with polygons";

namespace {

/** \brief Returns whether PCL can read an OBJ file with its texture coordinates: PCL
 * crashes on a face before the first material. */
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

/** \brief Removes normals. PCL assigns the normals of OBJ files to vertices in the
 * order of the file and ignores the faces, so the normals are useless. */
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

/** \brief Returns whether a binary STL file ends early, which VTK does not report. */
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

} // namespace

MeshFile
readMeshFile(const std::string& path)
{
  checkInputFile(path, mesh_file_expectation);
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
      throw fileError(path, "unknown kind of file", mesh_file_expectation);
  }
  catch (const InputError&) {
    throw;
  }
  catch (const std::exception&) { // from PCL, Boost or the standard library
    complete = false;
  }
  if (!complete || !VtkMessages::first().empty())
    throw fileError(path, "damaged or truncated", mesh_file_expectation);
  if (mesh.polygons.polygons.empty())
    throw fileError(path, "has no polygons", mesh_file_expectation);
  return mesh;
}

} // namespace pcl::gpu::apps
