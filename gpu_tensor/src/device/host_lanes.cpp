// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_lanes.cpp"
#include "host_lanes.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <pcl/gpu/utils/device/lanes-inl.h>

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

#if HWY_TARGET == HWY_SCALAR
// A register of bytes holds less than a word.
HWY_ATTR void
countCommonBits(const std::uint32_t* row,
                const std::uint32_t* others,
                int words,
                const int* numbers,
                int count,
                int* common)
{
  for (int i = 0; i < count; ++i) {
    const std::uint32_t* const other =
        others + static_cast<std::size_t>(numbers[i]) * words;
    common[i] = 0;
    for (int word = 0; word < words; ++word)
      common[i] += __builtin_popcount(row[word] & other[word]);
  }
}
#else
HWY_ATTR void
countCommonBits(const std::uint32_t* row,
                const std::uint32_t* others,
                int words,
                const int* numbers,
                int count,
                int* common)
{
  const hn::CappedTag<std::uint8_t, 32> tag;
  const hn::Repartition<std::uint64_t, decltype(tag)> sum_tag;
  const int step = static_cast<int>(hn::Lanes(tag)) / 4;
  // As many words as a byte of the sum can count the bits of.
  constexpr int most_words = 64;
  const auto load = [tag](const std::uint32_t* from) HWY_ATTR {
    return hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from));
  };
  for (int i = 0; i < count; ++i) {
    const std::uint32_t* const other =
        others + static_cast<std::size_t>(numbers[i]) * words;
    auto sum = hn::Zero(sum_tag);
    for (int begin = 0; begin < words; begin += most_words) {
      const int end = begin + most_words < words ? begin + most_words : words;
      auto bytes = hn::Zero(tag);
      for (int word = begin; word < end; word += step)
        bytes = hn::Add(
            bytes, hn::PopulationCount(hn::And(load(row + word), load(other + word))));
      sum = hn::Add(sum, hn::SumsOf8(bytes));
    }
    common[i] = static_cast<int>(hn::GetLane(hn::SumOfLanes(sum_tag, sum)));
  }
}
#endif

HWY_ATTR void
sumOverlaps(const float* areas,
            const float* others,
            int steps,
            int count,
            host::OverlapGroup& sums)
{
  using DoubleLanes = Lanes<DoubleTag>;
  const HalfFloatTag tag;
  constexpr int lanes = hn::MaxLanes(DoubleTag());
  static_assert(host::overlap_group % lanes == 0, "whole registers");
  for (int lane = 0; lane < count; lane += lanes) {
    DoubleLanes p(0.0), q(0.0), pp(0.0), qq(0.0), pq(0.0);
    for (int step = 0; step < steps; ++step) {
      const int place = step * host::overlap_group + lane;
      const Lanes<HalfFloatTag> area = load(tag, areas + place);
      const auto is_common = area > Lanes<HalfFloatTag>(0.0f);
      const Lanes<HalfFloatTag> other(
          hn::IfThenElseZero(is_common.value, hn::LoadU(tag, others + place)));
      const DoubleLanes a = widen(area), b = widen(other);
      p = p + a;
      q = q + b;
      pp = pp + a * a;
      qq = qq + b * b;
      pq = pq + a * b;
    }
    store(p, sums.p + lane);
    store(q, sums.q + lane);
    store(pp, sums.pp + lane);
    store(qq, sums.qq + lane);
    store(pq, sums.pq + lane);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl {
namespace device {

HWY_EXPORT(findPartners);
HWY_EXPORT(countCommonBits);
HWY_EXPORT(sumOverlaps);

void
host::findPartners(const PointCell& cell,
                   const PointCell& other,
                   const PairLimits& limits,
                   const float* farthest,
                   std::uint32_t* partners)
{
  HWY_DYNAMIC_DISPATCH(findPartners)(cell, other, limits, farthest, partners);
}

void
host::countCommonBits(const std::uint32_t* row,
                      const std::uint32_t* others,
                      int words,
                      const int* numbers,
                      int count,
                      int* common)
{
  HWY_DYNAMIC_DISPATCH(countCommonBits)(row, others, words, numbers, count, common);
}

void
host::sumOverlaps(
    const float* areas, const float* others, int steps, int count, OverlapGroup& sums)
{
  HWY_DYNAMIC_DISPATCH(sumOverlaps)(areas, others, steps, count, sums);
}

} // namespace device
} // namespace pcl
#endif
