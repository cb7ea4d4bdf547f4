// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_scenes.h"
#include "scene_shapes.h"

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace benchmarks {

using Eigen::Vector3f;
using pcl::gpu::test::HostMesh;

namespace {

using pcl::device::pi;

double
areaOf(const HostMesh& mesh, std::size_t first)
{
  const auto vertex = [&](std::size_t i) {
    return Vector3f(mesh.vertices[mesh.triangles[i]].getVector3fMap());
  };
  const Vector3f a = vertex(first);
  return 0.5 * (vertex(first + 1) - a).cross(vertex(first + 2) - a).norm();
}

std::vector<SceneMesh>
readMeshes(const std::string& folder, const std::vector<std::string>& names, float size)
{
  std::vector<SceneMesh> meshes;
  for (const std::string& name : names) {
    const std::string file = name.substr(name.find('/') + 1);
    meshes.push_back(sceneMesh(file.substr(0, file.find('.')),
                               pcl::gpu::test::readMesh(folder + "/" + name),
                               size));
  }
  return meshes;
}

/** \brief Turns an outline of radii and heights about z. */
HostMesh
turnedMesh(const std::vector<Eigen::Vector2f>& outline)
{
  constexpr int corners = 48;
  HostMesh mesh;
  for (const Eigen::Vector2f& point : outline)
    for (int i = 0; i < corners; ++i) {
      const float angle = 2.0f * pi * static_cast<float>(i) / corners;
      mesh.vertices.emplace_back(
          point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  for (int row = 0; row + 1 < static_cast<int>(outline.size()); ++row)
    for (int i = 0; i < corners; ++i) {
      const int a = row * corners + i, b = row * corners + (i + 1) % corners;
      mesh.triangles.insert(mesh.triangles.end(),
                            {a, b, a + corners, b, b + corners, a + corners});
    }
  return mesh;
}

HostMesh
sphereMesh(float radius)
{
  constexpr int rows = 24;
  std::vector<Eigen::Vector2f> outline;
  for (int i = 0; i < rows; ++i) {
    const float angle = pi * static_cast<float>(i) / (rows - 1);
    outline.emplace_back(radius * std::sin(angle), -radius * std::cos(angle));
  }
  return turnedMesh(outline);
}

} // namespace

std::vector<Vector3f>
surfaceSamples(const HostMesh& mesh, int count)
{
  std::vector<double> areas;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    areas.push_back(areaOf(mesh, i));
  Random random(1);
  std::discrete_distribution<std::size_t> triangle(areas.begin(), areas.end());
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  std::vector<Vector3f> samples;
  for (int i = 0; i < count; ++i) {
    const int* const corners = &mesh.triangles[3 * triangle(random)];
    const float root = std::sqrt(uniform(random)), share = uniform(random);
    samples.push_back((1.0f - root) * mesh.vertices[corners[0]].getVector3fMap() +
                      root * (1.0f - share) *
                          mesh.vertices[corners[1]].getVector3fMap() +
                      root * share * mesh.vertices[corners[2]].getVector3fMap());
  }
  return samples;
}

SceneMesh
sceneMesh(const std::string& name, HostMesh mesh, float size)
{
  Eigen::AlignedBox3f box;
  for (int vertex : mesh.triangles)
    box.extend(Vector3f(mesh.vertices[vertex].getVector3fMap()));
  const float scale = size > 0.0f ? size / box.sizes().maxCoeff() : 1.0f;
  SceneMesh result;
  result.name = name;
  for (pcl::PointXYZ& vertex : mesh.vertices) {
    vertex.getVector3fMap() = scale * (vertex.getVector3fMap() - box.center());
    result.vertices.emplace_back(vertex.getVector3fMap());
  }
  result.area = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    result.area += areaOf(mesh, i);
  result.diameter = scale * box.sizes().norm();
  result.samples = surfaceSamples(mesh, 1500);
  result.mesh = pcl::gpu::test::uploaded(mesh);
  return result;
}

HostMesh
boxMesh(const Vector3f& half_size)
{
  HostMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back((i & 1) != 0 ? half_size.x() : -half_size.x(),
                               (i & 2) != 0 ? half_size.y() : -half_size.y(),
                               (i & 4) != 0 ? half_size.z() : -half_size.z());
  mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  return mesh;
}

HostMesh
cylinderMesh(float radius, float height)
{
  return turnedMesh({{0.0f, 0.0f}, {radius, 0.0f}, {radius, height}, {0.0f, height}});
}

std::vector<SceneMesh>
libraryMeshes(const std::string& folder, float size)
{
  return readMeshes(folder,
                    {"armadillo_100k.ply.xz",
                     "bunny_69k.ply.xz",
                     "dragon_871k.ply.xz",
                     "happy_99k.ply.xz",
                     "horse_97k.ply.xz",
                     "objects/boot_40k.ply",
                     "objects/skull_10k.ply",
                     "objects/koala_7k.ply",
                     "objects/penguin_27k.ply",
                     "objects/spot_23k.ply",
                     "objects/teapot_6k.ply",
                     "objects/goathead_6k.ply"},
                    size);
}

std::vector<SceneMesh>
distractorMeshes(const std::string& folder, float size)
{
  std::vector<SceneMesh> meshes = readMeshes(folder,
                                             {"objects/plane_17k.ply",
                                              "objects/scorpion_13k.ply",
                                              "objects/wingnut_6k.ply",
                                              "objects/fish_22k.ply",
                                              "objects/human_man_14k.ply"},
                                             size);
  meshes.push_back(sceneMesh("box", boxMesh({0.06f, 0.08f, 0.1f}), 0.0f));
  meshes.push_back(sceneMesh("flat box", boxMesh({0.03f, 0.1f, 0.12f}), 0.0f));
  meshes.push_back(sceneMesh("cylinder", cylinderMesh(0.045f, 0.22f), 0.0f));
  meshes.push_back(sceneMesh("sphere", sphereMesh(0.08f), 0.0f));
  return meshes;
}

} // namespace benchmarks
