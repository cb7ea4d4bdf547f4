// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/distributed/nccl_communicator.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief One of several processes of a program, each with a CUDA device. */
struct RankProcess {
  int rank = 0;
  int size = 1;
  std::string folder; ///< of files that the processes share
  std::string task;

  /** \brief Chooses a device and joins the other processes.
   * \param[in] devices number of devices, which the ranks take in turn
   * \param[in] timeout longest wait for the others, seconds
   */
  std::shared_ptr<NcclCommunicator>
  join(int devices, float timeout) const;
};

/** \brief Returns the rank of this process; none if runRankProcesses() did not start
 * it. */
std::optional<RankProcess>
rankOfThisProcess();

/** \brief Starts the running program once for each rank, and waits for all of them.
 * \return their exit codes, or 128 and the signal that ended them
 */
std::vector<int>
runRankProcesses(int size, const std::string& task);

} // namespace pcl::gpu::test
