// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sample_math.hpp"
#include "gathering/sums/similarity-inl.h"

namespace pcl::device {

/** \brief A byte of a colour, lowest first, as a number: 2^23 and the byte, less 2^23. */
template <int Byte>
__device__ float
levelOf(PackedColor color)
{
  constexpr unsigned int shifter = 0x4b000000u;
  return __uint_as_float(__byte_perm(color, shifter, 0x7440 + Byte)) -
         __uint_as_float(shifter);
}

/** \brief The squared difference of colours whose highest bytes are 0: exact. */
__device__ inline float
colorSquare(PackedColor a, PackedColor b)
{
  const unsigned int difference = __vabsdiffu4(a, b);
  return static_cast<float>(__dp4a(difference, difference, 0u));
}

/** \brief The weighted sum of samples that a pixel sees, by eq. (2), and what it compares them
 * with. */
class PixelSum {
public:
  using Task = SumTask;
  static constexpr bool is_guided = false;
  static constexpr int chunk_blocks = device::chunk_blocks;

  struct Memory {};

  struct Sample {
    float x, y, z;
    PackedColor color;
    float red, green, blue;

    __device__
    Sample(const Memory&, int, const float4& sample)
    : x(sample.x)
    , y(sample.y)
    , z(sample.z)
    {
      color = __float_as_uint(sample.w);
      red = levelOf<2>(color);
      green = levelOf<1>(color);
      blue = levelOf<0>(color);
    }
  };

  struct FrameValues {
    float color_exponent = 0.0f, time_exponent = 0.0f;

    FrameValues() = default;

    __device__
    FrameValues(const Task& task, const Frame& frame)
    : color_exponent(task.exponents.color)
    , time_exponent(timeExponent(task.exponents, frame.projection.time))
    {}
  };

  static __device__ float4
  makeSample(
      Memory&, int, const ScenePoint<float>& point, PackedColor color, PackedColor)
  {
    return {point.x, point.y, point.z, __uint_as_float(color)};
  }

  __device__ void
  load(const Task& task, int column, int row, const ColorSum& sum)
  {
    load(referenceOf(task.reference, task.gathering.view, task.exponents, column, row),
         sum);
  }

  __device__ void
  load(const Reference& reference, const ColorSum& sum)
  {
    reference_ = reference;
    reference_.color &= color_bits;
    sum_ = sum;
  }

  __device__ void
  add(const Task&, const FrameValues& frame, const Sample& sample)
  {
    add(frame, sample);
  }

  __device__ void
  add(const FrameValues& frame, const Sample& sample)
  {
    // All products of differences fit into an integer and into a float.
    const float weight = powerOfTwo(similarityExponent(
        colorSquare(sample.color, reference_.color),
        squaredLength(
            reference_.x - sample.x, reference_.y - sample.y, reference_.z - sample.z),
        frame.color_exponent,
        reference_.position_exponent,
        frame.time_exponent));
    sum_.weight += weight;
    sum_.red = fmaf(weight, sample.red, sum_.red);
    sum_.green = fmaf(weight, sample.green, sum_.green);
    sum_.blue = fmaf(weight, sample.blue, sum_.blue);
  }

  __device__ const ColorSum&
  sum() const
  {
    return sum_;
  }

private:
  Reference reference_ = {};
  ColorSum sum_ = {};
};

} // namespace pcl::device
