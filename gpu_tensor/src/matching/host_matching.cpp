// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching/host_comparison.h"

#include <omp.h>

#include <algorithm>

namespace pcl::device {

namespace {

using host::CoarseGrid;
using host::CoarseTable;
using host::MatchingScratch;

/** \brief The fewest tensors of the table that are worth a block. */
constexpr int min_block_size = 32;

/** \brief Parts of a table, for threads that are done about the same time. */
int
blockSize(const MatchingTask& task, int threads)
{
  constexpr int enough_blocks = 8;
  return std::clamp(task.table_size / (enough_blocks * threads),
                    min_block_size,
                    host::max_block_size);
}

/** \brief Finds from how many common voxels on two tensors overlap enough.
 *
 * Only the sum of their counts matters, and the more voxels there are the more have to be
 * common. No two tensors have more than half of the sum in common.
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
  host::setBits(task.tensors, tensor, task.words, occupancy);
  if (!scratch.coarse)
    return;
  std::uint8_t coarse[max_coarse_voxels];
  CoarseGrid& grid = scratch.coarse[tensor];
  grid.error = host::coarsen(task.tensors, tensor, coarse);
  host::countInCells(task.tensors, tensor, grid.cells);
  grid.words =
      host::fillGrid(task.tensors, tensor, coarse, occupancy, task.words, grid.areas);
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
  return {other,
          match.coefficient,
          overlapRatio(
              common, task.tensors.entryCount(tensor), task.table.entryCount(other))};
}

} // namespace

std::size_t
host::matchingScratchBytes(const MatchingTask& task)
{
  return MatchingScratch(task, nullptr).bytes;
}

void
host::match(const MatchingTask& task)
{
  const MatchingScratch scratch(task, task.scratch);
  const int count = std::min(*task.count, task.max_count);
  const std::size_t matches = std::size_t(count) * task.match_count;
  std::fill(scratch.best, scratch.best + matches, RankedMatch{});
  findLeastCommon(task, scratch.least_common);
  const int block_size = blockSize(task, omp_get_max_threads());
  host::Floors floors(count);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < count; ++i)
      prepare(task, scratch, i);
    host::Comparison comparison(task, scratch, count, floors);
#pragma omp for schedule(dynamic)
    for (int begin = 0; begin < task.table_size; begin += block_size)
      comparison.compare(begin, std::min(begin + block_size, task.table_size));
#pragma omp critical
    comparison.keepBest(scratch.best);
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < task.match_count; ++k)
        task.matches[std::size_t(i) * task.match_count + k] = matchOf(
            task, scratch, i, scratch.best[std::size_t(i) * task.match_count + k]);
  }
}

} // namespace pcl::device
