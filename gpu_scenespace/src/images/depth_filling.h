// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <pcl/gpu/containers/kernel_containers.h>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::PtrStep;
using gpu::PtrStepSz;

/** \brief Which pixels have depth, along lines of one axis: a bit each, 32 of a line to
 * a word; the first word of all lines, then the second of all... */
struct DepthBits {
  static constexpr int word_pixels = 32;

  std::uint32_t* words;
  int lines, line_words;

  std::size_t
  size() const
  {
    return static_cast<std::size_t>(lines) * line_words;
  }
};

/** \brief Rows, columns, diagonals downwards to the right, and those to the left. */
enum Axis { Row, Column, Diagonal, CounterDiagonal, axis_count };

/** \brief The lines of an axis of an image, without memory. */
inline DepthBits
linesOf(int axis, int columns, int rows)
{
  constexpr int last = DepthBits::word_pixels - 1;
  if (axis == Row)
    return {nullptr, rows, (columns + last) / DepthBits::word_pixels};
  const int lines = axis == Column ? columns : columns + rows - 1;
  return {nullptr, lines, (rows + last) / DepthBits::word_pixels};
}

/** \brief A depth map to fill the holes of. */
struct DepthFillingTask {
  PtrStepSz<const float> depth;
  PtrStep<const PackedColor> color;
  PtrStep<float> filled;
  DepthBits bits[axis_count]; ///< scratch
};

/** \brief Depth filling on a device.
 *
 * One object a device kind; it has no state. Arguments have been checked, images have pixels
 * and live on the device that is current.
 */
class DepthFillingDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  fill(const DepthFillingTask& task, Queue queue) const = 0;

protected:
  ~DepthFillingDriver() = default;
};

const DepthFillingDriver&
hostDepthFillingDriver();

/** \brief Exists only where the module is built with CUDA. */
const DepthFillingDriver&
cudaDepthFillingDriver();

} // namespace pcl::device
