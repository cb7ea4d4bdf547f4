// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Part of a run's work that one of several processes takes first. */
struct Shard {
  int number = 0; ///< below count
  int count = 1;  ///< of processes
};

/** \brief How a run shares its work with other processes, at once or after it. */
struct SharingOptions {
  bool resume = false;
  std::optional<Shard> shard;        ///< none: this process is alone
  std::vector<std::string> settings; ///< as settingsOf() returns them

  /** \brief Returns whether results that are there are kept. */
  bool
  goesOn() const
  {
    return resume || shard;
  }
};

/** \brief Parses "K/N", or "auto" for the numbers that the program's launcher gives.
 *
 * K counts from 0 or from 1: 0 and N are the same shard. "auto" reads the variables of
 * Open MPI, of PMI, of Slurm and of Slurm's job arrays. Several tasks in each job of an
 * array count on. Without these variables there is one shard.
 * \param[in] option the option that it belongs to, for the message
 * \param[in] text the value on the command line
 * \throws InputError if it is anything else, if a variable is no such number, or if the
 * numbers of an array have gaps
 */
Shard
parseShard(const std::string& option, const std::string& text);

} // namespace pcl::gpu::apps
