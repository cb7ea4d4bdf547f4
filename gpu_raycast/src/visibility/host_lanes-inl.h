// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_RAYCAST_HOST_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_RAYCAST_HOST_LANES_INL_H
#undef PCL_GPU_RAYCAST_HOST_LANES_INL_H
#else
#define PCL_GPU_RAYCAST_HOST_LANES_INL_H
#endif

#include "visibility/host_visibility.h"

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

// The arithmetic of rays and triangles on SIMD registers.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using FloatLanes = Lanes<FloatTag>;
using FloatMask = LaneMask<FloatTag>;
using IntTag = hn::Rebind<std::int32_t, FloatTag>;
using Ints = hn::Vec<IntTag>;
constexpr int float_lanes = hn::MaxLanes(FloatTag());

/** \brief Returns a without b. */
HWY_INLINE FloatMask
butNot(const FloatMask& a, const FloatMask& b)
{
  return {hn::AndNot(b.value, a.value)};
}

#define PCL_GPU_RAY_MATH HWY_INLINE
#include "scene/ray_math-inl.h"
#undef PCL_GPU_RAY_MATH

/** \brief Points of several triangles, or one point over again. */
struct PointLanes {
  FloatLanes x, y, z;
};

HWY_INLINE PointLanes
transformPoint(const RigidTransform& transform, const PointLanes& p)
{
  const auto& m = transform.m;
  return {transformedCoordinate(m[0], p.x, p.y, p.z),
          transformedCoordinate(m[1], p.x, p.y, p.z),
          transformedCoordinate(m[2], p.x, p.y, p.z)};
}

/** \brief As many points as there are lanes, one after the other. */
HWY_INLINE PointLanes
loadPoints(const Float4* from)
{
  hn::Vec<FloatTag> x, y, z, w;
  hn::LoadInterleaved4(FloatTag(), &from->x, x, y, z, w);
  return {x, y, z};
}

#if HWY_TARGET != HWY_SCALAR

/** \brief Every fourth point from one on, side by side. */
template <typename Tag, typename PointAt>
HWY_INLINE hn::Vec<Tag>
everyFourthPoint(Tag tag, int first, const PointAt& pointAt)
{
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    return hn::Load(tag, &pointAt(first).x);
  }
  else {
    const hn::Half<Tag> half;
    constexpr int skipped = hn::MaxLanes(hn::Half<Tag>());
    return hn::Combine(tag,
                       everyFourthPoint(half, first + skipped, pointAt),
                       everyFourthPoint(half, first, pointAt));
  }
}

#endif

/** \brief As many points as there are lanes, from anywhere.
 * \param[in] pointAt gives the Float4 of a lane
 */
template <typename PointAt>
HWY_INLINE PointLanes
gatherPoints(const PointAt& pointAt)
{
#if HWY_TARGET == HWY_SCALAR
  return loadPoints(&pointAt(0));
#else
  // Four by four numbers are transposed in each block of 128 bits.
  const FloatTag tag;
  const auto points0 = everyFourthPoint(tag, 0, pointAt);
  const auto points1 = everyFourthPoint(tag, 1, pointAt);
  const auto points2 = everyFourthPoint(tag, 2, pointAt);
  const auto points3 = everyFourthPoint(tag, 3, pointAt);
  const auto xy02 = hn::InterleaveLower(tag, points0, points2);
  const auto xy13 = hn::InterleaveLower(tag, points1, points3);
  const auto zw02 = hn::InterleaveUpper(tag, points0, points2);
  const auto zw13 = hn::InterleaveUpper(tag, points1, points3);
  return {hn::InterleaveLower(tag, xy02, xy13),
          hn::InterleaveUpper(tag, xy02, xy13),
          hn::InterleaveLower(tag, zw02, zw13)};
#endif
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
