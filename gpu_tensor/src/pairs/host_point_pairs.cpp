// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/host_point_pairs.cpp"
#include "pairs/point_pairs.hpp"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include <pcl/gpu/utils/internal/device/lanes-inl.h>

#include <algorithm>
#include <utility>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

using FloatLanes = Lanes<FloatTag>;

/** \brief Finds which points of a cell may be paired with each point of another one.
 * \param[in] farthest squared distance up to which a point looks for partners; negative
 * if it looks for none
 * \param[out] partners for every point of \a cell one bit for each of \a other
 */
HWY_ATTR void
findPartners(const PointCell& cell,
             const PointCell& other,
             const PairLimits& limits,
             const float* farthest,
             std::uint32_t* partners)
{
  const FloatTag tag;
  constexpr int lanes = hn::MaxLanes(FloatTag());
  static_assert(cell_points % lanes == 0, "whole registers");
  for (int i = 0; i < cell_points; ++i) {
    partners[i] = 0;
    if (farthest[i] < 0.0f)
      continue;
    const OrientedPoint point = cell[i];
    std::uint32_t bits = 0;
    for (int j = 0; j < cell_points; j += lanes) {
      // In the order of dot().
      const FloatLanes cosine = load(tag, other.normal_x + j) * point.normal.x +
                                load(tag, other.normal_y + j) * point.normal.y +
                                load(tag, other.normal_z + j) * point.normal.z;
      const FloatLanes dx = FloatLanes(point.position.x) - load(tag, other.x + j);
      const FloatLanes dy = FloatLanes(point.position.y) - load(tag, other.y + j);
      const FloatLanes dz = FloatLanes(point.position.z) - load(tag, other.z + j);
      const FloatLanes distance = dx * dx + dy * dy + dz * dz;
      const auto fits = (cosine <= FloatLanes(limits.max_cosine)) &
                        (distance >= FloatLanes(limits.min_squared_distance)) &
                        (distance <= FloatLanes(farthest[i]));
      std::uint8_t mask[8] = {};
      hn::StoreMaskBits(tag, fits.value, mask);
      std::uint32_t some;
      __builtin_memcpy(&some, mask, sizeof(some));
      bits |= some << j;
    }
    partners[i] = bits;
  }
}

struct PairScratch {
  int columns, rows; // cells
  PointCell* cells;
  CellBounds* bounds;
  ChosenPartners* partners; // of every pixel
  std::uint8_t* asked;      // whether a pixel chooses
  std::size_t* row_counts;
  PointPair* all; // pairs that are selected from; null if all are kept
  std::size_t bytes;

  PairScratch(const PairTask& task, void* memory)
  : columns((task.cloud.cols + cell_columns - 1) / cell_columns)
  , rows((task.cloud.rows + cell_rows - 1) / cell_rows)
  {
    const std::size_t pixels = std::size_t(task.cloud.rows) * task.cloud.cols;
    ScratchPieces pieces(memory);
    cells = pieces.take<PointCell>(std::size_t(columns) * rows);
    bounds = pieces.take<CellBounds>(std::size_t(columns) * rows);
    partners = pieces.take<ChosenPartners>(pixels);
    asked = pieces.take<std::uint8_t>(pixels);
    row_counts = pieces.take<std::size_t>(task.cloud.rows + 1);
    all = task.keepsAll() ? nullptr : pieces.take<PointPair>(pixels * max_partners);
    bytes = pieces.bytes();
  }
};

CellBounds
boundsOf(const PointCell& cell)
{
  CellBounds bounds{};
  Vector3 sum{0.0f, 0.0f, 0.0f};
  for (int i = 0; i < cell_points; ++i) {
    const OrientedPoint point = cell[i];
    if (!isThere(point))
      continue;
    bounds.add({point.position, point.position});
    sum = sum + point.normal;
  }
  float least_cosine = 1.0f;
  bounds.axis = coneAxis(sum);
  for (int i = 0; i < cell_points; ++i)
    if (isThere(cell[i]))
      least_cosine = std::min(least_cosine, dot(bounds.axis, cell[i].normal));
  bounds.angle = coneAngle(least_cosine);
  return bounds;
}

