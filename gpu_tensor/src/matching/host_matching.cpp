// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching/host_matching.h"

#include "matching/correlation.hpp"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <omp.h>
#include <vector>

// Comparison of tensors with parts of a table, by threads of the host.

namespace pcl::device::host {

namespace {

/** \brief The most tensors of the table that are compared with all given ones one after
 * the other, so that they stay in the cache; and the fewest that are worth a block. */
constexpr int max_block_size = 256, min_block_size = 32;

/** \brief Memory that all threads share. */
struct MatchingScratch {
  std::uint32_t* occupancy; ///< of the given tensors
  CoarseGrid* coarse;       ///< of the given tensors; null if the table has none
  int* least_common;        ///< that overlap enough, by the sum of both tensors' counts
  RankedMatch* best;        ///< matches of every given tensor
  std::size_t bytes;

  MatchingScratch(const MatchingTask& task, void* memory)
  {
    ScratchPieces pieces(memory);
    occupancy = pieces.take<std::uint32_t>(std::size_t(task.max_count) * task.words);
    coarse = task.table_coarse ? pieces.take<CoarseGrid>(task.max_count) : nullptr;
    least_common = pieces.take<int>(2 * std::size_t(task.voxels) + 1);
    best = pieces.take<RankedMatch>(std::size_t(task.max_count) * task.match_count);
    bytes = pieces.bytes();
  }
};

/** \brief Keeps the best matches of one tensor, the best first. */
inline void
insert(const RankedMatch& match, RankedMatch* best, int count)
{
  if (match.key <= best[count - 1].key)
    return;
  int place = count - 1;
  for (; place > 0 && best[place - 1].key < match.key; --place)
    best[place] = best[place - 1];
  best[place] = match;
}

/** \brief Least key among the best matches so far of each tensor: a match needs a
 * larger key. All threads share them. */
struct Floors {
  std::vector<std::atomic<std::uint64_t>> keys;

  std::uint64_t
  operator[](int tensor) const
  {
    return keys[tensor].load(std::memory_order_relaxed);
  }

  void
  raise(int tensor, std::uint64_t key)
  {
    std::uint64_t former = (*this)[tensor];
    while (former < key && !keys[tensor].compare_exchange_weak(
                               former, key, std::memory_order_relaxed)) {
    }
  }
};

/** \brief The work of one thread: compares blocks of the table with all given
 * tensors. */
struct Comparison {
  const MatchingTask& task;
  const MatchingScratch& scratch;
  int count; ///< of given tensors
  Floors& floors;
  /** \brief Coarse tensors of the table, if it has any. */
  CoarseTable coarse = {
      task.table_size, task.table.room, const_cast<void*>(task.table_coarse)};
  /** \brief Matches of all given tensors, in this thread. */
  std::vector<RankedMatch> all_best =
      std::vector<RankedMatch>(std::size_t(count) * task.match_count);

  // Of a block of the table.
  int block_begin = 0;
  std::vector<float> sizes = std::vector<float>(max_block_size + overlap_rows);
  std::size_t block_grids = scratch.coarse ? max_block_size : 0;
  /** \brief Coarse tensors, made when they are needed. */
  std::vector<std::uint8_t> grids =
      std::vector<std::uint8_t>(block_grids * max_coarse_voxels);
  /** \brief See CoarseGrid; 0 before a grid is made. */
  std::vector<std::uint32_t> grid_words = std::vector<std::uint32_t>(block_grids);

  // Of one given tensor.
  int given = 0, entries = 0;
  RankedMatch* best = nullptr;
  std::uint64_t floor = 0; ///< see Floors
  /** \brief Tensors that overlap with it, and their common voxels. */
  std::vector<int> overlapping = std::vector<int>(max_block_size),
                   commons = overlapping;
  std::vector<CoarseSums> sums = std::vector<CoarseSums>(max_block_size);
  /** \brief Upper bounds of the coefficients of the same tensors. */
  std::vector<float> uppers = std::vector<float>(max_block_size, 1.0f);
  /** \brief Areas of all voxels, if it has_areas; else 0. */
  std::vector<float> own_areas = std::vector<float>(task.voxels, 0.0f);
  bool has_areas = false;
  int group[overlap_group] = {}, group_common[overlap_group] = {};
  int group_size = 0;
  /** \brief Areas of a group, one step of all of it in a row. */
  std::vector<float> group_areas =
                         std::vector<float>(std::size_t(task.voxels) * overlap_group),
                     group_others = group_areas;

