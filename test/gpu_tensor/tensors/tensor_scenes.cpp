// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor_scenes.h"
#include "common/numbers.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace pcl::gpu::test {

namespace {

/** \brief Damages one coordinate, or all three, of one point in \a one_of. */
void
damage(PointXYZ& point, std::mt19937& random, unsigned int one_of)
{
  const unsigned int number = random() % one_of;
  if (number == 0)
    point.getVector3fMap().setConstant(not_a_number);
  else if (number == 1)
    point.data[random() % 3] = random() % 2 ? not_a_number : infinity;
  else if (number == 2)
    point.data[random() % 3] = -infinity;
}

} // namespace

OrientedCloud
bumpyCloud(int rows, int columns, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const double phase_x = 6.0 * unit(random), phase_y = 6.0 * unit(random);
  const double frequency_x = 130.0 + 60.0 * unit(random);
  const double frequency_y = 130.0 + 60.0 * unit(random);
  const double amplitude = 0.007;
  OrientedCloud cloud{Image<PointXYZ>(rows, columns), Image<PointXYZ>(rows, columns)};
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      // Noise along the surface, so that no two distances are equal.
      const double x = pixel_distance * (u - 0.5 * columns + 0.3 * unit(random));
      const double y = pixel_distance * (v - 0.5 * rows + 0.3 * unit(random));
      const double a = frequency_x * x + phase_x, b = frequency_y * y + phase_y;
      const double z = 1.0 + amplitude * std::sin(a) * std::cos(b);
      const double slope_x = amplitude * frequency_x * std::cos(a) * std::cos(b);
      const double slope_y = -amplitude * frequency_y * std::sin(a) * std::sin(b);
      cloud.points.at(v, u).getVector3fMap() = Eigen::Vector3d(x, y, z).cast<float>();
      cloud.normals.at(v, u).getVector3fMap() =
          Eigen::Vector3d(slope_x, slope_y, -1.0).normalized().cast<float>();
    }
  return cloud;
}

OrientedCloud
damagedCloud(int rows, int columns, std::uint32_t seed)
{
  OrientedCloud cloud = bumpyCloud(rows, columns, seed);
  std::mt19937 random(seed + 1000);
  std::normal_distribution<float> noise(0.0f, 0.05f);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      PointXYZ& point = cloud.points.at(v, u);
      PointXYZ& normal = cloud.normals.at(v, u);
      if ((u / 19 + v / 13) % 3 == 1)
        point.z += 0.015f; // a jump that pairs reach across
      if ((u / 37 + v / 29) % 5 == 2)
        point.z += 0.4f; // one that they do not
      const Eigen::Vector3f turned =
          normal.getVector3fMap() +
          Eigen::Vector3f(noise(random), noise(random), noise(random));
      normal.getVector3fMap() = turned.normalized();
      damage(point, random, 60);
      damage(normal, random, 50);
    }
  return cloud;
}

OrientedCloud
foldedPlane(int rows, int columns)
{
  const float step = 1.0f / 256.0f;
  OrientedCloud cloud{Image<PointXYZ>(rows, columns), Image<PointXYZ>(rows, columns)};
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      const int from_fold = u - columns / 2;
      const float y = step * static_cast<float>(v);
      PointXYZ& point = cloud.points.at(v, u);
      PointXYZ& normal = cloud.normals.at(v, u);
      if (from_fold <= 0) {
        point = {step * static_cast<float>(from_fold), y, 1.0f};
        normal = {0.0f, 0.0f, -1.0f};
      }
      else {
        point = {0.0f, y, 1.0f - step * static_cast<float>(from_fold)};
        normal = {-1.0f, 0.0f, 0.0f};
      }
    }
  return cloud;
}

OrientedCloud
moved(const OrientedCloud& cloud,
      const Eigen::Matrix3d& rotation,
      const Eigen::Vector3d& translation)
{
  OrientedCloud result = cloud;
  for (PointXYZ& p : result.points.data)
    p.getVector3fMap() =
        (rotation * p.getVector3fMap().cast<double>() + translation).cast<float>();
  for (PointXYZ& n : result.normals.data)
    n.getVector3fMap() = (rotation * n.getVector3fMap().cast<double>()).cast<float>();
  return result;
}

Eigen::Matrix3d
randomRotation(std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::normal_distribution<double> gauss;
  const Eigen::Vector3d axis(gauss(random), gauss(random), gauss(random));
  return Eigen::AngleAxisd(3.0 * gauss(random), axis.normalized()).toRotationMatrix();
}

DeviceArray<ResolutionStatistics>
statisticsOf(const OrientedCloud& cloud)
{
  DeviceArray<ResolutionStatistics> statistics;
  CloudResolution().compute(
      uploaded(cloud.points), uploaded(cloud.normals), statistics);
  return statistics;
}

OrganizedMesh
meshOf(const OrientedCloud& cloud, Cut cut, float max_edge_length)
{
  OrganizedTriangulation triangulation;
  OrganizedTriangulationParameters parameters;
  parameters.cut = cut;
  parameters.angle_tolerance = 0.0f;
  parameters.dynamic_edge_length = false;
  parameters.max_edge_length = max_edge_length;
  parameters.dynamic_normal_angle = false;
  triangulation.setParameters(parameters);
  OrganizedMesh mesh;
  triangulation.compute(uploaded(cloud.points), {}, {}, mesh);
  return mesh;
}

Triangles
trianglesOf(const OrganizedMesh& mesh)
{
  const std::vector<int> indices = downloaded(mesh.indices);
  const int count = downloaded(mesh.polygon_count).at(0);
  Triangles triangles;
  for (int i = 0; i < count; ++i) {
    const int* const polygon = indices.data() + i * mesh.vertices_per_polygon;
    if (mesh.vertices_per_polygon == 3) {
      triangles.push_back({polygon[0], polygon[1], polygon[2]});
      continue;
    }
    // Pixel numbers in their order: own, right, down, down-right.
    std::array<int, 4> corners{polygon[0], polygon[1], polygon[2], polygon[3]};
    std::sort(corners.begin(), corners.end());
    triangles.push_back({corners[0], corners[2], corners[1]});
    triangles.push_back({corners[1], corners[2], corners[3]});
  }
  return triangles;
}

std::vector<PointPair>
downloadedPairs(const PointPairs& pairs)
{
  EXPECT_EQ(pairs.count.size(), 1u);
  const int count = downloaded(pairs.count).at(0);
  std::vector<PointPair> all = downloaded(pairs.pairs);
  EXPECT_GE(count, 0);
  EXPECT_LE(static_cast<std::size_t>(count), all.size());
  all.resize(std::min(all.size(), static_cast<std::size_t>(std::max(count, 0))));
  return all;
}

PointPairs
uploadedPairs(const std::vector<PointPair>& pairs)
{
  return {uploaded(pairs), uploaded(std::vector<int>{static_cast<int>(pairs.size())})};
}

bool
samePairs(const std::vector<PointPair>& a, const std::vector<PointPair>& b)
{
  return a.size() == b.size() &&
         std::equal(
             a.begin(), a.end(), b.begin(), [](const PointPair& p, const PointPair& q) {
               return p.first == q.first && p.second == q.second;
             });
}

std::string
seedText(std::uint32_t seed)
{
  return "seed " + std::to_string(seed);
}

std::string
sizeText(int rows, int columns)
{
  return std::to_string(columns) + " x " + std::to_string(rows);
}

} // namespace pcl::gpu::test
