// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sums/cuda_pixel_sum.cuh"

namespace pcl::device {

/** \brief What weights of a frame's samples have in common. */
struct FrameWeight {
  float exponent = 0.0f;

  FrameWeight() = default;

  template <typename Task>
  __device__
  FrameWeight(const Task&, const Frame& frame)
  : exponent(frame.weight_exponent)
  {}
};

/** \brief The average of samples that a pixel sees, and what it compares them with. */
class PixelAverage {
public:
  using Task = AverageTask;
  static constexpr bool is_guided = true;
  static constexpr int chunk_blocks = guided_chunk_blocks;

  struct Memory {
    PackedColor guides[chunk_blocks * block_pixels]; ///< by slots
  };

  struct Sample {
    Tangent<float> tangent;
    float x, y, z;
    PackedColor guide;
    float red, green, blue;

    __device__
    Sample(const Memory& memory, int slot, const float4& sample)
    : tangent{sample.x, sample.y}
    , x(sample.x * sample.z)
    , y(sample.y * sample.z)
    , z(sample.z)
    , guide(memory.guides[slot])
    {
      const PackedColor color = __float_as_uint(sample.w);
      red = levelOf<2>(color);
      green = levelOf<1>(color);
      blue = levelOf<0>(color);
    }
  };

  using FrameValues = FrameWeight;

  static __device__ float4
  makeSample(Memory& memory,
             int slot,
             const ScenePoint<float>& point,
             PackedColor color,
             PackedColor guide)
  {
    const Tangent<float> tangent = tangentOf(point.x, point.y, point.z);
    memory.guides[slot] = guide & color_bits;
    return {tangent.x, tangent.y, point.z, __uint_as_float(color)};
  }

  __device__ void
  load(const Task& task, int column, int row, const AverageSum& sum)
  {
    reference_ = averageReference(
        task.reference, task.gathering.view, task.exponents, column, row);
    reference_.color &= color_bits;
    sum_ = sum;
  }

  __device__ void
  add(const Task& task, const FrameValues& frame, const Sample& sample)
  {
    const float weight = powerOfTwo(similarityExponent(
        colorSquare(sample.guide, reference_.color),
        squaredLength(
            reference_.x - sample.x, reference_.y - sample.y, reference_.z - sample.z),
        task.exponents.color,
        positionExponent(sample.z,
                         reference_.z,
                         reference_.position_exponent,
                         task.exponents.position_in_front),
        tangentExponent(sample.tangent.x - reference_.tangent_x,
                        sample.tangent.y - reference_.tangent_y,
                        task.exponents,
                        frame.exponent)));
    sum_.weight += weight;
    sum_.red = fmaf(weight, sample.red, sum_.red);
    sum_.green = fmaf(weight, sample.green, sum_.green);
    sum_.blue = fmaf(weight, sample.blue, sum_.blue);
    sum_.depth = fmaf(weight, sample.z, sum_.depth);
    sum_.square = fmaf(weight, weight, sum_.square);
  }

  __device__ const AverageSum&
  sum() const
  {
    return sum_;
  }

private:
  AverageReference reference_ = {};
  AverageSum sum_ = {};
};

/** \brief The layers of depths that a pixel sees. */
class PixelLayers {
public:
  using Task = LayerTask;
  static constexpr bool is_guided = false;
  static constexpr int chunk_blocks = device::chunk_blocks;

  struct Memory {};

  struct Sample {
    Tangent<float> tangent;
    float depth;

    __device__
    Sample(const Memory&, int, const float4& sample)
    : tangent{sample.x, sample.y}
    , depth(sample.z)
    {}
  };

  using FrameValues = FrameWeight;

  static __device__ float4
  makeSample(Memory&, int, const ScenePoint<float>& point, PackedColor, PackedColor)
  {
    const Tangent<float> tangent = tangentOf(point.x, point.y, point.z);
    // One that single precision has behind the camera is there, too.
    return {tangent.x, tangent.y, fmaxf(point.z, 0.0f), 0.0f};
  }

  __device__ void
  load(const Task& task, int column, int row, const LayerSum& sum)
  {
    tangent_ = pixelTangent(task.gathering.view, column, row);
    sum_ = sum;
  }

  __device__ void
  add(const Task& task, const FrameValues& frame, const Sample& sample)
  {
    const float weight = powerOfTwo(tangentExponent(sample.tangent.x - tangent_.x,
                                                    sample.tangent.y - tangent_.y,
                                                    task.exponents,
                                                    frame.exponent));
    addToLayers(sum_.depths, sum_.weights, sample.depth, weight, task.tolerance);
  }

  __device__ const LayerSum&
  sum() const
  {
    return sum_;
  }

private:
  PixelTangent tangent_ = {};
  LayerSum sum_ = {};
};

} // namespace pcl::device
