// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normals/host_ray_windows.cpp"
#include "normals/normals.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "host_tile-inl.h"
#include "normals/ray_windows-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using Moments = RayMoments<FloatLanes>;
using Window = RayWindow<FloatLanes>;

static_assert(tile_columns % ray_tile == 0 && tile_rows == ray_tile,
              "tiles hold whole blocks");

/** \brief Rows of samples of a tile and of the pixels around it. */
struct SampleTile {
  static constexpr int rows = tile_rows + 2;
  static constexpr int stride = tile_columns + 2 + 2 * float_lanes;
  alignas(64) float there[rows][stride], u[rows][stride], v[rows][stride],
      w[rows][stride];

  HWY_INLINE RaySample<FloatLanes>
  at(int row, int column) const
  {
    const FloatTag tag;
    return {load(tag, there[row] + column),
            load(tag, u[row] + column),
            load(tag, v[row] + column),
            load(tag, w[row] + column)};
  }
};

/** \brief Reads the samples of a tile.
 * \param[in] halo of pixels around it, 0 or 1
 */
HWY_INLINE void
loadSamples(const PtrStepSz<const Float4>& cloud,
            const TileArea& area,
            int halo,
            SampleTile& samples)
{
  const FloatTag tag;
  constexpr int width = SampleTile::stride - float_lanes;
  alignas(64) float x[SampleTile::stride], y[SampleTile::stride], z[SampleTile::stride];
  for (int i = 0; i < tile_rows + 2 * halo; ++i) {
    const int row = area.y0 - halo + i;
    const Float4* const from = row >= 0 && row < cloud.rows ? cloud.ptr(row) : nullptr;
    loadPointRow(from, cloud.cols, area.x0 - halo, width, x, y, z);
    for (int k = 0; k < width; k += float_lanes) {
      const RaySample<FloatLanes> sample =
          raySample(load(tag, x + k), load(tag, y + k), load(tag, z + k));
      store(sample.there, samples.there[i] + k);
      store(sample.u, samples.u[i] + k);
      store(sample.v, samples.v[i] + k);
      store(sample.w, samples.w[i] + k);
    }
  }
}

/** \brief Moments of a tile's blocks of one level, with room for their neighbours. */
struct BlockTile {
  static constexpr int stride = tile_columns / 2 + 2 * float_lanes;
  alignas(64) float members[ray_moments][tile_rows / 2 + 2][stride];

  HWY_INLINE Moments
  at(int row, int column) const
  {
    Moments m;
    visitMoments(m, [&](int i, FloatLanes& member) HWY_ATTR {
      member = load(FloatTag(), members[i][row] + column);
    });
    return m;
  }

  HWY_INLINE void
  set(int row, int column, const Moments& m)
  {
    visitMoments(m, [&](int i, const FloatLanes& member) HWY_ATTR {
      store(member, members[i][row] + column);
    });
  }

  /** \brief Reads every other block of a row, from \a column on and from the next. */
  HWY_INLINE void
  split(int row, int column, Moments& even, Moments& odd) const
  {
    FloatLanes odds[ray_moments];
    visitMoments(even, [&](int i, FloatLanes& member) HWY_ATTR {
      hn::LoadInterleaved2(
          FloatTag(), members[i][row] + column, member.value, odds[i].value);
    });
    visitMoments(odd, [&](int i, FloatLanes& member) HWY_ATTR { member = odds[i]; });
  }
};

/** \brief Returns where a block's moment is: there is a plane for each. */
HWY_INLINE float*
momentAt(const RayBlocks& blocks, int member, int row, int column)
{
  const std::size_t plane = static_cast<std::size_t>(blocks.rows) * blocks.columns;
  return blocks.moments + member * plane +
         static_cast<std::size_t>(row) * blocks.columns + column;
}

