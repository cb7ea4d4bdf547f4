// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_likelihood.h"

namespace pcl::device {

namespace {

template <typename Prepared>
void
computeSamples(const SampleTask<Prepared>& task)
{
  const std::size_t capsules =
      static_cast<std::size_t>(task.sample_count) * task.capsules_per_sample;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < capsules; ++i)
    task.prepared[i] = prepare(task.capsules[i],
                               task.observation.viewpoint,
                               task.observation.truncation_distance);
  host::compareChunks(task);
  const int chunks = task.observation.chunk_count;
#pragma omp parallel for schedule(static)
  for (int sample = 0; sample < task.sample_count; ++sample) {
    double sum = 0.0;
    for (int chunk = 0; chunk < chunks; ++chunk)
      sum += task.chunk_sums[static_cast<std::size_t>(sample) * chunks + chunk];
    task.likelihoods[sample] = task.factor * sum;
  }
}

class HostLikelihoodDriver : public LikelihoodDriver {
public:
  void
  makeKeys(const ObservationTask& task, Queue) const override
  {
    host::makeKeys(task);
  }

  void
  observe(const ObservationTask& task,
          const std::uint32_t* sorted_numbers,
          Queue) const override
  {
    host::observe(task, sorted_numbers);
  }

  void
  compute(const SampleTask<PreparedCapsule>& task, Queue) const override
  {
    computeSamples(task);
  }

  void
  compute(const SampleTask<PreparedTaperedCapsule>& task, Queue) const override
  {
    computeSamples(task);
  }
};

} // namespace

const LikelihoodDriver&
hostLikelihoodDriver()
{
  static const HostLikelihoodDriver driver;
  return driver;
}

} // namespace pcl::device
