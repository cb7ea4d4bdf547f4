// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_PROJECTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_PROJECTION_INL_H
#undef PCL_GPU_SCENESPACE_PROJECTION_INL_H
#else
#define PCL_GPU_SCENESPACE_PROJECTION_INL_H
#endif

#include "gathering/scene_math-inl.h"
#include "gathering/scene_types.hpp"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

template <typename Number>
struct ScenePoint {
  Number x, y, z;
};

/** \brief Returns a pixel's point in the output camera's frame; the same bits on every
 * device. */
template <typename Number>
PCL_GPU_ELEMENT ScenePoint<Number>
pointOf(const PointProjection& frame, Number column, Number row, Number depth)
{
  const Number x = (column - Number(frame.center_column)) * depth;
  const Number y = (row - Number(frame.center_row)) * depth;
  const auto& m = frame.to_point;
  const auto along = [&](const float(&line)[4]) {
    const Number sum = fusedMulAdd(Number(line[2]), depth, Number(line[3]));
    return fusedMulAdd(Number(line[0]), x, fusedMulAdd(Number(line[1]), y, sum));
  };
  return {along(m[0]), along(m[1]), along(m[2])};
}

/** \brief Cell of a pixel in single precision, and its error. */
template <typename Number, typename Mask>
struct RoughCell {
  Number column, row;
  Mask is_seen;  ///< in front of the camera and within its range of depths
  Mask is_doubt; ///< exactCell() must decide; the other members do not count
};

/** \brief The cell of a point, or a doubt if single precision cannot decide.
 * \param[in] depth of the pixel in its own frame
 */
template <typename Number>
PCL_GPU_ELEMENT auto
roughCell(const FrameProjection& frame,
          const ViewGeometry& view,
          const ScenePoint<Number>& point,
          Number depth)
{
  const Number z_margin =
      fusedMulAdd(Number(frame.slope_margin), depth, Number(frame.point_margin));
  const Number inside =
      smaller(point.z, smaller(point.z - view.near_depth, view.far_depth - point.z));
  const auto is_seen = inside > z_margin;
  const auto is_unseen = inside < -z_margin;
  const Number inverse = roughInverse(point.z);
  const Number margin = fusedMulAdd(
      fusedMulAdd(Number(frame.depth_ratio_margin), depth, Number(frame.ratio_margin)),
      absolute(inverse),
      Number(frame.pixel_margin));
  const Number offset(view.cellOffset());
  const Number u =
      fusedMulAdd(Number(view.fx), point.x * inverse, Number(view.cx) - offset);
  const Number v =
      fusedMulAdd(Number(view.fy), point.y * inverse, Number(view.cy) - offset);
  // Adding and subtracting 1.5 * 2^23 rounds to a whole number; farther away than 2^22
  // to others, which are no cells either.
  const Number shifter(12582912.0f), zero(0.0f), one(1.0f);
  const Number nearest_u = (u + shifter) - shifter, nearest_v = (v + shifter) - shifter;
  const Number beyond_u = u - nearest_u, beyond_v = v - nearest_v;
  // A quarter of a pixel keeps errors of errors out of sight.
  const auto is_sharp = (margin < Number(0.25f)) &
                        (smaller(absolute(beyond_u), absolute(beyond_v)) > margin);
  const auto is_sure = is_unseen | (is_seen & is_sharp);
  return RoughCell<Number, decltype(is_seen)>{
      nearest_u + select(beyond_u > zero, one, zero),
      nearest_v + select(beyond_v > zero, one, zero),
      is_seen,
      !is_sure};
}

/** \brief Tiles that may see samples of a block, as whole numbers. */
template <typename Number>
struct RoughTileRange {
  Number x0, y0, x1, y1;
};

/** \brief Bounds the tiles that see samples of a block.
 *
 * Along each edge of the block's frustum u and v are monotone where z > 0, so that its
 * corners have the extremes. Blocks that come close to the image plane or lie behind it
 * in part may be seen anywhere, unless all corners lie beyond one side of the output's
 * frustum.
 * \param[in] column,row of the block's first pixel
 * \param[in] nearest,farthest its depths
 */
