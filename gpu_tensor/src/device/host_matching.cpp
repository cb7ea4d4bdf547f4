// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "correlation.hpp"
#include "host_lanes.h"
#include "matching_driver.h"

#include <pcl/gpu/utils/device/scratch_pieces.hpp>

#include <algorithm>
#include <vector>

namespace pcl {
namespace device {

namespace {

/** \brief Tensors of the table that are compared with all given ones in turn, so that they
 * stay in the cache. */
constexpr int block_size = 1024;

struct Scratch {
  std::uint32_t* occupancy; // of the given tensors
  int* table_counts;        // of the table's tensors: voxels that are not empty
  int* least_common;        // that overlap enough, by the sum of both tensors' counts
  RankedMatch* best;        // matches of every given tensor
  std::size_t bytes;

  Scratch(const MatchingTask& task, void* memory)
  {
    ScratchPieces pieces(memory);
    occupancy = pieces.take<std::uint32_t>(std::size_t(task.max_count) * task.words);
    table_counts = pieces.take<int>(task.table_size);
    least_common = pieces.take<int>(2 * std::size_t(task.voxels) + 1);
    best = pieces.take<RankedMatch>(std::size_t(task.max_count) * task.match_count);
    bytes = pieces.bytes();
  }
};

void
setBits(const TensorView& tensors, int tensor, int words, std::uint32_t* bits)
{
  std::fill(bits, bits + words, 0u);
  for (std::uint32_t i = tensors.start(tensor); i < tensors.start(tensor + 1); ++i)
    bits[tensors.voxels[i] / 32] |= 1u << (tensors.voxels[i] % 32);
}

int
entryCount(const TensorView& tensors, int tensor)
{
  return static_cast<int>(tensors.start(tensor + 1) - tensors.start(tensor));
}

/** \brief Keeps the best matches of one tensor, the best first. */
void
keepBest(const RankedMatch& match, RankedMatch* best, int count)
{
  if (match.key <= best[count - 1].key)
    return;
  int place = count - 1;
  for (; place > 0 && best[place - 1].key < match.key; --place)
    best[place] = best[place - 1];
  best[place] = match;
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

class Matching {
public:
  Matching(const MatchingTask& task, const Scratch& scratch)
  : task_(task)
  , scratch_(scratch)
  , areas_(task.voxels, 0.0f)
  , others_(block_size)
  , common_(block_size)
  , group_areas_(std::size_t(task.voxels) * host::overlap_group)
  , group_others_(std::size_t(task.voxels) * host::overlap_group)
  {}

  /** \brief Compares one tensor with those from \a begin to \a end of the table. */
  void
  compare(int tensor, int begin, int end)
  {
    const TableRange range = tableRange(task_, task_.tensors.frames[tensor].angle);
    const int count =
        findOverlaps(tensor, std::max(begin, range.begin), std::min(end, range.end));
    if (count == 0)
      return;
    const TensorView& own = task_.tensors;
    for (std::uint32_t i = own.start(tensor); i < own.start(tensor + 1); ++i)
      areas_[own.voxels[i]] = own.areas[i];
    entries_ = entryCount(own, tensor);
    best_ = scratch_.best + std::size_t(tensor) * task_.match_count;
    for (int i = 0; i < count; ++i) {
      // The coefficient is at most 1.
      if (ranked(others_[i], 1.0f, common_[i]).key <= best_[task_.match_count - 1].key)
        continue;
      addToGroup(others_[i], common_[i]);
      if (group_size_ == host::overlap_group)
        rankGroup();
    }
    rankGroup();
    for (std::uint32_t i = own.start(tensor); i < own.start(tensor + 1); ++i)
      areas_[own.voxels[i]] = 0.0f;
  }

private:
  /** \brief Collects the tensors of a part of the table that overlap enough with one.
   * \return how many they are
   */
  int
  findOverlaps(int tensor, int begin, int end)
  {
    const int entries = entryCount(task_.tensors, tensor);
    const int* const counts = scratch_.table_counts;
    const int* const least = scratch_.least_common + entries;
    int count = 0;
    for (int other = begin; other < end; ++other) {
      others_[count] = other;
      count += std::min(entries, counts[other]) >= least[counts[other]] ? 1 : 0;
    }
    host::countCommonBits(scratch_.occupancy + std::size_t(tensor) * task_.words,
                          task_.table_occupancy,
                          task_.words,
                          others_.data(),
                          count,
                          common_.data());
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const int other = others_[i], common = common_[i];
      others_[kept] = other;
      common_[kept] = common;
      kept += common >= least[counts[other]] ? 1 : 0;
    }
    return kept;
  }

  RankedMatch
  ranked(int other, float coefficient, int common) const
  {
    const float score =
        matchScore(task_, coefficient, common, entries_, scratch_.table_counts[other]);
    return rankedMatch(score, coefficient, other);
  }

  /** \brief Puts the areas of a tensor beside those of others. */
  void
  addToGroup(int other, int common)
  {
    const int lane = group_size_++;
    group_[lane] = other;
    group_common_[lane] = common;
    const int count = scratch_.table_counts[other];
    const std::uint16_t* const voxels = task_.table.voxels + task_.table.start(other);
    const float* const areas = task_.table.areas + task_.table.start(other);
    float* to_own = group_areas_.data() + lane;
    float* to_other = group_others_.data() + lane;
    for (int i = 0; i < count; ++i) {
      *to_own = areas_[voxels[i]];
      *to_other = areas[i];
      to_own += host::overlap_group;
      to_other += host::overlap_group;
    }
  }

  /** \brief Takes the coefficients of a group of tensors, and keeps the best. */
  void
  rankGroup()
  {
    int steps = 0;
    for (int lane = 0; lane < group_size_; ++lane)
      steps = std::max(steps, scratch_.table_counts[group_[lane]]);
    for (int lane = 0; lane < group_size_; ++lane)
      for (int i = scratch_.table_counts[group_[lane]]; i < steps; ++i)
        group_areas_[std::size_t(i) * host::overlap_group + lane] = 0.0f;
    host::OverlapGroup group;
    host::sumOverlaps(
        group_areas_.data(), group_others_.data(), steps, group_size_, group);
    for (int lane = 0; lane < group_size_; ++lane) {
      OverlapSums sums;
      sums.count = group_common_[lane];
      sums.p = group.p[lane];
      sums.q = group.q[lane];
      sums.pp = group.pp[lane];
      sums.qq = group.qq[lane];
      sums.pq = group.pq[lane];
      const float coefficient = correlation(sums);
      if (coefficient >= task_.min_correlation)
        keepBest(ranked(group_[lane], coefficient, group_common_[lane]),
                 best_,
                 task_.match_count);
    }
    group_size_ = 0;
  }

  const MatchingTask& task_;
  const Scratch& scratch_;
  std::vector<float> areas_; // of the given tensor, of all voxels
  int entries_ = 0;          // of the given tensor
  RankedMatch* best_ = nullptr;
  std::vector<int> others_, common_; // tensors that overlap with it, and by how much
  int group_[host::overlap_group] = {}, group_common_[host::overlap_group] = {};
  int group_size_ = 0;
  std::vector<float> group_areas_,
      group_others_; // one step of all of a group's in a row
};

class HostMatchingDriver : public MatchingDriver {
public:
  void
  findBins(const TensorFrame* frames,
           int count,
           const AngleBins& bins,
           std::uint32_t* bin,
           Queue) const override
  {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; ++i)
      bin[i] = static_cast<std::uint32_t>(binOf(frames[i].angle, bins));
  }

