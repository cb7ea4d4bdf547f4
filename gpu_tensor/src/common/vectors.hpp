// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/scalar_math.hpp>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>

namespace pcl::device {

PCL_GPU_HOST_DEVICE Vector3
vectorOf(const Float4& v)
{
  return {v.x, v.y, v.z};
}

/** \brief The lesser coordinates of two points, neither of which has a NaN. */
PCL_GPU_HOST_DEVICE Vector3
minimum(const Vector3& a, const Vector3& b)
{
  return {minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z)};
}

/** \brief The greater coordinates of two points, neither of which has a NaN. */
PCL_GPU_HOST_DEVICE Vector3
maximum(const Vector3& a, const Vector3& b)
{
  return {maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z)};
}

/** \brief The box around points; low > high if there are none. */
struct PointBounds {
  Vector3 low = {INFINITY, INFINITY, INFINITY};
  Vector3 high = {-INFINITY, -INFINITY, -INFINITY};

  PCL_GPU_HOST_DEVICE void
  add(const PointBounds& other)
  {
    low = minimum(low, other.low);
    high = maximum(high, other.high);
  }
};

} // namespace pcl::device
