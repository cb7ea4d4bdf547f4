// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

namespace pcl::device {

/** \brief Arrays of tensors: see gpu::TensorSet. */
template <typename Frame, typename Start, typename Voxel, typename Area>
struct TensorArrays {
  Frame* frames;
  Start* starts;
  Voxel* voxels;
  Area* areas;
};

using InputTensors = TensorArrays<const gpu::TensorFrame,
                                  const std::uint32_t,
                                  const std::uint16_t,
                                  const float>;
using OutputTensors =
    TensorArrays<gpu::TensorFrame, std::uint32_t, std::uint16_t, float>;

/** \brief Turns a frame by half a turn about y. */
PCL_GPU_HOST_DEVICE gpu::TensorFrame
reversedFrame(const gpu::TensorFrame& frame)
{
  gpu::TensorFrame reversed = frame;
  for (int i = 0; i < 3; ++i) {
    reversed.x_axis[i] = -frame.x_axis[i];
    reversed.z_axis[i] = -frame.z_axis[i];
  }
  reversed.first = frame.second;
  reversed.second = frame.first;
  return reversed;
}

/** \brief Copies tensors, and those with reversed normals behind them. */
struct AppendReversed {
  InputTensors tensors;
  int count;
  int grid_size;
  OutputTensors both;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t t) const
  {
    const std::uint32_t entries = tensors.starts[count];
    const std::uint32_t begin = tensors.starts[t], end = tensors.starts[t + 1];
    both.frames[t] = tensors.frames[t];
    both.frames[count + t] = reversedFrame(tensors.frames[t]);
    both.starts[t + 1] = end;
    both.starts[count + t + 1] = entries + end;
    if (t == 0)
      both.starts[0] = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      both.voxels[i] = tensors.voxels[i];
      both.areas[i] = tensors.areas[i];
    }
    reverse(begin, end, entries + begin);
  }

private:
  /** \brief Writes entries in the order of the turned voxels: layers and the entries of
   * a row are reversed, rows are not. */
  PCL_GPU_HOST_DEVICE void
  reverse(std::uint32_t begin, std::uint32_t end, std::uint32_t to) const
  {
    const int n = grid_size;
    while (end > begin) {
      const int z = tensors.voxels[end - 1] / (n * n);
      std::uint32_t layer = end - 1;
      while (layer > begin && tensors.voxels[layer - 1] / (n * n) == z)
        --layer;
      for (std::uint32_t row = layer; row < end;) {
        const int y = tensors.voxels[row] / n % n;
        std::uint32_t row_end = row + 1;
        while (row_end < end && tensors.voxels[row_end] / n % n == y)
          ++row_end;
        for (std::uint32_t i = row_end; i-- > row; ++to) {
          const int x = tensors.voxels[i] % n;
          const int turned = ((n - 1 - z) * n + y) * n + n - 1 - x;
          both.voxels[to] = static_cast<std::uint16_t>(turned);
          both.areas[to] = tensors.areas[i];
        }
        row = row_end;
      }
      end = layer;
    }
  }
};

} // namespace pcl::device
