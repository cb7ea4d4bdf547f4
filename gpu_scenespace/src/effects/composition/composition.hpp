// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>

namespace pcl::device {

/** \brief Sums of a pixel of pictures: weighted colours and variances, and weights. */
struct PictureSum {
  float red, green, blue, weight, variance;
};

/** \brief A picture from the middle of a lens. One through another place of the lens is
 * like it in focus. */
struct MiddlePicture {
  Picture picture;
  float inverse_focus; ///< 1 / m
  float shift_right,
      shift_down;  ///< focal length times the place on the lens, pixels x metres
  float tolerance; ///< of depths of one surface, as a part of them
};

/** \brief Returns the share of the middle's pixel in that of a picture through a lens:
 * 1 in focus, 0 half a pixel from there or where they show different surfaces. */
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
  Picture picture;
  MiddlePicture middle;
  float weight;
  bool is_first;    ///< whether sums begin
  PictureSum* sums; ///< without gaps

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    PictureSum& place =
        sums[static_cast<std::size_t>(row) * picture.color.cols + column];
    PictureSum sum{};
    if (!is_first)
      sum = place;
    const PackedColor packed = picture.color.ptr(row)[column];
    if (packed >> 24 != 0u) {
      // Rendered pixels are not as sharp as those of the frame.
      const PackedColor other = middle.picture.color.ptr(row)[column];
      const float likeness = likenessToMiddle(middle,
                                              picture.depth.ptr(row)[column],
                                              middle.picture.depth.ptr(row)[column]);
      const float own = weight * likeness, rest = weight - own;
      sum.red += rest * static_cast<float>(redOf(packed)) +
                 own * static_cast<float>(redOf(other));
      sum.green += rest * static_cast<float>(greenOf(packed)) +
                   own * static_cast<float>(greenOf(other));
      sum.blue += rest * static_cast<float>(blueOf(packed)) +
                  own * static_cast<float>(blueOf(other));
      sum.weight += weight;
      sum.variance += weight * picture.variance.ptr(row)[column];
    }
    place = sum;
  }
};

/** \brief Writes a pixel of the mean of pictures. Their noise is that of the same
 * samples, and does not become less. */
struct DividePictures {
  const PictureSum* sums; ///< without gaps
  Picture other;          ///< its depth everywhere, its colour where no picture has one
  PictureOutput output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const PictureSum& sum =
        sums[static_cast<std::size_t>(row) * other.color.cols + column];
    output.write(column,
                 row,
                 divided({sum.red, sum.green, sum.blue, sum.weight},
                         other.color.ptr(row)[column] | ~color_bits),
                 other.depth.ptr(row)[column],
                 sum.weight > least_weight ? sum.variance / sum.weight : 0.0f);
  }
};

/** \brief Makes up the colours of pixels that show nothing: means of the nearest pixels
 * in eight directions, of those that are about as far away as the farthest. New pixels
 * beside a thing's edge look like its background, not like the thing. */
struct FillHoles {
  Picture picture;             ///< transparent in holes
  PtrStep<PackedColor> filled; ///< transparent there, too
  int reach;                   ///< pixels

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    PackedColor packed = picture.color.ptr(row)[column];
    if (packed >> 24 == 0u)
      packed = madeUp(column, row) & color_bits;
    rowOf(filled, row)[column] = packed;
  }

private:
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
        if (u < 0 || v < 0 || u >= picture.color.cols || v >= picture.color.rows)
          break;
        colors[k] = picture.color.ptr(v)[u];
        if (colors[k] >> 24 == 0u)
          continue;
        depths[k] = picture.depth.ptr(v)[u];
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