/** \brief Samples of every other column, or of every fourth. */
template <int Step>
HWY_INLINE void
splitSamples(const SampleTile& tile,
             int row,
             int column,
             RaySample<FloatLanes> (&samples)[Step])
{
  const FloatTag tag;
  const auto split = [&](const float* from, auto member) HWY_ATTR {
    if constexpr (Step == 2)
      hn::LoadInterleaved2(
          tag, from, (samples[0].*member).value, (samples[1].*member).value);
    else
      hn::LoadInterleaved4(tag,
                           from,
                           (samples[0].*member).value,
                           (samples[1].*member).value,
                           (samples[2].*member).value,
                           (samples[3].*member).value);
  };
  split(tile.there[row] + column, &RaySample<FloatLanes>::there);
  split(tile.u[row] + column, &RaySample<FloatLanes>::u);
  split(tile.v[row] + column, &RaySample<FloatLanes>::v);
  split(tile.w[row] + column, &RaySample<FloatLanes>::w);
}

/** \brief Counts up to a register of windows, or every \a step of them, by their
 * residuals. */
HWY_INLINE void
countResiduals(
    const Moments& m, int size, int count, int step, NoiseHistogram& histogram)
{
  const int width = NoiseHistogram::width(size);
  alignas(64) float variances[float_lanes];
  store(residualVariance(m, static_cast<float>(width * width)), variances);
  for (int i = 0; i < std::min(count, float_lanes); i += step)
    if (variances[i] >= 0.0f) {
      unsigned int& bin = histogram.counts[size][NoiseHistogram::binOf(variances[i])];
#pragma omp atomic
      ++bin;
    }
}

/** \brief Counts the windows of 3 x 3 pixels in the corners of a tile's blocks of
 * 8 x 8. */
HWY_INLINE void
countSmallWindows(const SampleTile& tile, NoiseHistogram& histogram)
{
  for (int y = 0; y < tile_rows; y += 8)
    for (int x = 0; x < tile_columns; x += 4 * float_lanes) {
      RaySample<FloatLanes> rows[3][4];
      for (int i = 0; i < 3; ++i)
        splitSamples(tile, y + i, x, rows[i]);
      const auto left =
          momentsOf(rows[0][0], rows[0][1]) + momentsOf(rows[1][0], rows[1][1]);
      const auto right = momentsOf(rows[0][2], rows[1][2]);
      const auto below = momentsOf(rows[2][0], rows[2][1]) + momentsOf(rows[2][2]);
      countResiduals((left + right) + below, 0, (tile_columns - x) / 4, 2, histogram);
    }
}

HWY_INLINE void
storeBlocks(const BlockTile& tile, int level, const TileArea& area, const RayBlocks& to)
{
  const int x0 = area.x0 >> level;
  const int y0 = area.y0 >> level;
  const int columns = std::min(tile_columns >> level, to.columns - x0);
  for (int i = 0; i < ray_moments; ++i)
    for (int y = 0; y < tile_rows >> level; ++y)
      std::copy_n(tile.members[i][y], columns, momentAt(to, i, y0 + y, x0));
}

/** \brief Sums the blocks of all tiles and counts their residuals. */
HWY_ATTR void
measureBlocks(const NormalsTask& task, const RayScratch& scratch)
{
  const PtrStepSz<const Float4>& cloud = task.cloud;
  const int tiles = tileCount(cloud.cols, cloud.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, cloud.cols, cloud.rows);
    SampleTile samples;
    loadSamples(cloud, area, 0, samples);
    countSmallWindows(samples, *scratch.histogram);
    BlockTile tiles_of_level[2];
    for (int level = 1; level < ray_levels; ++level) {
      BlockTile& tile = tiles_of_level[level % 2];
      const BlockTile& finer = tiles_of_level[1 - level % 2];
      const int columns = tile_columns >> level;
      for (int y = 0; y < tile_rows >> level; ++y)
        for (int x = 0; x < columns; x += float_lanes) {
          Moments block;
          if (level == 1) {
            RaySample<FloatLanes> above[2], below[2];
            splitSamples(samples, 2 * y, 2 * x, above);
            splitSamples(samples, 2 * y + 1, 2 * x, below);
            block = momentsOf(above[0], above[1]) + momentsOf(below[0], below[1]);
          }
          else {
            Moments corners[4];
            finer.split(2 * y, 2 * x, corners[0], corners[1]);
            finer.split(2 * y + 1, 2 * x, corners[2], corners[3]);
            block = (corners[0] + corners[1]) + (corners[2] + corners[3]);
          }
          tile.set(y, x, block);
          for (int size = 1; size < NoiseHistogram::windows; ++size)
            if (1 << level == NoiseHistogram::width(size))
              countResiduals(block, size, columns - x, 1, *scratch.histogram);
        }
      storeBlocks(tile, level, area, scratch.blocks[level]);
    }
  }
}

