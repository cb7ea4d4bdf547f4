// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "images/host_collaborative_filter.cpp"
#include "images/collaborative_filter.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "images/collaborative-inl.h"

#include <algorithm>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Filters the blocks of a row. */
class BlockRow {
  using Tag = hn::CappedTag<float, block_side>;
  using Number = Lanes<Tag>;

public:
  explicit BlockRow(const BlockGroupTask& task)
  : task_(task)
  , grid_(task.grid)
  , columns_(grid_.columns + 2 * block_side)
  , distances_(grid_.columns + block_side)
  , groups_(grid_.across)
  {}

  HWY_INLINE void
  run(int number)
  {
    row_ = BlockGrid::firstOf(number, grid_.rows);
    for (Group& group : groups_)
      group.size = 0;
    const int reach = task_.search_reach;
    const int last = std::min(row_ + reach, grid_.rows - block_side);
    for (int row = std::max(0, row_ - reach); row <= last; ++row)
      for (int right = -reach; right <= reach; ++right)
        compare(row, right);
    for (int i = 0; i < grid_.across; ++i)
      filter(groups_[i],
             placeOf(row_, BlockGrid::firstOf(i, grid_.columns)),
             task_.blocks[static_cast<std::size_t>(number) * grid_.across + i]);
  }

private:
  /** \brief The blocks most like one, by their distances and first pixels. */
  struct Group {
    float distances[max_group_size];
    std::size_t places[max_group_size];
    int size;

    /** \brief Adds a block, unless there are enough that are as near. */
    void
    add(float distance, std::size_t place, int most)
    {
      if (size == most && !(distance < distances[most - 1]))
        return;
      int i = size < most ? size++ : most - 1;
      for (; i > 0 && distance < distances[i - 1]; --i) {
        distances[i] = distances[i - 1];
        places[i] = places[i - 1];
      }
      distances[i] = distance;
      places[i] = place;
    }
  };

  using Plane = float[block_size];

  /** \brief Numbers of a column, for as many columns as there are lanes. */
  struct Columns {
    const float* first;

    HWY_INLINE Number
    operator()(int i) const
    {
      return load(Tag(), first + i * block_side);
    }
  };

  std::size_t
  placeOf(int row, int column) const
  {
    return static_cast<std::size_t>(row) * grid_.columns + column;
  }

  /** \brief Compares the row's blocks with those at an offset. */
  HWY_INLINE void
  compare(int other_row, int right)
  {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const int begin = std::max(0, -right);
    const int end = grid_.columns - block_side + 1 - std::max(0, right);
    // Squares of whole numbers, whose sums over a column are exact.
    for (int x = begin; x < end + block_side - 1; x += lanes) {
      const float *own = task_.compared + placeOf(row_, x),
                  *other = task_.compared + placeOf(other_row, x) + right;
      Number sum(0.0f);
      for (int i = 0; i < block_side; ++i) {
        const Number difference = load(tag, own) - load(tag, other);
        sum = sum + difference * difference;
        own += grid_.columns;
        other += grid_.columns;
      }
      store(sum, &columns_[x]);
    }
    for (int x = begin; x < end; x += lanes) {
      Number sum = load(tag, &columns_[x]);
      for (int i = 1; i < block_side; ++i)
        sum = sum + load(tag, &columns_[x + i]);
      const Number variances =
          load(tag, task_.variances + placeOf(row_, x)) +
          load(tag, task_.variances + placeOf(other_row, x) + right);
      store(sum / variances, &distances_[x]);
    }
    const bool is_own = other_row == row_ && right == 0;
    for (int i = 0; i < grid_.across; ++i) {
      const int x = BlockGrid::firstOf(i, grid_.columns);
      if (x >= begin && x < end)
        groups_[i].add(is_own ? own_distance : distances_[x],
                       placeOf(other_row, x) + right,
                       task_.group_size);
    }
  }

