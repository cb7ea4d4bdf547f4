// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_SCENESPACE_SIMILARITY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_SCENESPACE_SIMILARITY_INL_H
#undef PCL_GPU_SCENESPACE_SIMILARITY_INL_H
#else
#define PCL_GPU_SCENESPACE_SIMILARITY_INL_H
#endif

#include "gathering/gathering.h"
#include "gathering/projection-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

#if defined(__CUDACC__)

PCL_GPU_ELEMENT float
withExponentOf(float number, float shifted)
{
#if defined(__CUDA_ARCH__)
  return __int_as_float(__float_as_int(number) + (__float_as_int(shifted) << 23));
#else
  return number * exp2f(shifted - 12582912.0f);
#endif
}

#else

template <typename Tag>
HWY_INLINE Lanes<Tag>
withExponentOf(Lanes<Tag> number, Lanes<Tag> shifted)
{
  const hn::Rebind<int, Tag> int_tag;
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(int_tag, shifted.value));
  return {hn::BitCast(Tag(), hn::Add(hn::BitCast(int_tag, number.value), exponent))};
}

#endif

/** \brief 2^a for a <= 0, within 4e-6, relative, and 1 for 0; below 2^-126 no more than
 * that. The same bits on every device. */
template <typename Number>
PCL_GPU_ELEMENT Number
powerOfTwo(Number a)
{
  // Adding and subtracting 1.5 * 2^23 rounds to a whole number, which is then found in the
  // lowest bits of the sum.
  const Number shifter(12582912.0f);
  const Number clamped = maximum(a, Number(-126.0f));
  const Number shifted = clamped + shifter;
  const Number x = clamped - (shifted - shifter);
  // Minimax polynomial of 2^x on [-1/2, 1/2] that is 1 at 0.
  Number p = fusedMulAdd(x, Number(9.78291221e-3f), Number(5.59768826e-2f));
  p = fusedMulAdd(x, p, Number(2.40207106e-1f));
  p = fusedMulAdd(x, p, Number(6.93113625e-1f));
  p = fusedMulAdd(x, p, Number(1.0f));
  return withExponentOf(p, shifted);
}

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

/** \brief -log2(e) / (2 sigma^2) of positions, which samples in front of the reference have
 * one of their own of.
 * \param[in] depth of the sample
 * \param[in] reference_depth 0 where there is none
 */
template <typename Number>
PCL_GPU_ELEMENT Number
positionExponent(Number depth, Number reference_depth, Number behind, Number in_front)
{
  // Single precision has some samples at the camera behind it: no reference is no reference.
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

/** \brief log2 of what distance from a pixel's centre leaves of a sample's weight.
 * \param[in] x,y difference of the sample's tangent and that of the pixel
 * \param[in] exponents -log2(e) / (2 sigma^2), sigma in units of a focal length
 * \param[in] frame_exponent log2 of the weight of the sample's frame
 */
template <typename Number>
PCL_GPU_ELEMENT Number
tangentExponent(Number x,
                Number y,
                const AverageExponents& exponents,
                Number frame_exponent)
{
  return fusedMulAdd(Number(exponents.tangent_x),
                     x * x,
                     fusedMulAdd(Number(exponents.tangent_y), y * y, frame_exponent));
}

/** \brief Adds a sample to the layer that its depth belongs to, the first of them; to a new
 * one if there is none; or in place of the lightest one, if that weighs less.
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

template <typename Number>
PCL_GPU_ELEMENT Number
squaredLength(Number x, Number y, Number z)
{
  return fusedMulAdd(x, x, fusedMulAdd(y, y, z * z));
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