/** \brief Windows of a tile's pixels, of all levels. Those that begin with the same
 * column of blocks are written once for each pixel column. */
struct WindowTile {
  static constexpr int members = 6;
  static constexpr int stride = tile_columns + ray_tile + float_lanes;
  /** \brief Rows of windows of each level and of all levels before it. */
  static constexpr int first_row[ray_levels + 1] = {0, 17, 26, 31, 34, 36};
  alignas(64) float windows[members][first_row[ray_levels]][stride];

  HWY_INLINE Window
  at(int row, int column) const
  {
    Window window;
    visitWindow(window, [&](int i, FloatLanes& member) HWY_ATTR {
      member = load(FloatTag(), windows[i][row] + column);
    });
    return window;
  }

  /** \brief Writes up to a register full of windows, each \a times. */
  HWY_INLINE void
  set(int row, int first, const Window& window, int times)
  {
    visitWindow(window, [&](int i, const FloatLanes& member) HWY_ATTR {
      float* const to = windows[i][row];
      if (times == 1) {
        store(member, to + first);
        return;
      }
      alignas(64) float values[float_lanes];
      store(member, values);
      const int count = std::min(float_lanes, stride / times - first);
      for (int k = 0; k < count; ++k)
        std::fill_n(to + (first + k) * times, times, values[k]);
    });
  }
};

/** \brief Windows of two pixels' width. */
HWY_INLINE void
evaluatePixels(const SampleTile& samples, float noise, WindowTile& tile)
{
  for (int x = 0; x < tile_columns + 1; x += float_lanes) {
    Moments above = momentsOf(samples.at(0, x), samples.at(0, x + 1));
    for (int y = 0; y < tile_rows + 1; ++y) {
      const Moments below = momentsOf(samples.at(y + 1, x), samples.at(y + 1, x + 1));
      tile.set(y, x, evaluateWindow(above + below, noise), 1);
      above = below;
    }
  }
}

/** \brief Reads a tile's blocks and those around it; blocks outside are empty. */
HWY_INLINE void
loadBlocks(
    const RayBlocks& from, int x0, int y0, int columns, int rows, BlockTile& tile)
{
  const int begin = std::max(0, -x0);
  const int end = std::clamp(from.columns - x0, begin, columns);
  for (int i = 0; i < ray_moments; ++i)
    for (int y = 0; y < rows; ++y) {
      float* const to = tile.members[i][y];
      std::fill_n(to, BlockTile::stride, 0.0f);
      if (y0 + y >= 0 && y0 + y < from.rows)
        std::copy_n(momentAt(from, i, y0 + y, x0 + begin), end - begin, to + begin);
    }
}

HWY_INLINE void
evaluateBlocks(const RayBlocks& blocks,
               const TileArea& area,
               int level,
               float noise,
               WindowTile& tile)
{
  const int columns = (tile_columns >> level) + 1;
  const int rows = (tile_rows >> level) + 1;
  BlockTile around;
  loadBlocks(blocks,
             (area.x0 >> level) - 1,
             (area.y0 >> level) - 1,
             columns + 1,
             rows + 1,
             around);
  for (int x = 0; x < columns; x += float_lanes) {
    Moments above = around.at(0, x) + around.at(0, x + 1);
    for (int y = 0; y < rows; ++y) {
      const Moments below = around.at(y + 1, x) + around.at(y + 1, x + 1);
      tile.set(WindowTile::first_row[level] + y,
               x,
               evaluateWindow(above + below, noise),
               1 << level);
      above = below;
    }
  }
}

/** \brief Shares of the left one of two windows, for the pixels of a row. */
struct WindowShares {
  alignas(64) float left[ray_levels][tile_columns];

  WindowShares()
  {
    for (int level = 0; level < ray_levels; ++level)
      for (int x = 0; x < tile_columns; ++x)
        left[level][x] = firstWindowShare(x, level);
  }
};

