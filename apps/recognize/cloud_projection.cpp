// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cloud_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

constexpr float thickness = 0.01f; // of a surface with its noise, metres
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/** \brief Calls visit(pixel, depth) for each point that the camera sees. */
template <typename Visit>
void
forEachSeen(const PointCloud<PointXYZ>& cloud,
            const PinholeCamera& camera,
            const Pose& pose,
            Visit visit)
{
  const Pose to_camera = pose.inverse();
  for (const PointXYZ& point : cloud) {
    const Eigen::Vector3f p = to_camera * point.getVector3fMap();
    if (!p.allFinite() || !(p.z() > 0.0f))
      continue;
    const float u = std::round(camera.fx * p.x() / p.z() + camera.cx);
    const float v = std::round(camera.fy * p.y() / p.z() + camera.cy);
    if (u >= 0.0f && v >= 0.0f && u < static_cast<float>(camera.width) &&
        v < static_cast<float>(camera.height))
      visit(static_cast<std::size_t>(v) * camera.width + static_cast<std::size_t>(u),
            p.z());
  }
}

/** \brief The mean of the pixels around one; NaN unless most of them are on a surface. */
float
meanAround(const Image<float>& depth, int u, int v)
{
  float nearest = std::numeric_limits<float>::infinity();
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x)
      nearest = std::fmin(nearest, depth.pixels[y * depth.width + x]);
  float sum = 0.0f;
  int count = 0;
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x) {
      const float z = depth.pixels[y * depth.width + x];
      if (z <= nearest + thickness) {
        sum += z;
        ++count;
      }
    }
  return count >= 4 ? sum / static_cast<float>(count) : nan;
}

} // namespace

Image<float>
projectCloud(const PointCloud<PointXYZ>& cloud,
             const PinholeCamera& camera,
             const Pose& pose)
{
  Image<float> nearest;
  nearest.resize(camera.width, camera.height);
  std::fill(nearest.pixels.begin(),
            nearest.pixels.end(),
            std::numeric_limits<float>::infinity());
  forEachSeen(cloud, camera, pose, [&](std::size_t pixel, float z) {
    nearest.pixels[pixel] = std::min(nearest.pixels[pixel], z);
  });
  std::vector<float> sums(nearest.pixels.size());
  std::vector<int> counts(nearest.pixels.size());
  forEachSeen(cloud, camera, pose, [&](std::size_t pixel, float z) {
    if (z <= nearest.pixels[pixel] + thickness) {
      sums[pixel] += z;
      ++counts[pixel];
    }
  });
  Image<float> depth = nearest;
  for (std::size_t i = 0; i < sums.size(); ++i)
    depth.pixels[i] = counts[i] > 0 ? sums[i] / static_cast<float>(counts[i]) : nan;
  Image<float> filled = depth;
  for (int v = 1; v + 1 < camera.height; ++v)
    for (int u = 1; u + 1 < camera.width; ++u)
      if (counts[v * camera.width + u] == 0)
        filled.pixels[v * camera.width + u] = meanAround(depth, u, v);
  return filled;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
