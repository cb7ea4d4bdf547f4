// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "model_files.h"

#include "../../common/command_line/errors.h"
#include "../../common/files/output_file.h"
#include "../../common/meshes/mesh_file.h"

#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/utils/internal/number_text.h>

#include <array>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

const char* const expected_model =
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
    checkInputFile(file, expected_model);
    const bool is_mesh = isMeshFile(file);
    if (!is_mesh && extensionOf(file) != ".pcd")
      throw fileError(file, "unknown kind of file", expected_model);
    model.is_mesh = model.is_mesh || is_mesh;
  }
  if (model.is_mesh && model.files.size() > 1)
    throw InputError(model.name + ": several files, of which one is a mesh: expected " +
                     expected_model);
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

/** \brief Unit of length. */
struct Unit {
  const char* name;
  float metres;
};

/** \brief Units that meshes come in. */
constexpr std::array<Unit, 5> units = {Unit{"millimetres", 0.001f},
                                       {"centimetres", 0.01f},
                                       {"inches", 0.0254f},
                                       {"feet", 0.3048f},
                                       {"metres", 1.0f}};

/** \brief Returns the units in which a mesh fits, as values of --scale.
 * \param[in] sides those of its box, in its unit
 * \param[in] fits judges its extent, metres
 */
std::string
fittingScales(const Eigen::Vector3f& sides, const std::function<bool(float)>& fits)
{
  std::string text;
  for (const Unit& unit : units)
    if (fits(unit.metres * sides.norm()))
      text += (text.empty() ? "--scale " : " or ") + numberText(unit.metres) + " (" +
              unit.name + ": " + numberText(unit.metres * sides.maxCoeff(), 3) + " m)";
  return text.empty() ? "--scale, metres for one unit" : text;
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
readModelMesh(const std::string& path, const MeshScaling& scaling)
{
  ModelMesh result;
  result.path = path;
  result.scaling = scaling;
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
  result.sides = result.box.sizes();
  const float scale = scaling.size ? *scaling.size / longest : scaling.unit;
  for (PointXYZ& vertex : vertices)
    vertex.getVector3fMap() *= scale;
  result.box = {scale * result.box.min(), scale * result.box.max()};
  result.mesh.vertices.upload(vertices);
  result.mesh.triangles.upload(indices);
  return result;
}

float
nearestDepth(const ModelMesh& mesh, float distance, const TensorParameters& tensors)
{
  const float diagonal = mesh.box.diagonal().norm();
  const float shortest = tensors.min_distance * tensors.resolution;
  const auto is_visible = [&](float extent) { return 1.1f * 0.5f * extent < distance; };
  const bool is_large = !is_visible(diagonal);
  if (!is_large && diagonal >= shortest)
    return distance - 0.5f * diagonal;

  const auto& [unit, size] = mesh.scaling;
  const std::string option = size ? "--size" : "--scale " + numberText(unit);
  const std::string length = numberText(mesh.sides.maxCoeff(), 3) + " units long, " +
                             numberText(mesh.box.sizes().maxCoeff(), 3) + " m by " +
                             option;
  std::string expectation = is_large ? "a smaller --size" : "a larger --size";
  if (!size)
    expectation = fittingScales(mesh.sides,
                                [&](float extent) {
                                  return is_visible(extent) && extent >= shortest;
                                }) +
                  ", --size";
  if (is_large)
    throw fileError(mesh.path,
                    "is " + length + ", and the camera is " + numberText(distance, 3) +
                        " m from its middle",
                    expectation + " or a larger --distance");
  throw fileError(mesh.path,
                  "is " + length + ", and pairs of points are " +
                      numberText(shortest, 3) + " m long or more",
                  expectation + " or a library of smaller --resolution");
}

} // namespace pcl::gpu::apps
