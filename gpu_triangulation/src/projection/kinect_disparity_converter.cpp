// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "projection/projection.hpp"

#include <pcl/gpu/triangulation/kinect_disparity_converter.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
KinectDisparityConverterParameters::validate() const
{
  checkPositive("baseline", baseline);
  checkPositive("focal length", focal_length);
  checkPositive("disparity offset", disparity_offset);
}

void
KinectDisparityConverter::compute(const RawDepthMap& disparity,
                                  DepthMap& depth,
                                  const Stream& stream) const
{
  const Device device = deviceOf(disparity);
  const ScopedDevice scope(device);
  createOn(device, depth, disparity.rows(), disparity.cols());
  parallelFor2D(
      device,
      disparity.cols(),
      disparity.rows(),
      device::DisparityToDepth{inputView<std::uint16_t>(disparity),
                               parameters_.baseline * parameters_.focal_length,
                               parameters_.disparity_offset,
                               outputView<float>(depth)},
      stream);
}

} // namespace pcl::gpu
