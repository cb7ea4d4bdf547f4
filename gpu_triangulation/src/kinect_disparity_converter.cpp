// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

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
  const Stage stage("disparity", disparity);
  createOn(stage.device(), depth, disparity.rows(), disparity.cols());
  if (disparity.empty())
    return;
  stage.driver().convertDisparity(inputView<std::uint16_t>(disparity),
                                  {baseline_ * focal_length_, offset_},
                                  outputView<float>(depth),
                                  stream.get());
}

} // namespace pcl::gpu
