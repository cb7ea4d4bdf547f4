// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <cmath>
#include <cstddef>

// Steps of super-resolution, pixel by pixel. An estimate has scale x scale pixels for
// each of an input frame's. Pixels of it and of residuals are red, green and blue,
// levels, row by row without gaps. All operations are rounded one by one, and so alike
// everywhere.

namespace pcl::device {

constexpr int max_scale = 4;
constexpr int lanczos_taps = 6;
constexpr int max_blur_reach = 15;

/** \brief The levels that residuals have in 8 bit: 128 for 0, in steps of a half. */
constexpr float residual_zero = 128.0f, residual_steps = 2.0f;

PCL_GPU_HOST_DEVICE int
clampedIndex(int index, int size)
{
  return index < 0 ? 0 : index >= size ? size - 1 : index;
}

PCL_GPU_HOST_DEVICE Float4
levelsOf(PackedColor color)
{
  return {static_cast<float>(redOf(color)),
          static_cast<float>(greenOf(color)),
          static_cast<float>(blueOf(color)),
          0.0f};
}

PCL_GPU_HOST_DEVICE Float4
plusScaled(const Float4& sum, float factor, const Float4& levels)
{
  return {sum.x + factor * levels.x,
          sum.y + factor * levels.y,
          sum.z + factor * levels.z,
          0.0f};
}

/** \brief Rounded to 8 bit. */
PCL_GPU_HOST_DEVICE PackedColor
packedLevels(const Float4& levels)
{
  const auto rounded = [](float level) {
    return roundedLevel(level < 0.0f ? 0.0f : level > 255.0f ? 255.0f : level);
  };
  return rounded(levels.z) | rounded(levels.y) << 8 | rounded(levels.x) << 16 |
         0xff000000u;
}

/** \brief Lanczos's filter at the places of an output's pixels between those of the
 * input. */
struct Enlargement {
  int scale;
  /** \brief By an output pixel's place in its input pixel: the first input pixel that
   * counts, from that one, and the weights of that and the next ones. */
  int first[max_scale];
  float weights[max_scale][lanczos_taps];
};

/** \brief Makes rows longer. */
struct EnlargeAcross {
  Enlargement enlargement;
  const Float4* from;
  int columns; ///< of the input
  Float4* to;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const int place = column % enlargement.scale;
    const int first = column / enlargement.scale + enlargement.first[place];
    const Float4* const line = from + static_cast<std::size_t>(row) * columns;
    Float4 sum{};
    for (int i = 0; i < lanczos_taps; ++i)
      sum = plusScaled(
          sum, enlargement.weights[place][i], line[clampedIndex(first + i, columns)]);
    to[static_cast<std::size_t>(row) * (columns * enlargement.scale) + column] = sum;
  }
};

/** \brief Makes columns longer, and adds them. */
struct AddEnlargedDown {
  Enlargement enlargement;
  const Float4* from;
  int columns; ///< of the input and the output
  int rows;    ///< of the input
  Float4* sum;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const int place = row % enlargement.scale;
    const int first = row / enlargement.scale + enlargement.first[place];
    Float4& pixel = sum[static_cast<std::size_t>(row) * columns + column];
    Float4 change{};
    for (int i = 0; i < lanczos_taps; ++i) {
      const std::size_t line = clampedIndex(first + i, rows);
      change = plusScaled(
          change, enlargement.weights[place][i], from[line * columns + column]);
    }
    pixel = plusScaled(pixel, 1.0f, change);
  }
};

/** \brief Difference of the output's own frame from means of an estimate's pixels. */
struct OwnResidual {
  PtrStepSz<const PackedColor> color;
  int scale;
  const Float4* estimate;
  Float4* residual; ///< w is 1

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const std::size_t line = row, wide = static_cast<std::size_t>(color.cols) * scale;
    Float4 sum{};
    for (int j = 0; j < scale; ++j)
      for (int i = 0; i < scale; ++i)
        sum = plusScaled(
            sum, 1.0f, estimate[(line * scale + j) * wide + column * scale + i]);
    Float4 result = plusScaled(levelsOf(color.ptr(row)[column]),
                               -1.0f / static_cast<float>(scale * scale),
                               sum);
    result.w = 1.0f;
    residual[line * color.cols + column] = result;
  }
};

