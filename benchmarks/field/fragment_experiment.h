// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace benchmarks {

struct FragmentSettings {
  std::string folder;           ///< of cloud_bin_N.ply
  std::string kind = "3DMatch"; ///< of the pairs: FOLDER/gt/KIND.log
  std::string truth;            ///< another log; empty for that of the kind
  std::string peer;             ///< "fpfh"; empty for TensorViewRegistration
  float voxel = 0.05f;          ///< side of the peer's, metres
  std::string result;           ///< log to write; may be empty
};

/** \brief Registers pairs of fragments, judges the poses, and prints errors and times.
 *
 * Runs on the current device; the peer, on the processor.
 * \throws std::runtime_error naming a file that cannot be read, or the peer if it is
 * unknown
 */
void
runFragments(const FragmentSettings& settings);

} // namespace benchmarks
