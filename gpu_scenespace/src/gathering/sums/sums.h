// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"
#include "gathering/sets/sets.h"

// Sums of the samples that an output's pixels see, to which frames are added part by
// part.

namespace pcl::device {

/** \brief Deviations as exponential2() wants them: -log2(e) / (2 sigma^2). */
struct WeightExponents {
  float color;
  float position, position_in_front; ///< of samples behind the reference and before it
  /** \brief Of the distance from the pixel's centre, in units of a focal length. */
  float tangent_x, tangent_y;
};

/** \brief Sums of a pixel's samples: weighted colours and depths, weights, squared
 * weights. */
template <typename Number>
struct alignas(8) alignas(Number) AverageSums {
  Number red, green, blue, weight, depth, square;
};

using AverageSum = AverageSums<float>;

/** \brief Sums of samples by weights.
 * \tparam Sum ColorSum for the weights of eq. (2) of Klose et al. 2015; AverageSum
 * where the distance from the pixel's centre counts, too, and colours are compared by
 * guides
 */
template <typename Sum>
struct WeightedSums {
  /** \brief Images of the output's size, which samples are compared with; null where
   * colours or positions are not. */
  Picture reference;
  WeightExponents exponents;
  Sum* sums; ///< pixel by pixel without gaps; begin at 0 or go on
};

/** \brief Sums the samples that are gathered. */
template <typename Sum>
struct WeightedTask : WeightedSums<Sum> {
  GatheringTask gathering;
};

using SumTask = WeightedTask<ColorSum>;
using AverageTask = WeightedTask<AverageSum>;

/** \brief Depths that a pixel may have, and the support of each. */
constexpr int layer_count = 4;
template <typename Number>
struct alignas(16) alignas(Number) LayerSums {
  Number depths[layer_count]; ///< metres; means of their samples
  Number weights[layer_count];
};

using LayerSum = LayerSums<float>;

/** \brief Sorts samples' depths into layers. */
struct LayerTask {
  GatheringTask gathering;
  WeightExponents exponents; ///< of tangents alone
  float tolerance; ///< largest distance of samples of a layer, as a part of their depth
  LayerSum* sums;
};

/** \brief The part of a FrameProjection that stored samples need: an odd number of
 * words, so that threads that look up different frames find them in different banks. */
struct StoredProjection : PointProjection {
  float weight_exponent; ///< log2 of a factor of its samples' weights
};
static_assert(sizeof(StoredProjection) % 8 == 4, "an odd number of words");

/** \brief A weighted sum of stored samples. */
struct StoredSumTask : WeightedSums<ColorSum> {
  SampleStore store;
  ViewGeometry view;
  /** \brief Of the frames that samples are of, by their numbers less first_number. */
  const StoredProjection* frames;
  int first_number;
  int frame_count; ///< entries of frames
};

/** \brief Writes a pixel of a part of the output. */
struct DividePixel {
  const ColorSum* sums;
  int columns, first_column, first_row;   ///< of the part
  PtrStep<const PackedColor> other_color; ///< where there is next to no weight
  PtrStep<PackedColor> output;

  /** \param[in] column,row counted from the part's first pixel */
  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const int x = first_column + column, y = first_row + row;
    rowOf(output, y)[x] = divided(
        sums[static_cast<std::size_t>(row) * columns + column], other_color.ptr(y)[x]);
  }
};

/** \brief Writes a pixel of the images that an average has. */
struct DivideAverage {
  const AverageSum* sums;
  int columns;
  PtrStep<const PackedColor> other; ///< colour where there are no samples; null: black
  float noise_variance;             ///< of samples, levels^2
  /** \brief Transparent and without depth where there are no samples; of noise_variance
   * where there is next to no weight. */
  PictureOutput output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const AverageSum& sum = sums[static_cast<std::size_t>(row) * columns + column];
    const bool is_seen = sum.weight > least_weight;
    // Squares of weights vanish long before the weights do.
    const bool has_square = sum.square > 1e-36f;
    PackedColor packed = other.data ? other.ptr(row)[column] & color_bits : 0u;
    if (is_seen)
      packed = divided({sum.red, sum.green, sum.blue, sum.weight}, 0u);
    output.write(column,
                 row,
                 packed,
                 is_seen ? sum.depth / sum.weight : NAN,
                 noise_variance *
                     (has_square ? sum.square / sum.weight / sum.weight : 1.0f));
  }
};

/** \brief Writes the depth of a pixel's nearest layer that enough speaks for, or of the
 * one that most speaks for. */
struct ChooseLayer {
  const LayerSum* sums;
  int columns;
  float least_weight;   ///< that a layer must have
  float least_support;  ///< the same, as a part of the weight of all layers
  bool is_heaviest;     ///< whether the heaviest layer is wanted, not the nearest
  PtrStep<float> depth; ///< metres; NaN where there is none

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const LayerSum& layers = sums[static_cast<std::size_t>(row) * columns + column];
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
    rowOf(depth, row)[column] = chosen;
  }
};

namespace host {

void
addSamples(const SumTask& task);

void
addToAverages(const AverageTask& task);

void
addToLayers(const LayerTask& task);

/** \brief Sums as addSamples() does, bit for bit. */
void
sumStoredSamples(const StoredSumTask& task);

} // namespace host

namespace cuda {

void
addSamples(const SumTask& task, CUstream_st* stream);

void
addToAverages(const AverageTask& task, CUstream_st* stream);

void
addToLayers(const LayerTask& task, CUstream_st* stream);

void
sumStoredSamples(const StoredSumTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
