// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/organized_normal_estimation.h>

#include <atomic>

namespace pcl::gpu {

template <typename PointInT, typename PointOutT>
bool
OrganizedNormalEstimation<PointInT, PointOutT>::initCompute()
{
  detail::requireOrganized<PointInT>(input_, feature_name_);
  if (search_radius_ != 0.0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        feature_name_
                            << ": search radius is " << search_radius_
                            << ": expected none; neighbours are those in a window of "
                               "pixels, see setKSearch() and setWindowSize(), or use "
                               "pcl::NormalEstimationOMP");
  if (surface_ && surface_ != input_)
    PCL_THROW_EXCEPTION(
        BadArgumentException,
        feature_name_ << ": the search surface is not the input cloud: expected "
                         "none; choose points of the input by setIndices(), or use "
                         "pcl::NormalEstimationOMP");
  getWindowSize(); // checks k_
  search_parameter_ = k_;

  PCLBase<PointInT>::initCompute();
  if (this->fake_indices_)
    return true;
  const auto points = static_cast<index_t>(input_->size());
  for (const index_t index : *indices_)
    checkArgument(index >= 0 && index < points,
                  "index",
                  index,
                  "the number of a point of the input cloud");
  return true;
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::computeFeature(PointCloudOut& output)
{
  DeviceSide& side = scratch_.onCurrentDevice();
  parameters_.window_radius = getWindowSize() / 2;
  side.estimation.setParameters(parameters_);
  side.estimation.compute(detail::uploadPositions(*input_, side.cloud), side.normals);

  const PtrStep<const PointXYZ> normals = side.reader.read(side.normals);
  const int rows = static_cast<int>(input_->height);
  const int columns = static_cast<int>(input_->width);
  PointOutT* points = output.points.data();
  std::atomic<bool> dense(true);
  const auto write = [points, &dense](std::size_t i, const PointXYZ& normal) {
    points[i].normal_x = normal.x;
    points[i].normal_y = normal.y;
    points[i].normal_z = normal.z;
    points[i].curvature = normal.data[3];
    if (std::isnan(normal.x) && dense.load(std::memory_order_relaxed))
      dense.store(false, std::memory_order_relaxed);
  };
  if (this->fake_indices_) {
    detail::forEachPixel(rows, columns, [&](int row, int column, std::size_t i) {
      write(i, normals.ptr(row)[column]);
    });
  }
  else {
    const index_t* indices = indices_->data();
    detail::forEach(indices_->size(), [&](std::size_t i) {
      write(i, normals.ptr(indices[i] / columns)[indices[i] % columns]);
    });
  }
  output.is_dense = dense;
  output.sensor_origin_ = input_->sensor_origin_;
  output.sensor_orientation_ = input_->sensor_orientation_;
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuOrganizedNormalEstimation(T, NT)                            \
  template class PCL_EXPORTS pcl::gpu::OrganizedNormalEstimation<T, NT>;
