// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "stage.h"

#include <pcl/gpu/triangulation/depth_map_projection.h>

namespace pcl {
namespace gpu {

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

template <typename Depth>
void
DepthMapProjection::run(const Depth& depth,
                        float scale,
                        OrganizedCloud& cloud,
                        const Stream& stream) const
{
  const Stage stage("depth", depth);
  checkCamera("camera", camera_, depth);
  createOn(stage.device(), cloud, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  const device::Intrinsics camera = intrinsicsOf(camera_);
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

} // namespace gpu
} // namespace pcl
