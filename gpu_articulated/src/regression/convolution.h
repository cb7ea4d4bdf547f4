// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <vector>

namespace pcl::device {

/** \brief Numbers of every cell of a picture, channel after channel. A border of zeros
 * one cell wide lies around the picture. */
class FeatureMap {
public:
  FeatureMap(int size, int channels)
  : size_(size)
  , channels_(channels)
  , numbers_(static_cast<std::size_t>(size + 2) * (size + 2) * channels, 0.0f)
  {}

  /** \brief Returns the number of rows, which is that of columns. */
  int
  size() const
  {
    return size_;
  }

  int
  channels() const
  {
    return channels_;
  }

  /** \brief Returns the numbers of a cell; -1 and size() are on the border. */
  float*
  at(int row, int column)
  {
    return numbers_.data() + offset(row, column);
  }

  const float*
  at(int row, int column) const
  {
    return numbers_.data() + offset(row, column);
  }

private:
  std::size_t
  offset(int row, int column) const
  {
    return (static_cast<std::size_t>(row + 1) * (size_ + 2) + column + 1) * channels_;
  }

  int size_, channels_;
  std::vector<float> numbers_;
};

/** \brief A layer of a network: a convolution of 3x3 cells, or of one. */
struct Convolution {
  int inputs, outputs; ///< channels; outputs are a multiple of 16
  int width;           ///< 3 or 1 cells
  int stride;
  std::vector<float> weights; ///< rows, columns, inputs, outputs: the last runs fastest
  std::vector<float> biases;
};

/** \brief How a layer ends. */
enum class Activation {
  None,
  Rectified ///< numbers below 0 become 0
};

/** \brief Computes the output of a layer.
 * \param[in] layer the layer
 * \param[in] input with a size that is a multiple of the stride
 * \param[in] added to the output before its activation; null: nothing
 * \param[in] activation of the output
 * \return a map with a size that must be a multiple of 5
 */
FeatureMap
convolve(const Convolution& layer,
         const FeatureMap& input,
         const FeatureMap* added = nullptr,
         Activation activation = Activation::Rectified);

} // namespace pcl::device
