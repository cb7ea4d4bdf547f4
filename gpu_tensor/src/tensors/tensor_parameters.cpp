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
validateParameters(const TensorParameters& parameters)
{
  // There 0 stands for the resolution of a frame.
  checkPositive("resolution", parameters.resolution);
  PointPairEstimation estimation;
  applyParameters(parameters, estimation);
  TensorExtraction extraction;
  applyParameters(parameters, extraction);
}

void
applyParameters(const TensorParameters& parameters, PointPairEstimation& estimation)
{
  estimation.setResolution(parameters.resolution);
  estimation.setDistances(parameters.min_distance, parameters.max_distance);
  estimation.setMinAngle(parameters.min_angle);
  estimation.setPairsPerPoint(parameters.pairs_per_point);
}

void
applyParameters(const TensorParameters& parameters, TensorExtraction& extraction)
{
  extraction.setGridSize(parameters.grid_size);
  extraction.setVoxelSize(parameters.voxel_size);
  extraction.setMinArea(parameters.min_area);
}

} // namespace pcl::gpu
