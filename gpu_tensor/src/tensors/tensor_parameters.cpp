// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <tuple>

namespace pcl::gpu {

namespace {

auto
allOf(const TensorParameters& parameters)
{
  return std::tie(parameters.resolution,
                  parameters.min_distance,
                  parameters.max_distance,
                  parameters.min_angle,
                  parameters.pairs_per_point,
                  parameters.grid_size,
                  parameters.voxel_size,
                  parameters.min_area);
}

} // namespace

bool
operator==(const TensorParameters& a, const TensorParameters& b)
{
  return allOf(a) == allOf(b);
}

bool
operator!=(const TensorParameters& a, const TensorParameters& b)
{
  return !(a == b);
}

void
TensorParameters::validate() const
{
  // There 0 stands for the resolution of a frame.
  checkPositive("resolution", resolution);
  PointPairEstimationParameters pairs;
  applyParameters(*this, pairs);
  pairs.validate();
  TensorExtractionParameters tensors;
  applyParameters(*this, tensors);
  tensors.validate();
}

void
applyParameters(const TensorParameters& from, PointPairEstimationParameters& to)
{
  to.resolution = from.resolution;
  to.min_distance = from.min_distance;
  to.max_distance = from.max_distance;
  to.min_angle = from.min_angle;
  to.pairs_per_point = from.pairs_per_point;
}

void
applyParameters(const TensorParameters& from, TensorExtractionParameters& to)
{
  to.grid_size = from.grid_size;
  to.voxel_size = from.voxel_size;
  to.voxel_unit = LengthUnit::Metres;
  to.min_area = from.min_area;
}

} // namespace pcl::gpu