  /** \brief Compares all given tensors with those from \a begin to \a end of the
   * table. */
  void
  compare(int begin, int end)
  {
    block_begin = begin;
    for (int other = begin; other < end; ++other)
      sizes[other - begin] = static_cast<float>(task.table.entryCount(other));
    std::fill(grid_words.begin(), grid_words.end(), 0u);
    for (int tensor = 0; tensor < count; ++tensor) {
      const TableRange range = tableRange(task, task.tensors.frames[tensor].angle);
      compare(tensor, std::max(begin, range.begin), std::min(end, range.end));
    }
  }

  /** \brief Compares one tensor with a part of the table. */
  void
  compare(int tensor, int begin, int end)
  {
    if (begin >= end)
      return;
    given = tensor;
    entries = task.tensors.entryCount(tensor);
    best = all_best.data() + std::size_t(tensor) * task.match_count;
    floor = std::max(floors[tensor], best[task.match_count - 1].key);
    const std::uint64_t former_floor = floor;
    const int some = collect(begin, end);
    if (scratch.coarse)
      boundCoefficients(some);
    for (int i = 0; i < some; ++i) {
      const float upper = uppers[i];
      if (upper >= task.min_correlation &&
          ranked(overlapping[i], upper, commons[i]).key > floor) {
        addToGroup(overlapping[i], commons[i]);
        if (group_size == overlap_group)
          rankGroup();
      }
    }
    rankGroup();
    if (floor > former_floor)
      floors.raise(tensor, floor);
    spreadAreas(false);
  }

  /** \brief Returns a limit that every sufficient overlap keeps to, and few others. */
  OverlapLimit
  overlapLimit() const
  {
    // The coefficient is at most 1.
    float ratio = task.min_overlap;
    if (task.ranking == MatchRanking::CorrelationTimesOverlap && floor != 0)
      ratio = std::max(ratio, scoreOf(floor));
    // n / (p + q - n) >= ratio, but for rounding.
    constexpr float rounding = 0.25f;
    const float slope = ratio / (1.0f + ratio);
    return {slope, slope * entries - rounding};
  }

  /** \brief Collects the tensors of a part of the table that overlap enough.
   * \return their number
   */
  int
  collect(int begin, int end)
  {
    const OccupancyRow row = {scratch.occupancy + std::size_t(given) * task.words,
                              task.words,
                              scratch.coarse ? &scratch.coarse[given].cells : nullptr,
                              overlapLimit()};
    const OccupancyRows others = {task.table_occupancy +
                                      std::size_t(begin) * task.words,
                                  scratch.coarse ? coarse.cells + begin : nullptr,
                                  sizes.data() + (begin - block_begin),
                                  end - begin};
    const int count = findOverlaps(row, others, overlapping.data(), commons.data());
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const int other = begin + overlapping[i], common = commons[i];
      overlapping[kept] = other;
      commons[kept] = common;
      const int sum = entries + task.table.entryCount(other);
      kept += common >= scratch.least_common[sum] ? 1 : 0;
    }
    return kept;
  }

  /** \brief Finds upper bounds of the coefficients of these tensors. */
  void
  boundCoefficients(int count)
  {
    const CoarseGrid& own = scratch.coarse[given];
    for (int i = 0; i < count; ++i) {
      const int place = overlapping[i] - block_begin;
      const std::uint8_t* const grid = gridOf(overlapping[i]);
      sums[i] = sumCoarse(own.areas, grid, own.words & grid_words[place]);
      sums[i].count = commons[i];
    }
    for (int i = 0; i < count; ++i)
      uppers[i] =
          boundsOfCoefficient(sums[i], own.error, coarse.errors[overlapping[i]]).upper;
  }