void
fillCells(const PairTask& task, const PairScratch& scratch)
{
#pragma omp parallel for schedule(static)
  for (int index = 0; index < scratch.columns * scratch.rows; ++index) {
    PointCell& cell = scratch.cells[index];
    for (int i = 0; i < cell_points; ++i) {
      const int x = index % scratch.columns * cell_columns + i % cell_columns;
      const int y = index / scratch.columns * cell_rows + i / cell_columns;
      OrientedPoint point = missingPoint();
      if (x < task.cloud.cols && y < task.cloud.rows)
        point = orientedPoint(task.cloud.ptr(y)[x], task.normals.ptr(y)[x]);
      cell.x[i] = point.position.x;
      cell.y[i] = point.position.y;
      cell.z[i] = point.position.z;
      cell.normal_x[i] = point.normal.x;
      cell.normal_y[i] = point.normal.y;
      cell.normal_z[i] = point.normal.z;
    }
    scratch.bounds[index] = boundsOf(cell);
  }
}

/** \brief Chooses the partners of the points of one cell. */
struct CellSearch {
  const PairTask& task;
  const PairScratch& scratch;
  PairLimits limits = pairLimits(task);
  float min_angle = std::acos(task.max_cosine) - 1e-3f;
  std::vector<std::pair<float, int>> near_cells = {}; ///< squared gap, number

  void
  search(int column, int row)
  {
    const int index = row * scratch.columns + column;
    const PointCell& cell = scratch.cells[index];
    float farthest[cell_points];
    Partners partners[cell_points];
    for (int i = 0; i < cell_points; ++i) {
      const bool asks =
          isThere(cell[i]) && (!task.keypoints || scratch.asked[pixelOf(index, i)]);
      farthest[i] = asks ? limits.max_squared_distance : -1.0f;
    }
    collectCells(column, row);
    for (const std::pair<float, int>& near : near_cells) {
      if (near.first > *std::max_element(farthest, farthest + cell_points))
        break;
      std::uint32_t candidates[cell_points];
      findPartners(cell, scratch.cells[near.second], limits, farthest, candidates);
      for (int i = 0; i < cell_points; ++i)
        if (candidates[i] != 0)
          farthest[i] =
              std::min(farthest[i],
                       addPartners(index, i, near.second, candidates[i], partners[i]));
    }
    for (int i = 0; i < cell_points; ++i)
      if (isInside(index, i))
        scratch.partners[pixelOf(index, i)] =
            choosePartners(partners[i], task.pairs_per_point);
  }

  void
  collectCells(int column, int row)
  {
    const CellBounds& own = scratch.bounds[row * scratch.columns + column];
    const int reach_x = (task.window_radius + cell_columns - 1) / cell_columns;
    const int reach_y = (task.window_radius + cell_rows - 1) / cell_rows;
    near_cells.clear();
    for (int y = std::max(row - reach_y, 0);
         y <= std::min(row + reach_y, scratch.rows - 1);
         ++y)
      for (int x = std::max(column - reach_x, 0);
           x <= std::min(column + reach_x, scratch.columns - 1);
           ++x) {
        const CellBounds& other = scratch.bounds[y * scratch.columns + x];
        const float gap = squaredGap(own, other);
        if (cellsMayBePaired(own, other, gap, limits, min_angle))
          near_cells.emplace_back(gap, y * scratch.columns + x);
      }
    std::sort(near_cells.begin(), near_cells.end());
  }

