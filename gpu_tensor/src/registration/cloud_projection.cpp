// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

/** \brief Calls visit(pixel, depth) for each point that the camera sees. */
template <typename Visit>
void
forEachSeen(const PointCloud<PointXYZ>& cloud,
            const PinholeCamera& camera,
            const Pose& pose,
            const Visit& visit)
{
  const Pose to_camera = pose.inverse();
  for (const PointXYZ& point : cloud) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(point.getVector3fMap());
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

/** \brief The farthest that is of one surface with the nearest depth of a pixel: within a
 * pixel a surface that is seen at 76 degrees is four times as deep as the pixel is wide. */
float
farthestOfSurface(float nearest, const PinholeCamera& camera)
{
  return nearest + 4.0f * nearest / std::min(camera.fx, camera.fy);
}

/** \brief The mean of the pixels around one; NaN unless most of them are on a surface. */
float
meanAround(const std::vector<float>& depth, const PinholeCamera& camera, int u, int v)
{
  float nearest = std::numeric_limits<float>::infinity();
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x)
      nearest = std::fmin(nearest, depth[y * camera.width + x]);
  float sum = 0.0f;
  int count = 0;
  for (int y = v - 1; y <= v + 1; ++y)
    for (int x = u - 1; x <= u + 1; ++x) {
      const float z = depth[y * camera.width + x];
      if (z <= farthestOfSurface(nearest, camera)) {
        sum += z;
        ++count;
      }
    }
  return count >= 4 ? sum / static_cast<float>(count) : missing;
}

} // namespace

RangeView
projectedRangeView(const PointCloud<PointXYZ>& cloud,
                   const PinholeCamera& camera,
                   const Pose& pose)
{
  camera.validate();
  validatePose(pose, "pose of the camera");
  checkArgument(camera.width > 0 && camera.height > 0,
                "number of pixels",
                camera.width * camera.height,
                "1 or more");
  const auto pixels = static_cast<std::size_t>(camera.width) * camera.height;
  std::vector<float> nearest(pixels, std::numeric_limits<float>::infinity());
  forEachSeen(cloud, camera, pose, [&](std::size_t pixel, float z) {
    nearest[pixel] = std::min(nearest[pixel], z);
  });
  std::vector<double> sums(pixels, 0.0);
  std::vector<int> counts(pixels, 0);
  forEachSeen(cloud, camera, pose, [&](std::size_t pixel, float z) {
    if (z <= farthestOfSurface(nearest[pixel], camera)) {
      sums[pixel] += z;
      ++counts[pixel];
    }
  });
  std::vector<float> depth(pixels, missing);
  for (std::size_t i = 0; i < pixels; ++i)
    if (counts[i] > 0)
      depth[i] = static_cast<float>(sums[i] / counts[i]);
  RangeView view{depth, camera, pose};
  for (int v = 1; v + 1 < camera.height; ++v)
    for (int u = 1; u + 1 < camera.width; ++u)
      if (counts[v * camera.width + u] == 0)
        view.depth[v * camera.width + u] = meanAround(depth, camera, u, v);
  return view;
}

} // namespace pcl::gpu
