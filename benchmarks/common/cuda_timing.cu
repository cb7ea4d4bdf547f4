// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/cuda_timing.h"

#include "common/report.h"
#include "common/statistics.h"

#include <algorithm>

namespace benchmarks {

namespace {

constexpr unsigned long long spin_nanoseconds = 3'000'000;
constexpr double longest_batch = 20'000.0; // microseconds

__global__ void
spinKernel(unsigned long long nanoseconds)
{
  unsigned long long start = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
}

Sample
summarize(std::vector<double> samples)
{
  std::sort(samples.begin(), samples.end());
  const std::size_t count = samples.size();
  return {samples[count / 2], samples[count / 10], samples[count - 1 - count / 10]};
}

std::shared_ptr<CUevent_st>
makeEvent()
{
  cudaEvent_t event = nullptr;
  checkCuda(cudaEventCreate(&event), "creating an event");
  return {event, [](cudaEvent_t old) { cudaEventDestroy(old); }};
}

} // namespace

std::string
microseconds(const Sample& sample)
{
  return fixed(sample.median, 1) + " (" + fixed(sample.low, 1) + "-" +
         fixed(sample.high, 1) + ")";
}

CapturedGraph::CapturedGraph(const pcl::gpu::Stream& stream,
                             const QueueWork& work,
                             int runs)
: stream_(stream)
{
  checkCuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal),
            "starting a capture");
  for (int run = 0; run < runs; ++run)
    work();
  cudaGraph_t graph = nullptr;
  checkCuda(cudaStreamEndCapture(stream.get(), &graph), "ending a capture");
  graph_.reset(graph, [](cudaGraph_t old) { cudaGraphDestroy(old); });
  cudaGraphExec_t executable = nullptr;
  checkCuda(cudaGraphInstantiate(&executable, graph, 0), "instantiating a graph");
  executable_.reset(executable, [](cudaGraphExec_t old) { cudaGraphExecDestroy(old); });
}

void
CapturedGraph::launch() const
{
  checkCuda(cudaGraphLaunch(executable_.get(), stream_.get()), "launching a graph");
}

int
CapturedGraph::nodes() const
{
  std::size_t count = 0;
  checkCuda(cudaGraphGetNodes(graph_.get(), nullptr, &count), "counting nodes");
  return static_cast<int>(count);
}

CudaTimer::CudaTimer(const pcl::gpu::Stream& stream, int repeats)
: stream_(stream)
, repeats_(repeats)
, start_(makeEvent())
, stop_(makeEvent())
{}

void
CudaTimer::spin() const
{
  spinKernel<<<1, 1, 0, stream_.get()>>>(spin_nanoseconds);
  checkCuda(cudaGetLastError(), "launching a kernel");
}

Sample
CudaTimer::eventTime(const QueueWork& work, int runs, bool launches_hidden) const
{
  std::vector<double> samples;
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    spin();
    if (!launches_hidden)
      stream_.synchronize();
    checkCuda(cudaEventRecord(start_.get(), stream_.get()), "recording an event");
    for (int run = 0; run < runs; ++run)
      work();
    checkCuda(cudaEventRecord(stop_.get(), stream_.get()), "recording an event");
    stream_.synchronize();
    float milliseconds = 0.0f;
    checkCuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()),
              "reading an event");
    samples.push_back(1000.0 * milliseconds / runs);
  }
  return summarize(std::move(samples));
}

int
CudaTimer::runsFor(const QueueWork& work) const
{
  // Once to warm up, once to learn how long it takes.
  CudaTimer once(*this);
  once.repeats_ = 1;
  once.eventTime(work, 1, true);
  const double microseconds = once.eventTime(work, 1, true).median;
  return std::clamp(
      static_cast<int>(longest_batch / std::max(microseconds, 1.0)), 2, 20);
}

Sample
CudaTimer::graph(const QueueWork& work) const
{
  const CapturedGraph graph(stream_, work);
  const QueueWork replay = [&] { graph.launch(); };
  return eventTime(replay, runsFor(replay), true);
}

Sample
CudaTimer::withinGraph(const QueueWork& work) const
{
  const CapturedGraph graph(stream_, work, runs_in_graph);
  const QueueWork replay = [&] { graph.launch(); };
  replay();
  Sample sample = eventTime(replay, 1, true);
  for (double* time : {&sample.median, &sample.low, &sample.high})
    *time /= runs_in_graph;
  return sample;
}

Sample
CudaTimer::singleGraph(const QueueWork& work) const
{
  const CapturedGraph graph(stream_, work);
  graph.launch();
  return eventTime([&] { graph.launch(); }, 1, true);
}

Sample
CudaTimer::calls(const QueueWork& work) const
{
  return eventTime(work, runsFor(work), false);
}

std::vector<Sample>
CudaTimer::stages(const std::function<void(const QueueWork& end_stage)>& work) const
{
  std::vector<std::shared_ptr<CUevent_st>> events{start_};
  std::vector<std::vector<double>> times;
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    spin();
    std::size_t stage = 0;
    const auto record = [&] {
      checkCuda(cudaEventRecord(events[stage].get(), stream_.get()),
                "recording an event");
    };
    record();
    work([&] {
      if (++stage == events.size()) {
        events.push_back(makeEvent());
        times.emplace_back();
      }
      record();
    });
    stream_.synchronize();
    for (std::size_t i = 0; i < stage; ++i) {
      float milliseconds = 0.0f;
      checkCuda(
          cudaEventElapsedTime(&milliseconds, events[i].get(), events[i + 1].get()),
          "reading an event");
      times[i].push_back(1000.0 * milliseconds);
    }
  }
  std::vector<Sample> samples;
  for (std::vector<double>& of_stage : times)
    samples.push_back(summarize(std::move(of_stage)));
  return samples;
}

Sample
CudaTimer::wall(const QueueWork& work) const
{
  std::vector<double> samples;
  for (int repeat = 0; repeat < repeats_; ++repeat) {
    spin();
    work();
    stream_.synchronize();
    const StopWatch watch;
    work();
    stream_.synchronize();
    samples.push_back(1e6 * watch.seconds());
  }
  return summarize(std::move(samples));
}

} // namespace benchmarks
