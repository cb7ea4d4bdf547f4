// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#undef PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#else
#define PCL_GPU_SCENESPACE_HOST_PIXELS_INL_H
#endif

#include "gathering/host_tile_samples-inl.h"
#include "gathering/sums/pixel_sums-inl.h"

#include <algorithm>
#include <cstdint>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using PixelTag = hn::CappedTag<float, 16>;
using PixelNumber = Lanes<PixelTag>;
using PackedLanes = hn::Vec<hn::Rebind<int, PixelTag>>;

/** \brief Reads numbers from one plane after the other. */
struct PlaneReader {
  const float* from;
  int stride; ///< from plane to plane

  HWY_INLINE void
  operator()(float& number)
  {
    number = *from;
    from += stride;
  }

  template <typename Tag>
  HWY_INLINE void
  operator()(Lanes<Tag>& number)
  {
    number = load(Tag(), from);
    from += stride;
  }
};

/** \brief Writes numbers to one plane after the other. */
struct PlaneWriter {
  float* to;
  int stride; ///< from plane to plane

  HWY_INLINE void
  operator()(float number)
  {
    *to = number;
    to += stride;
  }

  template <typename Tag>
  HWY_INLINE void
  operator()(Lanes<Tag> number)
  {
    store(number, to);
    to += stride;
  }
};

HWY_INLINE hn::Vec<PixelTag>
lowestLevel(PackedLanes bits)
{
  const hn::Rebind<int, PixelTag> int_tag;
  return hn::ConvertTo(PixelTag(), hn::And(bits, hn::Set(int_tag, 0xff)));
}

/** \brief A register full of colours. */
HWY_INLINE Levels<PixelNumber>
levelsOf(PackedLanes colors)
{
  return {lowestLevel(hn::ShiftRight<16>(colors)),
          lowestLevel(hn::ShiftRight<8>(colors)),
          lowestLevel(colors)};
}

/** \brief A register full of samples that wait for their pixels. */
template <typename Pixel>
struct WaitingSamples {
  static constexpr int number_count = !Pixel::has_levels ? 3 : Pixel::is_guided ? 9 : 6;

  ScenePoint<PixelNumber> place; ///< as Pixel::placeOf() returns it
  Levels<PixelNumber> levels, guide;

  /** \brief Calls a function for each number that pixels want. */
  template <typename Function>
  HWY_INLINE void
  forEachNumber(Function&& function)
  {
    function(place.x);
    function(place.y);
    function(place.z);
    if constexpr (Pixel::has_levels) {
      function(levels.red);
      function(levels.green);
      function(levels.blue);
    }
    if constexpr (Pixel::is_guided) {
      function(guide.red);
      function(guide.green);
      function(guide.blue);
    }
  }

  /** \brief A number that is below 0 where there is no sample. */
  HWY_INLINE PixelNumber&
  mark()
  {
    if constexpr (Pixel::has_levels)
      return levels.red;
    else
      return place.z;
  }
};

/** \brief Samples of a tile in layers: the first ones of all cells, the second ones,
 * and so on; so that neighbouring pixels find theirs in neighbouring memory. Each layer
 * has a plane for each number of a sample.
 * \tparam Pixel a register full of pixels
 */
template <typename Pixel>
class CellLayers {
  using Samples = WaitingSamples<Pixel>;

public:
  explicit CellLayers(const ViewGeometry& view)
  : footprint_(view.footprint)
  , columns_(view.tileCellColumns())
  , cells_(columns_ * view.tileCellRows())
  , stride_((cells_ + max_lanes - 1) / max_lanes * max_lanes)
  , registers_(tile_columns / static_cast<int>(hn::Lanes(PixelTag())))
  , counts_(stride_)
  , most_(view.tileCellRows() * registers_)
  {}

  void
  fill(const TileSamples& samples)
  {
    used_ = 0;
    std::fill(counts_.begin(), counts_.end(), std::uint16_t(0));
    samples.forEachSlot([&](int slot) {
      const int cell = samples.cell_of[slot];
      const int layer = counts_[cell]++;
      if (layer == used_)
        addLayer();
      const int place = layer * stride_ + cell;
      points_[place] = samples.points[slot];
      if (Pixel::is_guided)
        guides_[place] = samples.guides[slot];
    });
    for (int layer = 0; layer < used_; ++layer)
      complete(layer);
    countMost();
  }

  /** \brief The samples of a layer from a cell on. */
  HWY_INLINE Samples
  samples(int layer, int cell) const
  {
    Samples result{};
    result.forEachNumber(PlaneReader{planes_.data() + planesOf(layer) + cell, stride_});
    return result;
  }

