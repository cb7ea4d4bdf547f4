// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenes.h"

#include <cmath>
#include <limits>
#include <random>

namespace pcl::gpu::test {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

} // namespace

PinholeCamera
cameraOfSize(int rows, int columns)
{
  PinholeCamera camera;
  camera.fx = camera.fy = 525.0f / 640.0f * static_cast<float>(columns);
  camera.cx = 0.5f * static_cast<float>(columns - 1);
  camera.cy = 0.5f * static_cast<float>(rows - 1);
  camera.width = columns;
  camera.height = rows;
  return camera;
}

Eigen::Vector3d
rayOf(const PinholeCamera& camera, int v, int u)
{
  return {(u - static_cast<double>(camera.cx)) / camera.fx,
          (v - static_cast<double>(camera.cy)) / camera.fy,
          1.0};
}

Image<float>
planeDepth(const PinholeCamera& camera, const Eigen::Vector3d& normal, double distance)
{
  Image<float> depth(camera.height, camera.width, missing);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const double z = normal.z() * distance / normal.dot(rayOf(camera, v, u));
      if (z > 0.0 && z < 100.0)
        depth.at(v, u) = static_cast<float>(z);
    }
  return depth;
}

Image<float>
sphereDepth(const PinholeCamera& camera, const Eigen::Vector3d& center, double radius)
{
  Image<float> depth(camera.height, camera.width, missing);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const Eigen::Vector3d ray = rayOf(camera, v, u);
      const double a = ray.squaredNorm();
      const double b = ray.dot(center);
      const double discriminant = b * b - a * (center.squaredNorm() - radius * radius);
      if (discriminant > 0.0)
        depth.at(v, u) = static_cast<float>((b - std::sqrt(discriminant)) / a);
    }
  return depth;
}

Image<float>
roughDepth(int rows, int columns, double hole_share, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::normal_distribution<double> noise(0.0, 0.004);
  const double phase = 6.0 * unit(random);
  Image<float> depth(rows, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      double z = 1.5 + 0.4 * std::sin(0.11 * u + phase) * std::cos(0.07 * v);
      if ((u / 23 + v / 17) % 3 == 1)
        z += 0.7; // a step
      if (unit(random) < 0.02)
        z = 0.5 + 3.5 * unit(random); // a flying pixel
      z += noise(random) * z;
      depth.at(v, u) = unit(random) < hole_share ? missing : static_cast<float>(z);
    }
  return depth;
}

Image<std::uint16_t>
inMillimetres(const Image<float>& depth)
{
  Image<std::uint16_t> raw(depth.rows, depth.columns);
  for (std::size_t i = 0; i < raw.data.size(); ++i)
    if (std::isfinite(depth.data[i]))
      raw.data[i] = static_cast<std::uint16_t>(std::lround(1000.0 * depth.data[i]));
  return raw;
}

Image<float>
inMetres(const Image<std::uint16_t>& depth, double scale)
{
  Image<float> metres(depth.rows, depth.columns, missing);
  for (std::size_t i = 0; i < metres.data.size(); ++i)
    if (depth.data[i] != 0)
      metres.data[i] = static_cast<float>(depth.data[i] * scale);
  return metres;
}

Image<PointXYZ>
cloudOf(const Image<float>& depth, const PinholeCamera& camera)
{
  Image<PointXYZ> cloud(depth.rows, depth.columns, missingPoint());
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const double z = depth.at(v, u);
      if (std::isfinite(z) && z > 0.0)
        cloud.at(v, u).getVector3fMap() = (z * rayOf(camera, v, u)).cast<float>();
    }
  return cloud;
}

Image<PointXYZ>
everyNth(const Image<PointXYZ>& image, int row_step, int column_step)
{
  Image<PointXYZ> some((image.rows + row_step - 1) / row_step,
                       (image.columns + column_step - 1) / column_step);
  for (int v = 0; v < some.rows; ++v)
    for (int u = 0; u < some.columns; ++u)
      some.at(v, u) = image.at(row_step * v, column_step * u);
  return some;
}

Image<PointXYZ>
randomNormals(int rows, int columns, double hole_share, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::normal_distribution<double> gauss;
  Image<PointXYZ> normals(rows, columns, missingPoint());
  for (auto& n : normals.data)
    if (unit(random) >= hole_share) {
      const Eigen::Vector3d direction(gauss(random), gauss(random), gauss(random));
      n.getVector3fMap() = direction.normalized().cast<float>();
    }
  return normals;
}

PointXYZ
missingPoint()
{
  return {missing, missing, missing};
}

} // namespace pcl::gpu::test
