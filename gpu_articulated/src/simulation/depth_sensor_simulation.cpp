// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "depth_simulation_driver.h"

#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>

#include <cmath>
#include <string>

namespace pcl::gpu {

namespace {

const device::DepthSimulationDriver&
driverFor(const Device& device)
{
  return chooseDriver(device,
                      &device::hostDepthSimulationDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaDepthSimulationDriver),
                      "gpu_articulated");
}

device::Intrinsics
intrinsicsOf(const PinholeCamera& camera)
{
  return {camera.cx, camera.cy, 1.0f / camera.fx, 1.0f / camera.fy};
}

void
checkFraction(const char* name, float value)
{
  checkArgument(value >= 0.0f && value <= 1.0f, name, value, "0 to 1");
}

} // namespace

void
DepthSensorSimulation::setCamera(const PinholeCamera& camera, const Pose& pose)
{
  camera.validate();
  validatePose(pose, "camera's pose");
  camera_ = camera;
  pose_ = pose;
}

void
DepthSensorSimulation::setNoise(const DepthNoise& noise)
{
  checkNotNegative("deviation", noise.deviation);
  checkNotNegative("growth of the deviation", noise.deviation_growth);
  checkFraction("fraction of outliers", noise.outlier_fraction);
  checkFraction("fraction of missing pixels", noise.missing_fraction);
  checkFraction("fraction of outliers and missing pixels",
                noise.outlier_fraction + noise.missing_fraction);
  checkNotNegative("nearest outlier", noise.nearest_outlier);
  checkArgument(std::isfinite(noise.farthest_outlier) &&
                    noise.farthest_outlier >= noise.nearest_outlier,
                "farthest outlier",
                noise.farthest_outlier,
                "no less than the nearest one");
  checkNotNegative("quantization", noise.quantization);
  noise_ = noise;
}

const DepthNoise&
DepthSensorSimulation::getNoise() const
{
  return noise_;
}

void
DepthSensorSimulation::checkSize(const DeviceArray2D<float>& depth_map) const
{
  checkArgument(
      camera_.fx > 0.0f, "camera", "not set", "setCamera() before depth maps");
  const auto check = [](const char* name, int size, int expected) {
    checkArgument(expected == 0 || size == expected,
                  name,
                  size,
                  (std::to_string(expected) + ", as the camera has").c_str());
  };
  check("width of the depth map", depth_map.cols(), camera_.width);
  check("height of the depth map", depth_map.rows(), camera_.height);
}

void
DepthSensorSimulation::addNoise(const DeviceArray2D<float>& depth_map,
                                std::uint32_t frame,
                                DeviceArray2D<float>& measured,
                                const Stream& stream) const
{
  checkSize(depth_map);
  const Device device = deviceOf(depth_map);
  const ScopedDevice scope(device);
  const int columns = depth_map.cols(), rows = depth_map.rows();
  createOn(device, measured, rows, columns);
  if (depth_map.empty())
    return;
  device::AddDepthNoise pixel = {};
  pixel.camera = intrinsicsOf(camera_);
  pixel.errors.deviation = noise_.deviation;
  pixel.errors.deviation_growth = noise_.deviation_growth;
  const double outliers = noise_.outlier_fraction;
  pixel.errors.outliers = static_cast<std::uint64_t>(outliers * 0x1p32);
  pixel.errors.missing =
      static_cast<std::uint64_t>((outliers + noise_.missing_fraction) * 0x1p32);
  pixel.errors.nearest_outlier = noise_.nearest_outlier;
  pixel.errors.farthest_outlier = noise_.farthest_outlier;
  pixel.errors.quantization = noise_.quantization;
  pixel.errors.seed = noise_.seed;
  pixel.frame = frame;
  pixel.depth = {depth_map.ptr(), depth_map.step()};
  pixel.measured = {measured.ptr(), measured.step()};
  driverFor(device).addNoise(pixel, columns, rows, stream.get());
}

void
DepthSensorSimulation::computePoints(const DeviceArray2D<float>& depth_map,
                                     DeviceArray<PointXYZ>& points,
                                     const Stream& stream) const
{
  checkSize(depth_map);
  const Device device = deviceOf(depth_map);
  const ScopedDevice scope(device);
  const int columns = depth_map.cols(), rows = depth_map.rows();
  createOn(device, points, std::size_t(columns) * rows);
  if (depth_map.empty())
    return;
  device::ProjectDepth pixel = {};
  pixel.camera = intrinsicsOf(camera_);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      pixel.pose.m[row][column] = pose_.matrix()(row, column);
  pixel.columns = columns;
  pixel.depth = {depth_map.ptr(), depth_map.step()};
  pixel.points = reinterpret_cast<device::Float4*>(points.ptr());
  driverFor(device).project(pixel, columns, rows, stream.get());
}

} // namespace pcl::gpu
