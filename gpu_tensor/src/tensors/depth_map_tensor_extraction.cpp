// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

DepthMapTensorExtractionParameters::DepthMapTensorExtractionParameters()
{
  // A Kinect's noise at 1 m is 1.4 mm and its steps are 2.9 mm; both grow with z^2.
  surface.filter.window_radius = 6;
  surface.filter.sigma_s = 3.0f;
  surface.filter.sigma_r = 0.006f;
  surface.filter.sigma_r_growth = 0.006f;
  surface.projection.sampling_step = 2;
  surface.normals.method = NormalEstimationMethod::COVARIANCE_MATRIX;
  surface.normals.window_radius = 4;
  surface.normals.max_depth_change_factor = 0.02f;
  surface.mesh.dynamic_normal_angle = false;
  surface.mesh.angle_tolerance = 0.104719755f;
}

void
DepthMapTensorExtractionParameters::setTensors(const TensorParameters& parameters)
{
  constexpr float coarse = 0.003f; // more than a pixel of a Kinect at 1.5 m
  tensors = parameters;
  if (tensors.resolution < coarse) {
    surface.projection.sampling_step = 1;
    surface.normals.window_radius = 3;
  }
}

DepthMapTriangulationParameters
DepthMapTensorExtractionParameters::usedSurface() const
{
  DepthMapTriangulationParameters used = surface;
  if (tensors.resolution > 0.0f) {
    // Longer edges span a jump in depth, unless the surface is seen very flatly.
    used.mesh.dynamic_edge_length = false;
    used.mesh.max_edge_length = 6.0f * tensors.resolution;
  }
  return used;
}

PointPairEstimationParameters
DepthMapTensorExtractionParameters::usedPairs() const
{
  const PinholeCamera camera = surface.projection.cloudCamera();
  const float farthest = tensors.max_distance * tensors.resolution;
  const float pixels = farthest * std::max(camera.fx, camera.fy) / nearest_depth;
  PointPairEstimationParameters pairs;
  applyParameters(tensors, pairs);
  pairs.window_radius = static_cast<int>(
      std::min(std::ceil(pixels), static_cast<float>(pairs.max_window_radius)));
  if (tensor_count > 0) {
    pairs.selection = PairSelection::Random;
    pairs.selected_count = tensor_count;
    pairs.seed = seed;
  }
  return pairs;
}

TensorExtractionParameters
DepthMapTensorExtractionParameters::usedTensors() const
{
  TensorExtractionParameters extraction;
  applyParameters(tensors, extraction);
  return extraction;
}

void
DepthMapTensorExtractionParameters::validate() const
{
  surface.validate();
  if (tensors != TensorParameters())
    tensors.validate();
  checkPositive("nearest depth", nearest_depth);
  checkAtLeast("number of tensors", tensor_count, 0);
}

void
DepthMapTensorExtraction::computeTensors(const Stream& stream)
{
  pair_estimation_.setParameters(parameters_.usedPairs());
  extraction_.setParameters(parameters_.usedTensors());
  pair_estimation_.compute(surface_.cloud(),
                           surface_.normals(),
                           surface_.statistics(),
                           pairs_.value,
                           stream);
  extraction_.compute(surface_.cloud(),
                      surface_.normals(),
                      surface_.mesh(),
                      surface_.statistics(),
                      pairs_.value,
                      tensors_.value,
                      stream);
}

TensorParameters
recognitionParameters(float resolution)
{
  checkPositive("resolution", resolution);
  TensorParameters parameters;
  parameters.resolution = resolution;
  parameters.min_angle = 0.523598776f;
  parameters.pairs_per_point = 1;
  parameters.voxel_size = 4.0f * resolution;
  parameters.min_area = 0.02f;
  return parameters;
}

} // namespace pcl::gpu
