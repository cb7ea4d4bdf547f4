// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <pcl/gpu/containers/kernel_containers.h>

#include <cstddef>

// The light of a frame that others lack: exposure, reflections that move with the
// camera. Differences of a frame from an average are averaged in square cells.

namespace pcl::device {

constexpr int cell_side = 16; ///< pixels

/** \brief Sums of the differences of a cell's pixels, and their number. */
struct CellSum {
  int red, green, blue, count;
};

/** \brief The difference of light in the middle of a cell, levels. */
struct LightDifference {
  float red, green, blue;
};

inline int
cellsAlong(int pixels)
{
  return (pixels + cell_side - 1) / cell_side;
}

/** \brief Writes the sum of a cell. */
struct SumDifferences {
  PtrStepSz<const PackedColor> frame;
  PtrStep<const PackedColor> average;
  CellSum* sums;
  int columns; ///< of cells

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    CellSum sum{};
    for (int i = 0; i < cell_side * cell_side; ++i) {
      const int x = column * cell_side + i % cell_side,
                y = row * cell_side + i / cell_side;
      if (x >= frame.cols || y >= frame.rows)
        continue;
      const PackedColor a = frame.ptr(y)[x], b = average.ptr(y)[x];
      sum.red += redOf(a) - redOf(b);
      sum.green += greenOf(a) - greenOf(b);
      sum.blue += blueOf(a) - blueOf(b);
      ++sum.count;
    }
    sums[static_cast<std::size_t>(row) * columns + column] = sum;
  }
};

/** \brief Writes a cell's mean over it and its neighbours, as far as it exceeds noise:
 * the estimate of James and Stein for three components. */
struct SmoothDifferences {
  const CellSum* sums;
  LightDifference* means;
  int columns, rows;    ///< of cells
  float noise_variance; ///< of the frame's levels

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    float red = 0.0f, green = 0.0f, blue = 0.0f, weights = 0.0f, squares = 0.0f;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        const int x = column + i, y = row + j;
        if (x < 0 || y < 0 || x >= columns || y >= rows)
          continue;
        const CellSum& sum = sums[static_cast<std::size_t>(y) * columns + x];
        const float weight = (i == 0 ? 2.0f : 1.0f) * (j == 0 ? 2.0f : 1.0f);
        red += weight * static_cast<float>(sum.red);
        green += weight * static_cast<float>(sum.green);
        blue += weight * static_cast<float>(sum.blue);
        weights += weight * static_cast<float>(sum.count);
        squares += weight * weight * static_cast<float>(sum.count);
      }
    const float square = red * red + green * green + blue * blue;
    const float noise = 3.0f * noise_variance * squares;
    const float scale = square > noise ? (1.0f - noise / square) / weights : 0.0f;
    means[static_cast<std::size_t>(row) * columns + column] = {
        scale * red, scale * green, scale * blue};
  }
};

/** \brief Adds to a pixel of the average the difference between the middles of
 * cells. */
struct AddDifferences {
  const LightDifference* means;
  int columns, rows; ///< of cells
  PtrStep<PackedColor> average;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const Place x = placeOf(column, columns), y = placeOf(row, rows);
    const LightDifference &a = at(x.before, y.before), &b = at(x.after, y.before),
                          &c = at(x.before, y.after), &d = at(x.after, y.after);
    const auto between = [&](float p, float q, float r, float s) {
      const float above = p + x.part * (q - p), below = r + x.part * (s - r);
      return above + y.part * (below - above);
    };
    PackedColor& color = rowOf(average, row)[column];
    color = level(redOf(color) + between(a.red, b.red, c.red, d.red)) << 16 |
            level(greenOf(color) + between(a.green, b.green, c.green, d.green)) << 8 |
            level(blueOf(color) + between(a.blue, b.blue, c.blue, d.blue)) |
            0xff000000u;
  }

private:
  /** \brief A pixel's place between the middles of two cells. */
  struct Place {
    int before, after;
    float part; ///< of the way
  };

  PCL_GPU_HOST_DEVICE static Place
  placeOf(int pixel, int cells)
  {
    const int doubled = 2 * pixel + 1 - cell_side;
    if (doubled < 0)
      return {0, 0, 0.0f};
    const int before = doubled / (2 * cell_side);
    const int after = before + 1 < cells ? before + 1 : before;
    return {before,
            after,
            static_cast<float>(doubled - before * 2 * cell_side) / (2 * cell_side)};
  }

  PCL_GPU_HOST_DEVICE const LightDifference&
  at(int column, int row) const
  {
    return means[static_cast<std::size_t>(row) * columns + column];
  }

  PCL_GPU_HOST_DEVICE static PackedColor
  level(float value)
  {
    return roundedLevel(value < 0.0f ? 0.0f : value > 255.0f ? 255.0f : value);
  }
};

} // namespace pcl::device
