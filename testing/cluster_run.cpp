// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/cluster_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <random>
#include <tuple>

namespace pcl::gpu::test {

namespace {

constexpr int none = -1;

enum class Kind { Finish, Fail, Start };

/** \brief Something that happens to a process (Finish) or a node. */
struct Event {
  double time;
  Kind kind;
  int number; ///< of the process or node
  int life;   ///< of the node; events of former lives do not happen
  int unit;

  bool
  operator>(const Event& other) const
  {
    return std::tie(time, kind, number) >
           std::tie(other.time, other.kind, other.number);
  }
};

struct Process {
  double factor = 1.0;
  int unit = none; ///< in progress
  double begun = 0.0;
  int blocks = 0; ///< that it has tried
  int tried = 0;  ///< units of the next block
  bool runs = false;
};

class Simulation {
public:
  Simulation(const ClusterRun& run, std::uint64_t seed)
  : run_(run)
  , random_(seed)
  , processes_(run.nodes * run.processes_per_node)
  , lives_(run.nodes)
  , open_(run.units, true)
  , open_of_block_(processes_.size())
  {
    for (std::size_t b = 0; b < processes_.size(); ++b)
      open_of_block_[b] = beginOf(b + 1) - beginOf(b);
    double speed = 0.0;
    for (int node = 0; node < run.nodes; ++node) {
      const double slow = draw() < run.slow_nodes ? run.slow_factor : 1.0;
      for (int i = 0; i < run.processes_per_node; ++i) {
        Process& process = processes_[node * run.processes_per_node + i];
        process.factor = slow * (1.0 + run.spread * (draw() - 0.5));
        speed += 1.0 / process.factor;
      }
    }
    outcome_.ideal = run.units * run.unit_seconds / speed;
    outcome_.makers.assign(run.units, none);
  }

  ClusterOutcome
  simulate()
  {
    for (int node = 0; node < run_.nodes; ++node)
      start(node, 0.0);
    while (done_ < run_.units) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Kind::Start) {
        --repairs_;
        start(event.number, event.time);
      }
      else if (event.life != lives_[nodeOf(event)])
        continue;
      else if (event.kind == Kind::Fail)
        fail(event.number, event.time);
      else
        finish(event);
      if (running_ == 0 && repairs_ == 0 && done_ < run_.units) {
        ++outcome_.starts;
        for (int node = 0; node < run_.nodes; ++node)
          start(node, event.time);
      }
    }
    return std::move(outcome_);
  }

private:
  int
  nodeOf(const Event& event) const
  {
    return event.kind == Kind::Finish ? event.number / run_.processes_per_node
                                      : event.number;
  }

  /** \brief Returns a number from 0 to 1, without 1. */
  double
  draw()
  {
    return static_cast<double>(random_() >> 11) * 0x1p-53;
  }

  /** \brief Returns the first unit of a process's block. */
  int
  beginOf(std::size_t block) const
  {
    return static_cast<int>(std::int64_t(run_.units) * block / processes_.size());
  }

  int
  blockOf(int unit) const
  {
    return static_cast<int>(((std::int64_t(unit) + 1) * processes_.size() - 1) /
                            run_.units);
  }

  void
  start(int node, double time)
  {
    ++lives_[node];
    if (run_.failures > 0.0)
      events_.push({time - std::log1p(-draw()) / run_.failures,
                    Kind::Fail,
                    node,
                    lives_[node],
                    none});
    forProcesses(node, [&](int p) {
      processes_[p].blocks = processes_[p].tried = 0;
      processes_[p].runs = true;
      ++running_;
      next(p, time);
    });
  }

  void
  fail(int node, double time)
  {
    ++lives_[node];
    outcome_.failures.push_back({node, time});
    forProcesses(node, [&](int p) {
      Process& process = processes_[p];
      running_ -= process.runs;
      process.runs = false;
      if (process.unit == none)
        return;
      outcome_.lost += std::max(time - process.begun, 0.0);
      open_[process.unit] = true;
      ++open_of_block_[blockOf(process.unit)];
      process.unit = none;
    });
    if (run_.repair_seconds > 0.0) {
      ++repairs_;
      events_.push({time + run_.repair_seconds, Kind::Start, node, 0, none});
    }
  }

  void
  finish(const Event& event)
  {
    outcome_.makers[event.unit] = event.number;
    ++done_;
    // One process at a time adds its line to the manifest.
    manifest_free_ = std::max(manifest_free_, event.time) + run_.record_seconds;
    outcome_.makespan = std::max(outcome_.makespan, manifest_free_);
    next(event.number, manifest_free_);
  }

  /** \brief Begins a process's next unit, or ends the process. */
  void
  next(int p, double time)
  {
    Process& process = processes_[p];
    process.unit = claim(p);
    if (process.unit == none) {
      process.runs = false;
      --running_;
      return;
    }
    process.begun = time;
    events_.push({time + run_.unit_seconds * process.factor,
                  Kind::Finish,
                  p,
                  lives_[p / run_.processes_per_node],
                  process.unit});
  }

  /** \brief Returns the next unit in a process's order that no other has begun: its own
   * block forwards, then the following blocks backwards. */
  int
  claim(int p)
  {
    Process& process = processes_[p];
    const int blocks = run_.takes_from_others ? static_cast<int>(processes_.size()) : 1;
    for (; process.blocks < blocks; ++process.blocks, process.tried = 0) {
      const std::size_t block = (p + process.blocks) % processes_.size();
      const int first = beginOf(block), count = beginOf(block + 1) - first;
      if (open_of_block_[block] == 0)
        continue;
      while (process.tried < count) {
        const int i = process.tried++;
        const int unit = process.blocks == 0 ? first + i : first + count - 1 - i;
        if (open_[unit]) {
          open_[unit] = false;
          --open_of_block_[block];
          return unit;
        }
      }
    }
    return none;
  }

  template <typename Action>
  void
  forProcesses(int node, const Action& action)
  {
    for (int i = 0; i < run_.processes_per_node; ++i)
      action(node * run_.processes_per_node + i);
  }

  const ClusterRun& run_;
  std::mt19937_64 random_;
  std::vector<Process> processes_;
  std::vector<int> lives_;
  std::vector<bool> open_; ///< units that are neither begun nor done
  std::vector<int> open_of_block_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  ClusterOutcome outcome_;
  double manifest_free_ = 0.0; ///< time from which nobody locks it
  int done_ = 0;
  int running_ = 0; ///< processes
  int repairs_ = 0; ///< nodes that will come back
};

} // namespace

ClusterOutcome
simulateRun(const ClusterRun& run, std::uint64_t seed)
{
  return Simulation(run, seed).simulate();
}

} // namespace pcl::gpu::test