  /** \brief The coarse tensor of one of the block, which is made when it is needed. */
  const std::uint8_t*
  gridOf(int other)
  {
    const int place = other - block_begin;
    std::uint8_t* const grid = grids.data() + std::size_t(place) * max_coarse_voxels;
    if (grid_words[place] == 0)
      grid_words[place] =
          fillGrid(task.table, other, coarse.areas + task.table.start(other), grid);
    return grid;
  }

  RankedMatch
  ranked(int other, float coefficient, int common) const
  {
    const float score =
        matchScore(task, coefficient, common, entries, task.table.entryCount(other));
    return rankedMatch(score, coefficient, other);
  }

  /** \brief Writes the given tensor's areas of all voxels, which few blocks need, or
   * clears them. */
  void
  spreadAreas(bool wanted)
  {
    if (has_areas == wanted)
      return;
    const TensorView& own = task.tensors;
    for (std::uint32_t i = own.start(given); i < own.start(given + 1); ++i)
      own_areas[own.voxels[i]] = wanted ? own.areas[i] : 0.0f;
    has_areas = wanted;
  }

  /** \brief Puts the areas of a tensor beside those of others. */
  void
  addToGroup(int other, int common)
  {
    spreadAreas(true);
    const int lane = group_size++;
    group[lane] = other;
    group_common[lane] = common;
    const int count = task.table.entryCount(other);
    const std::uint16_t* const voxels = task.table.voxels + task.table.start(other);
    const float* const areas = task.table.areas + task.table.start(other);
    float* to_own = group_areas.data() + lane;
    float* to_other = group_others.data() + lane;
    for (int i = 0; i < count; ++i) {
      *to_own = own_areas[voxels[i]];
      *to_other = areas[i];
      to_own += overlap_group;
      to_other += overlap_group;
    }
  }

  /** \brief Takes the coefficients of a group of tensors, and keeps the best. */
  void
  rankGroup()
  {
    if (group_size == 0)
      return;
    int steps = 0;
    for (int lane = 0; lane < group_size; ++lane)
      steps = std::max(steps, task.table.entryCount(group[lane]));
    for (int lane = 0; lane < group_size; ++lane)
      for (int i = task.table.entryCount(group[lane]); i < steps; ++i)
        group_areas[std::size_t(i) * overlap_group + lane] = 0.0f;
    OverlapGroup found;
    sumOverlaps(group_areas.data(), group_others.data(), steps, group_size, found);
    for (int lane = 0; lane < group_size; ++lane) {
      const AreaSums sums = {group_common[lane],
                             found.p[lane],
                             found.q[lane],
                             found.pp[lane],
                             found.qq[lane],
                             found.pq[lane]};
      const float coefficient = correlation(sums);
      if (coefficient >= task.min_correlation)
        insert(ranked(group[lane], coefficient, group_common[lane]),
               best,
               task.match_count);
    }
    group_size = 0;
    floor = std::max(floor, best[task.match_count - 1].key);
  }
};

/** \brief Finds the least number of common voxels of two tensors that overlap enough.
 *
 * Only the sum of their counts matters, and the more voxels there are the more have to
 * be common. No two tensors have more than half of the sum in common.
 */
void
findLeastCommon(const MatchingTask& task, int* least_common)
{
  int common = task.min_overlap_voxels;
  for (int sum = 0; sum <= 2 * task.voxels; ++sum) {
    while (2 * common <= sum && !overlapsEnough(task, common, sum - common, common))
      ++common;
    least_common[sum] = common;
  }
}

/** \brief Brings a given tensor into the forms that it is compared in. */
void
prepare(const MatchingTask& task, const MatchingScratch& scratch, int tensor)
{
  std::uint32_t* const occupancy = scratch.occupancy + std::size_t(tensor) * task.words;
  setBits(task.tensors, tensor, task.words, occupancy);
  if (!scratch.coarse)
    return;
  std::uint8_t coarse[max_coarse_voxels];
  CoarseGrid& grid = scratch.coarse[tensor];
  grid.error = coarsen(task.tensors, tensor, coarse, grid.cells);
  grid.words = fillGrid(task.tensors, tensor, coarse, grid.areas);
}

TensorMatch
matchOf(const MatchingTask& task,
        const MatchingScratch& scratch,
        int tensor,
        const RankedMatch& match)
{
  if (match.key == 0)
    return {-1, 0.0f, 0.0f};
  const int other = tensorOf(match);
  const std::uint32_t* const own = scratch.occupancy + std::size_t(tensor) * task.words;
  const std::uint32_t* const others =
      task.table_occupancy + std::size_t(other) * task.words;
  int common = 0;
  for (int word = 0; word < task.words; ++word)
    common += __builtin_popcount(own[word] & others[word]);
  return {task.wholeNumber(other),
          match.coefficient,
          overlapRatio(
              common, task.tensors.entryCount(tensor), task.table.entryCount(other))};
}

} // namespace

