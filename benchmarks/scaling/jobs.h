// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <functional>
#include <string>
#include <vector>

/** \brief A piece of work that several GPUs do together. */
struct Job {
  std::string name;
  /** \brief Returns the microseconds that each of some GPUs computes. */
  std::function<double(int gpus)> compute;
  /** \brief Returns the microseconds that some GPUs, 2 or more, exchange results. */
  std::function<double(int gpus)> exchange;

  double
  time(int gpus) const
  {
    return compute(gpus) + (gpus > 1 ? exchange(gpus) : 0.0);
  }

  /** \brief Returns the speedup over one GPU for each of the GPUs. */
  double
  efficiency(int gpus) const
  {
    return time(1) / time(gpus) / gpus;
  }
};

/** \brief Returns the modules' jobs. docs/scaling.md has the source of each number. */
std::vector<Job>
scalingJobs();
