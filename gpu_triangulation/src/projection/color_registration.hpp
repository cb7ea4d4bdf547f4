// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "projection/projection.hpp"

#include <cstring>

// Functors for parallelFor2D() that look up the colours of a depth map.

namespace pcl::device {

/** \brief Place of a pixel of the depth map in the colour image. */
struct ColorView {
  float u, v, depth;
  bool visible; ///< inside the image and in front of the camera
};

/** \brief Projects depth pixels into the colour camera. */
struct ColorProjection {
  PtrStep<const float> depth;
  Intrinsics depth_camera;
  float fx, fy, cx, cy;          ///< of the colour camera
  int columns, rows;             ///< of the colour image
  RigidTransform depth_to_color; ///< points of the depth camera into the colour camera

  PCL_GPU_HOST_DEVICE ColorView
  operator()(int x, int y) const
  {
    const Float4 p = projectPixel(x, y, depth.ptr(y)[x], depth_camera);
    float q[3];
    for (int i = 0; i < 3; ++i) {
      const float* m = depth_to_color.m[i];
      q[i] = m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3];
    }
    const float u = fx * q[0] / q[2] + cx;
    const float v = fy * q[1] / q[2] + cy;
    // Nearest pixels; all comparisons fail on NaN.
    const bool visible = q[2] > 0.0f && u >= -0.5f && u < columns - 0.5f &&
                         v >= -0.5f && v < rows - 0.5f;
    return {u, v, q[2], visible};
  }
};

/** \brief Lowers a number to \a value if that is less; in the end the least one
 * stays. */
PCL_GPU_HOST_DEVICE void
atomicMinimum(std::uint32_t* number, std::uint32_t value)
{
#if defined(__CUDA_ARCH__)
  atomicMin(number, value);
#else
  std::uint32_t current = __atomic_load_n(number, __ATOMIC_RELAXED);
  while (value < current &&
         !__atomic_compare_exchange_n(
             number, &current, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

/** \brief The bits of a positive float, which are ordered as the numbers are. */
PCL_GPU_HOST_DEVICE std::uint32_t
orderedBits(float positive)
{
  std::uint32_t bits;
  memcpy(&bits, &positive, sizeof(bits));
  return bits;
}

PCL_GPU_HOST_DEVICE int
nearestPixel(float coordinate)
{
  return static_cast<int>(floorf(coordinate + 0.5f));
}

/** \brief Draws the depth map's points into the colour camera's depth buffer, in which
 * all bits are set where nothing was seen. */
struct SplatDepth {
  ColorProjection project;
  int radius; ///< pixels of the buffer that a point covers to each side
  std::uint32_t* buffer;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const ColorView view = project(x, y);
    if (!view.visible)
      return;
    const int u = nearestPixel(view.u);
    const int v = nearestPixel(view.v);
    for (int row = v - radius; row <= v + radius; ++row)
      for (int column = u - radius; column <= u + radius; ++column)
        if (row >= 0 && row < project.rows && column >= 0 && column < project.columns)
          atomicMinimum(buffer + static_cast<std::size_t>(row) * project.columns +
                            column,
                        orderedBits(view.depth));
  }
};

/** \brief Looks up the colours of the points that the colour camera sees. */
struct LookUpColor {
  ColorProjection project;
  float tolerance; ///< metres
  const std::uint32_t* buffer;
  PtrStep<const std::uint32_t> image;
  PtrStep<std::uint32_t> colors;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    constexpr std::uint32_t opaque = 0xff000000u;
    const ColorView view = project(x, y);
    std::uint32_t color = 0;
    if (view.visible) {
      const int u = nearestPixel(view.u);
      const int v = nearestPixel(view.v);
      const std::uint32_t nearest =
          buffer[static_cast<std::size_t>(v) * project.columns + u];
      float nearest_depth;
      memcpy(&nearest_depth, &nearest, sizeof(nearest));
      if (view.depth <= nearest_depth + tolerance)
        color = image.ptr(v)[u] | opaque;
    }
    PtrStep<std::uint32_t> to = colors;
    to.ptr(y)[x] = color;
  }
};

} // namespace pcl::device
