// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/super_resolution/super_resolution.hpp"

#include <cstddef>
#include <cstdint>

// Steps of learning a filter that enlarges a picture from the picture itself: the one
// that best makes it of means of squares of its own pixels. Structure recurs at other
// scales (Glasner et al. 2009). Sums are of whole numbers, and so the same in any
// order.

namespace pcl::device {

constexpr int filter_reach = 3, filter_side = 2 * filter_reach + 1;
constexpr int filter_taps = filter_side * filter_side;

/** \brief Half the differences of taps' numbers, which count modulo all taps: with each
 * tap as the first they make all pairs, each once. */
constexpr int tap_differences = (filter_taps + 1) / 2;
static_assert(filter_taps % 2 == 1, "no pair differs by half of all taps");

constexpr int tap_pairs = filter_taps * tap_differences;

struct TapPair {
  int first, second;
};

PCL_GPU_HOST_DEVICE TapPair
tapPair(int number)
{
  const int first = number / tap_differences;
  return {first, (first + number % tap_differences) % filter_taps};
}

/** \brief Sums of red, green and blue of a square of pixels, levels. */
struct LevelSums {
  std::uint32_t levels[3];
};

/** \brief Sums squares of a picture's pixels. */
struct ReducePicture {
  PtrStep<const PackedColor> color;
  int scale;   ///< pixels of a square's side
  int columns; ///< squares
  LevelSums* sums;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    LevelSums sum{};
    for (int j = 0; j < scale; ++j)
      for (int i = 0; i < scale; ++i) {
        const PackedColor pixel = color.ptr(row * scale + j)[column * scale + i];
        sum.levels[0] += redOf(pixel);
        sum.levels[1] += greenOf(pixel);
        sum.levels[2] += blueOf(pixel);
      }
    sums[static_cast<std::size_t>(row) * columns + column] = sum;
  }
};

/** \brief Sums products over some rows of squares that have all taps' squares around
 * them: first of pairs of taps' squares, then of a tap's square and a pixel, for each
 * of a square's pixels all taps. */
struct SumTapProducts {
  const LevelSums* squares;
  int columns, rows; ///< squares
  int row_step;      ///< one of so many rows is used
  PtrStep<const PackedColor> color;
  int scale;
  int groups;          ///< of rows
  std::uint64_t* sums; ///< by groups

  PCL_GPU_HOST_DEVICE int
  products() const
  {
    return tap_pairs + scale * scale * filter_taps;
  }

  PCL_GPU_HOST_DEVICE void
  operator()(int product, int group) const
  {
    std::uint64_t sum = 0;
    for (int row = filter_reach + group * row_step; row < rows - filter_reach;
         row += groups * row_step)
      sum += product < tap_pairs ? pairProducts(tapPair(product), row)
                                 : pixelProducts(product - tap_pairs, row);
    sums[static_cast<std::size_t>(group) * products() + product] = sum;
  }

private:
  /** \brief Pixel that a tap reads for the first used square of a row. */
  PCL_GPU_HOST_DEVICE const LevelSums*
  tapOf(int tap, int row) const
  {
    const std::size_t line = row + tap / filter_side - filter_reach;
    return squares + line * columns + tap % filter_side;
  }

  PCL_GPU_HOST_DEVICE std::uint64_t
  pairProducts(TapPair pair, int row) const
  {
    const std::uint32_t* const first = tapOf(pair.first, row)->levels;
    const std::uint32_t* const second = tapOf(pair.second, row)->levels;
    const int count = 3 * (columns - 2 * filter_reach);
    std::uint64_t sum = 0;
    for (int i = 0; i < count; ++i)
      sum += static_cast<std::uint64_t>(first[i]) * second[i];
    return sum;
  }

  PCL_GPU_HOST_DEVICE std::uint64_t
  pixelProducts(int number, int row) const
  {
    const int place = number / filter_taps;
    const LevelSums* const squares_of_tap = tapOf(number % filter_taps, row);
    const PackedColor* const pixels =
        color.ptr(row * scale + place / scale) + filter_reach * scale + place % scale;
    std::uint64_t sum = 0;
    for (int i = 0; i < columns - 2 * filter_reach; ++i) {
      const PackedColor pixel = pixels[i * scale];
      const std::uint32_t* const levels = squares_of_tap[i].levels;
      sum += levels[0] * redOf(pixel) + levels[1] * greenOf(pixel) +
             levels[2] * blueOf(pixel);
    }
    return sum;
  }
};

/** \brief Sums the groups' sums. */
struct SumGroups {
  const std::uint64_t* sums;
  int products, groups;
  std::uint64_t* totals;

  PCL_GPU_HOST_DEVICE void
  operator()(int product, int) const
  {
    std::uint64_t sum = 0;
    for (int i = 0; i < groups; ++i)
      sum += sums[static_cast<std::size_t>(i) * products + product];
    totals[product] = sum;
  }
};

/** \brief Enlarges a picture. */
struct EnlargeByFilter {
  PtrStepSz<const PackedColor> color;
  int scale;
  const float* weights; ///< of all taps, for each of the pixels that one becomes
  Float4* enlarged;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const int place = row % scale * scale + column % scale;
    const int first_column = column / scale - filter_reach;
    const int first_row = row / scale - filter_reach;
    const float* const its_weights = weights + place * filter_taps;
    Float4 sum{};
    for (int j = 0; j < filter_side; ++j) {
      const PackedColor* const line =
          color.ptr(clampedIndex(first_row + j, color.rows));
      for (int i = 0; i < filter_side; ++i)
        sum = plusScaled(sum,
                         its_weights[j * filter_side + i],
                         levelsOf(line[clampedIndex(first_column + i, color.cols)]));
    }
    enlarged[static_cast<std::size_t>(row) * (color.cols * scale) + column] = sum;
  }
};

} // namespace pcl::device
