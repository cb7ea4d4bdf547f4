// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/kdtree/kdtree_flann.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief The median distance of points to their nearest neighbours, of some of them. */
float
spacingOf(const PointCloud<PointXYZ>::Ptr& cloud)
{
  constexpr std::size_t samples = 1000;
  KdTreeFLANN<PointXYZ> tree(false);
  tree.setInputCloud(cloud);
  std::vector<float> distances;
  const std::size_t step = std::max<std::size_t>(1, cloud->size() / samples);
  for (std::size_t i = 0; i < cloud->size(); i += step) {
    Indices neighbors(2);
    std::vector<float> squared(2);
    if (tree.nearestKSearch((*cloud)[i], 2, neighbors, squared) == 2)
      distances.push_back(std::sqrt(squared[1]));
  }
  const auto middle =
      distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

RangeView
seenFromOrigin(const PointCloud<PointXYZ>& cloud)
{
  // Two points of a surface are in a pixel as wide as this many times their spacing.
  constexpr float spacings_a_pixel = 1.5f;
  constexpr float largest_image = 1024.0f;
  PointCloud<PointXYZ>::Ptr finite(new PointCloud<PointXYZ>);
  Eigen::Vector3f middle = Eigen::Vector3f::Zero();
  for (const PointXYZ& point : cloud)
    if (point.getVector3fMap().allFinite()) {
      finite->push_back(point);
      middle += point.getVector3fMap();
    }
  checkAtLeast("number of finite points", finite->size(), 3);
  middle /= static_cast<float>(finite->size());
  const Eigen::Vector3f origin = cloud.sensor_origin_.head<3>();
  const float distance = (middle - origin).norm();
  checkArgument(distance > 0.0f,
                "sensor_origin_ of a cloud that no camera organized",
                origin.transpose(),
                "a place from which all points are seen, outside of them");
  const Pose pose = lookAt(origin, middle, -Eigen::Vector3f::UnitY());
  // Everything has to lie in front of the camera, within a wide angle.
  float extent_x = 0.0f, extent_y = 0.0f;
  const Pose to_camera = pose.inverse();
  for (const PointXYZ& point : *finite) {
    const Eigen::Vector3f p = to_camera * Eigen::Vector3f(point.getVector3fMap());
    const float reach = std::max(std::abs(p.x()), std::abs(p.y()));
    checkArgument(p.z() > 0.0f && reach < 4.0f * p.z(),
                  "sensor_origin_ of a cloud that no camera organized",
                  origin.transpose(),
                  "a place from which all points are seen, outside of them");
    extent_x = std::max(extent_x, std::abs(p.x() / p.z()));
    extent_y = std::max(extent_y, std::abs(p.y() / p.z()));
  }
  const float spacing = spacingOf(finite);
  const float widest = 0.5f * largest_image / std::max({extent_x, extent_y, 1e-6f});
  const float focal_length =
      spacing > 0.0f ? std::min(distance / (spacings_a_pixel * spacing), widest)
                     : widest;
  PinholeCamera camera;
  camera.fx = camera.fy = focal_length;
  camera.cx = std::ceil(extent_x * focal_length) + 1.0f;
  camera.cy = std::ceil(extent_y * focal_length) + 1.0f;
  camera.width = 2 * static_cast<int>(camera.cx) + 1;
  camera.height = 2 * static_cast<int>(camera.cy) + 1;
  return projectedRangeView(*finite, camera, pose);
}

} // namespace

RangeView
toRangeView(const PointCloud<PointXYZ>& cloud)
{
  std::optional<RangeView> view = organizedRangeView(cloud);
  return view ? std::move(*view) : seenFromOrigin(cloud);
}

} // namespace pcl::gpu