float
coarsen(const TensorView& tensors, int tensor, std::uint8_t* coarse, CellCounts& counts)
{
  const int count = tensors.entryCount(tensor);
  const float* const areas = tensors.areas + tensors.start(tensor);
  float low = std::numeric_limits<float>::infinity(), high = 0.0f;
  for (int i = 0; i < count; ++i) {
    low = std::min(low, areas[i]);
    high = std::max(high, areas[i]);
  }
  // 0 is left for empty voxels.
  const CoarseScale scale(low, high, 126.0f);
  float squares = 0.0f;
  const std::uint16_t* const voxels = tensors.voxels + tensors.start(tensor);
  counts = {};
  for (int i = 0; i < count; ++i) {
    coarse[i] = static_cast<std::uint8_t>(1.0f + scale.round(areas[i], squares));
    ++counts.of[voxels[i] / cell_voxels];
  }
  return scale.error(squares);
}

void
setBits(const TensorView& tensors, int tensor, int words, std::uint32_t* bits)
{
  std::fill(bits, bits + words, 0u);
  for (std::uint32_t i = tensors.start(tensor); i < tensors.start(tensor + 1); ++i)
    bits[tensors.voxels[i] / 32] |= 1u << (tensors.voxels[i] % 32);
}

std::uint32_t
fillGrid(const TensorView& tensors,
         int tensor,
         const std::uint8_t* coarse,
         std::uint8_t* grid)
{
  std::fill(grid, grid + max_coarse_voxels, std::uint8_t(0));
  std::uint32_t filled = 0;
  const std::uint16_t* const voxels = tensors.voxels + tensors.start(tensor);
  const int count = tensors.entryCount(tensor);
  for (int i = 0; i < count; ++i) {
    grid[voxels[i]] = coarse[i];
    filled |= 1u << voxels[i] / word_voxels;
  }
  return filled;
}

std::size_t
matchingScratchBytes(const MatchingTask& task)
{
  return MatchingScratch(task, nullptr).bytes;
}

void
match(const MatchingTask& task)
{
  const MatchingScratch scratch(task, task.scratch);
  const int count = std::min(*task.count, task.max_count);
  const std::size_t matches = std::size_t(count) * task.match_count;
  std::fill(scratch.best, scratch.best + matches, RankedMatch{});
  findLeastCommon(task, scratch.least_common);
  // Threads finish at about the same time.
  constexpr int enough_blocks = 8;
  const int block_size =
      std::clamp(task.table_size / (enough_blocks * omp_get_max_threads()),
                 min_block_size,
                 max_block_size);
  Floors floors{std::vector<std::atomic<std::uint64_t>>(count)};
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < count; ++i)
      prepare(task, scratch, i);
    Comparison comparison{task, scratch, count, floors};
#pragma omp for schedule(dynamic)
    for (int begin = 0; begin < task.table_size; begin += block_size)
      comparison.compare(begin, std::min(begin + block_size, task.table_size));
#pragma omp critical
    for (std::size_t i = 0; i < matches; ++i)
      insert(comparison.all_best[i],
             scratch.best + i / task.match_count * task.match_count,
             task.match_count);
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < task.match_count; ++k)
        task.matches[std::size_t(i) * task.match_count + k] = matchOf(
            task, scratch, i, scratch.best[std::size_t(i) * task.match_count + k]);
  }
}

} // namespace pcl::device::host
