// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "visibility/host_casting.cpp"
#include "visibility/host_visibility.h"

#include <algorithm>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "visibility/host_lanes-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using host::BandedView;
using host::Chunk;
using host::class_count;
using host::reaching_class;
using host::TouchingTriangle;
using host::wideBin;

using UintTag = hn::Rebind<std::uint32_t, FloatTag>;
using Uints = hn::Vec<UintTag>;

/** \brief Hits on their way from lanes to pixels.
 *
 * Lanes that hit are moved together, which separates them from the others without a
 * branch for each. Pixels are then visited in one long loop.
 */
class HitQueue {
public:
  /** \param[in] keys of all pixels */
  explicit HitQueue(HitKey* keys) : keys_(keys) {}

  HWY_INLINE void
  add(const FloatMask& hits, FloatLanes depths, Uints triangles, Uints pixels)
  {
    const UintTag tag;
    const auto mask = hn::RebindMask(tag, hits.value);
    hn::StoreU(
        hn::Compress(hn::BitCast(tag, depths.value), mask), tag, depths_ + count_);
    hn::StoreU(hn::Compress(triangles, mask), tag, triangles_ + count_);
    hn::StoreU(hn::Compress(pixels, mask), tag, pixels_ + count_);
    count_ += hn::CountTrue(tag, mask);
    if (count_ > capacity - float_lanes)
      flush();
  }

  HWY_INLINE void
  flush()
  {
    for (std::size_t i = 0; i < count_; ++i) {
      HitKey& pixel = keys_[pixels_[i]];
      pixel = std::min(pixel, static_cast<HitKey>(depths_[i]) << 32 | triangles_[i]);
    }
    count_ = 0;
  }

private:
  static constexpr std::size_t capacity = 512;

  HitKey* keys_;
  std::size_t count_ = 0;
  // Whole registers are stored at the end.
  alignas(64) std::uint32_t depths_[capacity + float_lanes]; ///< bits of floats
  alignas(64) std::uint32_t triangles_[capacity + float_lanes];
  alignas(64) std::uint32_t pixels_[capacity + float_lanes];
};

/** \brief Data that all triangles of a band are tested with. */
struct BandCast {
  const CameraModel& camera;
  int first_row, end_row;
  HitKey* keys; ///< of the band's rows
  HitQueue& queue;
};

using PlaneLanes = PlanePointOf<FloatLanes>;

struct TriangleLanes {
  PointLanes a, b, c;
  FloatLanes lowest, highest; ///< z

  HWY_INLINE
  TriangleLanes(const PointLanes& first,
                const PointLanes& second,
                const PointLanes& third)
  : a(first)
  , b(second)
  , c(third)
  , lowest(minimum(a.z, minimum(b.z, c.z)))
  , highest(maximum(a.z, maximum(b.z, c.z)))
  {}
};

/** \brief Rays and triangles that hit one another, lane by lane. */
struct HitLanes {
  FloatMask hit;
  FloatMask open; ///< rounding hides the sign of an area: hitsTriangle() knows
  FloatLanes t;
};

HWY_INLINE FloatLanes
weightOf(const CameraModel& camera, const PointLanes& p)
{
  return camera.orthographic ? FloatLanes(1.0f) : p.z;
}

/** \brief first, first + 1, and so on; Iota() is fast for constants only. */
template <typename Tag>
HWY_INLINE hn::Vec<Tag>
countedFrom(Tag tag, hn::TFromD<Tag> first)
{
  return hn::Add(hn::Set(tag, first), hn::Iota(tag, 0));
}

HWY_INLINE FloatMask
isZero(FloatLanes a)
{
  return {hn::Eq(a.value, hn::Zero(FloatTag()))};
}

/** \brief Returns which signs of weights are those of a hit. */
HWY_INLINE FloatMask
areOfHit(const WeightSigns<FloatMask>& signs, Culling culling)
{
  switch (culling) {
  case Culling::Back:
    return butNot(signs.negative, signs.positive);
  case Culling::Front:
    return butNot(signs.positive, signs.negative);
  default:
    return butNot(signs.negative | signs.positive, signs.negative & signs.positive);
  }
}

