// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "likelihood_driver.h"

// LikelihoodDriver's parts on the host.

namespace pcl::device::host {

void
makeKeys(const ObservationTask& task);

void
observe(const ObservationTask& task, const std::uint32_t* sorted_numbers);

/** \brief Writes the sums of all samples' distances from a chunk. */
void
compareChunks(const SampleTask<PreparedCapsule>& task);

void
compareChunks(const SampleTask<PreparedTaperedCapsule>& task);

} // namespace pcl::device::host
