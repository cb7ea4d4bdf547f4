// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/cuda_tile_samples.cuh"

namespace pcl::device {

/** \brief A strip of pixels for each thread, which samples are added to.
 * \tparam Pixel has what a pixel sums up, and these types: Task; Memory, shared by the block of
 * threads; Sample, what its pixels are given of a sample; FrameValues, alike for all samples
 * of a frame
 */
template <int Footprint, typename Pixel>
class StripPixels {
public:
  using Task = typename Pixel::Task;
  using Memory = typename Pixel::Memory;
  static constexpr bool is_guided = Pixel::is_guided;
  static constexpr int chunk_blocks = Pixel::chunk_blocks;
  /** \brief Pixels of a thread: samples that several of them see are read once. */
  static constexpr int strip_rows = 2;
  using Samples = TileSampler<Footprint, chunk_blocks, strip_rows, float4>;

  __device__
  StripPixels(const Task& task, Memory& memory, int tile_x, int tile_y)
  : task_(task)
  , memory_(memory)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size * strip_rows)
  {
    const ViewGeometry& view = task.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        pixels_[k].load(task, column_, row_ + k, task.sums[outputPlace(k)]);
  }

  __device__ float4
  makeSample(int slot,
             const ScenePoint<float>& point,
             unsigned int,
             float,
             PackedColor color,
             PackedColor guide)
  {
    return Pixel::makeSample(memory_, slot, point, color & color_bits, guide);
  }

  __device__ void
  beginFrame(const Frame& frame)
  {
    frame_ = typename Pixel::FrameValues(task_, frame);
  }

  /** \brief Adds samples row by row of cells: those that all pixels of the strip see are read
   * once. */
  __device__ void
  add(const Frame&, const Samples& samples)
  {
    const int width = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp() * strip_rows * cells + samples.lane();
#pragma unroll
    for (int i = 0; i < strip_rows + (Footprint == 0 ? max_footprint : Footprint) - 1;
         ++i) {
      if (Footprint == 0 && i >= strip_rows + width - 1)
        break;
      const int cell = first_cell + i * cells;
      samples.forEach(samples.startOffset(cell),
                      samples.startOffset(cell + width),
                      [&](int slot, const float4& made) {
                        const typename Pixel::Sample sample(memory_, slot, made);
#pragma unroll
                        for (int k = 0; k < strip_rows; ++k)
                          if (i - k >= 0 && i - k < width)
                            pixels_[k].add(task_, frame_, sample);
                      });
    }
  }

  __device__ void
  write() const
  {
    const ViewGeometry& view = task_.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        task_.sums[outputPlace(k)] = pixels_[k].sum();
  }

private:
  __device__ std::size_t
  outputPlace(int k) const
  {
    return static_cast<std::size_t>(row_ + k) * task_.gathering.view.columns + column_;
  }

  const Task& task_;
  Memory& memory_;
  int column_, row_;
  typename Pixel::FrameValues frame_;
  Pixel pixels_[strip_rows];
};

} // namespace pcl::device
