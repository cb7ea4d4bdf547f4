// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particles.h"

struct CUstream_st;

namespace pcl::device::cuda {

/** \brief Size of the scratch memory of the functions below. */
std::size_t
weightScratchBytes(std::uint32_t count);

/** \brief Turns log-likelihoods into weights, and decides whether they are carried on. */
void
weigh(const Particles& particles,
      const WeightTask& weights,
      const ResamplingTask& resampling,
      void* scratch,
      CUstream_st* stream);

/** \brief Writes the ancestors of the next particles. */
void
chooseAncestors(const Particles& particles,
                const ResamplingTask& resampling,
                void* scratch,
                CUstream_st* stream);

} // namespace pcl::device::cuda
