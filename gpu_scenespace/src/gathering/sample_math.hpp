// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"

#include <cmath>

namespace pcl::device {

/** \brief log2 of the weight that a frame's samples have for its time. */
PCL_GPU_HOST_DEVICE float
timeExponent(const SimilarityExponents& exponents, float time)
{
  const float difference = time - exponents.reference_time;
  return exponents.time * (difference * difference);
}

constexpr PackedColor color_bits = 0xffffffu;

/** \brief A colour's component: rounded, ties upwards. */
PCL_GPU_HOST_DEVICE PackedColor
roundedLevel(float level)
{
  return static_cast<PackedColor>(std::floor(level + 0.5f));
}

/** \brief What samples must weigh for their sum to count: below, powerOfTwo() no longer tells
 * them apart. */
constexpr float least_weight = 7.8886091e-31f; // 2^-100

/** \brief Divides a sum by its weight.
 * \param[in] reference the colour where there is next to no weight
 */
PCL_GPU_HOST_DEVICE PackedColor
divided(const ColorSum& sum, PackedColor reference)
{
  if (!(sum.weight > least_weight))
    return reference;
  return roundedLevel(sum.blue / sum.weight) |
         roundedLevel(sum.green / sum.weight) << 8 |
         roundedLevel(sum.red / sum.weight) << 16 | 0xff000000u;
}

/** \brief Writes a pixel of the output. */
struct DividePixel {
  const ColorSum* sums;
  ReferenceImages reference;
  int columns;
  PackedColor* output;
  int output_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    output[line * output_stride + column] =
        divided(sums[line * columns + column],
                reference.color[line * reference.color_stride + column]);
  }
};

/** \brief What an output pixel's samples are compared with. */
struct Reference {
  PackedColor color;
  float x, y, z;           ///< metres, in the output camera's frame
  float position_exponent; ///< 0 where there is no depth
};

PCL_GPU_HOST_DEVICE Reference
referenceOf(const ReferenceImages& images,
            const ViewGeometry& view,
            const SimilarityExponents& exponents,
            int column,
            int row)
{
  Reference reference{};
  reference.color =
      images.color[static_cast<std::size_t>(row) * images.color_stride + column];
  const float depth =
      images.depth[static_cast<std::size_t>(row) * images.depth_stride + column];
  if (isDepth(depth)) {
    reference.x = depth * ((column - view.cx) / view.fx);
    reference.y = depth * ((row - view.cy) / view.fy);
    reference.z = depth;
    reference.position_exponent = exponents.position;
  }
  return reference;
}

/** \brief The direction that a pixel of the output looks in: x / z and y / z. */
struct PixelTangent {
  float x, y;
};

PCL_GPU_HOST_DEVICE PixelTangent
pixelTangent(const ViewGeometry& view, int column, int row)
{
  return {(column - view.cx) / view.fx, (row - view.cy) / view.fy};
}

/** \brief What an output pixel's samples are compared with, where its centre counts, too. */
struct AverageReference {
  PackedColor color;
  float x, y, z;              ///< metres, in the output camera's frame
  float position_exponent;    ///< 0 where there is no depth
  float tangent_x, tangent_y; ///< of the pixel
};

/** \param[in] images null where colour or depth are not compared */
PCL_GPU_HOST_DEVICE AverageReference
averageReference(const ReferenceImages& images,
                 const ViewGeometry& view,
                 const AverageExponents& exponents,
                 int column,
                 int row)
{
  AverageReference reference{};
  const PixelTangent tangent = pixelTangent(view, column, row);
  reference.tangent_x = tangent.x;
  reference.tangent_y = tangent.y;
  if (images.color)
    reference.color =
        images.color[static_cast<std::size_t>(row) * images.color_stride + column];
  const float depth =
      images.depth
          ? images.depth[static_cast<std::size_t>(row) * images.depth_stride + column]
          : 0.0f;
  if (isDepth(depth)) {
    reference.x = depth * tangent.x;
    reference.y = depth * tangent.y;
    reference.z = depth;
    reference.position_exponent = exponents.position;
  }
  return reference;
}

/** \brief Writes a pixel of the images that an average has. */
struct DivideAverage {
  const AverageSum* sums;
  int columns;
  PackedColor* color;       ///< transparent where there are no samples
  const PackedColor* other; ///< colour there; null: black
  float* depth;             ///< metres; NaN where there are no samples
  float* variance;          ///< noise_variance where there is next to no weight
  float noise_variance;     ///< of samples, levels^2
  int color_stride, other_stride, depth_stride, variance_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    const AverageSum& sum = sums[line * columns + column];
    const bool is_seen = sum.weight > least_weight;
    // Squares of weights vanish long before the weights do.
    const bool has_square = sum.square > 1e-36f;
    PackedColor packed = other ? other[line * other_stride + column] & color_bits : 0u;
    if (is_seen)
      packed = divided({sum.red, sum.green, sum.blue, sum.weight}, 0u);
    color[line * color_stride + column] = packed;
    depth[line * depth_stride + column] = is_seen ? sum.depth / sum.weight : NAN;
    variance[line * variance_stride + column] =
        noise_variance * (has_square ? sum.square / sum.weight / sum.weight : 1.0f);
  }
};

