// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "driver.h"

#include <pcl/gpu/utils/device/parallel_for.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

// Stages in which every pixel stands for itself: functors for parallelFor2D().

namespace pcl::device {

PCL_GPU_HOST_DEVICE bool
isMeasured(float depth)
{
  return depth > 0.0f && depth <= 3.402823466e38f;
}

/** \brief Eq. (1): disparity to depth. */
struct DisparityToDepth {
  PtrStep<const std::uint16_t> disparity;
  DisparityParameters parameters;
  PtrStep<float> depth;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    constexpr std::uint16_t no_measurement = 2047;
    const std::uint16_t raw = disparity.ptr(y)[x];
    const float normalized = 0.125f * (parameters.offset - raw);
    const bool measured = raw != no_measurement && normalized > 0.0f;
    PtrStep<float> to = depth;
    to.ptr(y)[x] = measured ? parameters.baseline_times_focal_length / normalized : NAN;
  }
};

/** \brief Eq. (2) for one pixel; NaN where there is no measurement. */
PCL_GPU_HOST_DEVICE Float4
projectPixel(int x, int y, float depth, const Intrinsics& camera)
{
  const float z = isMeasured(depth) ? depth : NAN;
  return {(x - camera.cx) * camera.inverse_fx * z,
          (y - camera.cy) * camera.inverse_fy * z,
          z,
          1.0f};
}

/** \brief Eq. (2) for every step-th row and column. */
struct ProjectSampled {
  DepthInput input;
  int step;
  Intrinsics camera;
  PtrStep<Float4> cloud;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const int column = x * step, row = y * step;
    const char* from = static_cast<const char*>(input.data) + row * input.step;
    const float depth =
        input.raw ? input.scale * reinterpret_cast<const std::uint16_t*>(from)[column]
                  : input.scale * reinterpret_cast<const float*>(from)[column];
    PtrStep<Float4> to = cloud;
    to.ptr(y)[x] = projectPixel(column, row, depth, camera);
  }
};

/** \brief Eq. (2), with the pixel's colour. */
struct ProjectWithColor {
  PtrStep<const float> depth;
  PtrStep<const std::uint32_t> colors;
  Intrinsics camera;
  PtrStep<ColorPoint> cloud;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    constexpr std::uint32_t opaque = 0xff000000u; // as PCL's points are by default
    PtrStep<ColorPoint> to = cloud;
    to.ptr(y)[x] = {
        projectPixel(x, y, depth.ptr(y)[x], camera), colors.ptr(y)[x] | opaque, {}};
  }
};

/** \brief Where the colour camera sees a pixel of the depth map. */
struct ColorView {
  float u, v, depth;
  bool visible; ///< inside the image and in front of the camera
};

/** \brief Projects depth pixels into the colour camera. */
struct ColorProjection {
  PtrStep<const float> depth;
  RegistrationParameters parameters;
  int columns, rows; ///< of the colour image

  PCL_GPU_HOST_DEVICE ColorView
  operator()(int x, int y) const
  {
    const Float4 p = projectPixel(x, y, depth.ptr(y)[x], parameters.depth_camera);
    float q[3];
    for (int i = 0; i < 3; ++i) {
      const float* m = parameters.depth_to_color.m[i];
      q[i] = m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3];
    }
    const float u = parameters.fx * q[0] / q[2] + parameters.cx;
    const float v = parameters.fy * q[1] / q[2] + parameters.cy;
    // Nearest pixels; all comparisons fail on NaN.
    const bool visible = q[2] > 0.0f && u >= -0.5f && u < columns - 0.5f &&
                         v >= -0.5f && v < rows - 0.5f;
    return {u, v, q[2], visible};
  }
};

/** \brief Lowers a number to \a value if that is less; in the end the least one stays. */
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

/** \brief Fills the depth buffer with "nothing seen". */
struct ClearDepthBuffer {
  std::uint32_t* buffer;
  int columns;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    buffer[static_cast<std::size_t>(y) * columns + x] = 0xffffffffu;
  }
};

/** \brief Draws the depth map's points into the colour camera's depth buffer. */
struct SplatDepth {
  ColorProjection project;
  std::uint32_t* buffer;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const ColorView view = project(x, y);
    if (!view.visible)
      return;
    const int radius = project.parameters.splat_radius;
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
      if (view.depth <= nearest_depth + project.parameters.tolerance)
        color = image.ptr(v)[u] | opaque;
    }
    PtrStep<std::uint32_t> to = colors;
    to.ptr(y)[x] = color;
  }
};

// Drivers of these stages, the same for every executor.

template <typename Executor>
void
convertDisparity(const Executor& executor,
                 const PtrStepSz<const std::uint16_t>& disparity,
                 const DisparityParameters& parameters,
                 PtrStep<float> depth)
{
  parallelFor2D(executor,
                disparity.cols,
                disparity.rows,
                DisparityToDepth{disparity, parameters, depth});
}

template <typename Executor>
void
projectSampled(const Executor& executor,
               const DepthInput& input,
               int step,
               const Intrinsics& camera,
               PtrStep<Float4> cloud)
{
  parallelFor2D(executor,
                sampledSize(input.columns, step),
                sampledSize(input.rows, step),
                ProjectSampled{input, step, camera, cloud});
}

template <typename Executor>
void
projectWithColor(const Executor& executor,
                 const PtrStepSz<const float>& depth,
                 PtrStep<const std::uint32_t> colors,
                 const Intrinsics& camera,
                 PtrStep<ColorPoint> cloud)
{
  parallelFor2D(
      executor, depth.cols, depth.rows, ProjectWithColor{depth, colors, camera, cloud});
}

template <typename Executor>
void
registerColors(const Executor& executor,
               const PtrStepSz<const float>& depth,
               const PtrStepSz<const std::uint32_t>& image,
               const RegistrationParameters& parameters,
               std::uint32_t* buffer,
               PtrStep<std::uint32_t> colors)
{
  const ColorProjection project{depth, parameters, image.cols, image.rows};
  parallelFor2D(executor, image.cols, image.rows, ClearDepthBuffer{buffer, image.cols});
  parallelFor2D(executor, depth.cols, depth.rows, SplatDepth{project, buffer});
  parallelFor2D(
      executor, depth.cols, depth.rows, LookUpColor{project, buffer, image, colors});
}

} // namespace pcl::device
