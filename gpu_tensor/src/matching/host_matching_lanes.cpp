// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matching/host_matching_lanes.cpp"
#include "matching/host_matching.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

#include <algorithm>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

#if HWY_TARGET == HWY_SCALAR
// A register of bytes holds less than a word.
HWY_INLINE void
countCommonBits(const std::uint32_t* row,
                const std::uint32_t* const* others,
                int words,
                int* common)
{
  for (int i = 0; i < 4; ++i) {
    common[i] = 0;
    for (int word = 0; word < words; ++word)
      common[i] += __builtin_popcount(row[word] & others[i][word]);
  }
}

HWY_INLINE void
sumSmaller(const host::CellCounts& own, const host::CellCounts* others, int* sums)
{
  for (int i = 0; i < 4; ++i) {
    sums[i] = 0;
    for (int cell = 0; cell < host::cells; ++cell)
      sums[i] += std::min(own.of[cell], others[i].of[cell]);
  }
}

HWY_ATTR CoarseSums
sumCoarse(const std::uint8_t* areas, const std::uint8_t* others, std::uint32_t words)
{
  CoarseSums sums;
  for (; words != 0; words &= words - 1) {
    const int first = __builtin_ctz(words) * host::word_voxels;
    for (int i = first; i < first + host::word_voxels; ++i) {
      const unsigned int a = others[i] ? areas[i] : 0, b = areas[i] ? others[i] : 0;
      sums.addAreas(a, b);
    }
  }
  return sums;
}
#else
using ByteTag = hn::CappedTag<std::uint8_t, 32>;
using ByteSumTag = hn::Repartition<std::uint64_t, ByteTag>;
constexpr int byte_lanes = hn::MaxLanes(ByteTag());

/** \brief Stores the first four numbers of a register, and adds the next four to
 * them. */
template <typename Vector>
HWY_INLINE void
storeFour(Vector numbers, int* to)
{
  const hn::CappedTag<int, 4> tag;
  if constexpr (hn::MaxLanes(hn::DFromV<Vector>()) > 4)
    hn::StoreU(
        hn::Add(hn::LowerHalf(tag, numbers), hn::UpperHalf(tag, numbers)), tag, to);
  else
    hn::StoreU(numbers, tag, to);
}

/** \brief Adds up the sums of each of four registers; they need half of their bits. */
HWY_INLINE void
addUp(hn::Vec<ByteSumTag> a,
      hn::Vec<ByteSumTag> b,
      hn::Vec<ByteSumTag> c,
      hn::Vec<ByteSumTag> d,
      int* sums)
{
  const ByteSumTag tag;
  const auto first = hn::Or(a, hn::ShiftLeft<32>(b));
  const auto second = hn::Or(c, hn::ShiftLeft<32>(d));
  const auto all = hn::Add(hn::InterleaveLower(tag, first, second),
                           hn::InterleaveUpper(tag, first, second));
  storeFour(hn::BitCast(hn::Repartition<int, ByteTag>(), all), sums);
}

/** \brief Counts the bits that a row has in common with each of four others. */
HWY_INLINE void
countCommonBits(const std::uint32_t* row,
                const std::uint32_t* const* others,
                int words,
                int* common)
{
  const ByteTag tag;
  constexpr int step = byte_lanes / 4;
  // As many words as a byte of the sum can count the bits of.
  constexpr int most_words = 64;
  const auto load = [tag](const std::uint32_t* from) HWY_ATTR {
    return hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(from));
  };
  auto a = hn::Zero(ByteSumTag()), b = a, c = a, d = a;
  for (int begin = 0; begin < words; begin += most_words) {
    const int end = begin + most_words < words ? begin + most_words : words;
    auto some_a = hn::Zero(tag), some_b = some_a, some_c = some_a, some_d = some_a;
    for (int word = begin; word < end; word += step) {
      const auto own = load(row + word);
      const auto count = [&](const std::uint32_t* other) HWY_ATTR {
        return hn::PopulationCount(hn::And(own, load(other + word)));
      };
      some_a = hn::Add(some_a, count(others[0]));
      some_b = hn::Add(some_b, count(others[1]));
      some_c = hn::Add(some_c, count(others[2]));
      some_d = hn::Add(some_d, count(others[3]));
    }
    a = hn::Add(a, hn::SumsOf8(some_a));
    b = hn::Add(b, hn::SumsOf8(some_b));
    c = hn::Add(c, hn::SumsOf8(some_c));
    d = hn::Add(d, hn::SumsOf8(some_d));
  }
  addUp(a, b, c, d, common);
}

