// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/missing_depth.h>

#include <algorithm>

namespace pcl::gpu {

std::uint16_t
findMissingDepthMarker(const DepthImage& image)
{
  constexpr std::uint16_t largest = 0xffff, values_below = 255;
  std::size_t markers = 0, below = 0;
  for (const std::uint16_t depth : image.pixels) {
    markers += depth == largest;
    below += depth != largest && depth >= largest - values_below;
  }
  return markers > below ? largest : std::uint16_t(0);
}

std::uint16_t
clearMissingDepth(DepthImage& image, std::optional<std::uint16_t> marker)
{
  const std::uint16_t value = marker ? *marker : findMissingDepthMarker(image);
  const auto found = std::find(image.pixels.begin(), image.pixels.end(), value);
  std::replace(found, image.pixels.end(), value, std::uint16_t(0));
  return found == image.pixels.end() ? std::uint16_t(0) : value;
}

} // namespace pcl::gpu
