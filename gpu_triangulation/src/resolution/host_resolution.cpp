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

/** \brief Reads the sampled pixels of an area, with one more on every side. */
HWY_INLINE void
loadSamples(const PtrStepSz<const Float4>& image,
            const ResolutionTask& task,
            const TileArea& area,
            PointTile& tile)
{
  if (task.row_step == 1 && task.column_step == 1)
    return loadPoints(image, area, 1, 1, 1, tile);
  Float4 samples[tile_columns + 2];
  const int first = area.x0 - 1;
  const int begin = std::max(first, 0);
  const int end = std::min(area.x0 + area.columns + 1, task.columns);
  for (int i = 0; i < area.rows + 2; ++i) {
    const int y = area.y0 - 1 + i;
    const bool inside = y >= 0 && y < task.rows;
    for (int x = begin; inside && x < end; ++x)
      samples[x - begin] = image.ptr(y * task.row_step)[x * task.column_step];
    const int offset = i * tile_stride;
    loadPointRow(inside ? samples : nullptr,
                 end - begin,
                 first - begin,
                 area.columns + 2,
                 tile.x + offset,
                 tile.y + offset,
                 tile.z + offset);
  }
}

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

/** \brief A pixel's edges to its neighbours: of each line through it, both ends. */
struct EdgesAround {
  FloatLanes ends[4][2];
};

/** \brief Angles: the mean over all neighbours. */
struct SumOfAll {
  HWY_INLINE NeighborSum<FloatLanes>
  operator()(const EdgesAround& edges, int lines, int) const
  {
    NeighborSum<FloatLanes> around{0.0f, 0.0f, INFINITY};
    for (int i = 0; i < lines; ++i) {
      add(around, edges.ends[i][0]);
      add(around, edges.ends[i][1]);
    }
    return around;
  }
};

/** \brief Spacing: the mean over the nearer ends of all lines, by the distance of the
 * pixel. */
struct SumOfNearer {
  const PointTile& tile;
  Vector3<FloatLanes> viewpoint;

  HWY_INLINE NeighborSum<FloatLanes>
  operator()(const EdgesAround& edges, int lines, int own) const
  {
    NeighborSum<FloatLanes> around{0.0f, 0.0f, INFINITY};
    for (int i = 0; i < lines; ++i)
      add(around, nearer(edges.ends[i][0], edges.ends[i][1]));
    around.sum = around.sum / distance(viewpoint, loadVector(tile, own));
    // A point at the viewpoint has no spacing.
    around.count = select(isFinite(around.sum), around.count, FloatLanes(0.0f));
    return around;
  }
};

/** \brief Sums what pixels' neighbours have, each edge being measured once for both its
 * ends. */
template <typename Compare, typename SumAround>
HWY_INLINE TileSums
sumTile(const PointTile& tile,
        const TileArea& area,
        int neighbors,
        const Compare& compare,
        const SumAround& sum_around)
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
      EdgesAround around;
      around.ends[0][0] = load(tag, edges.right + i);
      around.ends[0][1] = load(tag, edges.right + i - 1);
      around.ends[1][0] = load(tag, edges.down + i);
      around.ends[1][1] = load(tag, above.down + i);
      if (neighbors == 8) {
        around.ends[2][0] = load(tag, edges.down_right + i);
        around.ends[2][1] = load(tag, above.down_right + i - 1);
        around.ends[3][0] = load(tag, edges.down_left + i);
        around.ends[3][1] = load(tag, above.down_left + i + 1);
      }
      const int own = (y + 1) * tile_stride + i;
      addPixels(sums, sum_around(around, neighbors / 2, own), area.columns - x);
    }
  }
  return sums.total();
}

HWY_ATTR void
measureResolution(const ResolutionTask& task)
{
  using LaneVector = Vector3<FloatLanes>;
  const LaneVector viewpoint = {
      task.viewpoint[0], task.viewpoint[1], task.viewpoint[2]};
  const int tiles = tileCount(task.columns, task.rows);
  ResolutionSums* parts = static_cast<ResolutionSums*>(task.scratch);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, task.columns, task.rows);
    PointTile tile;
    loadSamples(task.cloud, task, area, tile);
    parts[index] = {};
    const TileSums distances = sumTile(
        tile,
        area,
        task.neighbors,
        [](const LaneVector& p, const LaneVector& q)
            HWY_ATTR { return distance(p, q); },
        SumOfNearer{tile, viewpoint});
    parts[index].spacing = distances.means;
    parts[index].nearest = distances.least;
    if (!task.normals.data)
      continue;
    loadSamples(task.normals, task, area, tile);
    const TileSums angles = sumTile(
        tile,
        area,
        task.neighbors,
        [](const LaneVector& p, const LaneVector& q)
            HWY_ATTR { return angleBetween(p, q); },
        SumOfAll());
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
         HWY_STATIC_DISPATCH(tileCount)(task.columns, task.rows);
}

void
host::measureResolution(const ResolutionTask& task)
{
  HWY_DYNAMIC_DISPATCH(measureResolution)(task);
}

} // namespace pcl::device
#endif
