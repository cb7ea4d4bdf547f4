// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_HOST_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_HOST_TILE_INL_H
#undef PCL_GPU_TRIANGULATION_HOST_TILE_INL_H
#else
#define PCL_GPU_TRIANGULATION_HOST_TILE_INL_H
#endif

#include "vector-inl.h"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/triangulation/depth_bilateral_filter_parameters.h>
#include <pcl/gpu/triangulation/normal_map_estimation.h>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

// The host works on tiles that fit the caches, held on the stack: nothing is allocated,
// and image borders become missing values around the tile.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

constexpr int tile_columns = 128;
constexpr int tile_rows = 16;
/** \brief Upper bound of all windows' radii. */
constexpr int max_halo = gpu::DepthBilateralFilterParameters::max_window_radius;
static_assert(gpu::NormalMapEstimationParameters::max_window_radius <= max_halo,
              "windows of normals fit a tile");
constexpr int float_lanes = hn::MaxLanes(FloatTag());
constexpr int double_lanes = hn::MaxLanes(DoubleTag());
/** \brief Numbers in a tile's row: the last register of a row may reach over its
 * end. */
constexpr int tile_stride = tile_columns + 2 * max_halo + 16;
constexpr int tile_height = tile_rows + 2 * max_halo;

using FloatLanes = Lanes<FloatTag>;
using DoubleLanes = Lanes<DoubleTag>;

/** \brief The part of an image that one tile computes. */
struct TileArea {
  int x0, y0, columns, rows;
};

inline int
tileCount(int columns, int rows)
{
  return divideUp(columns, tile_columns) * divideUp(rows, tile_rows);
}

inline TileArea
tileArea(int index, int columns, int rows)
{
  const int across = divideUp(columns, tile_columns);
  const int x0 = index % across * tile_columns;
  const int y0 = index / across * tile_rows;
  return {x0, y0, std::min(tile_columns, columns - x0), std::min(tile_rows, rows - y0)};
}

/** \brief Points of a tile and its surroundings, coordinate by coordinate. */
struct PointTile {
  alignas(64) float x[tile_height * tile_stride];
  alignas(64) float y[tile_height * tile_stride];
  alignas(64) float z[tile_height * tile_stride];
};

/** \brief Reads the register of points that starts at \a offset. */
HWY_INLINE Vector3<FloatLanes>
loadVector(const PointTile& tile, int offset)
{
  const FloatTag tag;
  return {load(tag, tile.x + offset),
          load(tag, tile.y + offset),
          load(tag, tile.z + offset)};
}

/** \brief Reads a row of a point tile; NaN in all coordinates of missing points.
 * \param[in] from points of the image's row, null if the row is outside
 * \param[in] first first column wanted, may be negative
 * \param[in] count columns wanted; up to a register more is written
 */
HWY_INLINE void
loadPointRow(
    const Float4* from, int columns, int first, int count, float* x, float* y, float* z)
{
  const FloatTag tag;
  const int padded = (count + float_lanes - 1) / float_lanes * float_lanes;
  const int begin = from ? std::clamp(-first, 0, padded) : padded;
  const int end = from ? std::clamp(columns - first, begin, count) : padded;
  const auto blank = [&](int i0, int i1) {
    std::fill(x + i0, x + i1, NAN);
    std::fill(y + i0, y + i1, NAN);
    std::fill(z + i0, z + i1, NAN);
  };
  const auto split = [&](const float* points, int i) {
    hn::Vec<FloatTag> a, b, c, d;
    hn::LoadInterleaved4(tag, points, a, b, c, d);
    const auto finite =
        hn::And(hn::IsFinite(a), hn::And(hn::IsFinite(b), hn::IsFinite(c)));
    const auto nan = hn::Set(tag, NAN);
    hn::StoreU(hn::IfThenElse(finite, a, nan), tag, x + i);
    hn::StoreU(hn::IfThenElse(finite, b, nan), tag, y + i);
    hn::StoreU(hn::IfThenElse(finite, c, nan), tag, z + i);
  };
  blank(0, begin);
  int i = begin;
  for (; i + float_lanes <= end; i += float_lanes)
    split(&from[first + i].x, i);
  if (i < end) {
    alignas(64) Float4 rest[float_lanes];
    std::memcpy(rest, from + first + i, (end - i) * sizeof(Float4));
    std::fill(rest + (end - i), rest + float_lanes, Float4{NAN, NAN, NAN, NAN});
    split(&rest[0].x, i);
    i += float_lanes;
  }
  if (i < padded)
    blank(i, padded);
}

/** \brief Reads area and a halo of the given widths into the tile's upper left. */
HWY_INLINE void
loadPoints(const PtrStepSz<const Float4>& image,
           const TileArea& area,
           int halo_before,
           int halo_right,
           int halo_below,
           PointTile& tile)
{
  const int count = area.columns + halo_before + halo_right;
  for (int i = 0; i < area.rows + halo_before + halo_below; ++i) {
    const int y = area.y0 - halo_before + i;
    const Float4* row = y >= 0 && y < image.rows ? image.ptr(y) : nullptr;
    const int offset = i * tile_stride;
    loadPointRow(row,
                 image.cols,
                 area.x0 - halo_before,
                 count,
                 tile.x + offset,
                 tile.y + offset,
                 tile.z + offset);
  }
}

/** \brief Writes up to a register full of points; count may be below or above that. */
template <typename Tag>
HWY_INLINE void
storePoints(
    Lanes<Tag> x, Lanes<Tag> y, Lanes<Tag> z, Lanes<Tag> w, int count, Float4* to)
{
  constexpr int lanes = hn::MaxLanes(Tag());
  if (count >= lanes) {
    hn::StoreInterleaved4(x.value, y.value, z.value, w.value, Tag(), &to->x);
    return;
  }
  alignas(64) Float4 whole[lanes];
  hn::StoreInterleaved4(x.value, y.value, z.value, w.value, Tag(), &whole[0].x);
  std::memcpy(to, whole, count * sizeof(Float4));
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
