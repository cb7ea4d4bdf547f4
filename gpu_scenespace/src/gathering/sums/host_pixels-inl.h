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
#include <cstring>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Numbers of many things: plane by plane the same number of each. */
template <typename Number>
struct Planes {
  Number* first;
  int stride;

  Number*
  operator[](int plane) const
  {
    return first + plane * stride;
  }
};

/** \brief Samples of a tile in layers: the first ones of all cells, the second ones,
 * and so on; so that neighbouring pixels find theirs in neighbouring memory.
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
      const int cell = samples.cell_of[slot];
      const int layer = counts_[cell]++;
      if (layer == used_)
        addLayer();
      const int place = layer * stride_ + cell;
      points_[place] = samples.points[slot];
      if (Pixels::is_guided)
        guides_[place] = samples.guides[slot];
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
 * \tparam Pixels has the sums of a register full of pixels, and the planes of numbers
 * of pixels and samples
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
    const ViewGeometry& view = task_.gathering.view;
    const int cell_columns = view.tileCellColumns(), footprint = view.footprint;
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    const Lanes<Tag> frame_exponent(frame.weight_exponent);
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; column += lanes) {
        Pixels those(planes(column, row));
        for (int cell_row = row; cell_row < row + footprint; ++cell_row) {
          const int first = cell_row * cell_columns + column;
          const int most = layers_.mostOf(cell_row, column / lanes);
          for (int cell = first; cell < first + footprint; ++cell)
            for (int layer = 0; layer < most; ++layer) {
              const auto sample = Pixels::sampleOf(layers_.planes(layer, cell));
              those.add(task_, frame_exponent, sample, Pixels::exists(sample));
            }
        }
        those.keep(planes(column, row));
      }
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

  const Task& task_;
  int x0_, y0_, columns_, rows_;
  Scratch& layers_;
  alignas(64) float planes_[Pixels::pixel_planes * pixels] = {};
};

using PixelTag = hn::CappedTag<float, 16>;

/** \brief A register full of a plane's numbers. */
template <typename From>
HWY_INLINE Lanes<PixelTag>
planeOf(From planes, int plane)
{
  return load(PixelTag(), planes[plane]);
}

HWY_INLINE void
setPlane(Planes<float> planes, int plane, Lanes<PixelTag> numbers)
{
  store(numbers, planes[plane]);
}

/** \brief Three planes of colours. */
template <typename From>
HWY_INLINE Levels<Lanes<PixelTag>>
levelPlanes(From planes, int first)
{
  return {
      planeOf(planes, first), planeOf(planes, first + 1), planeOf(planes, first + 2)};
}

HWY_INLINE void
setLevelPlanes(Planes<float> planes, int first, const Levels<Lanes<PixelTag>>& levels)
{
  setPlane(planes, first, levels.red);
  setPlane(planes, first + 1, levels.green);
  setPlane(planes, first + 2, levels.blue);
}

using PackedLanes = hn::Vec<hn::Rebind<int, PixelTag>>;

HWY_INLINE hn::Vec<PixelTag>
lowestLevel(PackedLanes bits)
{
  const hn::Rebind<int, PixelTag> int_tag;
  return hn::ConvertTo(PixelTag(), hn::And(bits, hn::Set(int_tag, 0xff)));
}

/** \brief A register full of colours. */
HWY_INLINE Levels<Lanes<PixelTag>>
levelsOf(PackedLanes colors)
{
  return {lowestLevel(hn::ShiftRight<16>(colors)),
          lowestLevel(hn::ShiftRight<8>(colors)),
          lowestLevel(colors)};
}

/** \brief A register full of samples. */
struct PointSamples {
  Lanes<PixelTag> x, y, z;
  PackedLanes colors;

  HWY_INLINE explicit PointSamples(const PointSample* samples)
  {
    hn::Vec<PixelTag> bits;
    hn::LoadInterleaved4(PixelTag(), &samples->x, x.value, y.value, z.value, bits);
    colors = hn::BitCast(hn::Rebind<int, PixelTag>(), bits);
  }
};

