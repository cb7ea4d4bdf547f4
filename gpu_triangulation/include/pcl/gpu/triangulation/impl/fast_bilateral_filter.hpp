// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/io.h>
#include <pcl/gpu/triangulation/fast_bilateral_filter.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

template <typename PointT>
FastBilateralFilter<PointT>::FastBilateralFilter()
{
  filter_name_ = "gpu::FastBilateralFilter";
  parameters_.sigma_s = 15.0f;
  parameters_.sigma_r = 0.05f;
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setSigmaS(float sigma_s)
{
  checkPositive("sigma_s", sigma_s);
  parameters_.sigma_s = sigma_s;
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setSigmaR(float sigma_r)
{
  checkPositive("sigma_r", sigma_r);
  parameters_.sigma_r = sigma_r;
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setWindowRadius(int radius)
{
  checkArgument(radius >= 1 &&
                    radius <= DepthBilateralFilterParameters::max_window_radius,
                "window radius",
                radius,
                "1 to 16 pixels");
  parameters_.window_radius = radius;
  radius_follows_sigma_s_ = false;
}

template <typename PointT>
int
FastBilateralFilter<PointT>::getWindowRadius() const
{
  if (!radius_follows_sigma_s_)
    return parameters_.window_radius;
  const float limit = DepthBilateralFilterParameters::max_window_radius;
  return static_cast<int>(std::min(std::ceil(3.0f * parameters_.sigma_s), limit));
}

template <typename PointT>
void
FastBilateralFilter<PointT>::filter(PointCloud& output)
{
  // pcl::Filter leaves a half-made output behind if applyFilter() throws.
  detail::requireOrganized<PointT>(input_, filter_name_);
  Filter<PointT>::filter(output);
}

template <typename PointT>
void
FastBilateralFilter<PointT>::applyFilter(PointCloud& output)
{
  detail::requireOrganized<PointT>(input_, filter_name_);
  DeviceSide& side = scratch_.onCurrentDevice();
  DepthBilateralFilterParameters parameters = parameters_;
  parameters.window_radius = getWindowRadius();
  side.filter.setParameters(parameters);

  const int rows = static_cast<int>(input_->height);
  const int columns = static_cast<int>(input_->width);
  const PointT* measured = input_->points.data();
  float* depth = side.depth.stage(rows, columns);
  detail::forEach(input_->size(),
                  [measured, depth](std::size_t i) { depth[i] = measured[i].z; });
  side.filter.compute(side.depth.uploadStaged(rows, columns), side.filtered);

  const PtrStep<const float> filtered = side.reader.read(side.filtered);
  copyPointCloud(*input_, output);
  PointT* points = output.points.data();
  const bool rescale = rescale_xy_;
  detail::forEachPixel(rows, columns, [=](int row, int column, std::size_t i) {
    const float z = filtered.ptr(row)[column];
    if (!std::isfinite(z))
      return;
    PointT& point = points[i];
    if (rescale) {
      point.x *= z / point.z;
      point.y *= z / point.z;
    }
    point.z = z;
  });
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuFastBilateralFilter(T)                                      \
  template class PCL_EXPORTS pcl::gpu::FastBilateralFilter<T>;
