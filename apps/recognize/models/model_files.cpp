// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "model_files.h"

#include "../../common/command_line/errors.h"
#include "../../common/files/output_file.h"
#include "../../common/meshes/mesh_file.h"

#include <pcl/gpu/raycast/mesh_conversion.h>

#include <filesystem>
#include <set>
#include <sstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

const char* const expectation =
    "a mesh (.ply, .obj, .stl, .off or .vtk), or clouds (.pcd)";

ModelFiles
splitWord(const std::string& word)
{
  ModelFiles model;
  const std::size_t equals = word.find('=');
  if (fs::exists(word) || equals == std::string::npos) {
    model.files = {word};
    model.name = fs::path(word).stem().string();
    return model;
  }
  model.name = word.substr(0, equals);
  const std::string rest = word.substr(equals + 1);
  if (fs::exists(rest)) // also with a comma in its name
    model.files = {rest};
  else {
    std::istringstream parts(rest);
    for (std::string part; std::getline(parts, part, ',');)
      model.files.push_back(part);
  }
  if (model.name.empty() || model.files.empty())
    throw InputError(word + ": expected FILE or NAME=FILE,FILE...");
  return model;
}

void
checkFiles(ModelFiles& model)
{
  for (const std::string& file : model.files) {
    checkInputFile(file, expectation);
    const bool is_mesh = isMeshFile(file);
    if (!is_mesh && extensionOf(file) != ".pcd")
      throw fileError(file, "unknown kind of file", expectation);
    model.is_mesh = model.is_mesh || is_mesh;
  }
  if (model.is_mesh && model.files.size() > 1)
    throw InputError(model.name + ": several files, of which one is a mesh: expected " +
                     expectation);
}

/** \brief Drops vertices that no triangle uses, which would enlarge the box. */
void
dropUnusedVertices(std::vector<PointXYZ>& vertices, std::vector<int>& indices)
{
  std::vector<int> places(vertices.size(), -1);
  std::vector<PointXYZ> used;
  for (int& index : indices) {
    if (places[index] < 0) {
      places[index] = static_cast<int>(used.size());
      used.push_back(vertices[index]);
    }
    index = places[index];
  }
  vertices.swap(used);
}

} // namespace

std::vector<ModelFiles>
findModels(const std::vector<std::string>& words)
{
  std::vector<ModelFiles> models;
  std::set<std::string> names;
  for (const std::string& word : words) {
    models.push_back(splitWord(word));
    checkFiles(models.back());
    if (!names.insert(models.back().name).second)
      throw InputError(word + ": there are two models named " + models.back().name +
                       ": expected NAME=FILE with another name");
  }
  return models;
}

ModelMesh
readModelMesh(const std::string& path, const std::optional<float>& size)
{
  ModelMesh result;
  const TriangleMesh read = toTriangleMesh(readMeshFile(path));
  std::vector<PointXYZ> vertices;
  std::vector<int> indices;
  read.vertices.download(vertices);
  read.triangles.download(indices);
  dropUnusedVertices(vertices, indices);
  for (const PointXYZ& vertex : vertices)
    if (vertex.getVector3fMap().allFinite())
      result.box.extend(Eigen::Vector3f(vertex.getVector3fMap()));
  const float longest = result.box.isEmpty() ? 0.0f : result.box.sizes().maxCoeff();
  if (!(longest > 0.0f && longest < 1e6f))
    throw fileError(path, "has no size between 0 and 1e6", mesh_file_expectation);
  if (size) {
    const float scale = *size / longest;
    for (PointXYZ& vertex : vertices)
      vertex.getVector3fMap() *= scale;
    result.box = {scale * result.box.min(), scale * result.box.max()};
  }
  result.mesh.vertices.upload(vertices);
  result.mesh.triangles.upload(indices);
  return result;
}

float
nearestDepth(const ModelMesh& mesh, float distance, const std::string& path)
{
  const float radius = 0.5f * mesh.box.diagonal().norm();
  if (!(1.1f * radius < distance))
    throw fileError(path,
                    "is " + std::to_string(mesh.box.sizes().maxCoeff()) +
                        " m long, and the camera " + std::to_string(distance) +
                        " m from its middle",
                    "--size or a larger --distance");
  return distance - radius;
}

} // namespace pcl::gpu::apps
