// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "visibility/host_binning.cpp"
#include "visibility/host_visibility.h"

#include <algorithm>
#include <cstring>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "visibility/host_lanes-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using host::Bands;
using host::Chunk;
using host::class_count;
using host::class_shift;
using host::first_class_bits;
using host::max_chunk_triangles;
using host::reaching_class;
using host::TouchingTriangle;
using host::VertexBounds;
using host::wideBin;

using LongTag = hn::ScalableTag<std::uint64_t>;
using Longs = hn::Vec<LongTag>;
constexpr int long_lanes = hn::MaxLanes(LongTag());

/** \brief The bounds of vertices that are not before the camera or not usable. */
constexpr VertexBounds unseen = {32767, 32767, -32768, -32768};

/** \brief The bounds of vertices that are too far off to say whether they are
 * usable. */
constexpr VertexBounds unbounded = {32767, 32767, 32767, 32767};

/** \brief First pixel not before, negated, and last one not behind a coordinate. The
 * same sums as pixelsWithin() has, limited to the image and rounded: that keeps their
 * order. */
HWY_INLINE void
boundsOf(FloatLanes coordinate,
         const PixelOffsets& offsets,
         int size,
         Ints& minus_first,
         Ints& last)
{
  const FloatLanes most(static_cast<float>(size));
  const FloatLanes from =
      minimum(maximum(coordinate + offsets.first, FloatLanes(0.0f)), most);
  const FloatLanes to =
      maximum(minimum(coordinate + offsets.last, most - 1.0f), FloatLanes(-1.0f));
  minus_first = hn::Neg(hn::NearestInt(from.value));
  last = hn::NearestInt(to.value);
}

HWY_INLINE Ints
packShorts(Ints low, Ints high)
{
  const IntTag tag;
  return hn::Or(hn::And(low, hn::Set(tag, 0xffff)), hn::ShiftLeft<16>(high));
}

HWY_INLINE void
projectLanes(const CameraModel& camera,
             const Instance& instance,
             const Float4* from,
             VertexBounds* to)
{
  const IntTag tag;
  const PointLanes p = transformPoint(instance.transform, loadPoints(from));
  const FloatLanes magnitudes = absolute(p.x) + absolute(p.y) + absolute(p.z);
  const FloatMask seen = (magnitudes <= max_coordinates) & (p.z > camera.nearest);
  // Three of them are usable, however their sum is rounded.
  const FloatMask bounded = magnitudes <= 0.25f * max_coordinates;
  const FloatLanes inverse =
      camera.orthographic ? FloatLanes(1.0f) : FloatLanes(1.0f) / p.z;
  Ints minus_first_x, minus_first_y, last_x, last_y;
  boundsOf((p.x * inverse) * camera.fx,
           camera.column_offsets,
           camera.width,
           minus_first_x,
           last_x);
  boundsOf((p.y * inverse) * camera.fy,
           camera.row_offsets,
           camera.height,
           minus_first_y,
           last_y);
  const auto pairOf = [&](Ints x, Ints y, int if_unseen, int if_unbounded) {
    const auto both = [&](int value) {
      return packShorts(hn::Set(tag, value), hn::Set(tag, value));
    };
    const Ints pair = hn::IfThenElse(
        hn::RebindMask(tag, bounded.value), packShorts(x, y), both(if_unbounded));
    return hn::IfThenElse(hn::RebindMask(tag, seen.value), pair, both(if_unseen));
  };
  hn::StoreInterleaved2(
      pairOf(
          minus_first_x, minus_first_y, unseen.minus_first_x, unbounded.minus_first_x),
      pairOf(last_x, last_y, unseen.last_x, unbounded.last_x),
      tag,
      reinterpret_cast<std::int32_t*>(to));
}

HWY_ATTR void
projectVertices(const CameraModel& camera, const Chunk& chunk, int first, int end)
{
  const Instance& instance = *chunk.instance;
  const Float4* const vertices = instance.mesh.vertices;
  VertexBounds* const bounds = chunk.bounds;
  int i = first;
  for (; i + float_lanes <= end; i += float_lanes)
    projectLanes(camera, instance, vertices + i, bounds + i);
  if (i < end) {
    Float4 rest[float_lanes] = {};
    VertexBounds rest_bounds[float_lanes];
    std::copy(vertices + i, vertices + end, rest);
    projectLanes(camera, instance, rest, rest_bounds);
    std::copy(rest_bounds, rest_bounds + (end - i), bounds + i);
  }
  if (end == instance.mesh.vertices_size)
    bounds[end] = unseen;
}

/** \brief The triangles of a chunk that touch pixels, in the chunk's order. */
struct FoundTriangles {
  alignas(64) std::uint64_t bounds[max_chunk_triangles + long_lanes]; ///< VertexBounds
  /** \brief Numbers within the chunk; from bit 16 on, the bin. */
  alignas(64) std::uint64_t numbers[max_chunk_triangles + long_lanes];
  int count = 0;
};

