// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "simulation/depth_simulation.hpp"

#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>

namespace pcl::gpu {

namespace {

void
checkFraction(const char* name, float value)
{
  checkArgument(value >= 0.0f && value <= 1.0f, name, value, "0 to 1");
}

} // namespace

void
DepthNoise::validate() const
{
  checkNotNegative("deviation", deviation);
  checkNotNegative("growth of the deviation", deviation_growth);
  checkFraction("fraction of outliers", outlier_fraction);
  checkFraction("fraction of missing pixels", missing_fraction);
  checkFraction("fraction of outliers and missing pixels",
                outlier_fraction + missing_fraction);
  checkNotNegative("nearest outlier", nearest_outlier);
  checkArgument(std::isfinite(farthest_outlier) && farthest_outlier >= nearest_outlier,
                "farthest outlier",
                farthest_outlier,
                "no less than the nearest one");
  checkNotNegative("quantization", quantization);
}

void
DepthSensorSimulationParameters::validate() const
{
  validateIfSet(camera);
  validatePose(pose, "camera's pose");
  noise.validate();
}

void
DepthSensorSimulation::addNoise(const DeviceArray2D<float>& depth_map,
                                std::uint32_t frame,
                                DeviceArray2D<float>& measured,
                                const Stream& stream) const
{
  checkCamera("camera", parameters_.camera, "depth map", depth_map);
  const Device device = deviceOf(depth_map);
  const ScopedDevice scope(device);
  const int columns = depth_map.cols(), rows = depth_map.rows();
  createOn(device, measured, rows, columns);
  if (depth_map.empty())
    return;
  const DepthNoise& noise = parameters_.noise;
  device::AddDepthNoise pixel = {};
  pixel.camera = intrinsicsOf(parameters_.camera);
  pixel.errors.deviation = noise.deviation;
  pixel.errors.deviation_growth = noise.deviation_growth;
  const double outliers = noise.outlier_fraction;
  pixel.errors.outliers = static_cast<std::uint64_t>(outliers * 0x1p32);
  pixel.errors.missing =
      static_cast<std::uint64_t>((outliers + noise.missing_fraction) * 0x1p32);
  pixel.errors.nearest_outlier = noise.nearest_outlier;
  pixel.errors.farthest_outlier = noise.farthest_outlier;
  pixel.errors.quantization = noise.quantization;
  pixel.errors.seed = noise.seed;
  pixel.frame = frame;
  pixel.depth = {depth_map.ptr(), depth_map.step()};
  pixel.measured = {measured.ptr(), measured.step()};
  parallelFor2D(device, columns, rows, pixel, stream);
}

void
DepthSensorSimulation::computePoints(const DeviceArray2D<float>& depth_map,
                                     DeviceArray<PointXYZ>& points,
                                     const Stream& stream) const
{
  checkCamera("camera", parameters_.camera, "depth map", depth_map);
  const Device device = deviceOf(depth_map);
  const ScopedDevice scope(device);
  const int columns = depth_map.cols(), rows = depth_map.rows();
  createOn(device, points, std::size_t(columns) * rows);
  if (depth_map.empty())
    return;
  device::ProjectDepth pixel = {};
  pixel.camera = intrinsicsOf(parameters_.camera);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      pixel.pose.m[row][column] = parameters_.pose.matrix()(row, column);
  pixel.columns = columns;
  pixel.depth = {depth_map.ptr(), depth_map.step()};
  pixel.points = reinterpret_cast<device::Float4*>(points.ptr());
  parallelFor2D(device, columns, rows, pixel, stream);
}

} // namespace pcl::gpu
