// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gathering/host_gathering.cpp"
#include "gathering/sample_math.hpp"

#include <pcl/gpu/utils/device/parallel_for.hpp>

#include <cstring>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "gathering/sums/host_pixel_averages-inl.h"

#include <algorithm>
#include <vector>

#include <omp.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Adds tiles to a range. */
void
include(TileRange& all, const TileRange& more)
{
  if (isEmpty(more))
    return;
  if (isEmpty(all))
    all = more;
  all = {std::min(all.x0, more.x0),
         std::min(all.y0, more.y0),
         std::max(all.x1, more.x1),
         std::max(all.y1, more.y1)};
}

/** \brief Writes the tiles that see samples of the blocks of groups. */
void
boundFrameTiles(const GatheringTask& task, int frame_number)
{
  const FloatTag tag;
  using Number = Lanes<FloatTag>;
  const Frame& frame = task.frames[frame_number];
  const int groups = frame.images.groups();
  alignas(64) float x0[group_blocks], y0[group_blocks], x1[group_blocks],
      y1[group_blocks], columns[group_blocks], rows[group_blocks],
      nearest[group_blocks], farthest[group_blocks];
  for (int group = 0; group < groups; ++group) {
    const DepthRange* const depths = frame.images.block_depths + group * group_blocks;
    for (int i = 0; i < group_blocks; ++i) {
      const BlockPlace place = placeOfBlock(frame.images, group * group_blocks + i);
      columns[i] = static_cast<float>(place.column);
      rows[i] = static_cast<float>(place.row);
      nearest[i] = depths[i].nearest;
      farthest[i] = depths[i].farthest;
    }
    for (std::size_t i = 0; i < group_blocks; i += hn::Lanes(tag)) {
      const RoughTileRange<Number> range = boundTiles<Number>(frame.projection,
                                                              task.view,
                                                              load(tag, columns + i),
                                                              load(tag, rows + i),
                                                              load(tag, nearest + i),
                                                              load(tag, farthest + i));
      store(range.x0, x0 + i);
      store(range.y0, y0 + i);
      store(range.x1, x1 + i);
      store(range.y1, y1 + i);
    }
    TileRange* const blocks =
        task.block_tiles + std::size_t(frame.first_group + group) * group_blocks;
    TileRange all = no_tiles;
    for (int i = 0; i < group_blocks; ++i) {
      blocks[i] = tileRange(x0[i], y0[i], x1[i], y1[i]);
      include(all, blocks[i]);
    }
    if (group % grouped_groups == 0)
      task.range_tiles[frame.first_range + group / grouped_groups] = no_tiles;
    include(task.range_tiles[frame.first_range + group / grouped_groups], all);
    task.group_tiles[frame.first_group + group] = all;
  }
}

void
boundTilesOnTarget(const GatheringTask& task)
{
#pragma omp parallel for schedule(dynamic)
  for (int frame = 0; frame < task.frame_count; ++frame)
    boundFrameTiles(task, frame);
}

/** \brief Appends samples to the sets of a tile. */
class TileSets {
public:
  static constexpr int chunk_blocks = device::chunk_blocks;
  static constexpr bool is_guided = false;

  struct Scratch {
    explicit Scratch(const ViewGeometry&) {}
  };

  TileSets(const StoreTask& task, Scratch&, int tile_x, int tile_y)
  : store_(task.store)
  , footprint_(task.gathering.view.footprint)
  , cells_(task.gathering.view.tileCellColumns())
  , x0_(tile_x * tile_columns)
  , y0_(tile_y * tile_rows)
  {
    // A pixel outside is as one whose set is full.
    for (int row = 0; row < tile_rows; ++row)
      for (int column = 0; column < tile_columns; ++column)
        ends_[row][column] = {
            hasPixel(column, row) ? store_.counts[pixel(column, row)] : is_full, 0};
  }

  void
  beginFrame(const Frame&)
  {
    for (auto& row : ends_)
      for (SetEnd& end : row)
        end.beginFrame();
  }

  void
  add(const Frame& frame, TileSamples& samples)
  {
    samples.sort();
    for (int row = 0; row < tile_rows; ++row)
      for (int column = 0; column < tile_columns; ++column)
        for (int i = 0; i < footprint_; ++i) {
          const int cell = (row + i) * cells_ + column;
          append(frame,
                 samples,
                 samples.start(cell),
                 samples.start(cell + footprint_),
                 ends_[row][column],
                 pixel(column, row));
        }
  }

