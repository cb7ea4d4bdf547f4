// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstdint>
#include <vector>

namespace pcl::gpu::test {

/** \brief A run whose units are shared by the processes of a cluster as SharedWork
 * shares them. Every node has the same number of processes. */
struct ClusterRun {
  int nodes = 64;
  int processes_per_node = 8;
  int units = 65536;
  double unit_seconds = 1.0; ///< a unit takes a process of factor 1
  double spread = 0.0; ///< factors of processes are 1 - spread / 2 to 1 + spread / 2
  double slow_nodes = 0.0;   ///< probability that a node is slow
  double slow_factor = 1.0;  ///< a slow node's processes take so many times longer
  double failures = 0.0;     ///< of a node, per second
  double repair_seconds = 0; ///< after which a failed node comes back; 0: it does not
  double record_seconds = 0; ///< of the manifest's lock, for each unit
  bool takes_from_others = true; ///< else each process makes its own block only
};

/** \brief A node that failed. */
struct NodeFailure {
  int node;
  double time; ///< seconds after the beginning
};

/** \brief Course of a run. */
struct ClusterOutcome {
  double ideal = 0.0;    ///< seconds of a perfect division, without failures
  double makespan = 0.0; ///< seconds until the last unit is done
  double lost = 0.0;     ///< seconds that processes spent on units that they lost
  int starts = 1;        ///< number of times that all processes were started
  std::vector<NodeFailure> failures;
  std::vector<int> makers; ///< process that made each unit
};

/** \brief Simulates a run.
 *
 * Times between the failures of a node are exponential. The units that its processes
 * are at are lost; all others are kept. A process ends when it has tried all units.
 * When all processes have ended or failed, and units are missing, all are started
 * again.
 * \param[in] run the run; all numbers are positive, or 0 where that is the default
 * \param[in] seed of the random numbers; equal seeds give equal outcomes
 */
ClusterOutcome
simulateRun(const ClusterRun& run, std::uint64_t seed);

} // namespace pcl::gpu::test
