// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_tensor/tensors/host_tensors.h"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/tensor/tensor_table.h>

#include <vector>

namespace pcl::gpu::test {

/** \brief Tolerance of coefficients, compared with the reference's. */
constexpr double coefficient_tolerance = 1e-6;

/** \brief Resemblance of two tensors. */
struct Resemblance {
  int both = 0;             ///< voxels that neither has empty
  int either = 0;           ///< voxels that one of both has not empty
  double coefficient = 0.0; ///< eq. (6); 0 if one of both does not vary
};

/** \brief Eq. (6) as it is written, with the means taken off first. */
Resemblance
referenceResemblance(const HostTensors& a, int i, const HostTensors& b, int j);

/** \brief Conditions of a match. */
struct MatchingRules {
  int match_count = 1;
  float min_correlation = 0.45f;
  float min_overlap = 0.45f;
  int min_overlap_voxels = 8;
  int neighbor_bins = -1;
  float bin_width = 0.0872664626f; ///< of the table
};

/** \brief Rules under which small grids match. */
MatchingRules
loose(int match_count);

/** \brief Sets all of them. */
void
setRules(TensorMatching& matching, const MatchingRules& rules);

/** \brief Matches of some tensors with a table's, both in host memory. */
struct HostMatches {
  HostTensors tensors;
  HostTensors table; ///< in the table's order
  std::vector<TensorMatch> matches;
};

/** \brief Computes matches on the current device, into output that holds nonsense. */
std::vector<TensorMatch>
matchesOf(TensorMatching& matching, const TensorSet& tensors, const TensorTable& table);

/** \brief The same with everything that it takes. */
HostMatches
matchesOf(const MatchingRules& rules,
          const HostTensors& tensors,
          const HostTensors& table);

/** \brief Compares matches with those of all pairs.
 * \return how many there are
 */
int
expectMatches(const MatchingRules& rules, const HostMatches& found);

/** \brief Returns whether both are the same, bit for bit. */
bool
sameMatches(const std::vector<TensorMatch>& a, const std::vector<TensorMatch>& b);

} // namespace pcl::gpu::test
