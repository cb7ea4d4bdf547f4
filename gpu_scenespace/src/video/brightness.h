// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_types.h>

namespace pcl::gpu {

/** \brief Luminance of red, green and blue, ITU-R BT.601: levels of 0 to 255. */
inline float
brightnessOf(const RGB& color)
{
  return 0.299f * color.r + 0.587f * color.g + 0.114f * color.b;
}

} // namespace pcl::gpu
