// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/effect_parts.h"

#include "gathering/sums/sums.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Bytes of what gathering keeps of an output's tiles, and of tables of frames. */
constexpr std::size_t table_memory = std::size_t(1) << 22;

} // namespace

std::vector<int>
frameWindow(const RGBDVideo& video, int number, int reach, int step)
{
  std::vector<int> window;
  const int before = std::min(reach, number) / step;
  const int after = std::min(reach, video.size() - 1 - number) / step;
  for (int i = -before; i <= after; ++i)
    window.push_back(number + i * step);
  return window;
}

std::size_t
indexOf(const std::vector<int>& numbers, int number)
{
  return std::find(numbers.begin(), numbers.end(), number) - numbers.begin();
}

std::vector<float>
timeWeights(const std::vector<int>& numbers, int number, float sigma)
{
  std::vector<float> weights;
  for (const int other : numbers) {
    const double distance = (other - number) / static_cast<double>(sigma);
    weights.push_back(static_cast<float>(std::exp(-0.5 * distance * distance)));
  }
  return weights;
}

std::size_t
paddedPixels(int width, int height)
{
  return (std::size_t(width) + 127) / 128 * 128 * height;
}

std::size_t
paddedPixels(const SceneView& view)
{
  return paddedPixels(view.camera.width, view.camera.height);
}

std::size_t
arrayMemory(std::size_t bytes)
{
  constexpr std::size_t piece = std::size_t(1) << 21, small_piece = 512;
  const std::size_t size = bytes >= piece / 2 ? piece : small_piece;
  return (bytes + size - 1) / size * size;
}

std::size_t
averageMemory(const SceneView& view)
{
  return arrayMemory(paddedPixels(view) * sizeof(device::AverageSum)) + table_memory;
}

std::size_t
surfaceMemory(const SceneView& view)
{
  return arrayMemory(paddedPixels(view) * sizeof(device::LayerSum)) + table_memory;
}

std::size_t
imageMemory(const SceneView& view)
{
  return arrayMemory(paddedPixels(view) * sizeof(RGB)) +
         2 * arrayMemory(paddedPixels(view) * sizeof(float));
}

} // namespace pcl::gpu