/** \brief A register full of pixels that weighted samples are added to.
 * \tparam Sum as WeightedTask has it
 */
template <typename Sum>
class WeightedPixels
: public WeightedPixel<Lanes<PixelTag>, Levels<Lanes<PixelTag>>, Sum> {
  using Number = Lanes<PixelTag>;
  using Pixel = WeightedPixel<Number, Levels<Number>, Sum>;
  using Sample = typename Pixel::Sample;
  static constexpr bool is_centered = Pixel::is_centered;

  // Planes of samples: levels; guides, tangents and depths where the centre counts,
  // else points. Planes of pixels: references, then sums.
  enum { Guide = 3, TangentX = 6, TangentY, Depth, Point = 3 };
  enum { X = 3, Y, Z, PositionExponent, PixelTangent };
  static constexpr int reference_planes = is_centered ? 9 : 7;
  static constexpr int sum_planes = sizeof(Sum) / sizeof(float);

public:
  using Tag = PixelTag;
  using Task = WeightedTask<Sum>;
  static constexpr bool is_guided = is_centered;
  static constexpr int chunk_blocks =
      is_guided ? guided_chunk_blocks : device::chunk_blocks;
  static constexpr int sample_planes = is_centered ? 9 : 6;
  static constexpr int pixel_planes = reference_planes + sum_planes;

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor* guides,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const PointSamples those(samples);
    Levels<Number> levels = levelsOf(those.colors);
    levels.red = select(exists, levels.red, Number(-1.0f));
    setLevelPlanes(to, 0, levels);
    if constexpr (is_centered) {
      const hn::Rebind<int, Tag> int_tag;
      setLevelPlanes(
          to,
          Guide,
          levelsOf(hn::LoadU(int_tag, reinterpret_cast<const int*>(guides))));
      const auto tangent = tangentOf(those.x, those.y, those.z);
      setPlane(to, TangentX, tangent.x);
      setPlane(to, TangentY, tangent.y);
      setPlane(to, Depth, those.z);
    }
    else {
      static_cast<void>(guides);
      setPlane(to, Point, those.x);
      setPlane(to, Point + 1, those.y);
      setPlane(to, Point + 2, those.z);
    }
  }

  static void
  load(const Task& task, int column, int row, const Sum& sum, Planes<float> to)
  {
    const PixelReference reference = pixelReference(
        task.reference, task.gathering.view, task.exponents, column, row);
    const float numbers[] = {static_cast<float>(redOf(reference.color)),
                             static_cast<float>(greenOf(reference.color)),
                             static_cast<float>(blueOf(reference.color)),
                             reference.x,
                             reference.y,
                             reference.z,
                             reference.position_exponent,
                             reference.tangent.x,
                             reference.tangent.y};
    for (int i = 0; i < reference_planes; ++i)
      *to[i] = numbers[i];
    float sums[sum_planes];
    std::memcpy(sums, &sum, sizeof(sum));
    for (int i = 0; i < sum_planes; ++i)
      *to[reference_planes + i] = sums[i];
  }

  static void
  store(Planes<const float> from, Sum& sum)
  {
    float sums[sum_planes];
    for (int i = 0; i < sum_planes; ++i)
      sums[i] = *from[reference_planes + i];
    std::memcpy(&sum, sums, sizeof(sum));
  }

  HWY_INLINE
  explicit WeightedPixels(Planes<float> from)
  {
    this->color = levelPlanes(from, 0);
    this->x = planeOf(from, X);
    this->y = planeOf(from, Y);
    this->z = planeOf(from, Z);
    this->position_exponent = planeOf(from, PositionExponent);
    if constexpr (is_centered)
      this->tangent = {planeOf(from, PixelTangent), planeOf(from, PixelTangent + 1)};
    this->red = planeOf(from, reference_planes);
    this->green = planeOf(from, reference_planes + 1);
    this->blue = planeOf(from, reference_planes + 2);
    this->weight = planeOf(from, reference_planes + 3);
    if constexpr (is_centered) {
      this->depth = planeOf(from, reference_planes + 4);
      this->square = planeOf(from, reference_planes + 5);
    }
  }

  static HWY_INLINE Sample
  sampleOf(Planes<const float> sample)
  {
    Sample its;
    its.levels = levelPlanes(sample, 0);
    if constexpr (is_centered) {
      its.color = levelPlanes(sample, Guide);
      its.tangent = {planeOf(sample, TangentX), planeOf(sample, TangentY)};
      const Number depth = planeOf(sample, Depth);
      its.point = {its.tangent.x * depth, its.tangent.y * depth, depth};
    }
    else {
      its.color = its.levels;
      its.point = {planeOf(sample, Point),
                   planeOf(sample, Point + 1),
                   planeOf(sample, Point + 2)};
    }
    return its;
  }

  static HWY_INLINE auto
  exists(const Sample& sample)
  {
    return sample.levels.red >= 0.0f;
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    setPlane(to, reference_planes, this->red);
    setPlane(to, reference_planes + 1, this->green);
    setPlane(to, reference_planes + 2, this->blue);
    setPlane(to, reference_planes + 3, this->weight);
    if constexpr (is_centered) {
      setPlane(to, reference_planes + 4, this->depth);
      setPlane(to, reference_planes + 5, this->square);
    }
  }
};

