// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/triangle_test.hpp"

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <cstdint>

// Random numbers without a state: each is a function of what it is for, so that pictures do
// not depend on who computes which pixel when.

namespace pcl::device {

/** \brief A word each bit of which depends on all bits of two others. */
PCL_GPU_HOST_DEVICE std::uint32_t
mixed(std::uint32_t key, std::uint32_t number)
{
  std::uint32_t bits = key ^ (number * 0x9e3779b9u + 0x7f4a7c15u);
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
  return bits ^ bits >> 16;
}

/** \brief A number from 0 to below 1. */
PCL_GPU_HOST_DEVICE float
unitNumber(std::uint32_t bits)
{
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

/** \brief One of side^2 points of the unit square, each in a cell of its own.
 * \param[in] number of the point, from 0
 */
PCL_GPU_HOST_DEVICE PlanePoint
sampleSquare(std::uint32_t key, int number, int side)
{
  const std::uint32_t bits = mixed(key, static_cast<std::uint32_t>(number));
  const float cell = 1.0f / static_cast<float>(side);
  return {(static_cast<float>(number % side) + unitNumber(bits)) * cell,
          (static_cast<float>(number / side) + unitNumber(mixed(bits, 1u))) * cell};
}

/** \brief One of side^2 points of the unit disc, evenly spread. */
PCL_GPU_HOST_DEVICE PlanePoint
sampleDisc(std::uint32_t key, int number, int side)
{
  const PlanePoint square = sampleSquare(key, number, side);
  const float radius = sqrtf(square.x);
  const float angle = 2.0f * pi * square.y;
  return {radius * cosine(angle), radius * sine(angle)};
}

} // namespace pcl::device
