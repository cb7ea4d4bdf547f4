// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "resolution/host_resolution.cpp"
#include "resolution/resolution.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "host_tile-inl.h"
#include "resolution/neighbors-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Sums over a tile's pixels. */
struct TileSums {
  MeanSums means;
  double least; ///< of the least value of each pixel's neighbours
};

/** \brief TileSums lane by lane, in double precision. */
struct LaneSums {
  DoubleLanes count, sum, squares, least;

  HWY_INLINE void
  add(DoubleLanes mean, DoubleLanes of_nearest, DoubleLanes weight)
  {
    count = count + weight;
    sum = sum + mean;
    squares = mulAdd(mean, mean, squares);
    least = least + of_nearest;
  }

  HWY_INLINE TileSums
  total() const
  {
    return {{total(count), total(sum), total(squares)}, total(least)};
  }

private:
  static HWY_INLINE double
  total(DoubleLanes lanes)
  {
    return hn::GetLane(hn::SumOfLanes(DoubleTag(), lanes.value));
  }
};

/** \brief Adds the means and the least of the pixels that have a neighbour. */
HWY_INLINE void
addPixels(LaneSums& sums, const NeighborSum<FloatLanes>& around, int count)
{
  const HalfFloatTag half;
  const auto inside = hn::FirstN(FloatTag(), count);
  const LaneMask<FloatTag> counts{
      hn::And(inside, (around.count > FloatLanes(0.0f)).value)};
  const FloatLanes zero(0.0f);
  alignas(64) float mean[float_lanes];
  alignas(64) float least[float_lanes];
  alignas(64) float weight[float_lanes];
  store(select(counts, around.sum / around.count, zero), mean);
  store(select(counts, around.least, zero), least);
  store(select(counts, FloatLanes(1.0f), zero), weight);
  for (int i = 0; i < float_lanes; i += double_lanes)
    sums.add(widen(load(half, mean + i)),
             widen(load(half, least + i)),
             widen(load(half, weight + i)));
}

/** \brief Every pixel's edges to the neighbours that come after it, for a row of
 * pixels. */
struct EdgeRow {
  alignas(64) float right[tile_stride];
  alignas(64) float down[tile_stride];
  alignas(64) float down_right[tile_stride];
  alignas(64) float down_left[tile_stride];
};

/** \brief Compares a row's pixels with the neighbours that come after them.
 * \param[in] first offset of the pixel before the row's first; edges start there, too
 */
template <typename Compare>
HWY_INLINE void
compareRow(const PointTile& tile,
           int first,
           int columns,
           int neighbors,
           const Compare& compare,
           EdgeRow& edges)
{
  for (int x = 0; x < columns + 2; x += float_lanes) {
    const int own = first + x;
    const int down = own + tile_stride;
    const Vector3<FloatLanes> p = loadVector(tile, own);
    store(compare(p, loadVector(tile, own + 1)), edges.right + x);
    store(compare(p, loadVector(tile, down)), edges.down + x);
    if (neighbors == 4)
      continue;
    store(compare(p, loadVector(tile, down + 1)), edges.down_right + x);
    store(compare(p, loadVector(tile, down - 1)), edges.down_left + x);
  }
}

/** \brief Sums what pixels' neighbours have, each edge being measured once for both its
 * ends. */
template <typename Compare>
HWY_INLINE TileSums
sumTile(const PointTile& tile,
        const TileArea& area,
        int neighbors,
        const Compare& compare)
{
  const FloatTag tag;
  const DoubleLanes zero(0.0);
  LaneSums sums{zero, zero, zero, zero};
  EdgeRow rows[2];
  // Column 0 of the tile and of the edges is the one before the area's first.
  compareRow(tile, 0, area.columns, neighbors, compare, rows[0]);
  for (int y = 0; y < area.rows; ++y) {
    const EdgeRow& above = rows[y % 2];
    EdgeRow& edges = rows[1 - y % 2];
    compareRow(tile, (y + 1) * tile_stride, area.columns, neighbors, compare, edges);
    for (int x = 0; x < area.columns; x += float_lanes) {
      const int i = x + 1;
      NeighborSum<FloatLanes> around{0.0f, 0.0f, INFINITY};
      add(around, load(tag, edges.right + i));
      add(around, load(tag, edges.right + i - 1));
      add(around, load(tag, edges.down + i));
      add(around, load(tag, above.down + i));
      if (neighbors == 8) {
        add(around, load(tag, edges.down_right + i));
        add(around, load(tag, edges.down_left + i));
        add(around, load(tag, above.down_right + i - 1));
        add(around, load(tag, above.down_left + i + 1));
      }
      addPixels(sums, around, area.columns - x);
    }
  }
  return sums.total();
}

HWY_ATTR void
measureResolution(const ResolutionTask& task)
{
  using LaneVector = Vector3<FloatLanes>;
  const PtrStepSz<const Float4>& cloud = task.cloud;
  const int tiles = tileCount(cloud.cols, cloud.rows);
  ResolutionSums* parts = static_cast<ResolutionSums*>(task.scratch);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, cloud.cols, cloud.rows);
    PointTile tile;
    loadPoints(cloud, area, 1, 1, 1, tile);
    parts[index] = {};
    const TileSums distances = sumTile(tile,
                                       area,
                                       task.neighbors,
                                       [](const LaneVector& p, const LaneVector& q)
                                           HWY_ATTR { return distance(p, q); });
    parts[index].distance = distances.means;
    parts[index].nearest = distances.least;
    if (!task.normals.data)
      continue;
    loadPoints(task.normals, area, 1, 1, 1, tile);
    const TileSums angles = sumTile(tile,
                                    area,
                                    task.neighbors,
                                    [](const LaneVector& p, const LaneVector& q)
                                        HWY_ATTR { return angleBetween(p, q); });
    parts[index].angle = angles.means;
  }
  // In the order of tiles, not of threads: the same bits for any number of threads.
  ResolutionSums sums{};
  for (int index = 0; index < tiles; ++index)
    sums = sums + parts[index];
  *task.statistics = statisticsOf(sums);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(measureResolution);

std::size_t
host::resolutionScratchBytes(const ResolutionTask& task)
{
  // The tiles' size is the same for every target.
  return sizeof(ResolutionSums) *
         HWY_STATIC_DISPATCH(tileCount)(task.cloud.cols, task.cloud.rows);
}

void
host::measureResolution(const ResolutionTask& task)
{
  HWY_DYNAMIC_DISPATCH(measureResolution)(task);
}

} // namespace pcl::device
#endif