/** \brief Difference of any frame from an estimate, where its pixels' points are seen
 * there: each of its pixels is the mean of a square of the estimate about its place. */
struct FrameResidual {
  FrameProjection projection; ///< to the output
  Picture picture;
  int scale;
  const Float4* estimate;
  int wide, high; ///< size of the estimate
  /** \brief w is 1; all is 0 where there is no depth, or the estimate is unknown. */
  Float4* residual;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    residual[static_cast<std::size_t>(row) * picture.color.cols + column] = residualOf(
        column, row, picture.color.ptr(row)[column], picture.depth.ptr(row)[column]);
  }

private:
  PCL_GPU_HOST_DEVICE Float4
  residualOf(int column, int row, PackedColor own, float own_depth) const
  {
    const Float4 none{};
    if (!gpu::isMeasuredDepth(own_depth))
      return none;
    const double d = own_depth, x = column * d, y = row * d;
    const auto& m = projection.to_image;
    const double z = m[2][0] * x + m[2][1] * y + m[2][2] * d + m[2][3];
    if (!(z > 0.0))
      return none;
    // The square begins half its side before the place, and pixels half of one before
    // theirs.
    const double before = 0.5 * (scale - 1);
    const double u = (m[0][0] * x + m[0][1] * y + m[0][2] * d + m[0][3]) / z - before;
    const double v = (m[1][0] * x + m[1][1] * y + m[1][2] * d + m[1][3]) / z - before;
    if (!(u >= 0.0 && v >= 0.0 && u < wide - scale && v < high - scale))
      return none;
    const int first_column = static_cast<int>(u), first_row = static_cast<int>(v);
    const float across = static_cast<float>(u - first_column);
    const float down = static_cast<float>(v - first_row);
    Float4 sum{};
    for (int j = 0; j <= scale; ++j) {
      const Float4* const pixels =
          estimate + static_cast<std::size_t>(first_row + j) * wide + first_column;
      Float4 row_sum{};
      for (int i = 0; i <= scale; ++i)
        row_sum = plusScaled(row_sum, coverOf(i, across), pixels[i]);
      sum = plusScaled(sum, coverOf(j, down), row_sum);
    }
    Float4 result =
        plusScaled(levelsOf(own), -1.0f / static_cast<float>(scale * scale), sum);
    result.w = 1.0f;
    return result;
  }

  /** \brief The part of a pixel that the square covers along an axis. */
  PCL_GPU_HOST_DEVICE float
  coverOf(int pixel, float beyond) const
  {
    return pixel == 0 ? 1.0f - beyond : pixel == scale ? beyond : 1.0f;
  }
};

/** \brief A sum of residuals' squares, and the number of residuals. */
struct ErrorSum {
  float squares, count;
};

constexpr int error_rows = 32;

/** \brief Sums squares of some rows' residuals, column by column. */
struct SumErrors {
  const Float4* residual;
  int columns, rows;
  float largest; ///< squares above count as that, levels^2
  ErrorSum* sums;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int group) const
  {
    ErrorSum sum{};
    const int first = group * error_rows;
    for (int row = first; row < first + error_rows && row < rows; ++row) {
      const Float4 levels = residual[static_cast<std::size_t>(row) * columns + column];
      const float square =
          (levels.x * levels.x + levels.y * levels.y + levels.z * levels.z) / 3.0f;
      sum.squares += square < largest ? square : largest;
      sum.count += levels.w;
    }
    sums[static_cast<std::size_t>(group) * columns + column] = sum;
  }
};

/** \brief Sums each of some lanes of a list. */
struct SumLanes {
  const ErrorSum* from;
  int count, lanes;
  ErrorSum* to; ///< one a lane; null: the only one is divided
  float* mean;

