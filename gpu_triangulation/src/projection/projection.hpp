// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "projection/depth_input.h"
#include "vector-inl.h"

#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <cmath>
#include <cstdint>

// Functors for parallelFor2D(): every pixel is projected for itself.

namespace pcl::device {

#ifndef __CUDACC__
using HWY_NAMESPACE::projectCoordinate;
#endif

/** \brief An organized cloud of pcl::PointXYZRGB in memory. */
struct ColorPoint {
  Float4 position;
  std::uint32_t rgba;
  std::uint32_t padding[3];
};

/** \brief Returns the number of sampled ones of \a size rows or columns. */
inline int
sampledSize(int size, int step)
{
  return (size + step - 1) / step;
}

/** \brief Eq. (1): disparity to depth. */
struct DisparityToDepth {
  PtrStep<const std::uint16_t> disparity;
  float baseline_times_focal_length;
  float offset;
  PtrStep<float> depth;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    constexpr std::uint16_t no_measurement = 2047;
    const std::uint16_t raw = disparity.ptr(y)[x];
    const float normalized = 0.125f * (offset - raw);
    const bool measured = raw != no_measurement && normalized > 0.0f;
    PtrStep<float> to = depth;
    to.ptr(y)[x] = measured ? baseline_times_focal_length / normalized : NAN;
  }
};

/** \brief Eq. (2) for one pixel; NaN if its depth is. */
PCL_GPU_HOST_DEVICE Float4
projectPoint(int x, int y, float z, const Intrinsics& camera)
{
  return {projectCoordinate(static_cast<float>(x), z, camera.cx, camera.inverse_fx),
          projectCoordinate(static_cast<float>(y), z, camera.cy, camera.inverse_fy),
          z,
          1.0f};
}

/** \brief Eq. (2) for one pixel; NaN where there is no measurement. */
PCL_GPU_HOST_DEVICE Float4
projectPixel(int x, int y, float depth, const Intrinsics& camera)
{
  return projectPoint(x, y, gpu::isMeasuredDepth(depth) ? depth : NAN, camera);
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
    PtrStep<Float4> to = cloud;
    to.ptr(y)[x] = projectPixel(column, row, input.metres(column, row), camera);
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

} // namespace pcl::device
