// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Sums of a pixel of pictures: weighted colours and variances, and weights. */
struct PictureSum {
  float red, green, blue, weight, variance;
};

/** \brief A picture from the middle of a lens, which one through another place of the lens looks
 * like wherever it is in focus. */
struct MiddlePicture {
  const PackedColor* color;
  const float* depth; ///< metres
  int color_stride, depth_stride;
  float inverse_focus; ///< 1 / m
  float shift_right,
      shift_down;  ///< focal length times the place on the lens, pixels x metres
  float tolerance; ///< of depths of one surface, as a part of them
};

/** \brief Returns the share of the middle's pixel in that of a picture through a lens: 1 in focus, 0
 * half a pixel from there or where they show different surfaces. */
PCL_GPU_HOST_DEVICE float
likenessToMiddle(const MiddlePicture& middle, float depth, float middle_depth)
{
  const float difference = middle_depth - depth, span = middle.tolerance * depth;
  if (!(difference <= span && difference >= -span))
    return 0.0f;
  const float disparity = middle.inverse_focus - 1.0f / depth;
  const float right = middle.shift_right * disparity,
              down = middle.shift_down * disparity;
  const float likeness = 1.0f - 4.0f * (right * right + down * down);
  return likeness > 0.0f ? likeness : 0.0f;
}

/** \brief Adds a picture to sums; transparent pixels show nothing. */
struct AddPicture {
  const PackedColor* color;
  const float *depth, *variance;
  int color_stride, depth_stride, variance_stride;
  MiddlePicture middle;
  float weight;
  bool is_first;    ///< whether sums begin
  PictureSum* sums; ///< without gaps
  int columns;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    PictureSum& place = sums[line * columns + column];
    PictureSum sum{};
    if (!is_first)
      sum = place;
    const PackedColor packed = color[line * color_stride + column];
    if (packed >> 24 != 0u) {
      // Rendered pixels are not as sharp as those of the frame.
      const PackedColor other = middle.color[line * middle.color_stride + column];
      const float likeness =
          likenessToMiddle(middle,
                           depth[line * depth_stride + column],
                           middle.depth[line * middle.depth_stride + column]);
      const float own = weight * likeness, rest = weight - own;
      sum.red += rest * static_cast<float>(redOf(packed)) +
                 own * static_cast<float>(redOf(other));
      sum.green += rest * static_cast<float>(greenOf(packed)) +
                   own * static_cast<float>(greenOf(other));
      sum.blue += rest * static_cast<float>(blueOf(packed)) +
                  own * static_cast<float>(blueOf(other));
      sum.weight += weight;
      sum.variance += weight * variance[line * variance_stride + column];
    }
    place = sum;
  }
};

/** \brief Writes a pixel of the mean of pictures. Their noise is that of the same samples, and
 * does not become less. */
struct DividePictures {
  const PictureSum* sums; ///< without gaps
  int columns;
  const PackedColor* other_color; ///< where no picture shows anything
  const float* other_depth;       ///< metres; everywhere
  PackedColor* color;
  float *depth, *variance;
  int other_color_stride, other_depth_stride;
  int color_stride, depth_stride, variance_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    const PictureSum& sum = sums[line * columns + column];
    color[line * color_stride + column] =
        divided({sum.red, sum.green, sum.blue, sum.weight},
                other_color[line * other_color_stride + column] | 0xff000000u);
    depth[line * depth_stride + column] =
        other_depth[line * other_depth_stride + column];
    variance[line * variance_stride + column] =
        sum.weight > least_weight ? sum.variance / sum.weight : 0.0f;
  }
};

/** \brief Makes up the colours of pixels that show nothing: means of the nearest pixels in eight
 * directions, of those that are about as far away as the farthest. What comes to light behind a
 * thing's edge looks like what is behind, not like the thing. */
struct FillHoles {
  const PackedColor* color; ///< transparent in holes
  const float* depth;       ///< metres
  PackedColor* filled;      ///< transparent there, too
  int color_stride, depth_stride, filled_stride;
  int columns, rows;
  int reach; ///< pixels

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    PackedColor packed = color[place(column, row, color_stride)];
    if (packed >> 24 == 0u)
      packed = madeUp(column, row) & color_bits;
    filled[place(column, row, filled_stride)] = packed;
  }

private:
  static PCL_GPU_HOST_DEVICE std::size_t
  place(int column, int row, int stride)
  {
    return static_cast<std::size_t>(row) * stride + column;
  }

  PCL_GPU_HOST_DEVICE PackedColor
  madeUp(int column, int row) const
  {
    PackedColor colors[9];
    float depths[9], weights[9];
    float farthest = 0.0f;
    for (int k = 0; k < 9; ++k) {
      weights[k] = 0.0f;
      const int right = k % 3 - 1, down = k / 3 - 1;
      for (int step = 1; step <= reach && k != 4; ++step) {
        const int u = column + step * right, v = row + step * down;
        if (u < 0 || v < 0 || u >= columns || v >= rows)
          break;
        colors[k] = color[place(u, v, color_stride)];
        if (colors[k] >> 24 == 0u)
          continue;
        depths[k] = depth[place(u, v, depth_stride)];
        weights[k] = 1.0f / static_cast<float>(step);
        farthest = depths[k] > farthest ? depths[k] : farthest;
        break;
      }
    }
    ColorSum sum{};
    for (int k = 0; k < 9; ++k)
      if (weights[k] > 0.0f && depths[k] >= 0.9f * farthest) {
        sum.red += weights[k] * static_cast<float>(redOf(colors[k]));
        sum.green += weights[k] * static_cast<float>(greenOf(colors[k]));
        sum.blue += weights[k] * static_cast<float>(blueOf(colors[k]));
        sum.weight += weights[k];
      }
    return divided(sum, 0u);
  }
};

} // namespace pcl::device
