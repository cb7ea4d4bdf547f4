// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

SceneView
SceneSpaceEffect::view(const RGBDVideo& video, int number) const
{
  const RGBDView input = video.view(number);
  SceneView output;
  output.camera = input.color_camera;
  output.pose = input.color_pose;
  output.time = static_cast<float>(number);
  return output;
}

} // namespace pcl::gpu