/** \brief Computes hitsTriangle() for each lane. */
HWY_INLINE HitLanes
hitTriangles(const CameraModel& camera,
             const PlaneLanes& slopes,
             const TriangleLanes& triangle)
{
  const auto shear = [&](const PointLanes& p) {
    return sheared(p.x, p.y, weightOf(camera, p), slopes);
  };
  const auto weights =
      roundedWeights(shear(triangle.a), shear(triangle.b), shear(triangle.c));
  const FloatMask some_zero = isZero(weights.a) | isZero(weights.b) | isZero(weights.c);
  HitLanes result;
  const auto signs = signsOf(weights);
  result.open = butNot(some_zero, signs.negative & signs.positive);
  result.t = heightOfHit(weights,
                         weights.a + weights.b + weights.c,
                         triangle.a.z,
                         triangle.b.z,
                         triangle.c.z,
                         triangle.lowest,
                         triangle.highest);
  result.hit = butNot(areOfHit(signs, camera.culling), result.open) &
               (result.t > camera.nearest) & (result.t <= camera.farthest);
  return result;
}

/** \brief Returns a bit for each lane. */
HWY_INLINE std::uint64_t
bitsOf(const FloatMask& mask)
{
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), mask.value, bytes);
  std::uint64_t bits = 0;
  for (int i = 0; i < (float_lanes + 7) / 8; ++i)
    bits |= static_cast<std::uint64_t>(bytes[i]) << 8 * i;
  return bits;
}

/** \brief Calls functor(lane) for each lane that is set. */
template <typename Functor>
HWY_INLINE void
forEachLane(const FloatMask& mask, const Functor& functor)
{
  for (std::uint64_t bits = bitsOf(mask); bits != 0; bits &= bits - 1)
    functor(static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)));
}

/** \brief Calls hitsTriangle() itself, for its double precision. */
void
castPixel(const BandCast& cast, const Chunk& chunk, std::uint32_t id, int x, int y)
{
  Triangle triangle;
  TriangleHit hit;
  if (loadTriangle(*chunk.instance, id, triangle) &&
      hitsTriangle(cast.camera, pixelSlopes(cast.camera, x, y), triangle, hit)) {
    HitKey& pixel =
        cast.keys[static_cast<std::size_t>(y - cast.first_row) * cast.camera.width + x];
    pixel = std::min(pixel, hitKey(hit.t, id));
  }
}

/** \brief A register full of triangles and their bounds. */
struct BoundsLanes {
  Ints number;
  Ints first_x, first_y, last_x, last_y;
};

HWY_INLINE BoundsLanes
loadBounds(const TouchingTriangle* triangles)
{
  static_assert(sizeof(TouchingTriangle) == 3 * sizeof(std::int32_t),
                "they are read as three numbers");
  Ints number, minus_first, last;
  hn::LoadInterleaved3(IntTag(),
                       reinterpret_cast<const std::int32_t*>(triangles),
                       number,
                       minus_first,
                       last);
  const auto low = [](Ints pair) {
    return hn::ShiftRight<16>(hn::ShiftLeft<16>(pair));
  };
  return {number,
          hn::Neg(low(minus_first)),
          hn::Neg(hn::ShiftRight<16>(minus_first)),
          low(last),
          hn::ShiftRight<16>(last)};
}

/** \brief One corner of a register full of triangles, in the camera's frame. */
HWY_INLINE PointLanes
loadCorner(const Chunk& chunk, const TouchingTriangle* triangles, int corner)
{
  const Instance& instance = *chunk.instance;
  const int* const indices = chunk.indices() + corner;
  const auto points = gatherPoints([&](int lane) -> const Float4& {
    return instance.mesh.vertices[indices[3 * triangles[lane].number]];
  });
  return transformPoint(instance.transform, points);
}