  /** \brief The most samples of any cell that neighbouring pixels see in a row of
   * cells.
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
    return std::size_t(layer) * Samples::number_count * stride_;
  }

  void
  addLayer()
  {
    const std::size_t places = std::size_t(++used_) * stride_;
    if (points_.size() >= places)
      return;
    points_.resize(places);
    planes_.resize(places * Samples::number_count);
    if (Pixel::is_guided)
      guides_.resize(places);
  }

  void
  countMost()
  {
    const int lanes = tile_columns / registers_;
    for (std::size_t i = 0; i < most_.size(); ++i) {
      const std::uint16_t* const first =
          counts_.data() + i / registers_ * columns_ + i % registers_ * lanes;
      most_[i] = *std::max_element(first, first + lanes + footprint_ - 1);
    }
  }

  /** \brief Takes the samples of a layer apart. */
  HWY_INLINE void
  complete(int layer)
  {
    const PixelTag tag;
    const hn::Rebind<int, PixelTag> int_tag;
    const hn::Rebind<std::uint16_t, PixelTag> count_tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int cell = 0; cell < cells_; cell += lanes) {
      const auto counts =
          hn::PromoteTo(int_tag, hn::LoadU(count_tag, counts_.data() + cell));
      const LaneMask<PixelTag> exists{
          hn::RebindMask(tag, hn::Gt(counts, hn::Set(int_tag, layer)))};
      const std::size_t place = std::size_t(layer) * stride_ + cell;
      ScenePoint<PixelNumber> point;
      hn::Vec<PixelTag> colors;
      hn::LoadInterleaved4(
          tag, &points_[place].x, point.x.value, point.y.value, point.z.value, colors);
      Samples samples;
      samples.place = Pixel::placeOf(point);
      samples.levels = levelsOf(hn::BitCast(int_tag, colors));
      if constexpr (Pixel::is_guided)
        samples.guide =
            levelsOf(hn::LoadU(int_tag, reinterpret_cast<const int*>(&guides_[place])));
      samples.mark() = select(exists, samples.mark(), PixelNumber(-1.0f));
      samples.forEachNumber(
          PlaneWriter{planes_.data() + planesOf(layer) + cell, stride_});
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
 * \tparam PixelOf a pixel of numbers
 */
template <template <typename> class PixelOf>
class TilePixels {
  using Pixel = PixelOf<PixelNumber>;
  using Task = typename Pixel::Task;

public:
  static constexpr bool is_guided = Pixel::is_guided;

  using Scratch = CellLayers<Pixel>;

  TilePixels(const Task& task, Scratch& layers, int tile_x, int tile_y)
  : task_(task)
  , x0_(tile_x * tile_columns)
  , y0_(tile_y * tile_rows)
  , columns_(std::min(tile_columns, task.gathering.view.columns - x0_))
  , rows_(std::min(tile_rows, task.gathering.view.rows - y0_))
  , layers_(layers)
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        PixelOf<float> pixel;
        pixel.load(task,
                   task.gathering.view,
                   x0_ + column,
                   y0_ + row,
                   task.sums[outputPlace(column, row)]);
        pixel.forEachNumber(PlaneWriter{planes_ + placeOf(column, row), pixels});
      }
  }

  void
  beginFrame(const Frame&)
  {}

  /** \brief Adds the samples of a chunk: for each pixel cell by cell, row by row. */
  HWY_INLINE void
  add(const Frame& frame, TileSamples& samples)
  {
    layers_.fill(samples);
    const ViewGeometry& view = task_.gathering.view;
    const int cell_columns = view.tileCellColumns(), footprint = view.footprint;
    const int lanes = static_cast<int>(hn::Lanes(PixelTag()));
    const PixelNumber frame_exponent(frame.weight_exponent);
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; column += lanes) {
        float* const planes = planes_ + placeOf(column, row);
        Pixel those;
        those.forEachNumber(PlaneReader{planes, pixels});
        for (int cell_row = row; cell_row < row + footprint; ++cell_row) {
          const int first = cell_row * cell_columns + column;
          const int most = layers_.mostOf(cell_row, column / lanes);
          for (int cell = first; cell < first + footprint; ++cell)
            for (int layer = 0; layer < most; ++layer) {
              auto waiting = layers_.samples(layer, cell);
              const auto& compared = is_guided ? waiting.guide : waiting.levels;
              those.add(task_,
                        frame_exponent,
                        Pixel::sampleOf(waiting.place, waiting.levels, compared),
                        waiting.mark() >= 0.0f);
            }
        }
        those.forEachSum(PlaneWriter{planes, pixels});
      }
  }

  void
  write() const
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        PixelOf<float> pixel;
        pixel.forEachSum(PlaneReader{planes_ + placeOf(column, row), pixels});
        task_.sums[outputPlace(column, row)] = pixel.sum;
      }
  }

private:
  static constexpr int pixels = tile_columns * tile_rows;

  static int
  placeOf(int column, int row)
  {
    return row * tile_columns + column;
  }

  std::size_t
  outputPlace(int column, int row) const
  {
    return std::size_t(y0_ + row) * task_.gathering.view.columns + x0_ + column;
  }

  const Task& task_;
  int x0_, y0_, columns_, rows_;
  Scratch& layers_;
  /** \brief A plane for each number of a pixel. */
  alignas(64) float planes_[Pixel::number_count * pixels] = {};
};

template <typename Number>
using SumPixel = WeightedPixel<Number, Levels<Number>, ColorSums>;
template <typename Number>
using AveragePixel = WeightedPixel<Number, Levels<Number>, AverageSums>;

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
