// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/inpainting.hpp"

namespace pcl::device {

/** \brief Cover of a pixel of the background: colours times their opacities. */
struct alignas(8) MoverSum {
  float red, green, blue;
  float transmittance; ///< of all that covers the pixel
  float depth;         ///< of the nearest, metres; infinite, if there is nothing
  float unused;
};

struct ClearMovers {
  MoverSum* sums;
  int columns;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    sums[static_cast<std::size_t>(row) * columns + column] = {
        0.0f, 0.0f, 0.0f, 1.0f, INFINITY, 0.0f};
  }
};

/** \brief Adds the movers of a frame to a pixel: before those of earlier frames, unless
 * they are farther away. */
struct AddMover {
  Picture movers;                  ///< alpha is 0 where there is none
  PtrStep<const float> background; ///< depth of everything else, metres
  float opacity;
  float tolerance; ///< of depths, as a part of them
  MoverSum* sums;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const PackedColor packed = movers.color.ptr(row)[column];
    if (packed >> 24 == 0)
      return;
    const float own = movers.depth.ptr(row)[column];
    const float behind = background.ptr(row)[column];
    const float largest = 1.0f + tolerance;
    if (gpu::isMeasuredDepth(behind) && !(own <= behind * largest))
      return;
    const float alpha = opacity * coverage(column, row);
    if (!(alpha > 0.0f))
      return;
    MoverSum& sum = sums[static_cast<std::size_t>(row) * movers.color.cols + column];
    const bool is_before = own <= sum.depth * largest;
    const float others = is_before ? 1.0f - alpha : 1.0f;
    const float share = is_before ? alpha : alpha * sum.transmittance;
    sum.red = others * sum.red + share * static_cast<float>(redOf(packed));
    sum.green = others * sum.green + share * static_cast<float>(greenOf(packed));
    sum.blue = others * sum.blue + share * static_cast<float>(blueOf(packed));
    sum.transmittance *= 1.0f - alpha;
    if (is_before)
      sum.depth = own;
  }

private:
  /** \brief The covered part of a pixel. Samples cover the pixels beside their own, and
   * so the edge that objects lack: half of it is theirs. */
  PCL_GPU_HOST_DEVICE float
  coverage(int column, int row) const
  {
    const PtrStepSz<const PackedColor>& color = movers.color;
    int covered = 0;
    for (int y = row - 1; y <= row + 1; ++y)
      for (int x = column - 1; x <= column + 1; ++x) {
        const bool is_outside = x < 0 || x >= color.cols || y < 0 || y >= color.rows;
        covered += is_outside || color.ptr(y)[x] >> 24 != 0;
      }
    constexpr int beyond_straight_edge = 3;
    return covered > beyond_straight_edge
               ? static_cast<float>(covered - beyond_straight_edge) / 6.0f
               : 0.0f;
  }
};

/** \brief Writes movers over a pixel of the background. */
struct WriteMovers {
  const MoverSum* sums;
  int columns;
  PictureOutput output; ///< the background

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const MoverSum& sum = sums[static_cast<std::size_t>(row) * columns + column];
    if (!(sum.transmittance < 1.0f))
      return;
    PackedColor& color = rowOf(output.color, row)[column];
    color = roundedLevel(sum.blue + sum.transmittance * blueOf(color)) |
            roundedLevel(sum.green + sum.transmittance * greenOf(color)) << 8 |
            roundedLevel(sum.red + sum.transmittance * redOf(color)) << 16 |
            ~color_bits;
    if (sum.transmittance < 0.5f)
      rowOf(output.depth, row)[column] = sum.depth;
  }
};

} // namespace pcl::device
