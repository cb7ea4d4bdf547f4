// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gathering/sets/host_sets.cpp"
#include "gathering/sets/sets.h"

#include <hwy/foreach_target.h>

// foreach_target.h comes first; these are read once for each target.
#include "gathering/host_tile_samples-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Appends samples to the sets of a tile. */
class TileSets {
public:
  static constexpr bool is_guided = false;

  using Scratch = ViewGeometry; ///< none is needed

  TileSets(const StoreTask& task, const Scratch&, int tile_x, int tile_y)
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
  add(const Frame&, TileSamples& samples)
  {
    samples.sort();
    for (int row = 0; row < tile_rows; ++row)
      for (int column = 0; column < tile_columns; ++column)
        for (int i = 0; i < footprint_; ++i) {
          const int cell = (row + i) * cells_ + column;
          append(samples,
                 samples.starts[cell],
                 samples.starts[cell + footprint_],
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
  append(const TileSamples& samples, int begin, int end, SetEnd& set, std::size_t pixel)
      const
  {
    if (!set.hasRoom(end - begin, store_.capacity))
      return;
    for (int i = begin; i < end; ++i)
      storeSample(store_, pixel, set.count++, samples.stored(samples.order[i]));
  }

  SampleStore store_;
  int footprint_, cells_, x0_, y0_;
  SetEnd ends_[tile_rows][tile_columns];
};

void
storeSamplesOnTarget(const StoreTask& task)
{
  gatherTiles<TileSets>(task);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(storeSamplesOnTarget);

} // namespace

void
host::storeSamples(const StoreTask& task)
{
  HWY_DYNAMIC_DISPATCH(storeSamplesOnTarget)(task);
}

} // namespace pcl::device

#endif
