// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief Numbers of every cell of a square picture, channel after channel. A border of
 * zeros one cell wide lies around the picture. Does not own its memory. */
struct FeatureMap {
  float* numbers;
  int size;     ///< of rows, and of columns
  int channels; ///< a multiple of 4

  /** \brief Returns the number of floats of a map. */
  static constexpr std::size_t
  floats(int size, int channels)
  {
    return static_cast<std::size_t>(size + 2) * (size + 2) * channels;
  }

  /** \brief Returns the numbers of a cell; -1 and size are on the border. */
  PCL_GPU_HOST_DEVICE float*
  at(int row, int column) const
  {
    return numbers + (static_cast<std::size_t>(row + 1) * (size + 2) + column + 1) *
                         static_cast<std::size_t>(channels);
  }
};

/** \brief A layer of a network: a convolution of 3x3 cells, or of one. */
struct Convolution {
  int inputs, outputs; ///< channels; multiples of 4 and of 16
  int width;           ///< 3 or 1 cells
  int stride;
  const float* weights; ///< rows, columns, inputs, outputs: the last runs fastest
  const float* biases;  ///< one an output
};

/** \brief Computation of the output of a layer. All arrays live on the device. */
struct ConvolutionTask {
  Convolution layer;
  FeatureMap input;  ///< its size is a multiple of the stride
  FeatureMap added;  ///< to the output before its activation; no numbers: nothing
  FeatureMap output; ///< its size is a multiple of 5; its border stays; may be \a added
  bool is_rectified; ///< numbers below 0 become 0
};

/** \brief Writes the channels of a map, and behind them those of another of half the
 * size: a call for each channel and cell. */
struct MergeMaps {
  FeatureMap fine, coarse, output;

  PCL_GPU_HOST_DEVICE void
  operator()(int channel, int cell) const
  {
    const int row = cell / fine.size, column = cell % fine.size;
    output.at(row, column)[channel] =
        channel < fine.channels
            ? fine.at(row, column)[channel]
            : coarse.at(row / 2, column / 2)[channel - fine.channels];
  }
};

namespace host {

void
convolve(const ConvolutionTask& task);

} // namespace host

namespace cuda {

void
convolve(const ConvolutionTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
