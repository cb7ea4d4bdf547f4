// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/common/io.h>
#include <pcl/common/point_tests.h>
#include <pcl/common/transforms.h>
#include <pcl/gpu/tensor/tensor_registration.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace pcl::gpu {

namespace detail {

/** \brief A cloud of which only some points count; it stays organized if it was. */
template <typename PointT>
PointCloud<PointXYZ>
pointsOfIndices(const PointCloud<PointT>& cloud, const Indices& indices)
{
  PointCloud<PointXYZ> all;
  copyPointCloud(cloud, all);
  PointCloud<PointXYZ> points = all;
  const float missing = std::numeric_limits<float>::quiet_NaN();
  std::fill(points.begin(), points.end(), PointXYZ(missing, missing, missing));
  for (const auto index : indices)
    points[index] = all[index];
  return points;
}

} // namespace detail

template <typename PointSource, typename PointTarget>
double
TensorRegistration<PointSource, PointTarget>::getFitnessScore(double max_range)
{
  PointCloudSource moved;
  transformPointCloud(*input_, moved, final_transformation_);
  double sum = 0.0;
  std::size_t count = 0;
  Indices nearest(1);
  std::vector<float> squared(1);
  for (const PointSource& point : moved)
    if (isXYZFinite(point) && tree_->nearestKSearch(point, 1, nearest, squared) > 0 &&
        squared[0] <= max_range) {
      sum += squared[0];
      ++count;
    }
  return count > 0 ? sum / static_cast<double>(count)
                   : std::numeric_limits<double>::max();
}

template <typename PointSource, typename PointTarget>
void
TensorRegistration<PointSource, PointTarget>::computeTransformation(
    PointCloudSource& output, const Matrix4&)
{
  alignment_.reset();
  PointCloud<PointXYZ> target;
  copyPointCloud(*target_, target);
  views_.clear();
  const int source_view = views_.addView(detail::pointsOfIndices(*input_, *indices_));
  const int target_view = views_.addView(target);
  alignment_ = views_.align(source_view, target_view);
  converged_ = alignment_.has_value();
  final_transformation_ =
      alignment_ ? alignment_->pose.matrix() : Matrix4(Matrix4::Identity());
  transformation_ = final_transformation_;
  transformPointCloud(output, output, final_transformation_);
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuTensorRegistration(S, T)                                    \
  template class PCL_EXPORTS pcl::gpu::TensorRegistration<S, T>;
