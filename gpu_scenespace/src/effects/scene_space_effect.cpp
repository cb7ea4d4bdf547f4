// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/resources.h"
#include "gathering/sums/sums.h"
#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

std::vector<int>
frameWindow(const RGBDVideo& video, int number, int reach, int step)
{
  checkFrameNumber(number, video.size());
  checkArgument(reach >= 0, "reach", reach, "0 frames or more");
  checkArgument(step >= 1, "step", step, "1 frame or more");
  std::vector<int> window;
  const int before = std::min(reach, number) / step;
  const int after = std::min(reach, video.size() - 1 - number) / step;
  for (int i = -before; i <= after; ++i)
    window.push_back(number + i * step);
  return window;
}

std::vector<float>
timeWeights(const std::vector<int>& numbers, int number, float sigma)
{
  checkDeviation("sigma of frames", sigma);
  std::vector<float> weights;
  for (const int other : numbers) {
    const double distance = (other - number) / static_cast<double>(sigma);
    weights.push_back(static_cast<float>(std::exp(-0.5 * distance * distance)));
  }
  return weights;
}

std::size_t
EffectMemory::bytes(const SceneView& view) const
{
  const std::size_t pixels = paddedPixels(view.camera.width, view.camera.height);
  // With gathering's memory of an output's tiles, and tables of frames.
  constexpr std::size_t table_memory = std::size_t(1) << 22;
  const std::size_t average =
      arrayMemory(pixels * sizeof(device::AverageSum)) + table_memory;
  const std::size_t surface =
      arrayMemory(pixels * sizeof(device::LayerSum)) + table_memory;
  const std::size_t image =
      arrayMemory(pixels * sizeof(RGB)) + 2 * arrayMemory(pixels * sizeof(float));
  return averages * average + surfaces * surface + images * image + other;
}

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

EffectMemory
SceneSpaceEffect::workingMemory(const SceneView&) const
{
  return {};
}

} // namespace pcl::gpu