/** \brief Writes the depth of a pixel's nearest layer that enough speaks for, or of the one
 * that most speaks for. */
struct ChooseLayer {
  const LayerSum* sums;
  int columns;
  float least_weight;  ///< that a layer must have
  float least_support; ///< likewise, as a part of the weight of all layers
  bool is_heaviest;    ///< whether the heaviest layer is wanted, not the nearest
  float* depth;        ///< metres; NaN where there is none
  int depth_stride;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row;
    const LayerSum& layers = sums[line * columns + column];
    float total = 0.0f;
    for (int k = 0; k < layer_count; ++k)
      total += layers.weights[k];
    float chosen = NAN, chosen_weight = 0.0f;
    for (int k = 0; k < layer_count; ++k) {
      const float weight = layers.weights[k];
      const bool has_support =
          weight >= least_weight && weight >= least_support * total && weight > 0.0f;
      const bool is_better =
          is_heaviest ? weight > chosen_weight : !(chosen <= layers.depths[k]);
      if (has_support && is_better) {
        chosen = layers.depths[k];
        chosen_weight = weight;
      }
    }
    depth[line * depth_stride + column] = chosen;
  }
};

/** \brief Where a block's first pixel is. */
struct BlockPlace {
  int column, row;
};

PCL_GPU_HOST_DEVICE BlockPlace
placeOfBlock(const FrameImages& images, int block)
{
  const int group = block / group_blocks, in_group = block % group_blocks,
            groups_across = images.groupsAcross();
  return {images.first_column + group % groups_across * group_columns +
              in_group % group_block_columns * block_columns,
          images.first_row + group / groups_across * group_rows +
              in_group / group_block_columns * block_rows};
}

constexpr DepthRange no_depths = {3.402823466e38f, 0.0f};

constexpr TileRange no_tiles = {0, 0, -1, -1};

/** \brief A range of whole numbers, none of them large. */
template <typename Number>
PCL_GPU_HOST_DEVICE TileRange
tileRange(Number x0, Number y0, Number x1, Number y1)
{
  if (x0 > x1 || y0 > y1)
    return no_tiles;
  return {static_cast<std::int16_t>(x0),
          static_cast<std::int16_t>(y0),
          static_cast<std::int16_t>(x1),
          static_cast<std::int16_t>(y1)};
}

PCL_GPU_HOST_DEVICE bool
isEmpty(const TileRange& range)
{
  return range.x0 > range.x1;
}

/** \brief A sample as sets have it. */
struct StoredSample {
  std::uint32_t position; ///< row << 16 | column
  float depth;
  PackedColor color; ///< the highest byte does not matter
  int frame;
};

/** \brief A colour as sets have it. */
PCL_GPU_HOST_DEVICE std::uint32_t
storedColor(PackedColor color, std::uint32_t frame)
{
  return (color & color_bits) | frame << 24;
}

PCL_GPU_HOST_DEVICE void
storeSample(const SampleStore& store,
            std::size_t pixel,
            std::uint32_t number,
            const StoredSample& sample)
{
  const std::size_t place = store.place(pixel, number);
  const std::uint32_t frame = sample.frame;
  store.positions[place] = sample.position;
  store.depths[place] = sample.depth;
  store.colors[place] = storedColor(sample.color, frame);
  store.frame_high_bytes[place] = static_cast<std::uint8_t>(frame >> 8);
}

PCL_GPU_HOST_DEVICE StoredSample
loadSample(const SampleStore& store, std::size_t pixel, std::uint32_t number)
{
  const std::size_t place = store.place(pixel, number);
  const std::uint32_t color = store.colors[place];
  const int frame = static_cast<int>(color >> 24 | store.frame_high_bytes[place] << 8);
  return {store.positions[place], store.depths[place], color & color_bits, frame};
}

/** \brief Where the next sample of a pixel goes. A frame whose samples have not all room is
 * left out with all later ones. */
struct SetEnd {
  std::uint32_t count; ///< as SampleStore has it
  std::uint32_t count_before_frame;

  PCL_GPU_HOST_DEVICE void
  beginFrame()
  {
    count_before_frame = count;
  }

  /** \brief Whether there is room for more samples of the frame. */
  PCL_GPU_HOST_DEVICE bool
  hasRoom(std::uint32_t samples, std::uint32_t capacity)
  {
    if (count & is_full)
      return false;
    if (samples <= capacity - count)
      return true;
    count = count_before_frame | is_full;
    return false;
  }
};

} // namespace pcl::device
