// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "projection/depth_input.h"

#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <cmath>

namespace pcl::device {

/** \brief Functor for parallelFor2D(): copies the depth of pixels that do not fly. */
struct RemoveFlyingPixels {
  DepthInput input;
  float tolerance, tolerance_growth;
  PtrStep<float> cleaned;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const float depth = at(x, y);
    PtrStep<float> to = cleaned;
    to.ptr(y)[x] = isFlying(x, y, depth) ? NAN : depth;
  }

private:
  /** \brief Returns the depth of a pixel, metres; NaN without a measurement. */
  PCL_GPU_HOST_DEVICE float
  at(int x, int y) const
  {
    if (x < 0 || x >= input.columns || y < 0 || y >= input.rows)
      return NAN;
    const float depth = input.metres(x, y);
    return gpu::isMeasuredDepth(depth) ? depth : NAN;
  }

  PCL_GPU_HOST_DEVICE bool
  isFlying(int x, int y, float depth) const
  {
    const float least = tolerance + tolerance_growth * depth * depth;
    for (int line = 0; line < 4; ++line) {
      const int dx = line == 1 ? 0 : 1;
      const int dy = line == 0 ? 0 : (line == 3 ? -1 : 1);
      const float before = depth - at(x - dx, y - dy);
      const float after = at(x + dx, y + dy) - depth;
      // Also false for NaN. Few pixels get further.
      if (!(before * after > 0.0f && fabsf(before) > least && fabsf(after) > least))
        continue;
      const Side left[] = {side(x, y, -dx, -dy, 1), side(x, y, -dx, -dy, 2)};
      const Side right[] = {side(x, y, dx, dy, 1), side(x, y, dx, dy, 2)};
      if (isBetween(depth, least, left[0], right[0]) ||
          isBetween(depth, least, left[0], right[1]) ||
          isBetween(depth, least, left[1], right[0]))
        return true;
    }
    return false;
  }

  /** \brief Surface on one side of a pixel. */
  struct Side {
    float depth;
    float foretold; ///< inverse depth that the surface would have at the pixel
    float slope;    ///< change of the inverse depth from pixel to pixel
    float gap;      ///< inverse depth that a pixel in between is off the surface
  };

  /** \brief Reads the surface that begins \a pixels away. */
  PCL_GPU_HOST_DEVICE Side
  side(int x, int y, int dx, int dy, int pixels) const
  {
    const float depth = at(x + pixels * dx, y + pixels * dy);
    const float beyond = at(x + (pixels + 1) * dx, y + (pixels + 1) * dy);
    // NaN, as no test passes, if one is missing: a single pixel is no surface.
    const float inverse = 1.0f / depth;
    const float slope = inverse - 1.0f / beyond;
    const float gap =
        pixels == 1 ? INFINITY : fabsf(1.0f / at(x + dx, y + dy) - inverse - slope);
    return {depth, inverse + static_cast<float>(pixels) * slope, fabsf(slope), gap};
  }

  /** \brief Returns whether a pixel lies between two surfaces and on neither, nor does
   * any pixel between. */
  PCL_GPU_HOST_DEVICE static bool
  isBetween(float depth, float least, const Side& left, const Side& right)
  {
    const float inverse = 1.0f / depth;
    const float limit = least * inverse * inverse + left.slope + right.slope;
    return (depth - left.depth) * (right.depth - depth) > 0.0f &&
           fabsf(inverse - left.foretold) > limit &&
           fabsf(inverse - right.foretold) > limit && left.gap > limit &&
           right.gap > limit;
  }
};

} // namespace pcl::device
