// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#undef PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#else
#define PCL_GPU_SCENESPACE_PIXEL_SUMS_INL_H
#endif

#include "gathering/projection-inl.h"
#include "gathering/sums/sums.h"

#include <type_traits>

// Adds samples to an output's pixels: one body for a CUDA thread, which has a
// pixel, and for the host's registers, which have as many neighbouring pixels as lanes.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A register full of colours. */
template <typename Number>
struct Levels {
  Number red, green, blue;
};

/** \brief The squared difference of two colours, levels^2: exact. */
template <typename Number>
PCL_GPU_ELEMENT Number
colorSquare(const Levels<Number>& a, const Levels<Number>& b)
{
  return squaredLength(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

#if defined(__CUDACC__)

/** \brief The squared difference of colours whose highest bytes are 0, levels^2:
 * exact. */
__device__ inline float
colorSquare(PackedColor a, PackedColor b)
{
  const unsigned int difference = __vabsdiffu4(a, b);
  return static_cast<float>(__dp4a(difference, difference, 0u));
}

#endif

/** \brief log2 of the weight of a sample: eq. (2) of Klose et al. 2015.
 * \param[in] color_square squared difference of colours, levels^2
 * \param[in] position_square squared difference of positions, metres^2
 * \param[in] color_exponent,position_exponent -log2(e) / (2 sigma^2)
 * \param[in] time_exponent log2 of the weight of the sample's frame
 */
template <typename Number>
PCL_GPU_ELEMENT Number
similarityExponent(Number color_square,
                   Number position_square,
                   Number color_exponent,
                   Number position_exponent,
                   Number time_exponent)
{
  return fusedMulAdd(color_exponent,
                     color_square,
                     fusedMulAdd(position_exponent, position_square, time_exponent));
}

/** \brief -log2(e) / (2 sigma^2) of positions, which samples in front of the reference
 * have one of their own of.
 * \param[in] depth of the sample
 * \param[in] reference_depth 0 where there is none
 */
template <typename Number>
PCL_GPU_ELEMENT Number
positionExponent(Number depth, Number reference_depth, Number behind, Number in_front)
{
  // Single precision has some samples at the camera behind it: no reference is no
  // reference.
  const auto is_in_front = reference_depth > maximum(depth, Number(0.0f));
  return select(is_in_front, in_front, behind);
}

/** \brief The direction that an output camera sees a point in: x / z and y / z. */
template <typename Number>
struct Tangent {
  Number x, y;
};

template <typename Number>
PCL_GPU_ELEMENT Tangent<Number>
tangentOf(Number x, Number y, Number z)
{
  // Points on the image plane get a direction that is no number, but finite.
  const Number inverse = Number(1.0f) / maximum(z, Number(1e-30f));
  return {x * inverse, y * inverse};
}

/** \brief log2 of the factor of a sample's weight by its distance from a pixel's
 * centre.
 * \param[in] x,y difference of the sample's tangent and that of the pixel
 * \param[in] exponents -log2(e) / (2 sigma^2), sigma in units of a focal length
 * \param[in] frame_exponent log2 of the weight of the sample's frame
 */
template <typename Number>
PCL_GPU_ELEMENT Number
tangentExponent(Number x,
                Number y,
                const WeightExponents& exponents,
                Number frame_exponent)
{
  return fusedMulAdd(Number(exponents.tangent_x),
                     x * x,
                     fusedMulAdd(Number(exponents.tangent_y), y * y, frame_exponent));
}

/** \brief Adds a sample to the layer that its depth belongs to, the first of them; to a
 * new one if there is none; or in place of the lightest one, if that weighs less.
 * \param[in,out] depths means of the layers' depths
 * \param[in,out] weights 0 where there is no layer yet
 * \param[in] depth,weight of the sample; of no influence if \a weight is 0
 * \param[in] tolerance of depths of a layer, as a part of the sample's
 */
template <typename Number>
PCL_GPU_ELEMENT void
addToLayers(Number (&depths)[layer_count],
            Number (&weights)[layer_count],
            Number depth,
            Number weight,
            Number tolerance)
{
  const Number zero(0.0f), span = depth * tolerance;
  Number left = weight;
  Number lightest = weights[0];
  for (int k = 0; k < layer_count; ++k) {
    lightest = minimum(lightest, weights[k]);
    const auto is_near =
        (absolute(depths[k] - depth) <= span) & (weights[k] > zero) & (left > zero);
    const Number sum = weights[k] + left;
    const Number mean = fusedMulAdd(depth - depths[k], left / sum, depths[k]);
    depths[k] = select(is_near, mean, depths[k]);
    weights[k] = select(is_near, sum, weights[k]);
    left = select(is_near, zero, left);
  }
  for (int k = 0; k < layer_count; ++k) {
    const auto is_taken = (weights[k] <= lightest) & (left > lightest);
    depths[k] = select(is_taken, depth, depths[k]);
    weights[k] = select(is_taken, left, weights[k]);
    left = select(is_taken, zero, left);
  }
}

/** \brief A pixel, or neighbouring ones, that samples are compared with and added to.
 * \tparam Color the form of compared colours: Levels, or PackedColor
 * \tparam Sum as WeightedTask has it
 */
template <typename Number, typename Color, typename Sum>
struct WeightedPixel {
  /** \brief True if distances from the pixel's centre count. */
  static constexpr bool is_centered = std::is_same<Sum, AverageSum>::value;

  struct Sample {
    Color color; ///< that is compared: of the guide, where there are guides
    Levels<Number> levels;
    ScenePoint<Number> point;
    Tangent<Number> tangent; ///< only where it counts
  };

  Color color;
  Number x, y, z;           ///< metres, in the output camera's frame
  Number position_exponent; ///< 0 where there is no depth
  Tangent<Number> tangent;
  Number red, green, blue, weight, depth, square; ///< as AverageSum has them

  /** \brief Adds a sample.
   * \param[in] task has the exponents
   * \param[in] frame_exponent log2 of the weight of the sample's frame
   * \param[in] exists which lanes have a sample; true for all
   */
  template <typename Task, typename Condition>
  PCL_GPU_ELEMENT void
  add(const Task& task, Number frame_exponent, const Sample& sample, Condition exists)
  {
    const WeightExponents& exponents = task.exponents;
    Number exponent = frame_exponent, its_position_exponent = position_exponent;
    if constexpr (is_centered) {
      exponent = tangentExponent(sample.tangent.x - tangent.x,
                                 sample.tangent.y - tangent.y,
                                 exponents,
                                 frame_exponent);
      its_position_exponent = positionExponent(
          sample.point.z, z, position_exponent, Number(exponents.position_in_front));
    }
    const Number similarity = powerOfTwo(similarityExponent(
        colorSquare(color, sample.color),
        squaredLength(x - sample.point.x, y - sample.point.y, z - sample.point.z),
        Number(exponents.color),
        its_position_exponent,
        exponent));
    const Number its_weight = select(exists, similarity, Number(0.0f));
    weight = weight + its_weight;
    red = fusedMulAdd(its_weight, sample.levels.red, red);
    green = fusedMulAdd(its_weight, sample.levels.green, green);
    blue = fusedMulAdd(its_weight, sample.levels.blue, blue);
    if constexpr (is_centered) {
      depth = fusedMulAdd(its_weight, sample.point.z, depth);
      square = fusedMulAdd(its_weight, its_weight, square);
    }
  }
};

/** \brief A pixel, or neighbouring ones, whose samples' depths are sorted into
 * layers. */
template <typename Number>
struct LayeredPixel {
  struct Sample {
    Tangent<Number> tangent;
    Number depth;
  };

  Tangent<Number> tangent;
  Number depths[layer_count], weights[layer_count];

  /** \brief Adds a sample. See WeightedPixel::add(). */
  template <typename Condition>
  PCL_GPU_ELEMENT void
  add(const LayerTask& task,
      Number frame_exponent,
      const Sample& sample,
      Condition exists)
  {
    const Number weight = powerOfTwo(tangentExponent(sample.tangent.x - tangent.x,
                                                     sample.tangent.y - tangent.y,
                                                     task.exponents,
                                                     frame_exponent));
    addToLayers(depths,
                weights,
                sample.depth,
                select(exists, weight, Number(0.0f)),
                Number(task.tolerance));
  }
};

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
