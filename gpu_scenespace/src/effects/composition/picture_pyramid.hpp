// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>

namespace pcl::device {

/** \brief A pixel of a picture with holes. Depth is inverse: of a plane, it is linear
 * in pixels. */
struct alignas(8) HolePixel {
  float red, green, blue, color_weight;
  float inverse_depth, depth_weight;
};

/** \brief A level of a pyramid of pictures, without gaps. */
struct PyramidLevel {
  HolePixel* pixels;
  int columns, rows;

  PCL_GPU_HOST_DEVICE HolePixel&
  at(int column, int row) const
  {
    return pixels[static_cast<std::size_t>(row) * columns + column];
  }
};

/** \brief The size of the next level. */
PCL_GPU_HOST_DEVICE int
halfSize(int size)
{
  return (size + 1) / 2;
}

PCL_GPU_HOST_DEVICE void
addWeighted(HolePixel& sum, const HolePixel& pixel, float factor)
{
  const float color = factor * pixel.color_weight;
  const float depth = factor * pixel.depth_weight;
  sum.red += color * pixel.red;
  sum.green += color * pixel.green;
  sum.blue += color * pixel.blue;
  sum.color_weight += color;
  sum.inverse_depth += depth * pixel.inverse_depth;
  sum.depth_weight += depth;
}

/** \brief Makes a pixel of a level of the pixels around it of the level below, by the
 * binomial filter 1 3 3 1. One of four known pixels is enough for it to be known. */
struct PullPixel {
  PyramidLevel fine, coarse;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    HolePixel sum{};
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i) {
        const int x = 2 * column - 1 + i, y = 2 * row - 1 + j;
        if (x >= 0 && x < fine.columns && y >= 0 && y < fine.rows)
          addWeighted(sum, fine.at(x, y), tap(i) * tap(j));
      }
    HolePixel& pixel = coarse.at(column, row);
    pixel = {};
    if (sum.color_weight > 0.0f) {
      pixel.red = sum.red / sum.color_weight;
      pixel.green = sum.green / sum.color_weight;
      pixel.blue = sum.blue / sum.color_weight;
      pixel.color_weight = confidence(sum.color_weight);
    }
    if (sum.depth_weight > 0.0f) {
      pixel.inverse_depth = sum.inverse_depth / sum.depth_weight;
      pixel.depth_weight = confidence(sum.depth_weight);
    }
  }

private:
  PCL_GPU_HOST_DEVICE static float
  tap(int i)
  {
    return i == 0 || i == 3 ? 1.0f : 3.0f;
  }

  PCL_GPU_HOST_DEVICE static float
  confidence(float weight)
  {
    return weight < 16.0f ? weight / 16.0f : 1.0f;
  }
};

/** \brief Completes a pixel by linear interpolation between the pixels of the level
 * above. */
struct PushPixel {
  PyramidLevel coarse, fine;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    HolePixel& pixel = fine.at(column, row);
    if (pixel.color_weight >= 1.0f && pixel.depth_weight >= 1.0f)
      return;
    const int x = column / 2, y = row / 2;
    const int beside = inside(x + (column % 2 == 0 ? -1 : 1), coarse.columns);
    const int above = inside(y + (row % 2 == 0 ? -1 : 1), coarse.rows);
    HolePixel sum{};
    addWeighted(sum, coarse.at(x, y), 0.5625f);
    addWeighted(sum, coarse.at(beside, y), 0.1875f);
    addWeighted(sum, coarse.at(x, above), 0.1875f);
    addWeighted(sum, coarse.at(beside, above), 0.0625f);
    if (sum.color_weight > 0.0f) {
      const float lack = 1.0f - pixel.color_weight;
      const float own = pixel.color_weight;
      pixel.red = own * pixel.red + lack * (sum.red / sum.color_weight);
      pixel.green = own * pixel.green + lack * (sum.green / sum.color_weight);
      pixel.blue = own * pixel.blue + lack * (sum.blue / sum.color_weight);
      pixel.color_weight = 1.0f;
    }
    if (sum.depth_weight > 0.0f) {
      const float own = pixel.depth_weight;
      pixel.inverse_depth = own * pixel.inverse_depth +
                            (1.0f - own) * (sum.inverse_depth / sum.depth_weight);
      pixel.depth_weight = 1.0f;
    }
  }

private:
  PCL_GPU_HOST_DEVICE static int
  inside(int place, int size)
  {
    return place < 0 ? 0 : place < size ? place : size - 1;
  }
};

} // namespace pcl::device