  void
  write() const
  {
    for (int row = 0; row < tile_rows; ++row)
      for (int column = 0; column < tile_columns; ++column)
        if (hasPixel(column, row))
          store_.counts[pixel(column, row)] = ends_[row][column].count;
  }

private:
  std::size_t
  pixel(int column, int row) const
  {
    return store_.pixel(x0_ + column, y0_ + row);
  }

  bool
  hasPixel(int column, int row) const
  {
    return store_.hasPixel(x0_ + column, y0_ + row);
  }

  void
  append(const Frame& frame,
         const TileSamples& samples,
         int begin,
         int end,
         SetEnd& set,
         std::size_t pixel) const
  {
    if (!set.hasRoom(end - begin, store_.capacity))
      return;
    for (int i = begin; i < end; ++i)
      storeSample(store_, pixel, set.count++, samples.stored(samples.slot(i), frame));
  }

  SampleStore store_;
  int footprint_, cells_, x0_, y0_;
  SetEnd ends_[tile_rows][tile_columns];
};

/** \brief Neighbouring tiles that a thread works on frame by frame, so that they find in the
 * cache what lies in the same lines of frames; smaller ones where threads would be idle. */
class TilePatches {
public:
  TilePatches(const TileArea& area, int threads) : area_(area)
  {
    constexpr int wanted_by_thread = 8;
    while (columns_ * rows_ > 1 && size() < wanted_by_thread * threads)
      (rows_ > 1 ? rows_ : columns_) /= 2;
  }

  int
  size() const
  {
    return across() * ((area_.rows + rows_ - 1) / rows_);
  }

  TileArea
  operator[](int number) const
  {
    const int x = number % across() * columns_, y = number / across() * rows_;
    return {area_.x0 + x,
            area_.y0 + y,
            std::min(columns_, area_.columns - x),
            std::min(rows_, area_.rows - y)};
  }

private:
  int
  across() const
  {
    return (area_.columns + columns_ - 1) / columns_;
  }

  TileArea area_;
  int columns_ = 8, rows_ = 2;
};

template <typename Consumer, typename Task>
HWY_INLINE void
gatherTiles(const Task& task)
{
  const GatheringTask& gathering = task.gathering;
  boundTilesOnTarget(gathering);
  const TilePatches patches(gathering.tiles, omp_get_max_threads());
#pragma omp parallel
  {
    TileSamples samples(gathering.view);
    typename Consumer::Scratch scratch(gathering.view);
    std::vector<Consumer> consumers;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < patches.size(); ++i) {
      const TileArea patch = patches[i];
      const int tiles = patch.columns * patch.rows;
      const auto tileX = [&](int tile) { return patch.x0 + tile % patch.columns; };
      const auto tileY = [&](int tile) { return patch.y0 + tile / patch.columns; };
      consumers.clear();
      for (int tile = 0; tile < tiles; ++tile)
        consumers.emplace_back(task, scratch, tileX(tile), tileY(tile));
      for (int frame = 0; frame < gathering.frame_count; ++frame)
        for (int tile = 0; tile < tiles; ++tile)
          samples.gather(gathering,
                         gathering.frames[frame],
                         tileX(tile),
                         tileY(tile),
                         consumers[tile]);
      for (const Consumer& consumer : consumers)
        consumer.write();
    }
  }
}

void
addSamplesOnTarget(const SumTask& task)
{
  gatherTiles<TilePixels<PixelSums>>(task);
}

void
addToAveragesOnTarget(const AverageTask& task)
{
  gatherTiles<TilePixels<PixelAverages>>(task);
}

void
addToLayersOnTarget(const LayerTask& task)
{
  gatherTiles<TilePixels<PixelLayers>>(task);
}

void
storeSamplesOnTarget(const StoreTask& task)
{
  gatherTiles<TileSets>(task);
}