/** \brief A register full of pixels whose samples' depths are sorted into layers. */
class LayeredPixels : public LayeredPixel<Lanes<PixelTag>> {
  using Number = Lanes<PixelTag>;
  enum { Depth, TangentX, TangentY };
  enum { PixelTangent, LayerDepth = 2, LayerWeight = LayerDepth + layer_count };

public:
  using Tag = PixelTag;
  using Task = LayerTask;
  static constexpr int chunk_blocks = device::chunk_blocks;
  static constexpr bool is_guided = false;
  static constexpr int sample_planes = 3;
  static constexpr int pixel_planes = LayerWeight + layer_count;

  static HWY_INLINE void
  completeSamples(const PointSample* samples,
                  const PackedColor*,
                  LaneMask<Tag> exists,
                  Planes<float> to)
  {
    const PointSamples those(samples);
    const auto tangent = tangentOf(those.x, those.y, those.z);
    setPlane(to, TangentX, tangent.x);
    setPlane(to, TangentY, tangent.y);
    // A sample that single precision has behind the camera counts, too.
    setPlane(to, Depth, select(exists, maximum(those.z, Number(0.0f)), Number(-1.0f)));
  }

  static void
  load(const Task& task, int column, int row, const LayerSum& sum, Planes<float> to)
  {
    const auto tangent = pixelTangent(task.gathering.view, column, row);
    *to[PixelTangent] = tangent.x;
    *to[PixelTangent + 1] = tangent.y;
    for (int k = 0; k < layer_count; ++k) {
      *to[LayerDepth + k] = sum.depths[k];
      *to[LayerWeight + k] = sum.weights[k];
    }
  }

  static void
  store(Planes<const float> from, LayerSum& sum)
  {
    for (int k = 0; k < layer_count; ++k) {
      sum.depths[k] = *from[LayerDepth + k];
      sum.weights[k] = *from[LayerWeight + k];
    }
  }

  HWY_INLINE
  explicit LayeredPixels(Planes<float> from)
  {
    tangent = {planeOf(from, PixelTangent), planeOf(from, PixelTangent + 1)};
    for (int k = 0; k < layer_count; ++k) {
      depths[k] = planeOf(from, LayerDepth + k);
      weights[k] = planeOf(from, LayerWeight + k);
    }
  }

  static HWY_INLINE Sample
  sampleOf(Planes<const float> sample)
  {
    return {{planeOf(sample, TangentX), planeOf(sample, TangentY)},
            planeOf(sample, Depth)};
  }

  static HWY_INLINE auto
  exists(const Sample& sample)
  {
    return sample.depth >= 0.0f;
  }

  HWY_INLINE void
  keep(Planes<float> to) const
  {
    for (int k = 0; k < layer_count; ++k) {
      setPlane(to, LayerDepth + k, depths[k]);
      setPlane(to, LayerWeight + k, weights[k]);
    }
  }
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
