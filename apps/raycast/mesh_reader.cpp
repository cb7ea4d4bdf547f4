// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh_reader.h"

#include "../common/command_line/errors.h"
#include "../common/files/pose_file.h"
#include "../common/meshes/mesh_file.h"
#include "surface_normals.h"

#include <pcl/gpu/raycast/mesh_conversion.h>

#include <array>
#include <cstdint>
#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

/** \brief Splits "MESH@POSE"; a file may have @ in its name. */
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

/** \brief Returns the colour of a mesh without colours: warm and cool alternately. */
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
  mesh.polygons = readMeshFile(mesh.name);
  mesh.rest = toTriangleMesh(mesh.polygons);
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
    throw fileError(mesh.name, "has no vertex that is finite", mesh_file_expectation);
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

} // namespace pcl::gpu::apps
