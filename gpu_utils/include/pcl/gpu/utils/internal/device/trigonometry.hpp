// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>

namespace pcl::device {

constexpr float pi = 3.14159265f;

/** \brief Returns the sine within 1e-6, for angles of some turns. Unlike sinf(), has
 * the same bits on all devices. */
PCL_GPU_HOST_DEVICE float
sine(float angle)
{
  const float turns = floorf(angle * (0.5f / pi) + 0.5f);
  // 2 pi in two parts, the first of few bits, so that its multiples are exact.
  float x = (angle - turns * 6.28125f) - turns * 1.93530718e-3f;
  x = x > 0.5f * pi ? pi - x : x < -0.5f * pi ? -pi - x : x;
  const float s = x * x;
  const float series =
      1.0f / 6.0f -
      s * (1.0f / 120.0f -
           s * (1.0f / 5040.0f - s * (1.0f / 362880.0f - s * (1.0f / 39916800.0f))));
  return x - x * s * series;
}

PCL_GPU_HOST_DEVICE float
cosine(float angle)
{
  return sine(angle + 0.5f * pi);
}

} // namespace pcl::device