/** \brief Sums the stored samples of a pixel: one after the other, as PixelSums does. */
HWY_INLINE void
sumPixel(const StoredSumTask& task, int column, int row)
{
  using Number = Lanes<hn::FixedTag<float, 1>>;
  const Reference reference =
      referenceOf(task.reference, task.view, task.exponents, column, row);
  const std::size_t pixel = task.store.pixel(column, row);
  ColorSum sum = task.sums[pixel];
  const Number red(redOf(reference.color)), green(greenOf(reference.color)),
      blue(blueOf(reference.color));
  Number sum_red(sum.red), sum_green(sum.green), sum_blue(sum.blue),
      sum_weight(sum.weight);
  const std::uint32_t count = task.store.counts[pixel] & ~is_full;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StoredSample sample = loadSample(task.store, pixel, i);
    const StoredProjection& frame = task.frames[sample.frame - task.first_number];
    const ScenePoint<Number> point = pointOf(frame,
                                             Number(float(sample.position & 0xffff)),
                                             Number(float(sample.position >> 16)),
                                             Number(sample.depth));
    const Number sample_red(redOf(sample.color)), sample_green(greenOf(sample.color)),
        sample_blue(blueOf(sample.color));
    const Number weight = powerOfTwo(similarityExponent(
        squaredLength(red - sample_red, green - sample_green, blue - sample_blue),
        squaredLength(
            reference.x - point.x, reference.y - point.y, reference.z - point.z),
        Number(task.exponents.color),
        Number(reference.position_exponent),
        Number(timeExponent(task.exponents, frame.time))));
    sum_weight = sum_weight + weight;
    sum_red = fusedMulAdd(weight, sample_red, sum_red);
    sum_green = fusedMulAdd(weight, sample_green, sum_green);
    sum_blue = fusedMulAdd(weight, sample_blue, sum_blue);
  }
  store(sum_red, &sum.red);
  store(sum_green, &sum.green);
  store(sum_blue, &sum.blue);
  store(sum_weight, &sum.weight);
  task.sums[pixel] = sum;
}

void
sumStoredOnTarget(const StoredSumTask& task)
{
#pragma omp parallel for schedule(dynamic, 4)
  for (int row = 0; row < task.store.rows; ++row)
    for (int column = 0; column < task.store.columns; ++column)
      sumPixel(task, task.store.first_column + column, task.store.first_row + row);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(boundTilesOnTarget);
HWY_EXPORT(addSamplesOnTarget);
HWY_EXPORT(addToAveragesOnTarget);
HWY_EXPORT(addToLayersOnTarget);
HWY_EXPORT(storeSamplesOnTarget);
HWY_EXPORT(sumStoredOnTarget);

class HostGatheringDriver final : public GatheringDriver {
public:
  void
  boundDepths(const FrameImages& images, DepthRange* block_depths, Queue) const override
  {
    const int groups = images.groups();
#pragma omp parallel for schedule(static)
    for (int block = 0; block < groups * group_blocks; ++block) {
      const BlockPlace place = placeOfBlock(images, block);
      DepthRange range = no_depths;
      const int columns = std::min(images.columns, place.column + block_columns);
      const int rows = std::min(images.rows, place.row + block_rows);
      for (int row = place.row; row < rows; ++row)
        for (int column = place.column; column < columns; ++column) {
          const float depth =
              images.depth[std::size_t(row) * images.depth_stride + column];
          if (isDepth(depth))
            range = {std::min(range.nearest, depth), std::max(range.farthest, depth)};
        }
      block_depths[block] = range;
    }
  }

  void
  addSamples(const SumTask& task, Queue) const override
  {
    HWY_DYNAMIC_DISPATCH(addSamplesOnTarget)(task);
  }

  void
  addToAverages(const AverageTask& task, Queue) const override
  {
    HWY_DYNAMIC_DISPATCH(addToAveragesOnTarget)(task);
  }

  void
  addToLayers(const LayerTask& task, Queue) const override
  {
    HWY_DYNAMIC_DISPATCH(addToLayersOnTarget)(task);
  }

  void
  divideAverages(const DivideAverage& division,
                 int columns,
                 int rows,
                 Queue) const override
  {
    parallelFor2D(HostExecutor(), columns, rows, division);
  }

  void
  chooseLayers(const ChooseLayer& choice, int columns, int rows, Queue) const override
  {
    parallelFor2D(HostExecutor(), columns, rows, choice);
  }

  void
  storeSamples(const StoreTask& task, Queue) const override
  {
    HWY_DYNAMIC_DISPATCH(storeSamplesOnTarget)(task);
  }

  void
  sumStoredSamples(const StoredSumTask& task, Queue) const override
  {
    HWY_DYNAMIC_DISPATCH(sumStoredOnTarget)(task);
  }

  void
  divideSums(const ColorSum* sums,
             const ReferenceImages& reference,
             int columns,
             int rows,
             PackedColor* output,
             int output_stride,
             Queue) const override
  {
    parallelFor2D(HostExecutor(),
                  columns,
                  rows,
                  DividePixel{sums, reference, columns, output, output_stride});
  }

  void
  clear(void* memory, std::size_t bytes, Queue) const override
  {
    std::memset(memory, 0, bytes);
  }
};

} // namespace

const GatheringDriver&
hostGatheringDriver()
{
  static const HostGatheringDriver driver;
  return driver;
}

void
hostBoundTiles(const GatheringTask& task)
{
  HWY_DYNAMIC_DISPATCH(boundTilesOnTarget)(task);
}

} // namespace pcl::device

#endif
