// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normals/host_normals.cpp"
#include "normals/normals.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "host_tile-inl.h"

#include <pcl/gpu/utils/internal/device/plane_fit-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Output rows whose windows are summed together; see sumColumn(). */
constexpr int rows_at_once = 4;

/** \brief A tile's points about an origin among them, in double precision. */
struct WeightedTile {
  alignas(64) double weight[tile_height * tile_stride];
  alignas(64) double x[tile_height * tile_stride];
  alignas(64) double y[tile_height * tile_stride];
  alignas(64) double z[tile_height * tile_stride];
  double origin[3];

  HWY_INLINE WeightedPoint<DoubleLanes>
  at(int offset) const
  {
    const DoubleTag tag;
    return {load(tag, weight + offset),
            load(tag, x + offset),
            load(tag, y + offset),
            load(tag, z + offset)};
  }
};

/** \brief Column sums of a few output rows: one plane a moment. */
struct ColumnSums {
  alignas(64) double plane[rows_at_once][moment_sums][tile_stride];
  alignas(64) double count[rows_at_once][tile_stride];
};

/** \brief Any point of the tile, so that its coordinates become small numbers. */
HWY_INLINE void
chooseOrigin(const PointTile& points, int rows, int columns, double* origin)
{
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const int i = y * tile_stride + x;
      if (!std::isnan(points.x[i])) {
        origin[0] = points.x[i];
        origin[1] = points.y[i];
        origin[2] = points.z[i];
        return;
      }
    }
  std::fill(origin, origin + 3, 0.0);
}

HWY_INLINE void
weighPoints(const PointTile& points, int rows, int columns, WeightedTile& tile)
{
  const HalfFloatTag half;
  chooseOrigin(points, rows, columns, tile.origin);
  const DoubleLanes x0(tile.origin[0]), y0(tile.origin[1]), z0(tile.origin[2]);
  const DoubleLanes zero(0.0);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; x += double_lanes) {
      const int i = y * tile_stride + x;
      const DoubleLanes px = widen(load(half, points.x + i));
      const LaneMask<DoubleTag> there = isFinite(px);
      store(select(there, DoubleLanes(1.0), zero), tile.weight + i);
      store(select(there, px - x0, zero), tile.x + i);
      store(select(there, widen(load(half, points.y + i)) - y0, zero), tile.y + i);
      store(select(there, widen(load(half, points.z + i)) - z0, zero), tile.z + i);
    }
}

/** \brief Fits the plane of the register's windows and stores the normals. */
HWY_INLINE void
storeNormals(const Moments<DoubleLanes>& sum,
             const PointTile& points,
             int offset,
             const NormalsTask& task,
             int count,
             Float4* to)
{
  const HalfFloatTag half;
  using Float = Lanes<HalfFloatTag>;
  const Float x = load(half, points.x + offset);
  const Float y = load(half, points.y + offset);
  const Float z = load(half, points.z + offset);
  // NaN where the point is missing.
  const Float noise = roundingNoise(x, y, z);
  const auto fit = fitPlane(sum,
                            noise,
                            Float(task.viewpoint[0]) - x,
                            Float(task.viewpoint[1]) - y,
                            Float(task.viewpoint[2]) - z);
  storePoints(fit.x, fit.y, fit.z, fit.curvature, count, to);
}

/** \brief Sums the columns of all points that the windows of a few rows hold. */
HWY_INLINE void
sumColumns(const WeightedTile& tile, int y, int columns, int radius, ColumnSums& sums)
{
  for (int x = 0; x < columns; x += double_lanes) {
    const int offset = y * tile_stride + x;
    sumColumn<rows_at_once>(
        radius,
        noMoments<DoubleLanes>(),
        [&](int i) HWY_ATTR { return tile.at(offset + i * tile_stride); },
        [&](int i, const Moments<DoubleLanes>& m) HWY_ATTR {
          store(m.n, sums.count[i] + x);
          visitSums(m, [&](int k, DoubleLanes sum) HWY_ATTR {
            store(sum, sums.plane[i][k] + x);
          });
        });
  }
}

