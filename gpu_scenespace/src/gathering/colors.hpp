// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstdint>

namespace pcl::device {

/** \brief Bytes of a colour as pcl::RGB has them: blue, green, red, alpha. */
using PackedColor = std::uint32_t;

PCL_GPU_HOST_DEVICE int
blueOf(PackedColor color)
{
  return color & 0xff;
}

PCL_GPU_HOST_DEVICE int
greenOf(PackedColor color)
{
  return color >> 8 & 0xff;
}

PCL_GPU_HOST_DEVICE int
redOf(PackedColor color)
{
  return color >> 16 & 0xff;
}

constexpr PackedColor color_bits = 0xffffffu;

/** \brief A colour's component: rounded, ties upwards. */
PCL_GPU_HOST_DEVICE PackedColor
roundedLevel(float level)
{
  return static_cast<PackedColor>(std::floor(level + 0.5f));
}

/** \brief Least weight of samples whose sum counts: below, exponential2() no longer
 * distinguishes them. */
constexpr float least_weight = 7.8886091e-31f; // 2^-100

/** \brief Weighted colours and their weights, pixel by pixel without gaps. */
template <typename Number>
struct alignas(16) alignas(Number) ColorSums {
  Number red, green, blue, weight;
};

using ColorSum = ColorSums<float>;

/** \brief Divides a sum by its weight.
 * \param[in] reference the colour where there is next to no weight
 */
PCL_GPU_HOST_DEVICE PackedColor
divided(const ColorSum& sum, PackedColor reference)
{
  if (!(sum.weight > least_weight))
    return reference;
  return roundedLevel(sum.blue / sum.weight) |
         roundedLevel(sum.green / sum.weight) << 8 |
         roundedLevel(sum.red / sum.weight) << 16 | 0xff000000u;
}

/** \brief Returns a row to write to, also of a const view. */
template <typename T>
PCL_GPU_HOST_DEVICE T*
rowOf(PtrStep<T> image, int row)
{
  return image.ptr(row);
}

/** \brief Images of one size, to be read. */
struct Picture {
  PtrStepSz<const PackedColor> color;
  PtrStep<const float> depth;    ///< metres
  PtrStep<const float> variance; ///< levels^2; null for frames
};

/** \brief Images of one size, to be written to. */
struct PictureOutput {
  PtrStep<PackedColor> color;
  PtrStep<float> depth, variance;

  PCL_GPU_HOST_DEVICE void
  write(int column, int row, PackedColor new_color, float new_depth, float new_variance)
      const
  {
    rowOf(color, row)[column] = new_color;
    rowOf(depth, row)[column] = new_depth;
    rowOf(variance, row)[column] = new_variance;
  }
};

} // namespace pcl::device
