// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/matching_task.h"
#include "matching/overlap_sums.hpp"

#include <pcl/gpu/utils/device/types.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace pcl::device {

/** \brief The coefficient of correlation, eq. (6); 0 where one of both does not
 * vary. */
PCL_GPU_HOST_DEVICE float
correlation(const AreaSums& sums)
{
  const double n = sums.count;
  const double variance_p = n * sums.pp - sums.p * sums.p;
  const double variance_q = n * sums.qq - sums.q * sums.q;
  // Equal areas leave only the rounding of sums. Areas are rounded to 24 bits, so that
  // less variation counts as none.
  constexpr double least = 1e-12;
  if (!(variance_p > least * n * sums.pp && variance_q > least * n * sums.qq))
    return 0.0f;
  const double coefficient =
      (n * sums.pq - sums.p * sums.q) / (sqrt(variance_p) * sqrt(variance_q));
  return static_cast<float>(fmin(1.0, fmax(-1.0, coefficient)));
}

/** \brief Voxels that are not empty in both tensors, over those that are not empty in
 * at least one. */
PCL_GPU_HOST_DEVICE float
overlapRatio(int both, int p, int q)
{
  return static_cast<float>(both) / static_cast<float>(p + q - both);
}

PCL_GPU_HOST_DEVICE bool
overlapsEnough(const MatchingTask& task, int both, int p, int q)
{
  return both >= task.min_overlap_voxels &&
         overlapRatio(both, p, q) >= task.min_overlap;
}

/** \brief Tensors of the table that one is compared with: from \a begin to \a end. */
struct TableRange {
  int begin, end;
};

PCL_GPU_HOST_DEVICE TableRange
tableRange(const MatchingTask& task, float angle)
{
  if (task.neighbor_bins < 0)
    return {0, task.table_size};
  const int bin = binOf(angle, task.bins);
  const int first = bin - task.neighbor_bins, last = bin + task.neighbor_bins;
  return {static_cast<int>(task.bin_starts[first < 0 ? 0 : first]),
          static_cast<int>(
              task.bin_starts[last < task.bins.count ? last + 1 : task.bins.count])};
}

/** \brief Returns the score of a match. */
PCL_GPU_HOST_DEVICE float
matchScore(const MatchingTask& task, float coefficient, int both, int p, int q)
{
  return task.ranking == MatchRanking::CorrelationTimesOverlap
             ? coefficient * overlapRatio(both, p, q)
             : coefficient;
}

/** \brief Returns the same score of a match that was found. */
PCL_GPU_HOST_DEVICE float
matchScore(MatchRanking ranking, const TensorMatch& match)
{
  return ranking == MatchRanking::CorrelationTimesOverlap
             ? match.correlation * match.overlap
             : match.correlation;
}

/** \brief A match among others: that of the larger key is the better one. */
struct RankedMatch {
  std::uint64_t key; ///< 0 if there is none
  float coefficient;
};

PCL_GPU_HOST_DEVICE RankedMatch
rankedMatch(float score, float coefficient, int tensor)
{
  std::uint32_t bits;
  memcpy(&bits, &score, sizeof(bits));
  // Floats above 0 are ordered as their bits are, those below the other way round.
  bits = bits >> 31 ? ~bits : bits | 0x80000000u;
  return {static_cast<std::uint64_t>(bits) << 32 |
              (0xffffffffu - static_cast<std::uint32_t>(tensor)),
          coefficient};
}

/** \brief The score of the match that has a key. */
PCL_GPU_HOST_DEVICE float
scoreOf(std::uint64_t key)
{
  std::uint32_t bits = static_cast<std::uint32_t>(key >> 32);
  bits = bits >> 31 ? bits & 0x7fffffffu : ~bits;
  float score;
  memcpy(&score, &bits, sizeof(score));
  return score;
}

PCL_GPU_HOST_DEVICE int
tensorOf(const RankedMatch& match)
{
  return static_cast<int>(0xffffffffu - static_cast<std::uint32_t>(match.key));
}

} // namespace pcl::device