template <typename Number>
PCL_GPU_ELEMENT RoughTileRange<Number>
boundTiles(const FrameProjection& frame,
           const ViewGeometry& view,
           Number column,
           Number row,
           Number nearest,
           Number farthest)
{
  constexpr float far_away = 1e6f;
  const Number offset(view.cellOffset());
  const Number columns[] = {column, column + Number(block_columns - 1.0f)};
  const Number rows[] = {row, row + Number(block_rows - 1.0f)};
  const Number depths[] = {nearest, farthest};
  Number u0(far_away), u1(-far_away), v0(far_away), v1(-far_away);
  // The largest distances of corners inside of the planes that bound the output's view.
  Number inside_left(-far_away), inside_right(-far_away), inside_top(-far_away),
      inside_bottom(-far_away);
  const Number reach(static_cast<float>(view.footprint));
  Number z0(3e38f), z1(-3e38f), largest_margin(0.0f);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int corner = 0; corner < 8; ++corner) {
    const Number depth = depths[corner >> 2];
    const ScenePoint<Number> point =
        pointOf(frame, columns[corner & 1], rows[corner >> 1 & 1], depth);
    const Number inverse = Number(1.0f) / point.z;
    const Number margin = fusedMulAdd(fusedMulAdd(Number(frame.depth_ratio_margin),
                                                  depth,
                                                  Number(frame.ratio_margin)),
                                      absolute(inverse),
                                      Number(frame.pixel_margin));
    const Number u =
        fusedMulAdd(Number(view.fx), point.x * inverse, Number(view.cx) - offset);
    const Number v =
        fusedMulAdd(Number(view.fy), point.y * inverse, Number(view.cy) - offset);
    const Number x = fusedMulAdd(Number(view.fx), point.x, Number(view.cx) * point.z);
    const Number y = fusedMulAdd(Number(view.fy), point.y, Number(view.cy) * point.z);
    const Number right(static_cast<float>(view.columns)),
        bottom(static_cast<float>(view.rows));
    inside_left = maximum(inside_left, fusedMulAdd(reach, point.z, x));
    inside_right = maximum(inside_right, fusedMulAdd(right + reach, point.z, -x));
    inside_top = maximum(inside_top, fusedMulAdd(reach, point.z, y));
    inside_bottom = maximum(inside_bottom, fusedMulAdd(bottom + reach, point.z, -y));
    u0 = minimum(u0, u);
    u1 = maximum(u1, u);
    v0 = minimum(v0, v);
    v1 = maximum(v1, v);
    z0 = minimum(z0, point.z);
    z1 = maximum(z1, point.z);
    largest_margin = maximum(largest_margin, margin);
  }
  const Number z_margin =
      fusedMulAdd(Number(frame.slope_margin), farthest, Number(frame.point_margin));
  const Number plane_margin = fusedMulAdd(
      Number(frame.depth_ratio_margin), farthest, Number(frame.ratio_margin));
  const auto is_unseen =
      (nearest > farthest) | (z1 < -z_margin) | (z1 < view.near_depth - z_margin) |
      (z0 > view.far_depth + z_margin) |
      (minimum(minimum(inside_left, inside_right), minimum(inside_top, inside_bottom)) <
       -plane_margin);
  const auto is_bounded = (z0 > z_margin) & (largest_margin < Number(0.25f));
  const Number margin = largest_margin;
  const auto firstTile = [&](Number low, int size) {
    const Number cell = roundDown(maximum(low - margin, Number(-far_away)));
    return roundDown((cell - Number(float(view.cellsAfter()))) * Number(1.0f / size));
  };
  const auto lastTile = [&](Number high, int size) {
    const Number cell = roundUp(minimum(high + margin, Number(far_away)));
    return roundDown((cell + Number(float(view.cellsBefore()))) * Number(1.0f / size));
  };
  const Number last_x(view.tileColumns() - 1.0f), last_y(view.tileRows() - 1.0f);
  const Number zero(0.0f), none(-1.0f);
  const auto orAll = [&](Number bound, Number all) {
    return select(is_bounded, bound, all);
  };
  return {
      maximum(orAll(firstTile(u0, tile_columns), zero), zero),
      maximum(orAll(firstTile(v0, tile_rows), zero), zero),
      select(is_unseen,
             none,
             maximum(minimum(orAll(lastTile(u1, tile_columns), last_x), last_x), none)),
      select(is_unseen,
             none,
             maximum(minimum(orAll(lastTile(v1, tile_rows), last_y), last_y), none))};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
