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
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setSigmaS(float sigma_s)
{
  checkPositive("sigma_s", sigma_s);
  sigma_s_ = sigma_s;
}

template <typename PointT>
float
FastBilateralFilter<PointT>::getSigmaS() const
{
  return sigma_s_;
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setSigmaR(float sigma_r)
{
  checkPositive("sigma_r", sigma_r);
  sigma_r_ = sigma_r;
}

template <typename PointT>
float
FastBilateralFilter<PointT>::getSigmaR() const
{
  return sigma_r_;
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setWindowRadius(int radius)
{
  checkArgument(radius >= 1 && radius <= DepthBilateralFilter::max_window_radius,
                "window radius",
                radius,
                "1 to 16 pixels");
  window_radius_ = radius;
}

template <typename PointT>
int
FastBilateralFilter<PointT>::getWindowRadius() const
{
  if (window_radius_ > 0)
    return window_radius_;
  const float limit = DepthBilateralFilter::max_window_radius;
  return static_cast<int>(std::min(std::ceil(3.0f * sigma_s_), limit));
}

template <typename PointT>
void
FastBilateralFilter<PointT>::setRescaleXY(bool rescale)
{
  rescale_xy_ = rescale;
}

template <typename PointT>
bool
FastBilateralFilter<PointT>::getRescaleXY() const
{
  return rescale_xy_;
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
  side.filter.setSigmaS(sigma_s_);
  side.filter.setSigmaR(sigma_r_);
  side.filter.setWindowRadius(getWindowRadius());

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