/** \brief Sums over all cells the smaller counts of a tensor and each of four
 * others. */
HWY_INLINE void
sumSmaller(const host::CellCounts& own, const host::CellCounts* others, int* sums)
{
  const ByteTag tag;
  const auto sum = [&](const host::CellCounts& other) HWY_ATTR {
    auto smaller = hn::Zero(tag);
    for (int cell = 0; cell < host::cells; cell += byte_lanes)
      smaller = hn::Add(
          smaller,
          hn::Min(hn::LoadU(tag, own.of + cell), hn::LoadU(tag, other.of + cell)));
    return hn::SumsOf8(smaller);
  };
  addUp(sum(others[0]), sum(others[1]), sum(others[2]), sum(others[3]), sums);
}

HWY_ATTR CoarseSums
sumCoarse(const std::uint8_t* areas, const std::uint8_t* others, std::uint32_t words)
{
  const ByteTag tag;
  const ByteSumTag sum_tag;
  const hn::Repartition<std::int8_t, ByteTag> signed_tag;
  const hn::Repartition<std::uint16_t, ByteTag> wide_tag;
  const hn::Repartition<std::int16_t, ByteTag> factor_tag;
  const hn::Repartition<std::int32_t, ByteTag> product_tag;
  const auto low_bytes = hn::Set(wide_tag, std::uint16_t(0xff));
  const auto none = hn::Zero(signed_tag);
  auto p = hn::Zero(sum_tag), q = p;
  auto pp = hn::Zero(product_tag), qq = pp, pq = pp;
  // Some targets sum half of the products by themselves.
  auto more_pp = pp, more_qq = pp, more_pq = pp;
  for (; words != 0; words &= words - 1) {
    const int first = __builtin_ctz(words) * host::word_voxels;
    for (int i = first; i < first + host::word_voxels; i += byte_lanes) {
      const auto area = hn::BitCast(signed_tag, hn::LoadU(tag, areas + i));
      const auto other = hn::BitCast(signed_tag, hn::LoadU(tag, others + i));
      const auto a = hn::BitCast(
          wide_tag, hn::And(area, hn::VecFromMask(signed_tag, hn::Gt(other, none))));
      const auto b = hn::BitCast(
          wide_tag, hn::And(other, hn::VecFromMask(signed_tag, hn::Gt(area, none))));
      p = hn::Add(p, hn::SumsOf8(hn::BitCast(tag, a)));
      q = hn::Add(q, hn::SumsOf8(hn::BitCast(tag, b)));
      const auto add = [&](auto some_a, auto some_b) HWY_ATTR {
        const auto x = hn::BitCast(factor_tag, some_a);
        const auto y = hn::BitCast(factor_tag, some_b);
        pp = hn::ReorderWidenMulAccumulate(product_tag, x, x, pp, more_pp);
        qq = hn::ReorderWidenMulAccumulate(product_tag, y, y, qq, more_qq);
        pq = hn::ReorderWidenMulAccumulate(product_tag, x, y, pq, more_pq);
      };
      add(hn::And(a, low_bytes), hn::And(b, low_bytes));
      add(hn::ShiftRight<8>(a), hn::ShiftRight<8>(b));
    }
  }
  const auto sumOf = [product_tag](auto some, auto more) HWY_ATTR {
    return static_cast<unsigned int>(
        hn::GetLane(hn::SumOfLanes(product_tag, hn::Add(some, more))));
  };
  CoarseSums sums;
  sums.p = static_cast<unsigned int>(hn::GetLane(hn::SumOfLanes(sum_tag, p)));
  sums.q = static_cast<unsigned int>(hn::GetLane(hn::SumOfLanes(sum_tag, q)));
  sums.pp = sumOf(pp, more_pp);
  sums.qq = sumOf(qq, more_qq);
  sums.pq = sumOf(pq, more_pq);
  return sums;
}
#endif

