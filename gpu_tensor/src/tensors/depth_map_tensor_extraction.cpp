// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

DepthMapTensorExtraction::DepthMapTensorExtraction()
{
  // A Kinect's noise at 1 m is 1.4 mm and its steps are 2.9 mm; both grow with z^2.
  DepthMapTriangulationParameters surface = surface_.getParameters();
  surface.filter.window_radius = 6;
  surface.filter.sigma_s = 3.0f;
  surface.filter.sigma_r = 0.006f;
  surface.filter.sigma_r_growth = 0.006f;
  surface.projection.sampling_step = 2;
  surface.normals.window_radius = 4;
  surface.normals.max_depth_change_factor = 0.02f;
  surface.mesh.dynamic_normal_angle = false;
  surface.mesh.angle_tolerance = 0.104719755f;
  surface_.setParameters(surface);
}

void
DepthMapTensorExtraction::setCamera(const PinholeCamera& camera)
{
  camera.validate();
  DepthMapTriangulationParameters surface = surface_.getParameters();
  surface.projection.camera = camera;
  surface_.setParameters(surface);
}

PinholeCamera
DepthMapTensorExtraction::getCloudCamera() const
{
  return surface_.getParameters().projection.cloudCamera();
}

void
DepthMapTensorExtraction::setParameters(const TensorParameters& parameters)
{
  validateParameters(parameters);
  applyParameters(parameters, pair_estimation_);
  applyParameters(parameters, extraction_);
  // Longer edges span a jump in depth, unless the surface is seen very flatly.
  DepthMapTriangulationParameters surface = surface_.getParameters();
  surface.mesh.dynamic_edge_length = false;
  surface.mesh.max_edge_length = 6.0f * parameters.resolution;
  surface_.setParameters(surface);
  parameters_ = parameters;
}

const TensorParameters&
DepthMapTensorExtraction::getParameters() const
{
  return parameters_;
}

void
DepthMapTensorExtraction::setNearestDepth(float depth)
{
  checkPositive("nearest depth", depth);
  nearest_depth_ = depth;
}

void
DepthMapTensorExtraction::setTensorCount(int count, std::uint64_t seed)
{
  checkArgument(count >= 0, "number of tensors", count, "0 or more");
  tensor_count_ = count;
  seed_ = seed;
}

DepthMapTriangulation&
DepthMapTensorExtraction::surface()
{
  return surface_;
}

const DepthMapTriangulation&
DepthMapTensorExtraction::surface() const
{
  return surface_;
}

TensorExtraction&
DepthMapTensorExtraction::extraction()
{
  return extraction_;
}

void
DepthMapTensorExtraction::compute(const RawDepthMap& depth,
                                  float scale,
                                  const Stream& stream)
{
  validateParameters(parameters_);
  surface_.compute(depth, scale, stream);
  computeTensors(stream);
}

void
DepthMapTensorExtraction::compute(const DepthMap& depth, const Stream& stream)
{
  validateParameters(parameters_);
  surface_.compute(depth, stream);
  computeTensors(stream);
}

void
DepthMapTensorExtraction::computeTensors(const Stream& stream)
{
  const PinholeCamera camera = getCloudCamera();
  const float farthest = parameters_.max_distance * parameters_.resolution;
  const float pixels = farthest * std::max(camera.fx, camera.fy) / nearest_depth_;
  pair_estimation_.setWindowRadius(static_cast<int>(std::min(
      std::ceil(pixels), static_cast<float>(PointPairEstimation::max_window_radius))));
  if (tensor_count_ > 0)
    pair_estimation_.selectRandomly(tensor_count_, seed_);
  else
    pair_estimation_.selectAll();
  pair_estimation_.compute(
      surface_.cloud(), surface_.normals(), surface_.statistics(), pairs_, stream);
  extraction_.compute(surface_.cloud(),
                      surface_.normals(),
                      surface_.mesh(),
                      surface_.statistics(),
                      pairs_,
                      tensors_,
                      stream);
}

const PointPairs&
DepthMapTensorExtraction::pairs() const
{
  return pairs_;
}

const TensorSet&
DepthMapTensorExtraction::tensors() const
{
  return tensors_;
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
