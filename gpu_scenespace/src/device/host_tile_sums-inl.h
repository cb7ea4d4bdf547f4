// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_SUMS_INL_H) ==                         \
    defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_SUMS_INL_H
#undef PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_SUMS_INL_H
#else
#define PCL_GPU_SCENESPACE_DEVICE_HOST_TILE_SUMS_INL_H
#endif

#include "host_tile_samples-inl.h"
#include "similarity-inl.h"

#include <algorithm>
#include <cstdint>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Samples of a tile in layers: the first ones of all cells, the second ones, and so
 * on; so that neighbouring pixels find theirs in neighbouring memory. */
class CellLayers {
public:
  /** \brief Numbers of a sample. Red is negative where a cell has no more samples. */
  enum Plane { Red, Green, Blue, X, Y, Z, plane_count };

  void
  fill(const TileSamples& samples, int cells)
  {
    for (int layer = 0; layer < used_; ++layer)
      std::fill_n(at(layer, Red), cells_, -1.0f);
    cells_ = cells;
    used_ = 0;
    counts_.assign(cells, 0);
    for (int slot = 0; slot < samples.slots(); ++slot) {
      const int cell = samples.cellOf(slot);
      if (cell == no_cell)
        continue;
      const int layer = counts_[cell]++;
      if (layer == used_)
        addLayer();
      const PackedColor color = samples.color(slot);
      float* const to = at(layer, Red) + cell;
      to[0] = static_cast<float>(redOf(color));
      to[Green * cells] = static_cast<float>(greenOf(color));
      to[Blue * cells] = static_cast<float>(blueOf(color));
      to[X * cells] = samples.x(slot);
      to[Y * cells] = samples.y(slot);
      to[Z * cells] = samples.z(slot);
    }
  }

  /** \brief The first plane of a layer, cell by cell; the others follow. */
  const float*
  planes(int layer) const
  {
    return layers_[layer].data();
  }

  /** \brief The most samples of any of some cells in a row. */
  int
  mostOf(int cell, int count) const
  {
    return *std::max_element(&counts_[cell], &counts_[cell] + count);
  }

private:
  float*
  at(int layer, Plane plane)
  {
    return layers_[layer].data() + plane * cells_;
  }

  /** \brief Has one more layer be used, and empty. */
  void
  addLayer()
  {
    const std::size_t size = std::size_t(plane_count) * cells_;
    if (used_ == static_cast<int>(layers_.size()))
      layers_.emplace_back(size);
    layers_[used_].resize(size);
    std::fill_n(at(used_, Red), cells_, -1.0f);
    ++used_;
  }

  int cells_ = 0, used_ = 0;
  std::vector<std::uint16_t> counts_; ///< samples of each cell
  std::vector<std::vector<float>> layers_;
};

/** \brief Adds samples to the sums of a tile. */
class TileSums {
  using Tag = hn::CappedTag<float, 8>;
  using Number = Lanes<Tag>;

public:
  TileSums(const SumTask& task, int x0, int y0)
  : task_(task)
  , x0_(x0)
  , y0_(y0)
  , columns_(std::min(tile_columns, task.gathering.view.columns - x0))
  , rows_(std::min(tile_rows, task.gathering.view.rows - y0))
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const Reference reference = referenceOf(
            task.reference, task.gathering.view, task.exponents, x0 + column, y0 + row);
        const int i = row * tile_columns + column;
        planes_[Red][i] = static_cast<float>(redOf(reference.color));
        planes_[Green][i] = static_cast<float>(greenOf(reference.color));
        planes_[Blue][i] = static_cast<float>(blueOf(reference.color));
        planes_[X][i] = reference.x;
        planes_[Y][i] = reference.y;
        planes_[Z][i] = reference.z;
        planes_[PositionExponent][i] = reference.position_exponent;
        const ColorSum& sum = task.sums[outputPlace(column, row)];
        planes_[SumRed][i] = sum.red;
        planes_[SumGreen][i] = sum.green;
        planes_[SumBlue][i] = sum.blue;
        planes_[SumWeight][i] = sum.weight;
      }
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
    const Number time_exponent(timeExponent(task_.exponents, frame.projection.time));
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; column += lanes)
        addToPixels(column, row, time_exponent);
  }

  void
  write() const
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const int i = row * tile_columns + column;
        task_.sums[outputPlace(column, row)] = {planes_[SumRed][i],
                                                planes_[SumGreen][i],
                                                planes_[SumBlue][i],
                                                planes_[SumWeight][i]};
      }
  }