/** \brief Tests a register full of triangles, each against the band's pixels that it
 * can touch, one by one. */
HWY_INLINE void
castTriangles(const BandCast& cast,
              const Chunk& chunk,
              const TouchingTriangle* triangles)
{
  const IntTag tag;
  const CameraModel& camera = cast.camera;
  const TriangleLanes corners = {loadCorner(chunk, triangles, 0),
                                 loadCorner(chunk, triangles, 1),
                                 loadCorner(chunk, triangles, 2)};
  BoundsLanes bounds = loadBounds(triangles);
  bounds.first_y = hn::Max(bounds.first_y, hn::Set(tag, cast.first_row));
  bounds.last_y = hn::Min(bounds.last_y, hn::Set(tag, cast.end_row - 1));
  const auto ids = hn::Add(hn::BitCast(UintTag(), bounds.number),
                           hn::Set(UintTag(), chunk.first_id));
  Ints x = bounds.first_x;
  Ints y = bounds.first_y;
  const auto isWithin = [&](Ints row) {
    return FloatMask{hn::RebindMask(FloatTag(), hn::Not(hn::Gt(row, bounds.last_y)))};
  };
  FloatMask remaining = isWithin(y);
  do {
    const PlaneLanes slopes = {
        slopeAt(FloatLanes(hn::ConvertTo(FloatTag(), x)), camera.cx, camera.inverse_fx),
        slopeAt(
            FloatLanes(hn::ConvertTo(FloatTag(), y)), camera.cy, camera.inverse_fy)};
    HitLanes hits = hitTriangles(camera, slopes, corners);
    hits.hit = hits.hit & remaining;
    const Ints row = hn::Sub(y, hn::Set(tag, cast.first_row));
    const Ints pixels = hn::Add(hn::Mul(row, hn::Set(tag, camera.width)), x);
    cast.queue.add(hits.hit, hits.t, ids, hn::BitCast(UintTag(), pixels));
    const FloatMask open = hits.open & remaining;
    if (HWY_UNLIKELY(anyOf(open))) {
      alignas(64) std::int32_t column[float_lanes];
      alignas(64) std::int32_t row[float_lanes];
      hn::Store(x, tag, column);
      hn::Store(y, tag, row);
      forEachLane(open, [&](int lane) {
        const std::uint32_t id = chunk.first_id + triangles[lane].number;
        castPixel(cast, chunk, id, column[lane], row[lane]);
      });
    }
    x = hn::Add(x, hn::Set(tag, 1));
    const auto row_ends = hn::Gt(x, bounds.last_x);
    x = hn::IfThenElse(row_ends, bounds.first_x, x);
    y = hn::Sub(y, hn::VecFromMask(tag, row_ends)); // a mask's lanes are -1
    remaining = isWithin(y);
  }
  while (anyOf(remaining));
}

/** \brief Tests one triangle against all pixels of a rectangle, along its rows. */
HWY_INLINE void
castRectangle(const BandCast& cast,
              const Chunk& chunk,
              std::uint32_t id,
              const Triangle& triangle,
              const PixelRectangle& pixels)
{
  const CameraModel& camera = cast.camera;
  const auto repeated = [](const Vector3& v) {
    return PointLanes{FloatLanes(v.x), FloatLanes(v.y), FloatLanes(v.z)};
  };
  const TriangleLanes corners = {
      repeated(triangle.a), repeated(triangle.b), repeated(triangle.c)};
  for (int y = pixels.first_y; y <= pixels.last_y; ++y) {
    const FloatLanes slope_y =
        slopeAt(FloatLanes(static_cast<float>(y)), camera.cy, camera.inverse_fy);
    const auto row = static_cast<std::uint32_t>((y - cast.first_row) * camera.width);
    for (int x = pixels.first_x; x <= pixels.last_x; x += float_lanes) {
      const FloatLanes columns{hn::ConvertTo(FloatTag(), countedFrom(IntTag(), x))};
      HitLanes hits = hitTriangles(
          camera, {slopeAt(columns, camera.cx, camera.inverse_fx), slope_y}, corners);
      const int count = std::min(pixels.last_x - x + 1, float_lanes);
      const FloatMask inside = {hn::FirstN(FloatTag(), count)};
      hits.hit = hits.hit & inside;
      if (anyOf(hits.hit))
        cast.queue.add(hits.hit,
                       hits.t,
                       hn::Set(UintTag(), id),
                       countedFrom(UintTag(), row + static_cast<std::uint32_t>(x)));
      const FloatMask open = hits.open & inside;
      if (HWY_UNLIKELY(anyOf(open)))
        forEachLane(open, [&](int lane) { castPixel(cast, chunk, id, x + lane, y); });
    }
  }
}

