// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_pixel_sum.cuh"
#include "cuda_tile_samples.cuh"

namespace pcl {
namespace device {

/** \brief A byte of a colour, lowest first, as a number: 2^23 and the byte, less 2^23. */
template <int Byte>
__device__ float
levelOf(PackedColor color)
{
  constexpr unsigned int shifter = 0x4b000000u;
  return __uint_as_float(__byte_perm(color, shifter, 0x7440 + Byte)) -
         __uint_as_float(shifter);
}

/** \brief Sums of a strip of pixels for each thread. */
template <int Footprint>
class StripSums {
public:
  static constexpr int footprint = Footprint;

  struct Memory {};

  static __device__ float4
  makeSample(const ScenePoint<float>& point, unsigned int, float, PackedColor color)
  {
    return {point.x, point.y, point.z, __uint_as_float(color & color_bits)};
  }

  __device__
  StripSums(const SumTask& task, Memory&, int tile_x, int tile_y)
  : task_(task)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size * strip_rows)
  {
    const ViewGeometry& view = task.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k) {
      pixels_[k] = {};
      if (column_ < view.columns && row_ + k < view.rows) {
        pixels_[k].reference =
            referenceOf(task.reference, view, task.exponents, column_, row_ + k);
        pixels_[k].reference.color &= color_bits;
        pixels_[k].sum = task.sums[outputPlace(k)];
      }
    }
  }

  __device__ void
  beginFrame(const Frame& frame)
  {
    time_exponent_ = timeExponent(task_.exponents, frame.projection.time);
  }

  /** \brief Adds samples row by row of cells: those that all pixels of the strip see are read
   * once. */
  __device__ void
  add(const Frame&, const TileSampler<Footprint>& samples)
  {
    const int width = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp() * strip_rows * cells + samples.lane();
#pragma unroll
    for (int i = 0; i < strip_rows + (Footprint == 0 ? max_footprint : Footprint) - 1;
         ++i) {
      if (Footprint == 0 && i >= strip_rows + width - 1)
        break;
      const int begin = samples.start(first_cell + i * cells);
      const int end = samples.start(first_cell + i * cells + width);
#pragma unroll 1
      for (int place = begin; place < end; ++place) {
        const float4 sample = samples.sample(place);
        const PackedColor color = __float_as_uint(sample.w);
        const float blue = levelOf<0>(color), green = levelOf<1>(color),
                    red = levelOf<2>(color);
#pragma unroll
        for (int k = 0; k < strip_rows; ++k)
          if (i - k >= 0 && i - k < width)
            pixels_[k].add(
                sample, color, red, green, blue, task_.exponents.color, time_exponent_);
      }
    }
  }

  __device__ void
  write() const
  {
    const ViewGeometry& view = task_.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        task_.sums[outputPlace(k)] = pixels_[k].sum;
  }

private:
  __device__ std::size_t
  outputPlace(int k) const
  {
    return static_cast<std::size_t>(row_ + k) * task_.gathering.view.columns + column_;
  }

  const SumTask& task_;
  int column_, row_;
  float time_exponent_ = 0.0f;
  PixelSum pixels_[strip_rows];
};

} // namespace device
} // namespace pcl