private:
  enum Plane {
    Red,
    Green,
    Blue,
    X,
    Y,
    Z,
    PositionExponent,
    SumRed,
    SumGreen,
    SumBlue,
    SumWeight,
    plane_count
  };

  std::size_t
  outputPlace(int column, int row) const
  {
    return std::size_t(y0_ + row) * task_.gathering.view.columns + x0_ + column;
  }

  /** \brief Adds what a register full of neighbouring pixels sees. */
  HWY_INLINE void
  addToPixels(int column, int row, Number time_exponent)
  {
    const Tag tag;
    const ViewGeometry& view = task_.gathering.view;
    const int cell_columns = view.tileCellColumns(), footprint = view.footprint;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const int plane = cell_columns * view.tileCellRows();
    const int i = row * tile_columns + column;
    const Number red = load(tag, planes_[Red] + i),
                 green = load(tag, planes_[Green] + i),
                 blue = load(tag, planes_[Blue] + i), x = load(tag, planes_[X] + i),
                 y = load(tag, planes_[Y] + i), z = load(tag, planes_[Z] + i),
                 position_exponent = load(tag, planes_[PositionExponent] + i);
    const Number color_exponent(task_.exponents.color);
    Number sum_red = load(tag, planes_[SumRed] + i),
           sum_green = load(tag, planes_[SumGreen] + i),
           sum_blue = load(tag, planes_[SumBlue] + i),
           sum_weight = load(tag, planes_[SumWeight] + i);
    for (int cell_row = row; cell_row < row + footprint; ++cell_row) {
      const int first = cell_row * cell_columns + column;
      const int most = layers_.mostOf(first, lanes + footprint - 1);
      for (int cell = first; cell < first + footprint; ++cell)
        for (int layer = 0; layer < most; ++layer) {
          const float* const sample = layers_.planes(layer) + cell;
          const Number sample_red = load(tag, sample),
                       sample_green = load(tag, sample + CellLayers::Green * plane),
                       sample_blue = load(tag, sample + CellLayers::Blue * plane);
          const auto exists = sample_red >= 0.0f;
          const Number exponent = similarityExponent(
              squaredLength(red - sample_red, green - sample_green, blue - sample_blue),
              squaredLength(x - load(tag, sample + CellLayers::X * plane),
                            y - load(tag, sample + CellLayers::Y * plane),
                            z - load(tag, sample + CellLayers::Z * plane)),
              color_exponent,
              position_exponent,
              time_exponent);
          const Number weight{
              hn::IfThenElseZero(exists.value, powerOfTwo(exponent).value)};
          sum_weight = sum_weight + weight;
          sum_red = fusedMulAdd(weight, sample_red, sum_red);
          sum_green = fusedMulAdd(weight, sample_green, sum_green);
          sum_blue = fusedMulAdd(weight, sample_blue, sum_blue);
        }
    }
    store(sum_red, planes_[SumRed] + i);
    store(sum_green, planes_[SumGreen] + i);
    store(sum_blue, planes_[SumBlue] + i);
    store(sum_weight, planes_[SumWeight] + i);
  }

  const SumTask& task_;
  int x0_, y0_, columns_, rows_;
  CellLayers layers_;
  alignas(64) float planes_[plane_count][tile_columns * tile_rows] = {};
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