  PCL_GPU_HOST_DEVICE void
  operator()(int lane, int) const
  {
    ErrorSum sum{};
    for (int i = lane; i < count; i += lanes) {
      sum.squares += from[i].squares;
      sum.count += from[i].count;
    }
    if (to)
      to[lane] = sum;
    else
      *mean = sum.count > 0.0f ? sum.squares / sum.count : 0.0f;
  }
};

/** \brief A Gaussian. */
struct BlurWeights {
  int reach;                         ///< pixels; negative: nothing is blurred
  float weights[max_blur_reach + 1]; ///< by distance; their sum, with both sides, is 1
};

/** \brief Blurs rows. */
struct BlurAcross {
  BlurWeights blur;
  const Float4* from;
  int columns;
  Float4* to;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const Float4* const line = from + static_cast<std::size_t>(row) * columns;
    Float4 sum{};
    for (int i = -blur.reach; i <= blur.reach; ++i)
      sum = plusScaled(
          sum, blur.weights[i < 0 ? -i : i], line[clampedIndex(column + i, columns)]);
    to[static_cast<std::size_t>(row) * columns + column] = sum;
  }
};

/** \brief Writes residuals as colours, less their blur. */
struct EncodeResidual {
  BlurWeights blur;
  const Float4* residual;
  const Float4* blurred; ///< rows of it
  int columns, rows;
  PtrStep<PackedColor> color;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    Float4 levels = residual[static_cast<std::size_t>(row) * columns + column];
    const float scale = levels.w * residual_steps; // none where the estimate is unknown
    Float4 smooth{};
    for (int i = -blur.reach; i <= blur.reach; ++i)
      smooth = plusScaled(
          smooth,
          blur.weights[i < 0 ? -i : i],
          blurred[std::size_t(clampedIndex(row + i, rows)) * columns + column]);
    levels = plusScaled(levels, -1.0f, smooth);
    rowOf(color, row)[column] = packedLevels(
        plusScaled({residual_zero, residual_zero, residual_zero, 0.0f}, scale, levels));
  }
};

/** \brief Writes the reference of the output's samples. */
struct WriteReference {
  PtrStep<const float> depth; ///< of the own frame, metres
  int scale;
  PtrStep<PackedColor> color;
  PtrStep<float> enlarged;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    rowOf(enlarged, row)[column] = depth.ptr(row / scale)[column / scale];
    const PackedColor zero = static_cast<PackedColor>(residual_zero);
    rowOf(color, row)[column] = zero | zero << 8 | zero << 16;
  }
};

/** \brief Adds a part of averaged residuals. */
struct AddResidual {
  PtrStepSz<const PackedColor> color;
  float step;
  Float4* estimate;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const Float4 coded = levelsOf(color.ptr(row)[column]);
    const Float4 zero = {residual_zero, residual_zero, residual_zero, 0.0f};
    Float4& pixel = estimate[static_cast<std::size_t>(row) * color.cols + column];
    pixel = plusScaled(pixel, step / residual_steps, plusScaled(coded, -1.0f, zero));
  }
};

/** \brief Writes the output. */
struct WriteEstimate {
  const Float4* estimate;
  PtrStepSz<const float> reference; ///< depth of the own frame, enlarged, metres
  bool has_average;                 ///< whether the output's depth holds averages
  float noise_variance;
  PictureOutput output;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const float own = reference.ptr(row)[column];
    float depth = output.depth.ptr(row)[column];
    // Without depth of its own, a pixel's samples may lie on any surfaces.
    if (!gpu::isMeasuredDepth(own))
      depth = NAN;
    else if (!has_average || !gpu::isMeasuredDepth(depth))
      depth = own;
    const std::size_t place = static_cast<std::size_t>(row) * reference.cols + column;
    output.write(column, row, packedLevels(estimate[place]), depth, noise_variance);
  }
};

} // namespace pcl::device