  /** \brief Adds points of a cell to the partners of point \a i of another one.
   * \return the squared distance beyond which no partner is of interest any more
   */
  float
  addPartners(
      int cell, int i, int other, std::uint32_t candidates, Partners& partners) const
  {
    const Vector3 position = scratch.cells[cell][i].position;
    for (; candidates != 0; candidates &= candidates - 1) {
      const int j = __builtin_ctz(candidates);
      if (std::abs(columnOf(other, j) - columnOf(cell, i)) <= task.window_radius &&
          std::abs(rowOf(other, j) - rowOf(cell, i)) <= task.window_radius)
        partners.add(squaredDistance(position, scratch.cells[other][j].position),
                     pixelOf(other, j));
    }
    return partners.farthest();
  }

  int
  columnOf(int cell, int i) const
  {
    return cell % scratch.columns * cell_columns + i % cell_columns;
  }

  int
  rowOf(int cell, int i) const
  {
    return cell / scratch.columns * cell_rows + i / cell_columns;
  }

  bool
  isInside(int cell, int i) const
  {
    return columnOf(cell, i) < task.cloud.cols && rowOf(cell, i) < task.cloud.rows;
  }

  int
  pixelOf(int cell, int i) const
  {
    return rowOf(cell, i) * task.cloud.cols + columnOf(cell, i);
  }
};

void
markKeypoints(const PairTask& task, const PairScratch& scratch)
{
  const int pixels = task.cloud.rows * task.cloud.cols;
  std::fill(scratch.asked, scratch.asked + pixels, std::uint8_t(0));
  for (int i = 0; i < task.keypoint_count; ++i)
    if (task.keypoints[i] >= 0 && task.keypoints[i] < pixels)
      scratch.asked[task.keypoints[i]] = 1;
}

/** \brief Hands the pairs of one row to a function, in order. */
template <typename Use>
void
forPairsOfRow(const PairTask& task, const PairScratch& scratch, int row, const Use& use)
{
  for (int x = 0; x < task.cloud.cols; ++x) {
    const int own = row * task.cloud.cols + x;
    for (const int other : scratch.partners[own].point)
      if (other >= 0 && keepsPair(scratch.partners[other], own, other))
        use(PointPair{own, other});
  }
}

HWY_ATTR void
findPairs(const PairTask& task)
{
  const PairScratch scratch(task, task.scratch.loose);
  fillCells(task, scratch);
  if (task.keypoints)
    markKeypoints(task, scratch);
#pragma omp parallel
  {
    CellSearch search{task, scratch};
#pragma omp for schedule(dynamic, 8)
    for (int index = 0; index < scratch.columns * scratch.rows; ++index)
      search.search(index % scratch.columns, index / scratch.columns);
  }

  const int rows = task.cloud.rows;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; ++y) {
    std::size_t count = 0;
    forPairsOfRow(task, scratch, y, [&count](const PointPair&) { ++count; });
    scratch.row_counts[y + 1] = count;
  }
  scratch.row_counts[0] = 0;
  for (int y = 0; y < rows; ++y)
    scratch.row_counts[y + 1] += scratch.row_counts[y];
  PointPair* const pairs = scratch.all ? scratch.all : task.pairs;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; ++y) {
    PointPair* to = pairs + scratch.row_counts[y];
    forPairsOfRow(task, scratch, y, [&to](const PointPair& pair) { *to++ = pair; });
  }
  const int total = static_cast<int>(scratch.row_counts[rows]);
  *task.count = scratch.all ? std::min(total, task.selected_count) : total;
  if (scratch.all)
    for (int i = 0; i < *task.count; ++i)
      task.pairs[i] = pairs[selectedPair(task, i, total)];
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(findPairs);

ScratchBytes
host::pairScratchBytes(const PairTask& task)
{
  return {0, HWY_NAMESPACE::PairScratch(task, nullptr).bytes};
}

void
host::findPairs(const PairTask& task)
{
  HWY_DYNAMIC_DISPATCH(findPairs)(task);
}

} // namespace pcl::device
#endif