/** \brief Finds the rows whose cells do not rule out that they overlap enough.
 * \param[in] cells of overlap_rows rows
 * \return bits of the rows
 */
HWY_INLINE std::uint32_t
findPossible(const host::CellCounts& own,
             const host::CellCounts* cells,
             const float* sizes,
             const host::OverlapLimit& limit)
{
  const hn::CappedTag<float, 8> tag;
  const hn::RebindToSigned<decltype(tag)> int_tag;
  constexpr int lanes = hn::MaxLanes(tag);
  static_assert(host::overlap_rows % lanes == 0, "whole registers");
  int most[host::overlap_rows];
  for (int i = 0; i < host::overlap_rows; i += 4)
    sumSmaller(own, cells + i, most + i);
  const auto slope = hn::Set(tag, limit.slope), least = hn::Set(tag, limit.least);
  std::uint32_t bits = 0;
  for (int i = 0; i < host::overlap_rows; i += lanes) {
    const auto some = hn::ConvertTo(tag, hn::LoadU(int_tag, most + i));
    const auto size = hn::LoadU(tag, sizes + i);
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(tag, hn::Ge(hn::Sub(some, hn::Mul(slope, size)), least), mask);
    bits |= static_cast<std::uint32_t>(mask[0]) << i;
  }
  return bits;
}

HWY_ATTR int
findOverlaps(const host::OccupancyRow& own,
             const host::OccupancyRows& others,
             int* numbers,
             int* common)
{
  const host::OverlapLimit limit = own.limit;
  const int count = others.count;
  int found = 0;
  for (int begin = 0; begin < count; begin += host::overlap_rows) {
    std::uint32_t bits = ~0u;
    if (own.cells)
      bits =
          findPossible(*own.cells, others.cells + begin, others.sizes + begin, limit);
    if (count - begin < host::overlap_rows)
      bits &= (1u << (count - begin)) - 1;
    while (bits != 0) {
      int rows[4], some_common[4], some = 0;
      const std::uint32_t* words[4];
      for (; bits != 0 && some < 4; bits &= bits - 1)
        rows[some++] = begin + __builtin_ctz(bits);
      for (int i = 0; i < 4; ++i)
        words[i] =
            others.words +
            static_cast<std::size_t>(rows[std::min(i, some - 1)]) * own.word_count;
      countCommonBits(own.words, words, own.word_count, some_common);
      for (int i = 0; i < some; ++i) {
        numbers[found] = rows[i];
        common[found] = some_common[i];
        found += some_common[i] >= limit.slope * others.sizes[rows[i]] + limit.least;
      }
    }
  }
  return found;
}

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
namespace pcl::device {

HWY_EXPORT(findOverlaps);
HWY_EXPORT(sumCoarse);
HWY_EXPORT(sumOverlaps);

int
host::findOverlaps(const OccupancyRow& own,
                   const OccupancyRows& others,
                   int* numbers,
                   int* common)
{
  return HWY_DYNAMIC_DISPATCH(findOverlaps)(own, others, numbers, common);
}

CoarseSums
host::sumCoarse(const std::uint8_t* areas,
                const std::uint8_t* others,
                std::uint32_t words)
{
  return HWY_DYNAMIC_DISPATCH(sumCoarse)(areas, others, words);
}

void
host::sumOverlaps(
    const float* areas, const float* others, int steps, int count, OverlapGroup& sums)
{
  HWY_DYNAMIC_DISPATCH(sumOverlaps)(areas, others, steps, count, sums);
}

} // namespace pcl::device
#endif
