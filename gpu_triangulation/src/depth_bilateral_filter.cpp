// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/depth_bilateral_filter.h>

namespace pcl::gpu {

void
DepthBilateralFilter::setSigmaS(float sigma_s)
{
  checkPositive("sigma_s", sigma_s);
  sigma_s_ = sigma_s;
}

float
DepthBilateralFilter::getSigmaS() const
{
  return sigma_s_;
}

void
DepthBilateralFilter::setSigmaR(float sigma_r)
{
  checkPositive("sigma_r", sigma_r);
  sigma_r_ = sigma_r;
}

float
DepthBilateralFilter::getSigmaR() const
{
  return sigma_r_;
}

void
DepthBilateralFilter::setSigmaRGrowth(float growth)
{
  checkNotNegative("sigma_r growth", growth);
  sigma_r_growth_ = growth;
}

float
DepthBilateralFilter::getSigmaRGrowth() const
{
  return sigma_r_growth_;
}

void
DepthBilateralFilter::setWindowRadius(int radius)
{
  checkArgument(
      radius >= 1 && radius <= max_window_radius, "window radius", radius, "1 to 16");
  window_radius_ = radius;
}

int
DepthBilateralFilter::getWindowRadius() const
{
  return window_radius_;
}

template <typename Depth>
void
DepthBilateralFilter::run(const Depth& depth,
                          float scale,
                          DepthMap& filtered,
                          const Stream& stream) const
{
  const Stage stage("depth", depth);
  checkApart("depth", depth, filtered);
  createOn(stage.device(), filtered, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  const device::FilterParameters parameters = filterParameters(*this);
  stage.driver().filterAndProject(depthInput(depth, scale),
                                  &parameters,
                                  outputView<float>(filtered),
                                  nullptr,
                                  {},
                                  stream.get());
}

void
DepthBilateralFilter::compute(const RawDepthMap& depth,
                              float scale,
                              DepthMap& filtered,
                              const Stream& stream) const
{
  checkPositive("depth scale", scale);
  run(depth, scale, filtered, stream);
}

void
DepthBilateralFilter::compute(const DepthMap& depth,
                              DepthMap& filtered,
                              const Stream& stream) const
{
  run(depth, 1.0f, filtered, stream);
}

} // namespace pcl::gpu
