// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/stream.h>

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

using pcl::device::checkCuda;

/** \brief Microseconds of one run. */
struct Sample {
  double median = 0.0;
  double low = 0.0;  ///< a tenth of the runs were faster
  double high = 0.0; ///< a tenth of the runs were slower
};

/** \brief Returns "median (low-high)", with one digit behind each point. */
std::string
microseconds(const Sample& sample);

/** \brief Queues the work that is timed on the timer's stream. */
using QueueWork = std::function<void()>;

/** \brief Device work, captured once, launched often. */
class CapturedGraph {
public:
  /** \brief Captures; fails if the work waits or allocates.
   * \param[in] stream the stream that \a work queues on
   * \param[in] work work that ran before, so that its memory exists
   * \param[in] runs number of times that it is captured, one after the other
   */
  CapturedGraph(const pcl::gpu::Stream& stream, const QueueWork& work, int runs = 1);

  void
  launch() const;

  /** \brief Kernels, copies and memsets of the graph. */
  int
  nodes() const;

private:
  pcl::gpu::Stream stream_;
  std::shared_ptr<CUgraph_st> graph_;
  std::shared_ptr<CUgraphExec_st> executable_;
};

/** \brief Times device work. Every repeat is preceded by a kernel of 3 ms that does
 * nothing, so that the clocks are up and launches queue behind it. */
class CudaTimer {
public:
  /** \brief Runs in one graph where withinGraph() says so. */
  static constexpr int runs_in_graph = 20;

  /** \brief Prepares to time work on a stream.
   * \param[in] stream not the default one, which cannot be captured
   * \param[in] repeats number of measurements of everything; at least 1
   */
  CudaTimer(const pcl::gpu::Stream& stream, int repeats);

  /** \brief Replays of a graph of one run, back to back, by events. */
  Sample
  graph(const QueueWork& work) const;

  /** \brief Replays of a graph of many runs in a row, by events: without what it costs
   * to start a graph. */
  Sample
  withinGraph(const QueueWork& work) const;

  /** \brief One replay between two events, as a program that waits for every frame sees
   * it. */
  Sample
  singleGraph(const QueueWork& work) const;

  /** \brief Calls without a graph, back to back, by events: the host's launches
   * included. */
  Sample
  calls(const QueueWork& work) const;

  /** \brief From the call until the stream is idle, by the host's clock.
   * \param[in] work may wait itself
   */
  Sample
  wall(const QueueWork& work) const;

  /** \brief Times the stages of one run without a graph, by events.
   * \param[in] work queues all stages, and calls \a end_stage behind each
   */
  std::vector<Sample>
  stages(const std::function<void(const QueueWork& end_stage)>& work) const;

private:
  Sample
  eventTime(const QueueWork& work, int runs, bool launches_hidden) const;

  int
  runsFor(const QueueWork& work) const;

  void
  spin() const;

  pcl::gpu::Stream stream_;
  int repeats_;
  std::shared_ptr<CUevent_st> start_;
  std::shared_ptr<CUevent_st> stop_;
};

} // namespace benchmarks
