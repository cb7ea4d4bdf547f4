// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "visibility/host_resolve.cpp"
#include "visibility/host_visibility.h"
#include "visibility/resolve.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "visibility/host_lanes-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Depths and triangle ids of a row, as writePixel() has them; either may be
 * null.
 *
 * An id of no_hit is -1 as it is.
 */
HWY_ATTR void
writeRow(const HitKey* keys, int width, float* depth, int* triangles)
{
  const hn::ScalableTag<std::uint64_t> key_tag;
  const hn::Rebind<std::uint32_t, decltype(key_tag)> half_tag;
  const hn::Rebind<float, decltype(key_tag)> float_tag;
  const int lanes = static_cast<int>(hn::Lanes(key_tag));
  const auto missed = hn::Set(half_tag, static_cast<std::uint32_t>(no_hit >> 32));
  const auto nan = hn::BitCast(half_tag, hn::Set(float_tag, notANumber()));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto key =
        hn::LoadU(key_tag, reinterpret_cast<const std::uint64_t*>(keys + x));
    if (depth) {
      const auto bits = hn::TruncateTo(half_tag, hn::ShiftRight<32>(key));
      hn::StoreU(
          hn::BitCast(float_tag, hn::IfThenElse(hn::Eq(bits, missed), nan, bits)),
          float_tag,
          depth + x);
    }
    if (triangles)
      hn::StoreU(hn::TruncateTo(half_tag, key),
                 half_tag,
                 reinterpret_cast<std::uint32_t*>(triangles + x));
  }
  for (; x < width; ++x) {
    if (depth)
      depth[x] = keys[x] == no_hit ? notANumber() : depthOf(keys[x]);
    if (triangles)
      triangles[x] = static_cast<int>(triangleOf(keys[x]));
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(writeRow);

void
host::resolveRows(
    const CastTask& task, int view, int first_row, int end_row, HitKey* keys)
{
  ImageArrays images = task.images;
  for (int y = first_row; y < end_row; ++y, keys += task.width) {
    const int row = task.firstRow(view) + y;
    if (images.needTriangles())
      for (int x = 0; x < task.width; ++x)
        writePixel(task, view, x, y, keys[x]);
    else
      HWY_DYNAMIC_DISPATCH(writeRow)
    (keys,
     task.width,
     images.depth.data ? images.depth.ptr(row) : nullptr,
     images.triangles.data ? images.triangles.ptr(row) : nullptr);
    std::fill_n(keys, task.width, no_hit);
  }
}

} // namespace pcl::device
#endif