/** \brief Tests a triangle against the pixels of the band. */
HWY_INLINE void
castWideTriangle(const BandCast& cast, const Chunk& chunk, const TouchingTriangle& wide)
{
  // Pieces of a large triangle's bounds that it does not reach are skipped.
  constexpr int piece_columns = 64;
  constexpr int piece_rows = 8;
  const bool is_bounded = wide.bounds.minus_first_x <= 0;
  if (is_bounded && (wide.bounds.last_y < cast.first_row ||
                     -wide.bounds.minus_first_y >= cast.end_row))
    return;
  const std::uint32_t id = chunk.first_id + wide.number;
  Triangle triangle;
  if (!loadTriangle(*chunk.instance, id, triangle))
    return;
  PixelRectangle all = {-wide.bounds.minus_first_x,
                        -wide.bounds.minus_first_y,
                        wide.bounds.last_x,
                        wide.bounds.last_y};
  if (!is_bounded)
    all = pixelBounds(cast.camera, triangle);
  all.first_y = std::max(all.first_y, cast.first_row);
  all.last_y = std::min(all.last_y, cast.end_row - 1);
  const bool is_piece = all.last_x - all.first_x < piece_columns;
  for (int y = all.first_y; y <= all.last_y; y += piece_rows)
    for (int x = all.first_x; x <= all.last_x; x += piece_columns) {
      const PixelRectangle piece = {x,
                                    y,
                                    std::min(x + piece_columns - 1, all.last_x),
                                    std::min(y + piece_rows - 1, all.last_y)};
      if (is_piece || mayHitWithin(cast.camera, piece, triangle))
        castRectangle(cast, chunk, id, triangle, piece);
    }
}

HWY_ATTR void
castBand(const BandedView& view, int band, HitKey* keys)
{
  HitQueue queue(keys);
  const BandCast cast = {
      view.camera, view.bands.firstRow(band), view.endRow(band), keys, queue};
  const int first_bin = band * class_count;
  const int wide_bin = wideBin(view.bands);
  for (std::size_t i = 0; i < view.chunk_count; ++i) {
    const Chunk& chunk = view.chunks[i];
    // The first ones reach into this band, the last ones out of it.
    int k = band == 0 ? 0 : chunk.ends[first_bin - 2];
    const int end = chunk.ends[first_bin + reaching_class];
    for (; k + float_lanes <= end; k += float_lanes)
      castTriangles(cast, chunk, chunk.triangles + k);
    if (k < end) {
      // Copies fill the register up; they find nothing new.
      TouchingTriangle rest[float_lanes];
      for (int lane = 0; lane < float_lanes; ++lane)
        rest[lane] = chunk.triangles[std::min(k + lane, end - 1)];
      castTriangles(cast, chunk, rest);
    }
    for (k = chunk.ends[wide_bin - 1]; k < chunk.ends[wide_bin]; ++k)
      castWideTriangle(cast, chunk, chunk.triangles[k]);
  }
  queue.flush();
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(castBand);

void
host::castBand(const BandedView& view, int band, HitKey* keys)
{
  HWY_DYNAMIC_DISPATCH(castBand)(view, band, keys);
}

} // namespace pcl::device
#endif