HWY_INLINE DoubleLanes
sumRow(const double* plane, int radius)
{
  const DoubleTag tag;
  DoubleLanes sum = load(tag, plane);
  for (int dx = 1; dx <= 2 * radius; ++dx)
    sum = sum + load(tag, plane + dx);
  return sum;
}

/** \brief Whole windows: sums by columns, then along rows. */
HWY_INLINE void
estimateFromWholeWindows(const PointTile& points,
                         const WeightedTile& tile,
                         const TileArea& area,
                         const NormalsTask& task)
{
  const int radius = task.radius;
  PtrStep<Float4> normals = task.normals;
  ColumnSums sums;
  for (int y0 = 0; y0 < area.rows; y0 += rows_at_once) {
    sumColumns(tile, y0, area.columns + 2 * radius, radius, sums);
    const int rows = std::min(rows_at_once, area.rows - y0);
    for (int i = 0; i < rows; ++i)
      for (int x = 0; x < area.columns; x += double_lanes) {
        Moments<DoubleLanes> window;
        window.n = sumRow(sums.count[i] + x, radius);
        visitSums(window, [&](int k, DoubleLanes& sum) HWY_ATTR {
          sum = sumRow(sums.plane[i][k] + x, radius);
        });
        storeNormals(window,
                     points,
                     (y0 + i + radius) * tile_stride + x + radius,
                     task,
                     area.columns - x,
                     normals.ptr(area.y0 + y0 + i) + area.x0 + x);
      }
  }
}

/** \brief Windows without the neighbours across a depth jump: every pixel for
 * itself. */
HWY_INLINE void
estimateWithinDepthChange(const PointTile& points,
                          const WeightedTile& tile,
                          const TileArea& area,
                          const NormalsTask& task)
{
  const int radius = task.radius;
  PtrStep<Float4> normals = task.normals;
  const double factor = task.max_depth_change_factor;
  for (int y = 0; y < area.rows; ++y)
    for (int x = 0; x < area.columns; x += double_lanes) {
      const int center = (y + radius) * tile_stride + x + radius;
      const DoubleLanes z = tile.at(center).z;
      const DoubleLanes max_change = absolute(z + tile.origin[2]) * factor;
      Moments<DoubleLanes> sum = noMoments<DoubleLanes>();
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx)
          addWithinDepthChange(
              sum, tile.at(center + dy * tile_stride + dx), z, max_change);
      storeNormals(sum,
                   points,
                   center,
                   task,
                   area.columns - x,
                   normals.ptr(area.y0 + y) + area.x0 + x);
    }
}

HWY_ATTR void
estimateNormals(const NormalsTask& task)
{
  const PtrStepSz<const Float4>& cloud = task.cloud;
  const int radius = task.radius;
  const int tiles = tileCount(cloud.cols, cloud.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, cloud.cols, cloud.rows);
    PointTile points;
    loadPoints(cloud, area, radius, radius, radius, points);
    // The last group of output rows may reach below the halo; those sums are not used.
    const int rows = std::min(tile_height, area.rows + 2 * radius + rows_at_once - 1);
    for (int y = area.rows + 2 * radius; y < rows; ++y)
      std::fill_n(points.x + y * tile_stride, tile_stride, NAN);
    WeightedTile tile;
    weighPoints(points, rows, area.columns + 2 * radius, tile);
    if (std::isinf(task.max_depth_change_factor))
      estimateFromWholeWindows(points, tile, area, task);
    else
      estimateWithinDepthChange(points, tile, area, task);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(estimateNormals);

void
host::estimateNormals(const NormalsTask& task)
{
  HWY_DYNAMIC_DISPATCH(estimateNormals)(task);
}

} // namespace pcl::device
#endif
