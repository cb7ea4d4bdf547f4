// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/io.h>
#include <pcl/gpu/triangulation/fast_bilateral_filter.h>

namespace pcl::gpu {

template <typename PointT>
void
FastBilateralFilter<PointT>::applyFilter(PointCloud& output)
{
  detail::requireOrganized<PointT>(input_, filter_name_);
  DeviceSide& side = scratch_.onCurrentDevice();
  const int rows = static_cast<int>(input_->height);
  const int columns = static_cast<int>(input_->width);
  const PointT* measured = input_->points.data();
  device_filter_.compute(
      side.depth.gather(
          rows, columns, [measured](std::size_t i) { return measured[i].z; }),
      side.filtered);

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
