// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_lanes.cpp"
#include "host_lanes.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using FloatLanes = Lanes<FloatTag>;

/** \brief x x' + y y' + z z', in the order of dot(). */
HWY_INLINE FloatLanes
dotLanes(const Vector3& a, FloatLanes x, FloatLanes y, FloatLanes z)
{
  return x * a.x + y * a.y + z * a.z;
}

HWY_ATTR void
findPartners(const host::PointCell& cell,
             const host::PointCell& other,
             const PairLimits& limits,
             const float* farthest,
             std::uint32_t* partners)
{
  const FloatTag tag;
  constexpr int lanes = hn::MaxLanes(FloatTag());
  static_assert(cell_points % lanes == 0, "whole registers");
  for (int i = 0; i < cell_points; ++i) {
    partners[i] = 0;
    if (farthest[i] < 0.0f)
      continue;
    const OrientedPoint point = cell[i];
    std::uint32_t bits = 0;
    for (int j = 0; j < cell_points; j += lanes) {
      const FloatLanes cosine = dotLanes(point.normal,
                                         load(tag, other.normal_x + j),
                                         load(tag, other.normal_y + j),
                                         load(tag, other.normal_z + j));
      const FloatLanes dx = FloatLanes(point.position.x) - load(tag, other.x + j);
      const FloatLanes dy = FloatLanes(point.position.y) - load(tag, other.y + j);
      const FloatLanes dz = FloatLanes(point.position.z) - load(tag, other.z + j);
      const FloatLanes distance = dx * dx + dy * dy + dz * dz;
      const auto fits = (cosine <= FloatLanes(limits.max_cosine)) &
                        (distance >= FloatLanes(limits.min_squared_distance)) &
                        (distance <= FloatLanes(farthest[i]));
      std::uint8_t mask[8] = {};
      hn::StoreMaskBits(tag, fits.value, mask);
      std::uint32_t some;
      __builtin_memcpy(&some, mask, sizeof(some));
      bits |= some << j;
    }
    partners[i] = bits;
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(findPartners);

void
host::findPartners(const PointCell& cell,
                   const PointCell& other,
                   const PairLimits& limits,
                   const float* farthest,
                   std::uint32_t* partners)
{
  HWY_DYNAMIC_DISPATCH(findPartners)(cell, other, limits, farthest, partners);
}

} // namespace pcl::device
#endif
