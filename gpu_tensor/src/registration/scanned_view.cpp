// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "registration/scanned_view.h"
#include "registration/even_surface.hpp"

#include <pcl/common/common.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/kdtree/kdtree_flann.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Returns a quantile, which reorders the values.
 * \param[in] values one or more
 */
float
quantileOf(std::vector<float>& values, float share)
{
  const auto place =
      values.begin() +
      static_cast<std::ptrdiff_t>(share * static_cast<float>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

} // namespace

PointCloud<PointXYZ>::Ptr
measuredPoints(const RangeView& view)
{
  const PinholeCamera& camera = view.camera;
  const PointCloud<PointXYZ>::Ptr points(new PointCloud<PointXYZ>);
  points->reserve(view.depth.size());
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      const float z = view.depth[static_cast<std::size_t>(v) * camera.width + u];
      if (isMeasuredDepth(z))
        points->emplace_back((static_cast<float>(u) - camera.cx) / camera.fx * z,
                             (static_cast<float>(v) - camera.cy) / camera.fy * z,
                             z);
    }
  checkAtLeast("number of pixels with depth", points->size(), 3);
  return points;
}

PointCloud<PointXYZ>::Ptr
measuredPoints(const PointCloud<PointXYZ>& cloud)
{
  const PointCloud<PointXYZ>::Ptr points(new PointCloud<PointXYZ>);
  points->sensor_origin_ = cloud.sensor_origin_;
  points->sensor_orientation_ = cloud.sensor_orientation_;
  points->points.reserve(cloud.size());
  std::copy_if(cloud.begin(),
               cloud.end(),
               std::back_inserter(points->points),
               isMeasuredPoint<PointXYZ>);
  points->width = static_cast<std::uint32_t>(points->points.size());
  points->height = 1;
  checkAtLeast("number of measured points", points->size(), 3);
  return points;
}

float
pointSpacing(const PointCloud<PointXYZ>::ConstPtr& cloud)
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
  return quantileOf(distances, 0.5f);
}

float
pixelSpacing(const RangeView& view)
{
  std::vector<float> measured;
  std::copy_if(view.depth.begin(),
               view.depth.end(),
               std::back_inserter(measured),
               isMeasuredDepth);
  return quantileOf(measured, 0.5f) / view.camera.fx;
}

float
usualExtent(const PointCloud<PointXYZ>& cloud)
{
  constexpr float outside = 0.01f;
  float squared = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float> values;
    for (const PointXYZ& point : cloud)
      values.push_back(point.data[axis]);
    const float length =
        quantileOf(values, 1.0f - outside) - quantileOf(values, outside);
    squared += length * length;
  }
  return std::sqrt(squared);
}

void
checkResolution(const PointCloud<PointXYZ>& cloud, float resolution)
{
  constexpr double margin = 2.0 * (grid_reach + 1) + 1.0, most_cells = 1 << 28;
  constexpr float most_exact = 1 << 23; // steps of floating-point numbers
  PointXYZ lower, upper;
  getMinMax3D(cloud, lower, upper);
  const float farthest = std::max(lower.getArray3fMap().abs().maxCoeff(),
                                  upper.getArray3fMap().abs().maxCoeff());
  checkArgument(resolution > 0.0f && std::isfinite(resolution) &&
                    farthest <= most_exact * resolution,
                "resolution",
                resolution,
                "positive, and larger for points this far from the origin");
  const Eigen::Array3d extent =
      (upper.getVector3fMap() - lower.getVector3fMap()).cast<double>();
  checkArgument((extent / resolution + margin).prod() <= most_cells,
                "resolution",
                resolution,
                "larger for a cloud of this extent");
}

SurfaceOnDevice::SurfaceOnDevice(const EvenSurface& surface,
                                 const std::optional<RangeView>& view,
                                 Workspace& workspace)
{
  if (surface.order.empty())
    return;
  const Device device = currentDevice();
  const Eigen::Vector3f center = 0.5f * (surface.lower + surface.upper);
  DeviceArray<int> order;
  order.upload(surface.order);
  points_.create(order.size());
  normals_.create(order.size());
  parallelFor(device,
              order.size(),
              device::ReorderSurface{
                  reinterpret_cast<const device::Float4*>(surface.points.ptr()),
                  reinterpret_cast<const device::Float4*>(surface.normals.ptr()),
                  order.ptr(),
                  {center.x(), center.y(), center.z()},
                  points_.ptr(),
                  normals_.ptr()},
              Stream());
  const float margin = static_cast<float>(grid_reach + 1) * surface.resolution;
  device::SurfaceGrid grid{};
  grid.cell = surface.resolution;
  for (int i = 0; i < 3; ++i) {
    view_.center[i] = center[i];
    grid.lower[i] = surface.lower[i] - margin;
    grid.size[i] = static_cast<int>(std::ceil(
        (surface.upper[i] - surface.lower[i] + 2.0f * margin) / surface.resolution));
  }
  nearest_.create(grid.cells());
  workspace.reserve(Workspace::bytesFor<std::uint64_t>(grid.cells()));
  device::GridTask task{};
  task.points = points_.ptr();
  task.count = static_cast<int>(points_.size());
  std::copy_n(view_.center, 3, task.center);
  task.grid = grid;
  task.reach = grid_reach;
  task.keys = workspace.take<std::uint64_t>(grid.cells());
  task.nearest = nearest_.ptr();
  dispatch(device, PCL_GPU_BOTH(fillGrid), task, Stream());
  grid.nearest = nearest_.ptr();
  view_.points = points_.ptr();
  view_.normals = normals_.ptr();
  view_.count = task.count;
  view_.grid = grid;
  if (!view)
    return;
  depth_.upload(view->depth.data(), view->depth.size());
  const PinholeCamera& camera = view->camera;
  view_.seen = {{camera.height,
                 camera.width,
                 depth_.ptr(),
                 static_cast<std::size_t>(camera.width) * sizeof(float)},
                camera};
}

} // namespace pcl::gpu
