// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "images/host_non_local_means.cpp"
#include "images/pixel_noise.hpp"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "images/non_local_means-inl.h"

#include <algorithm>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Removes noise from a tile of the image, offset by offset of the window.
 * \tparam varies whether there is a variance for each pixel
 */
template <bool varies>
class MeansTile {
  using Tag = hn::CappedTag<float, 8>;
  using Number = Lanes<Tag>;

public:
  static constexpr int columns = 64, rows = 16;

  explicit MeansTile(const NonLocalMeansTask& task)
  : task_(task)
  , patch_(task.patch_reach)
  , side_(2 * task.patch_reach + 1)
  , search_(task.search_reach)
  , slope_(task.slope)
  , offset_(task.offset)
  {}

  /** \brief Writes the pixels of the tile whose first one is (x0, y0). */
  HWY_INLINE void
  run(int x0, int y0)
  {
    const int used_columns = std::min(columns, task_.color.cols - x0);
    used_rows_ = std::min(rows, task_.color.rows - y0);
    loadPixels(x0, y0);
    for (auto& plane : sums_)
      std::fill_n(plane, used_rows_ * columns, 0.0f);
    for (int down = 0; down <= 2 * search_; ++down)
      for (int right = 0; right <= 2 * search_; ++right)
        addPixels(down, right);
    for (int row = 0; row < used_rows_; ++row)
      for (int column = 0; column < used_columns; ++column) {
        const int i = row * columns + column;
        writeMean<varies>(
            task_,
            {sums_[Red][i], sums_[Green][i], sums_[Blue][i], sums_[Weight][i]},
            x0 + column,
            y0 + row);
      }
  }

private:
  enum Plane { Red, Green, Blue, Weight, Variance, plane_count };

  /** \brief Columns of the sums of patches: registers may have some lanes too many. */
  static constexpr int sum_columns = columns + 8;
  static constexpr int stride = sum_columns + 2 * max_search_reach + 4;
  static constexpr int most_rows = rows + 2 * (max_patch_reach + max_search_reach);
  static_assert(2 * max_patch_reach <= 8, "patches have no room beside a tile");

  /** \brief Loads all pixels that patches around those of the window have. */
  void
  loadPixels(int x0, int y0)
  {
    const int margin = patch_ + search_;
    for (int row = 0; row < used_rows_ + 2 * margin; ++row)
      for (int column = 0; column < sum_columns + 2 * search_; ++column) {
        const NoisyPixel pixel =
            noisyPixel<varies>(task_, x0 - margin + column, y0 - margin + row);
        const int i = row * stride + column;
        planes_[Red][i] = static_cast<float>(redOf(pixel.color));
        planes_[Green][i] = static_cast<float>(greenOf(pixel.color));
        planes_[Blue][i] = static_cast<float>(blueOf(pixel.color));
        planes_[Weight][i] = pixel.worth;
        planes_[Variance][i] = pixel.variance;
      }
  }

  /** \brief Adds, to the sum of every pixel, that at an offset from it.
   * \param[in] down,right rows and columns from the window's first pixel
   */
  HWY_INLINE void
  addPixels(int down, int right)
  {
    for (int row = 0; row < used_rows_ + 2 * patch_; ++row) {
      compareRows(
          (search_ + row) * stride + search_, (down + row) * stride + right, row);
      if (row >= 2 * patch_)
        addRow(row - 2 * patch_, (down + row - patch_) * stride + right + patch_);
    }
  }

  /** \brief Compares the pixels of a row with others. */
  HWY_INLINE void
  compareRows(int own, int other, int row)
  {
    const Tag tag;
    float* const to = units_[row % side_];
    for (int i = 0; i < columns + 2 * patch_; i += static_cast<int>(hn::Lanes(tag))) {
      const auto difference = [&](Plane plane) HWY_ATTR {
        return load(tag, planes_[plane] + own + i) -
               load(tag, planes_[plane] + other + i);
      };
      const Number red = difference(Red), green = difference(Green),
                   blue = difference(Blue);
      // Sums of whole numbers, which are exact.
      const Number square = red * red + green * green + blue * blue;
      const Number units = noiseUnits<varies>(square,
                                              load(tag, planes_[Variance] + own + i),
                                              load(tag, planes_[Variance] + other + i));
      store(units, to + i);
    }
  }

  /** \brief Adds pixels to the sums of a row of pixels.
   * \param[in] other place of the first of them
   */
  HWY_INLINE void
  addRow(int row, int other)
  {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    // CUDA's kernel adds in the same order: the columns of patches, then their sums.
    for (int i = 0; i < columns + 2 * patch_; i += lanes) {
      Number sum = load(tag, units_[row % side_] + i);
      for (int k = 1; k < side_; ++k)
        sum = sum + load(tag, units_[(row + k) % side_] + i);
      store(sum, column_sums_ + i);
    }
    for (int i = 0; i < columns; i += lanes) {
      Number sum = load(tag, column_sums_ + i);
      for (int k = 1; k < side_; ++k)
        sum = sum + load(tag, column_sums_ + i + k);
      const Number weight =
          patchWeight(sum, slope_, offset_) * load(tag, planes_[Weight] + other + i);
      const int place = row * columns + i;
      const auto add = [&](Plane plane) HWY_ATTR {
        const Number level = load(tag, planes_[plane] + other + i);
        float* const to = sums_[plane] + place;
        store(fusedMulAdd(weight, level, load(tag, to)), to);
      };
      add(Red);
      add(Green);
      add(Blue);
      float* const to = sums_[Weight] + place;
      store(load(tag, to) + weight, to);
    }
  }

  const NonLocalMeansTask& task_;
  int patch_, side_, search_, used_rows_ = 0;
  Number slope_, offset_;
  alignas(64) float planes_[plane_count][most_rows * stride];
  alignas(64) float sums_[Weight + 1][rows * columns];
  alignas(64) float units_[2 * max_patch_reach + 1][sum_columns];
  alignas(64) float column_sums_[sum_columns];
};

template <bool varies>
HWY_INLINE void
runTiles(const NonLocalMeansTask& task)
{
  using Tile = MeansTile<varies>;
  const int across = (task.color.cols + Tile::columns - 1) / Tile::columns;
  const int down = (task.color.rows + Tile::rows - 1) / Tile::rows;
#pragma omp parallel
  {
    Tile tile(task);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < across * down; ++i)
      tile.run(i % across * Tile::columns, i / across * Tile::rows);
  }
}

void
removeNoiseOnTarget(const NonLocalMeansTask& task)
{
  if (task.variance.data)
    runTiles<true>(task);
  else
    runTiles<false>(task);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(removeNoiseOnTarget);

} // namespace

void
host::removeNoise(const NonLocalMeansTask& task)
{
  HWY_DYNAMIC_DISPATCH(removeNoiseOnTarget)(task);
}

} // namespace pcl::device

#endif