  HWY_INLINE void
  filter(const Group& group, std::size_t own, BlockEstimate& block) const
  {
    float variances = 0.0f;
    for (int i = 0; i < group.size; ++i)
      variances += task_.variances[group.places[i]];
    for (int plane = 0; plane < plane_count; ++plane) {
      alignas(64) Plane sums, differences;
      addBlocks(task_.planes[plane], group, own, sums, differences);
      transform(sums);
      transform(differences);
      const CoefficientLimits limits =
          limitsOf(task_, plane, group.size, variances, task_.variances[own]);
      block.weights[plane] = keep(limits, group.size, differences, sums);
      transformBack(sums, block.levels[plane]);
    }
  }

  /** \brief Sums a plane of the blocks of a group: sums of whole numbers, which are
   * exact. */
  HWY_INLINE void
  addBlocks(const float* plane,
            const Group& group,
            std::size_t own,
            Plane& sums,
            Plane& differences) const
  {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int y = 0; y < block_side; ++y)
      for (int x = 0; x < block_side; x += lanes) {
        const float* const pixel = plane + placeOf(y, x);
        Number sum(0.0f);
        for (int i = 0; i < group.size; ++i)
          sum = sum + load(tag, pixel + group.places[i]);
        store(sum, sums + y * block_side + x);
        store(Number(float(group.size)) * load(tag, pixel + own) - sum,
              differences + y * block_side + x);
      }
  }

  /** \brief Transforms the columns of a block.
   * \param[in] step,distance of factors, from number to number and within one
   */
  HWY_INLINE void
  transformColumns(const Plane& from, int step, int distance, float* to) const
  {
    const int lanes = static_cast<int>(hn::Lanes(Tag()));
    for (int k = 0; k < block_side; ++k)
      for (int x = 0; x < block_side; x += lanes)
        store(
            transformed<Number>(task_.cosines + k * step, distance, Columns{from + x}),
            to + k * block_side + x);
  }

  static HWY_INLINE void
  transpose(const Plane& from, Plane& to)
  {
    for (int y = 0; y < block_side; ++y)
      for (int x = 0; x < block_side; ++x)
        to[x * block_side + y] = from[y * block_side + x];
  }

  /** \brief Replaces a block by its coefficients, transposed. */
  HWY_INLINE void
  transform(Plane& block) const
  {
    alignas(64) Plane once, turned;
    transformColumns(block, block_side, 1, once);
    transpose(once, turned);
    transformColumns(turned, block_side, 1, block);
  }

  HWY_INLINE void
  transformBack(const Plane& coefficients, float* block) const
  {
    alignas(64) Plane once, turned;
    transformColumns(coefficients, 1, block_side, once);
    transpose(once, turned);
    transformColumns(turned, 1, block_side, block);
  }

  /** \brief Replaces the coefficients of sums by those of the block.
   * \return the weight of the block
   */
  static HWY_INLINE float
  keep(const CoefficientLimits& limits,
       int size,
       const Plane& differences,
       Plane& coefficients)
  {
    const Tag tag;
    const float inverse_size = 1.0f / static_cast<float>(size);
    std::size_t kept_sums = 0, kept_differences = 0;
    for (int i = 0; i < block_size; i += static_cast<int>(hn::Lanes(tag))) {
      const Number sum = load(tag, coefficients + i),
                   difference = load(tag, differences + i);
      kept_sums += hn::CountTrue(tag, isKept(sum, limits.sum).value);
      kept_differences +=
          hn::CountTrue(tag, isKept(difference, limits.difference).value);
      store(keptCoefficient(sum, difference, limits, inverse_size), coefficients + i);
    }
    return weightOfBlock(
        static_cast<int>(kept_sums), static_cast<int>(kept_differences), size);
  }

  const BlockGroupTask& task_;
  const BlockGrid grid_;
  int row_ = 0; ///< first row of pixels
  std::vector<float> columns_, distances_;
  std::vector<Group> groups_;
};

void
filterBlocksOnTarget(const BlockGroupTask& task)
{
#pragma omp parallel
  {
    BlockRow row(task);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < task.grid.down; ++i)
      row.run(i);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(filterBlocksOnTarget);

} // namespace

void
host::filterBlocks(const BlockGroupTask& task)
{
  HWY_DYNAMIC_DISPATCH(filterBlocksOnTarget)(task);
}

} // namespace pcl::device

#endif
