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
  RankedMatch* best;        // matches of every given tensor
  std::size_t bytes;

  Scratch(const MatchingTask& task, void* memory)
  {
    ScratchPieces pieces(memory);
    occupancy = pieces.take<std::uint32_t>(std::size_t(task.max_count) * task.words);
    table_counts = pieces.take<int>(task.table_size);
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

class Matching {
public:
  Matching(const MatchingTask& task, const Scratch& scratch)
  : task_(task)
  , scratch_(scratch)
  , areas_(task.voxels, 0.0f)
  , common_(block_size)
  {}

  /** \brief Compares one tensor with those from \a begin to \a end of the table. */
  void
  compare(int tensor, int begin, int end)
  {
    const TableRange range = tableRange(task_, task_.tensors.frames[tensor].angle);
    begin = std::max(begin, range.begin);
    end = std::min(end, range.end);
    if (begin >= end)
      return;
    const TensorView& own = task_.tensors;
    const int entries = entryCount(own, tensor);
    for (std::uint32_t i = own.start(tensor); i < own.start(tensor + 1); ++i)
      areas_[own.voxels[i]] = own.areas[i];
    host::countCommonBits(scratch_.occupancy + std::size_t(tensor) * task_.words,
                          task_.table_occupancy + std::size_t(begin) * task_.words,
                          task_.words,
                          end - begin,
                          common_.data());
    RankedMatch* const best = scratch_.best + std::size_t(tensor) * task_.match_count;
    for (int other = begin; other < end; ++other) {
      const int common = common_[other - begin];
      const int others = scratch_.table_counts[other];
      if (!overlapsEnough(task_, common, entries, others))
        continue;
      const float coefficient = correlation(overlapWith(other));
      if (coefficient < task_.min_correlation)
        continue;
      const float score = matchScore(task_, coefficient, common, entries, others);
      keepBest(rankedMatch(score, coefficient, other), best, task_.match_count);
    }
    for (std::uint32_t i = own.start(tensor); i < own.start(tensor + 1); ++i)
      areas_[own.voxels[i]] = 0.0f;
  }

private:
  OverlapSums
  overlapWith(int other) const
  {
    OverlapSums sums;
    for (std::uint32_t i = task_.table.start(other); i < task_.table.start(other + 1);
         ++i) {
      const float area = areas_[task_.table.voxels[i]];
      if (area > 0.0f)
        sums.add(area, task_.table.areas[i]);
    }
    return sums;
  }

  const MatchingTask& task_;
  const Scratch& scratch_;
  std::vector<float> areas_; // of the given tensor, of all voxels
  std::vector<int> common_;
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
                          task.table_occupancy + std::size_t(other) * task.words,
                          task.words,
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