HWY_INLINE void
meanPlanes(const SampleTile& samples,
           const WindowTile& windows,
           const WindowShares& shares,
           const WindowNoise& noise,
           const TileArea& area,
           const NormalsTask& task)
{
  const FloatTag tag;
  const FloatLanes one(1.0f);
  PtrStep<Float4> normals = task.normals;
  for (int y = 0; y < area.rows; ++y)
    for (int x = 0; x < area.columns; x += float_lanes) {
      const RaySample<FloatLanes> point = samples.at(y + 1, x + 1);
      const FloatLanes z = one / select(point.there > FloatLanes(0.0f), point.w, one);
      const FloatLanes squared_z = z * z;
      auto mean = noPlanes<FloatLanes>();
      for (int level = 0; level < ray_levels; ++level) {
        const int row = WindowTile::first_row[level] + (y >> level);
        const int step = 1 << level;
        const FloatLanes left = load(tag, shares.left[level] + x);
        const FloatLanes right = one - left;
        const float above = firstWindowShare(y, level);
        const float variance = noise.variances[level];
        const auto addTwo = [&](int r, float share) HWY_ATTR {
          add(mean, windows.at(r, x), point, squared_z, variance, left * share);
          add(mean, windows.at(r, x + step), point, squared_z, variance, right * share);
        };
        addTwo(row, above);
        addTwo(row + 1, 1.0f - above);
      }
      const auto normal = normalOf(mean,
                                   point.there,
                                   FloatLanes(task.viewpoint[0]) - point.u * z,
                                   FloatLanes(task.viewpoint[1]) - point.v * z,
                                   FloatLanes(task.viewpoint[2]) - z);
      storePoints(normal.x,
                  normal.y,
                  normal.z,
                  normal.curvature,
                  area.columns - x,
                  normals.ptr(area.y0 + y) + area.x0 + x);
    }
}

HWY_ATTR void
meanPlanesOfTiles(const NormalsTask& task,
                  const RayScratch& scratch,
                  const WindowNoise& noise)
{
  const PtrStepSz<const Float4>& cloud = task.cloud;
  const WindowShares shares;
  const int tiles = tileCount(cloud.cols, cloud.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, cloud.cols, cloud.rows);
    SampleTile samples;
    loadSamples(cloud, area, 1, samples);
    WindowTile windows;
    evaluatePixels(samples, noise.variances[0], windows);
    for (int level = 1; level < ray_levels; ++level)
      evaluateBlocks(
          scratch.blocks[level], area, level, noise.variances[level], windows);
    meanPlanes(samples, windows, shares, noise, area, task);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(measureBlocks);
HWY_EXPORT(meanPlanesOfTiles);

namespace {

/** \brief Returns the noise that the histogram shows, and empties it. */
WindowNoise
takeNoise(NoiseHistogram& histogram)
{
  float variances[NoiseHistogram::windows];
  for (int size = 0; size < NoiseHistogram::windows; ++size) {
    const auto& counts = histogram.counts[size];
    unsigned int others = 0;
    for (int bin = 1; bin < NoiseHistogram::bins; ++bin)
      others += counts[bin];
    unsigned int left = noisePlace(counts[0], others);
    int bin = left > 0 ? 1 : 0;
    for (; counts[bin] < left; ++bin)
      left -= counts[bin];
    variances[size] = noiseVariance(size, bin);
  }
  histogram = {};
  return windowNoise(variances);
}

} // namespace

std::size_t
host::adaptiveNormalsScratchBytes(const NormalsTask& task)
{
  ScratchPieces pieces(nullptr);
  RayScratch(pieces, task.cloud.cols, task.cloud.rows);
  return pieces.bytes();
}

void
host::estimateAdaptiveNormals(const NormalsTask& task)
{
  ScratchPieces pieces(task.scratch);
  const RayScratch scratch(pieces, task.cloud.cols, task.cloud.rows);
  HWY_DYNAMIC_DISPATCH(measureBlocks)(task, scratch);
  const WindowNoise noise = takeNoise(*scratch.histogram);
  HWY_DYNAMIC_DISPATCH(meanPlanesOfTiles)(task, scratch, noise);
}

} // namespace pcl::device
#endif
