// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

// Filling holes, pixel by pixel. Words of bits mark pixels with depth, so that a few
// steps cross large holes.

namespace pcl::device {

/** \brief Marks of pixels with depth, along lines of one axis: a bit each, 32 of a line
 * to a word; the first word of all lines, then the second of all... */
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

/** \brief The number of the highest bit of a word that is not 0. */
PCL_GPU_HOST_DEVICE int
highestBit(std::uint32_t word)
{
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(word));
#else
  return 31 - __builtin_clz(word);
#endif
}

/** \brief The place of a pixel on the lines of an axis. */
struct LinePlace {
  int line, step;
};

PCL_GPU_HOST_DEVICE LinePlace
placeOnLine(int axis, int column, int row, int rows)
{
  switch (axis) {
  case Row:
    return {row, column};
  case Column:
    return {column, row};
  case Diagonal:
    return {column - row + rows - 1, row};
  default:
    return {column + row, row};
  }
}

/** \brief A pixel of a line, which may be outside of the image. */
struct LinePixel {
  int column, row;
};

PCL_GPU_HOST_DEVICE LinePixel
pixelOfLine(int axis, int line, int step, int rows)
{
  switch (axis) {
  case Row:
    return {step, line};
  case Column:
    return {line, step};
  case Diagonal:
    return {line + step - (rows - 1), step};
  default:
    return {line - step, step};
  }
}

/** \brief Writes a word of the bits of an axis. */
struct MarkDepth {
  PtrStepSz<const float> depth;
  DepthBits bits;
  int axis;

  PCL_GPU_HOST_DEVICE void
  operator()(int line, int word) const
  {
    std::uint32_t marks = 0;
    for (int i = 0; i < DepthBits::word_pixels; ++i) {
      const int step = word * DepthBits::word_pixels + i;
      const LinePixel pixel = pixelOfLine(axis, line, step, depth.rows);
      const bool is_inside = pixel.column >= 0 && pixel.column < depth.cols &&
                             pixel.row >= 0 && pixel.row < depth.rows;
      if (is_inside && gpu::isMeasuredDepth(depth.ptr(pixel.row)[pixel.column]))
        marks |= 1u << i;
    }
    bits.words[static_cast<std::size_t>(word) * bits.lines + line] = marks;
  }
};

/** \brief Steps along a line to the nearest pixel with depth.
 * \param[in] sign 1 for the way forwards, -1 for that backwards
 * \param[in] most steps that are of interest
 * \return more than \a most, or 0, if there is none
 */
PCL_GPU_HOST_DEVICE int
stepsToDepth(const DepthBits& bits, const LinePlace& place, int sign, int most)
{
  constexpr int word_pixels = DepthBits::word_pixels;
  int word = place.step / word_pixels;
  const int bit = place.step % word_pixels;
  // Those on the other side of the pixel do not count; its own bit is not set.
  std::uint32_t mask = sign > 0 ? 0xffffffffu << bit : (1u << bit) - 1;
  while (word >= 0 && word < bits.line_words) {
    const int first = word * word_pixels;
    const int nearest =
        sign > 0 ? first - place.step : place.step - first - (word_pixels - 1);
    if (nearest > most)
      return 0;
    const std::uint32_t marks =
        bits.words[static_cast<std::size_t>(word) * bits.lines + place.line] & mask;
    if (marks != 0)
      return sign > 0 ? first + lowestBit(marks) - place.step
                      : place.step - first - highestBit(marks);
    mask = 0xffffffffu;
    word += sign;
  }
  return 0;
}

/** \brief The distance of two colours, levels. */
PCL_GPU_HOST_DEVICE float
colorDistance(PackedColor a, PackedColor b)
{
  const int red = redOf(a) - redOf(b), green = greenOf(a) - greenOf(b),
            blue = blueOf(a) - blueOf(b);
  return sqrtf(static_cast<float>(red * red + green * green + blue * blue));
}

/** \brief Writes a pixel's own depth, or that of another. */
struct FillDepth {
  DepthFillingTask task;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float* const from = task.depth.ptr(row) + column;
    float* const to = rowOf(task.filled, row) + column;
    if (!gpu::isMeasuredDepth(*from))
      *to = depthOfOther(column, row);
    else if (to != from) // else, others may be reading it
      *to = *from;
  }

private:
  PCL_GPU_HOST_DEVICE float
  depthOfOther(int column, int row) const
  {
    constexpr float no_cost = 1e9f;
    const int rows = task.depth.rows;
    const PackedColor color = task.color.ptr(row)[column];
    float depth = NAN, least_cost = no_cost;
    for (int axis = 0; axis < axis_count; ++axis) {
      const LinePlace place = placeOnLine(axis, column, row, rows);
      const float step_length = axis < Diagonal ? 1.0f : 1.41421356f;
      for (int k = 0; k < 2; ++k) {
        const int sign = isForwards(axis, k) ? 1 : -1;
        // Pixels cost their distance at least.
        const int most = static_cast<int>(least_cost);
        const int steps = stepsToDepth(task.bits[axis], place, sign, most);
        if (steps == 0)
          continue;
        const LinePixel pixel =
            pixelOfLine(axis, place.line, place.step + sign * steps, rows);
        const float cost =
            colorDistance(color, task.color.ptr(pixel.row)[pixel.column]) +
            static_cast<float>(steps) * step_length;
        if (cost < least_cost) {
          least_cost = cost;
          depth = task.depth.ptr(pixel.row)[pixel.column];
        }
      }
    }
    return depth;
  }

  /** \brief Returns whether a direction of an axis is that of its lines, in this order:
   * right, left, below, above, right below, left above, right above, left below. */
  PCL_GPU_HOST_DEVICE static bool
  isForwards(int axis, int k)
  {
    return (k == 0) != (axis == CounterDiagonal);
  }
};

} // namespace pcl::device
