// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_PIXELS_INL_H) ==                       \
    defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_PIXELS_INL_H
#undef PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_PIXELS_INL_H
#else
#define PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_PIXELS_INL_H
#endif

#include "host_tile_samples-inl.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Numbers of many things: plane by plane the same number of each. */
template <typename Number>
class Planes {
public:
  Planes(Number* first, int stride) : first_(first), stride_(stride) {}

  Number*
  operator[](int plane) const
  {
    return first_ + plane * stride_;
  }

private:
  Number* first_;
  int stride_;
};

/** \brief Samples of a tile in layers: the first ones of all cells, the second ones, and so
 * on; so that neighbouring pixels find theirs in neighbouring memory.
 * \tparam Pixels has the planes of numbers of a sample: first as it lies in its slot, then as
 * pixels want it
 */
template <typename Pixels>
class CellLayers {
public:
  void
  fill(const TileSamples& samples, int cells)
  {
    stride_ = (cells + max_lanes - 1) / max_lanes * max_lanes;
    used_ = 0;
    counts_.assign(cells, 0);
    samples.forEachSlot([&](int slot) {
      const int cell = samples.cellOf(slot);
      const int layer = counts_[cell]++;
      if (layer == used_)
        addLayer();
      Pixels::setSample(samples, slot, {layers_[layer].data() + cell, stride_});
    });
    const int lanes = static_cast<int>(hn::Lanes(typename Pixels::Tag()));
    for (int layer = 0; layer < used_; ++layer)
      for (int cell = 0; cell < cells; cell += lanes)
        Pixels::completeSamples({layers_[layer].data() + cell, stride_});
  }

  /** \brief The samples of a layer from a cell on. */
  Planes<const float>
  planes(int layer, int cell) const
  {
    return {layers_[layer].data() + cell, stride_};
  }

  /** \brief The most samples of any of some cells in a row. */
  int
  mostOf(int cell, int count) const
  {
    return *std::max_element(&counts_[cell], &counts_[cell] + count);
  }

private:
  static constexpr int max_lanes = 16;

  /** \brief Has one more layer be used, and empty: all bits of the first plane are set. */
  void
  addLayer()
  {
    if (used_ == static_cast<int>(layers_.size()))
      layers_.emplace_back();
    layers_[used_].resize(std::size_t(Pixels::sample_planes) * stride_);
    std::memset(layers_[used_].data(), 0xff, stride_ * sizeof(float));
    ++used_;
  }

  int stride_ = 0, used_ = 0;
  std::vector<std::uint16_t> counts_; ///< samples of each cell
  std::vector<std::vector<float>> layers_;
};

/** \brief Adds samples to the pixels of a tile.
 * \tparam Pixels has what a register full of pixels sums up, and the planes of numbers of
 * pixels and samples
 */
template <typename Pixels>
class TilePixels {
  using Tag = typename Pixels::Tag;
  using Task = typename Pixels::Task;

public:
  static constexpr int chunk_blocks = Pixels::chunk_blocks;
  static constexpr bool is_guided = Pixels::is_guided;

  TilePixels(const Task& task, int x0, int y0)
  : task_(task)
  , x0_(x0)
  , y0_(y0)
  , columns_(std::min(tile_columns, task.gathering.view.columns - x0))
  , rows_(std::min(tile_rows, task.gathering.view.rows - y0))
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        Pixels::load(task,
                     x0 + column,
                     y0 + row,
                     task.sums[outputPlace(column, row)],
                     planes(column, row));
  }

  void
  beginFrame(const Frame&)
  {}

  /** \brief Adds the samples of a chunk: for each pixel cell by cell, row by row. */
  HWY_INLINE void
  add(const Frame& frame, TileSamples& samples)
  {
    const ViewGeometry& view = task_.gathering.view;
    layers_.fill(samples, view.tileCellColumns() * view.tileCellRows());
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; column += lanes)
        addToPixels(frame, column, row);
  }

  void
  write()
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        Pixels::store(planes(column, row), task_.sums[outputPlace(column, row)]);
  }

private:
  static constexpr int pixels = tile_columns * tile_rows;

  std::size_t
  outputPlace(int column, int row) const
  {
    return std::size_t(y0_ + row) * task_.gathering.view.columns + x0_ + column;
  }

  Planes<float>
  planes(int column, int row)
  {
    return {planes_ + row * tile_columns + column, pixels};
  }

  /** \brief Adds what a register full of neighbouring pixels sees. */
  HWY_INLINE void
  addToPixels(const Frame& frame, int column, int row)
  {
    const ViewGeometry& view = task_.gathering.view;
    const int cell_columns = view.tileCellColumns(), footprint = view.footprint;
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    Pixels those(task_, frame, planes(column, row));
    for (int cell_row = row; cell_row < row + footprint; ++cell_row) {
      const int first = cell_row * cell_columns + column;
      const int most = layers_.mostOf(first, lanes + footprint - 1);
      for (int cell = first; cell < first + footprint; ++cell)
        for (int layer = 0; layer < most; ++layer)
          those.add(layers_.planes(layer, cell));
    }
    those.keep(planes(column, row));
  }

  const Task& task_;
  int x0_, y0_, columns_, rows_;
  CellLayers<Pixels> layers_;
  alignas(64) float planes_[Pixels::pixel_planes * pixels] = {};
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
