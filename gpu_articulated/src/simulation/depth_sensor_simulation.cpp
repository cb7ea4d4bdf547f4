// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "simulation/depth_simulation.hpp"

#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/camera_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>
#include <utility>

namespace pcl::gpu {

void
DepthNoise::validate() const
{
  checkNotNegative("deviation", deviation);
  checkNotNegative("growth of the deviation", deviation_growth);
  const std::pair<const char*, float> fractions[] = {
      {"fraction of outliers", outlier_fraction},
      {"fraction of missing pixels", missing_fraction},
      {"fraction of outliers and missing pixels", outlier_fraction + missing_fraction}};
  for (const auto& [name, fraction] : fractions)
    checkBetween(name, fraction, 0.0f, 1.0f, "0 to 1");
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
  device::AddDepthNoise pixel = {};
  pixel.camera = intrinsicsOf(parameters_.camera);
  pixel.noise = parameters_.noise;
  const double outliers = pixel.noise.outlier_fraction;
  pixel.outliers = static_cast<std::uint64_t>(outliers * 0x1p32);
  pixel.missing =
      static_cast<std::uint64_t>((outliers + pixel.noise.missing_fraction) * 0x1p32);
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
  pixel.pose = rigidTransform(parameters_.pose);
  pixel.columns = columns;
  pixel.depth = {depth_map.ptr(), depth_map.step()};
  pixel.points = reinterpret_cast<device::Float4*>(points.ptr());
  parallelFor2D(device, columns, rows, pixel, stream);
}

} // namespace pcl::gpu
