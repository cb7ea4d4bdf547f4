// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/correlation.hpp"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/internal/device/element_math.hpp>

namespace pcl::device {

/** \brief Joins the matches that ranks found in their parts of a table: keeps the best
 * of each tensor, in the order that the whole table gives. */
struct JoinMatches {
  const TensorMatch* found; ///< those of all tensors of rank 0, then of rank 1 ...
  int ranks;
  int table_size;   ///< of the whole table
  const int* count; ///< of tensors
  int max_count;
  int match_count;
  MatchRanking ranking;
  TensorMatch* matches;

  /** \brief Puts one match into its place.
   * \param[in] i tensor * match_count + place among the matches of its rank
   * \param[in] rank the rank that found it
   */
  PCL_GPU_HOST_DEVICE void
  operator()(int i, int rank) const
  {
    const int tensor = i / match_count;
    if (tensor >= *count)
      return;
    const TensorMatch own = matchAt(i, rank);
    const std::uint64_t key = keyOf(own);
    const int first = tensor * match_count;
    int place = 0;
    // Any numbers have one order, so that every place gets a match even after a rank
    // failed and left nonsense.
    for (int other = 0; other < ranks && place < match_count; ++other)
      for (int j = first; j < first + match_count; ++j) {
        const std::uint64_t other_key = keyOf(matchAt(j, other));
        const bool comes_first = other < rank || (other == rank && j < i);
        if (other_key > key || (other_key == key && comes_first))
          ++place;
      }
    if (place < match_count)
      matches[first + place] = own;
  }

private:
  PCL_GPU_HOST_DEVICE TensorMatch
  matchAt(int i, int rank) const
  {
    const TensorMatch match = found[std::size_t(rank) * max_count * match_count + i];
    // The bits of a score that is not a number depend on the order of its factors.
    const bool is_nonsense = match.tensor < 0 || match.tensor >= table_size ||
                             !isFinite(match.correlation) || !isFinite(match.overlap);
    return is_nonsense ? TensorMatch{-1, 0.0f, 0.0f} : match;
  }

  PCL_GPU_HOST_DEVICE std::uint64_t
  keyOf(const TensorMatch& match) const
  {
    if (match.tensor < 0)
      return 0;
    const float score = matchScore(ranking, match);
    return rankedMatch(score, match.correlation, match.tensor).key;
  }
};

} // namespace pcl::device
