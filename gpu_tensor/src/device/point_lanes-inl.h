// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TENSOR_POINT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TENSOR_POINT_LANES_INL_H
#undef PCL_GPU_TENSOR_POINT_LANES_INL_H
#else
#define PCL_GPU_TENSOR_POINT_LANES_INL_H
#endif

#include "grid_clipping.hpp"

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

// Points of many triangles in registers. Only included by host drivers, after
// hwy/foreach_target.h.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

template <typename Tag>
struct PointLanes {
  Lanes<Tag> x, y, z;
};

template <typename Tag>
HWY_INLINE PointLanes<Tag>
operator-(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
select(LaneMask<Tag> condition, const PointLanes<Tag>& yes, const PointLanes<Tag>& no)
{
  return {select(condition, yes.x, no.x),
          select(condition, yes.y, no.y),
          select(condition, yes.z, no.z)};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
lowest(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z)};
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
highest(const PointLanes<Tag>& a, const PointLanes<Tag>& b)
{
  return {maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z)};
}

template <typename Tag>
HWY_INLINE Lanes<Tag>
roundedDownLanes(Lanes<Tag> a)
{
  return {hn::Floor(a.value)};
}

/** \brief roundedArea(), and the area of makeGridTriangle(). */
template <typename Tag>
HWY_INLINE Lanes<Tag>
areaOfLanes(const PointLanes<Tag>& a,
            const PointLanes<Tag>& b,
            const PointLanes<Tag>& c)
{
  const PointLanes<Tag> u = b - a, v = c - a;
  const Lanes<Tag> x = u.y * v.z - u.z * v.y;
  const Lanes<Tag> y = u.z * v.x - u.x * v.z;
  const Lanes<Tag> z = u.x * v.y - u.y * v.x;
  return 0.5f * squareRoot(x * x + y * y + z * z);
}

template <typename Tag>
HWY_INLINE PointLanes<Tag>
loadPoints(Tag tag, const float* x, const float* y, const float* z)
{
  return {load(tag, x), load(tag, y), load(tag, z)};
}

/** \brief GridTransform in single precision. */
template <typename Tag>
HWY_INLINE PointLanes<Tag>
inGrid(const GridTransform& grid, const PointLanes<Tag>& p)
{
  const Lanes<Tag> x = p.x - grid.origin.x;
  const Lanes<Tag> y = p.y - grid.origin.y;
  const Lanes<Tag> z = p.z - grid.origin.z;
  const auto along = [&](const Vector3& axis) HWY_ATTR {
    return x * axis.x + y * axis.y + z * axis.z + grid.middle;
  };
  return {along(grid.x), along(grid.y), along(grid.z)};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
