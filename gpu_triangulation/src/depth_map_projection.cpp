// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/depth_map_projection.h>

namespace pcl::gpu {

void
DepthMapProjection::setCamera(const PinholeCamera& camera)
{
  camera.validate();
  camera_ = camera;
}

const PinholeCamera&
DepthMapProjection::getCamera() const
{
  return camera_;
}

void
DepthMapProjection::setSamplingStep(int step)
{
  checkArgument(step >= 1, "sampling step", step, "1 or more");
  sampling_step_ = step;
}

int
DepthMapProjection::getSamplingStep() const
{
  return sampling_step_;
}

PinholeCamera
DepthMapProjection::getCloudCamera() const
{
  const float step = static_cast<float>(sampling_step_);
  PinholeCamera camera = camera_;
  camera.fx /= step;
  camera.fy /= step;
  camera.cx /= step;
  camera.cy /= step;
  camera.width = device::sampledSize(camera.width, sampling_step_);
  camera.height = device::sampledSize(camera.height, sampling_step_);
  return camera;
}

template <typename Depth>
void
DepthMapProjection::run(const Depth& depth,
                        float scale,
                        OrganizedCloud& cloud,
                        const Stream& stream) const
{
  const Stage stage("depth", depth);
  checkCamera("camera", camera_, depth);
  createOn(stage.device(),
           cloud,
           device::sampledSize(depth.rows(), sampling_step_),
           device::sampledSize(depth.cols(), sampling_step_));
  if (depth.empty())
    return;
  const device::Intrinsics camera = intrinsicsOf(camera_);
  if (sampling_step_ > 1) {
    stage.driver().projectSampled(depthInput(depth, scale),
                                  sampling_step_,
                                  camera,
                                  outputView<device::Float4>(cloud),
                                  stream.get());
    return;
  }
  stage.driver().filterAndProject(depthInput(depth, scale),
                                  nullptr,
                                  {},
                                  &camera,
                                  outputView<device::Float4>(cloud),
                                  stream.get());
}

void
DepthMapProjection::compute(const RawDepthMap& depth,
                            float scale,
                            OrganizedCloud& cloud,
                            const Stream& stream) const
{
  checkPositive("depth scale", scale);
  run(depth, scale, cloud, stream);
}

void
DepthMapProjection::compute(const DepthMap& depth,
                            OrganizedCloud& cloud,
                            const Stream& stream) const
{
  run(depth, 1.0f, cloud, stream);
}

void
DepthMapProjection::compute(const DepthMap& depth,
                            const ColorMap& colors,
                            DeviceArray2D<PointXYZRGB>& cloud,
                            const Stream& stream) const
{
  const Stage stage("depth", depth);
  stage.require("colors", colors);
  checkCamera("camera", camera_, depth);
  checkSameSize("colors", colors, "depth", depth);
  createOn(stage.device(), cloud, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  stage.driver().projectWithColor(inputView<float>(depth),
                                  inputView<std::uint32_t>(colors),
                                  intrinsicsOf(camera_),
                                  outputView<device::ColorPoint>(cloud),
                                  stream.get());
}

} // namespace pcl::gpu
