// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/organized_normal_estimation.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pcl::gpu {

template <typename PointInT, typename PointOutT>
OrganizedNormalEstimation<PointInT, PointOutT>::OrganizedNormalEstimation()
{
  feature_name_ = "gpu::OrganizedNormalEstimation";
  setWindowSize(2 * parameters_.window_radius + 1);
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::setInputCloud(
    const typename PointCloudIn::ConstPtr& cloud)
{
  input_ = cloud;
  if (use_sensor_origin_)
    takeSensorOrigin();
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::setWindowSize(int size)
{
  checkArgument(size % 2 == 1 && size >= min_window_size && size <= max_window_size,
                "window size",
                size,
                "an odd number of pixels from 3 to 33");
  k_ = size * size;
}

template <typename PointInT, typename PointOutT>
int
OrganizedNormalEstimation<PointInT, PointOutT>::getWindowSize() const
{
  checkArgument(k_ >= 1 && k_ <= max_window_size * max_window_size,
                "number of neighbours",
                k_,
                "1 to 1089 points, a window of at most 33 x 33 pixels");
  int size = min_window_size;
  while (size * size < k_)
    size += 2;
  return size;
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::setNormalSmoothingSize(
    float normal_smoothing_size)
{
  checkArgument(normal_smoothing_size > 0.0f &&
                    normal_smoothing_size <= max_window_size,
                "normal smoothing size",
                normal_smoothing_size,
                "a positive number of pixels up to 33");
  const int pixels = static_cast<int>(std::ceil(normal_smoothing_size));
  setWindowSize(std::max<int>(min_window_size, pixels + 1 - pixels % 2));
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::setMaxDepthChangeFactor(float factor)
{
  checkArgument(
      factor > 0.0f, "maximum depth change factor", factor, "a positive number");
  parameters_.max_depth_change_factor = factor;
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::setViewPoint(float vpx,
                                                             float vpy,
                                                             float vpz)
{
  parameters_.viewpoint = Eigen::Vector3f(vpx, vpy, vpz);
  use_sensor_origin_ = false;
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::getViewPoint(float& vpx,
                                                             float& vpy,
                                                             float& vpz) const
{
  vpx = parameters_.viewpoint.x();
  vpy = parameters_.viewpoint.y();
  vpz = parameters_.viewpoint.z();
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::useSensorOriginAsViewPoint()
{
  use_sensor_origin_ = true;
  takeSensorOrigin();
}

template <typename PointInT, typename PointOutT>
void
OrganizedNormalEstimation<PointInT, PointOutT>::takeSensorOrigin()
{
  parameters_.viewpoint.setZero();
  if (input_)
    parameters_.viewpoint = input_->sensor_origin_.template head<3>();
}

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
