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
KinectDisparityConverter::setBaseline(float baseline)
{
  checkPositive("baseline", baseline);
  baseline_ = baseline;
}

void
KinectDisparityConverter::setFocalLength(float focal_length)
{
  checkPositive("focal length", focal_length);
  focal_length_ = focal_length;
}

void
KinectDisparityConverter::setDisparityOffset(float offset)
{
  checkPositive("disparity offset", offset);
  offset_ = offset;
}

void
KinectDisparityConverter::compute(const RawDepthMap& disparity,
                                  DepthMap& depth,
                                  const Stream& stream) const
{
  const Device device = deviceOf(disparity);
  const ScopedDevice scope(device);
  createOn(device, depth, disparity.rows(), disparity.cols());
  parallelFor2D(device,
                disparity.cols(),
                disparity.rows(),
                device::DisparityToDepth{inputView<std::uint16_t>(disparity),
                                         baseline_ * focal_length_,
                                         offset_,
                                         outputView<float>(depth)},
                stream);
}

} // namespace pcl::gpu