  std::size_t
  coarseTableBytes(int, int, std::uint32_t) const override
  {
    return 0;
  }

  void
  gatherTensors(const TableTask& task, Queue) const override
  {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < task.count; ++i) {
      const std::uint32_t from = task.places[i];
      task.frames[i] = task.from.frames[from];
      task.labels[i] = task.from_labels[from];
      const std::uint32_t begin = task.from.start(from);
      const std::uint32_t end = task.from.start(from + 1);
      std::copy(task.from.voxels + begin,
                task.from.voxels + end,
                task.voxels + task.starts[i]);
      std::copy(
          task.from.areas + begin, task.from.areas + end, task.areas + task.starts[i]);
      setBits(
          task.from, from, task.words, task.occupancy + std::size_t(i) * task.words);
    }
  }

  std::size_t
  matchingScratchBytes(const MatchingTask& task) const override
  {
    return Scratch(task, nullptr).bytes;
  }

  void
  match(const MatchingTask& task, void* memory, Queue) const override
  {
    const Scratch scratch(task, memory);
    const int count = std::min(*task.count, task.max_count);
    const std::size_t matches = std::size_t(count) * task.match_count;
    std::fill(scratch.best, scratch.best + matches, RankedMatch{});
    for (int i = 0; i < task.table_size; ++i)
      scratch.table_counts[i] = entryCount(task.table, i);
    findLeastCommon(task, scratch.least_common);
#pragma omp parallel
    {
      Matching matching(task, scratch);
#pragma omp for schedule(static)
      for (int i = 0; i < count; ++i)
        setBits(task.tensors,
                i,
                task.words,
                scratch.occupancy + std::size_t(i) * task.words);
      for (int begin = 0; begin < task.table_size; begin += block_size)
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < count; ++i)
          matching.compare(i, begin, std::min(begin + block_size, task.table_size));
#pragma omp for schedule(static)
      for (int i = 0; i < count; ++i)
        for (int k = 0; k < task.match_count; ++k)
          task.matches[std::size_t(i) * task.match_count + k] = matchOf(
              task, scratch, i, scratch.best[std::size_t(i) * task.match_count + k]);
    }
  }

private:
  static TensorMatch
  matchOf(const MatchingTask& task,
          const Scratch& scratch,
          int tensor,
          const RankedMatch& match)
  {
    if (match.key == 0)
      return {-1, 0.0f, 0.0f};
    const int other = tensorOf(match);
    int common = 0;
    host::countCommonBits(scratch.occupancy + std::size_t(tensor) * task.words,
                          task.table_occupancy,
                          task.words,
                          &other,
                          1,
                          &common);
    return {other,
            match.coefficient,
            overlapRatio(common,
                         entryCount(task.tensors, tensor),
                         entryCount(task.table, other))};
  }
};

} // namespace

const MatchingDriver&
hostMatchingDriver()
{
  static const HostMatchingDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
