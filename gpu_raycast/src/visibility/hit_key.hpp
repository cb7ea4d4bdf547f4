// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/camera.hpp"

namespace pcl::device {

/** \brief Depth and triangle of a hit as one number: the nearest hit is the least, and
 * of several at one depth that of the lowest triangle id. */
using HitKey = unsigned long long;

/** \brief The key of a pixel whose ray hits nothing. */
constexpr HitKey no_hit = ~HitKey(0);

PCL_GPU_HOST_DEVICE HitKey
hitKey(float depth, std::uint32_t triangle)
{
  return static_cast<HitKey>(bitsOf(depth)) << 32 | triangle;
}

PCL_GPU_HOST_DEVICE float
depthOf(HitKey key)
{
  return floatOf(static_cast<std::uint32_t>(key >> 32));
}

PCL_GPU_HOST_DEVICE std::uint32_t
triangleOf(HitKey key)
{
  return static_cast<std::uint32_t>(key);
}

} // namespace pcl::device