#if HWY_TARGET == HWY_SCALAR

// Here a register is a number, and cannot be taken for several smaller ones.
inline void
findTouching(const Bands& bands,
             const Chunk& chunk,
             const int* indices,
             int first,
             FoundTriangles& found)
{
  int minus_first_x = -32768, minus_first_y = -32768, last_x = -32768, last_y = -32768;
  for (int i = 0; i < 3; ++i) {
    if (indices[i] < 0 || indices[i] >= chunk.instance->mesh.vertices_size)
      return;
    const VertexBounds& bounds = chunk.bounds[indices[i]];
    minus_first_x = std::max<int>(minus_first_x, bounds.minus_first_x);
    minus_first_y = std::max<int>(minus_first_y, bounds.minus_first_y);
    last_x = std::max<int>(last_x, bounds.last_x);
    last_y = std::max<int>(last_y, bounds.last_y);
  }
  const int columns = last_x + minus_first_x + 1;
  const int rows = last_y + minus_first_y + 1;
  if (columns <= 0 || rows <= 0)
    return;
  const float pixels = static_cast<float>(columns) * static_cast<float>(rows);
  std::int32_t bits;
  std::memcpy(&bits, &pixels, sizeof(bits));
  const int size_class = (bits >> class_shift) - first_class_bits;
  const int band = -minus_first_y >> bands.row_shift;
  const int more_bands = (last_y >> bands.row_shift) - band;
  const int bin =
      size_class >= reaching_class || more_bands > 1
          ? wideBin(bands)
          : band * class_count + (more_bands == 1 ? reaching_class : size_class);
  const VertexBounds all = {static_cast<std::int16_t>(minus_first_x),
                            static_cast<std::int16_t>(minus_first_y),
                            static_cast<std::int16_t>(last_x),
                            static_cast<std::int16_t>(last_y)};
  std::memcpy(found.bounds + found.count, &all, sizeof(all));
  found.numbers[found.count++] = static_cast<std::uint64_t>(bin) << 16 | first;
}

#else

using ShortTag = hn::Repartition<std::int16_t, LongTag>;
/** \brief Two numbers to a long lane, of which the lower one counts. */
using PairedIntTag = hn::Repartition<std::int32_t, LongTag>;
using PairedInts = hn::Vec<PairedIntTag>;
/** \brief As many numbers as there are long lanes. */
using HalfIntTag = hn::Rebind<std::int32_t, LongTag>;
using HalfInts = hn::Vec<HalfIntTag>;

/** \brief The bounds of one vertex of several triangles. */
HWY_INLINE Longs
gatherBounds(const VertexBounds* bounds, HalfInts index)
{
  const hn::RebindToSigned<LongTag> tag;
  return hn::BitCast(LongTag(),
                     hn::GatherIndex(tag,
                                     reinterpret_cast<const std::int64_t*>(bounds),
                                     hn::PromoteTo(tag, index)));
}

/** \brief The bins of triangles.
 * \param[in] bounds of the triangles
 * \param[in] extent in the lowest 16 bits the last column less the first one; above
 * that the same of rows
 */
HWY_INLINE Longs
binsOf(const Bands& bands, Longs bounds, Longs extent)
{
  const PairedIntTag tag;
  const hn::Rebind<float, PairedIntTag> float_tag;
  const auto lower16 = [&](Longs lanes) {
    return hn::BitCast(tag, hn::And(lanes, hn::Set(LongTag(), 0xffff)));
  };
  const PairedInts one = hn::Set(tag, 1);
  const PairedInts columns = hn::Add(lower16(extent), one);
  const PairedInts more_rows = lower16(hn::ShiftRight<16>(extent));
  const auto pixels = hn::Mul(hn::ConvertTo(float_tag, columns),
                              hn::ConvertTo(float_tag, hn::Add(more_rows, one)));
  const PairedInts size_class =
      hn::Sub(hn::ShiftRight<class_shift>(hn::BitCast(tag, pixels)),
              hn::Set(tag, first_class_bits));
  const PairedInts last_row = lower16(hn::ShiftRight<48>(bounds));
  const PairedInts first_row = hn::Sub(last_row, more_rows);
  const PairedInts band = hn::ShiftRightSame(first_row, bands.row_shift);
  const PairedInts more_bands =
      hn::Sub(hn::ShiftRightSame(last_row, bands.row_shift), band);
  static_assert(class_count == 16, "bins are counted by shifting");
  const PairedInts reaching = hn::Set(tag, reaching_class);
  const PairedInts bin =
      hn::Add(hn::ShiftLeft<4>(band),
              hn::IfThenElse(hn::Gt(more_bands, hn::Zero(tag)), reaching, size_class));
  const auto is_wide = hn::Or(hn::Not(hn::Gt(reaching, size_class)),
                              hn::Gt(more_bands, hn::Set(tag, 1)));
  const PairedInts result = hn::IfThenElse(is_wide, hn::Set(tag, wideBin(bands)), bin);
  return hn::And(hn::BitCast(LongTag(), result), hn::Set(LongTag(), 0xffffffffu));
}

