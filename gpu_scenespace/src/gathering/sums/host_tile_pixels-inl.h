// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_TILE_PIXELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_TILE_PIXELS_INL_H
#undef PCL_GPU_SCENESPACE_HOST_TILE_PIXELS_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_TILE_PIXELS_INL_H
#endif

#include "gathering/host_tile_samples-inl.h"

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
 * \tparam Pixels takes the samples apart, into planes of numbers
 */
template <typename Pixels>
class CellLayers {
  using Tag = typename Pixels::Tag;

public:
  explicit CellLayers(const ViewGeometry& view)
  : footprint_(view.footprint)
  , columns_(view.tileCellColumns())
  , cells_(columns_ * view.tileCellRows())
  , stride_((cells_ + max_lanes - 1) / max_lanes * max_lanes)
  , registers_(tile_columns / static_cast<int>(hn::Lanes(Tag())))
  , counts_(stride_)
  , most_(view.tileCellRows() * registers_)
  {}

  void
  fill(const TileSamples& samples)
  {
    used_ = 0;
    std::fill(counts_.begin(), counts_.end(), std::uint16_t(0));
    samples.forEachSlot([&](int slot) {
      const int cell = samples.cellOf(slot);
      const int layer = counts_[cell]++;
      if (layer == used_)
        addLayer();
      const int place = layer * stride_ + cell;
      points_[place] = samples.point(slot);
      if (Pixels::is_guided)
        guides_[place] = samples.guide(slot);
    });
    for (int layer = 0; layer < used_; ++layer)
      complete(layer);
    countMost();
  }

  /** \brief The samples of a layer from a cell on. */
  Planes<const float>
  planes(int layer, int cell) const
  {
    return {planes_.data() + planesOf(layer) + cell, stride_};
  }

  /** \brief The most samples of any cell that neighbouring pixels see in a row of cells.
   * \param[in] pixels number of the register full of pixels in its row
   */
  int
  mostOf(int cell_row, int pixels) const
  {
    return most_[cell_row * registers_ + pixels];
  }

private:
  static constexpr int max_lanes = 16;

  std::size_t
  planesOf(int layer) const
  {
    return std::size_t(layer) * Pixels::sample_planes * stride_;
  }

  void
  addLayer()
  {
    const std::size_t places = std::size_t(++used_) * stride_;
    if (points_.size() >= places)
      return;
    points_.resize(places);
    planes_.resize(places * Pixels::sample_planes);
    if (Pixels::is_guided)
      guides_.resize(places);
  }

  void
  countMost()
  {
    const int lanes = tile_columns / registers_;
    for (std::size_t i = 0; i < most_.size(); ++i) {
      const std::uint16_t* const first =
          counts_.data() + i / registers_ * columns_ + i % registers_ * lanes;
      const std::uint16_t* const last = first + lanes + footprint_ - 1;
      std::uint16_t most = 0;
      for (const std::uint16_t* count = first; count != last; ++count)
        most = std::max(most, *count);
      most_[i] = most;
    }
  }

  /** \brief Takes the samples of a layer apart. */
  HWY_INLINE void
  complete(int layer)
  {
    const Tag tag;
    const hn::Rebind<int, Tag> int_tag;
    const hn::Rebind<std::uint16_t, Tag> count_tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int cell = 0; cell < cells_; cell += lanes) {
      const auto counts =
          hn::PromoteTo(int_tag, hn::LoadU(count_tag, counts_.data() + cell));
      const LaneMask<Tag> exists{
          hn::RebindMask(tag, hn::Gt(counts, hn::Set(int_tag, layer)))};
      const std::size_t place = std::size_t(layer) * stride_ + cell;
      Pixels::completeSamples(points_.data() + place,
                              guides_.data() + (Pixels::is_guided ? place : 0),
                              exists,
                              {planes_.data() + planesOf(layer) + cell, stride_});
    }
  }

  int footprint_, columns_, cells_, stride_;
  int registers_;                     ///< of pixels in a row
  int used_ = 0;                      ///< layers
  std::vector<std::uint16_t> counts_; ///< samples of each cell
  std::vector<std::uint16_t> most_;   ///< row by row
  std::vector<PointSample> points_;   ///< layer by layer
  std::vector<PackedColor> guides_;   ///< of the same pixels
  std::vector<float> planes_;         ///< of the same pixels
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

  using Scratch = CellLayers<Pixels>;

  TilePixels(const Task& task, Scratch& layers, int tile_x, int tile_y)
  : task_(task)
  , x0_(tile_x * tile_columns)
  , y0_(tile_y * tile_rows)
  , columns_(std::min(tile_columns, task.gathering.view.columns - x0_))
  , rows_(std::min(tile_rows, task.gathering.view.rows - y0_))
  , layers_(layers)
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        Pixels::load(task,
                     x0_ + column,
                     y0_ + row,
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
    layers_.fill(samples);
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; column += lanes)
        addToPixels(frame, column, row);
  }

  void
  write() const
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

  Planes<const float>
  planes(int column, int row) const
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
      const int most = layers_.mostOf(cell_row, column / lanes);
      for (int cell = first; cell < first + footprint; ++cell)
        for (int layer = 0; layer < most; ++layer)
          those.add(layers_.planes(layer, cell));
    }
    those.keep(planes(column, row));
  }

  const Task& task_;
  int x0_, y0_, columns_, rows_;
  Scratch& layers_;
  alignas(64) float planes_[Pixels::pixel_planes * pixels] = {};
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
