// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"

#include <pcl/gpu/utils/stream.h>

#include <cstdint>
#include <vector>

namespace benchmarks {

/** \brief Keys that are spread evenly over the bins. */
std::vector<std::uint32_t>
uniformKeys(std::size_t size, std::uint32_t bins);

/** \brief Prints table 2 of Patidar and Narayanan 2008 with its methods as measured
 * here, and the paper's figures beside.
 *
 * Every method's result is checked in the same run.
 * \throws std::runtime_error if one is wrong
 */
void
printPaperTable(const CudaTimer& timer, const pcl::gpu::Stream& stream);

} // namespace benchmarks