/** \brief Finds which of a register full of triangles touch pixels. */
HWY_INLINE void
findTouching(const Bands& bands,
             const Chunk& chunk,
             const int* indices,
             int first,
             FoundTriangles& found)
{
  const LongTag tag;
  const HalfIntTag index_tag;
  const ShortTag short_tag;
  HalfInts a, b, c;
  hn::LoadInterleaved3(index_tag, indices, a, b, c);
  const int size = chunk.instance->mesh.vertices_size;
  const hn::RebindToUnsigned<HalfIntTag> unsigned_tag;
  const auto limit = hn::Set(unsigned_tag, static_cast<std::uint32_t>(size));
  const auto is_vertex = [&](HalfInts index) {
    return hn::RebindMask(index_tag, hn::Lt(hn::BitCast(unsigned_tag, index), limit));
  };
  // A number that is no vertex makes the triangle invisible, as an unseen vertex does.
  const auto valid = hn::And(is_vertex(a), hn::And(is_vertex(b), is_vertex(c)));
  const HalfInts missing = hn::Set(index_tag, size);
  const auto boundsAt = [&](HalfInts index) {
    return hn::BitCast(
        short_tag, gatherBounds(chunk.bounds, hn::IfThenElse(valid, index, missing)));
  };
  const auto shorts = hn::Max(boundsAt(a), hn::Max(boundsAt(b), boundsAt(c)));
  const Longs bounds = hn::BitCast(tag, shorts);
  // Infinity stays infinity: the sum saturates.
  const Longs extent = hn::BitCast(
      tag,
      hn::SaturatedAdd(shorts, hn::BitCast(short_tag, hn::ShiftRight<32>(bounds))));
  const auto touches =
      hn::Eq(hn::And(extent, hn::Set(tag, 0x80008000u)), hn::Zero(tag));
  const Longs bins = binsOf(bands, bounds, extent);
  const Longs first_number = hn::Set(tag, static_cast<std::uint64_t>(first));
  const Longs numbers =
      hn::Add(hn::Add(first_number, hn::Iota(tag, 0)), hn::ShiftLeft<16>(bins));
  // Stores of whole registers: some processors are slow at storing parts of them.
  hn::CompressStore(numbers, touches, tag, found.numbers + found.count);
  hn::CompressStore(bounds, touches, tag, found.bounds + found.count);
  found.count += static_cast<int>(hn::CountTrue(tag, touches));
}

#endif

HWY_ATTR void
binTriangles(const Bands& bands, const Chunk& chunk)
{
  FoundTriangles found;
  const int* const indices = chunk.indices();
  int i = 0;
  for (; i + long_lanes <= chunk.triangle_count; i += long_lanes)
    findTouching(bands, chunk, indices + 3 * i, i, found);
  if (i < chunk.triangle_count) {
    int rest[3 * long_lanes];
    std::fill_n(rest, 3 * long_lanes, -1);
    std::copy(indices + 3 * i, indices + 3 * chunk.triangle_count, rest);
    findTouching(bands, chunk, rest, i, found);
  }

  const int bins = wideBin(bands) + 1;
  std::uint16_t* const ends = chunk.ends;
  std::fill_n(ends, bins, std::uint16_t(0));
  for (int k = 0; k < found.count; ++k)
    ++ends[found.numbers[k] >> 16];
  int start = 0;
  for (int bin = 0; bin < bins; ++bin) {
    const int count = ends[bin];
    ends[bin] = static_cast<std::uint16_t>(start);
    start += count;
  }
  for (int k = 0; k < found.count; ++k) {
    TouchingTriangle& to = chunk.triangles[ends[found.numbers[k] >> 16]++];
    to.number = static_cast<std::uint32_t>(found.numbers[k] & 0xffff);
    std::memcpy(&to.bounds, found.bounds + k, sizeof(to.bounds));
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(projectVertices);
HWY_EXPORT(binTriangles);

void
host::projectVertices(const CameraModel& camera, const Chunk& chunk, int first, int end)
{
  HWY_DYNAMIC_DISPATCH(projectVertices)(camera, chunk, first, end);
}

void
host::binTriangles(const Bands& bands, const Chunk& chunk)
{
  HWY_DYNAMIC_DISPATCH(binTriangles)(bands, chunk);
}

} // namespace pcl::device
#endif
