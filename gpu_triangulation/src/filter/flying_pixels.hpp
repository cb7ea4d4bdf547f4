// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "projection/depth_input.h"
#include "surface_line-inl.h"

#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <cmath>

namespace pcl::device {

#ifndef __CUDACC__
using HWY_NAMESPACE::fitSurfaceLine;
using HWY_NAMESPACE::SurfaceLine;
#endif

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
      // Few pixels get further. Comparisons with NaN are false.
      const float before = depth - at(x - dx, y - dy);
      if (!(fabsf(before) > least))
        continue;
      const float after = at(x + dx, y + dy) - depth;
      if (!(before * after > 0.0f && fabsf(after) > least))
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

  /** \brief Surface on one side of a pixel, by its next two pixels and by more: more
   * have less noise, but a thin thing has few. */
  struct Side {
    float depth;
    SurfaceLine<float> lines[2];
    float slope;   ///< change of the inverse depth from pixel to pixel
    int pixels;    ///< to the surface
    float between; ///< inverse depth of the pixel in between; infinite if there is none

    PCL_GPU_HOST_DEVICE bool
    isOff(float inverse, float limit) const
    {
      return offAt(pixels, inverse) > limit + slope &&
             offAt(1, between) > limit + slope;
    }

    /** \brief Returns how much the inverse depth \a before pixels before the surface
     * is off it; NaN, as no test passes, if there is none: a single pixel is none. */
    PCL_GPU_HOST_DEVICE float
    offAt(int before, float inverse) const
    {
      const float by_two = fabsf(inverse - lines[0].before(before));
      const float by_more = fabsf(inverse - lines[1].before(before));
      return lines[0].points < 2.0f ? NAN : fminf(by_two, by_more);
    }
  };

  /** \brief Reads the surface that begins \a pixels away. */
  PCL_GPU_HOST_DEVICE Side
  side(int x, int y, int dx, int dy, int pixels) const
  {
    const auto inverse = [&](int i) {
      return 1.0f / at(x + (pixels + i) * dx, y + (pixels + i) * dy);
    };
    Side side;
    side.depth = at(x + pixels * dx, y + pixels * dy);
    side.lines[0] = fitSurfaceLine(inverse(0), inverse, 2);
    side.lines[1] = fitSurfaceLine(inverse(0), inverse, 5);
    side.slope = fabsf(side.lines[0].slope);
    side.pixels = pixels;
    side.between = pixels == 1 ? INFINITY : inverse(-1);
    return side;
  }

  /** \brief Returns whether a pixel lies between two surfaces and on neither, nor does
   * any pixel between. */
  PCL_GPU_HOST_DEVICE static bool
  isBetween(float depth, float least, const Side& left, const Side& right)
  {
    const float inverse = 1.0f / depth;
    const float limit = least * inverse * inverse;
    return (depth - left.depth) * (right.depth - depth) > 0.0f &&
           left.isOff(inverse, limit) && right.isOff(inverse, limit);
  }
};

} // namespace pcl::device
