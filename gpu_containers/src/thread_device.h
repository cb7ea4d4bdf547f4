// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

/** \file
 * \brief The calling thread's choice of the host, of which CUDA knows nothing.
 */

namespace pcl::gpu::runtime {

/** \brief Returns whether the calling thread chose the host (setHostDevice()). Stays
 * false with PCL's own containers.
 */
bool
hostIsChosen() noexcept;

/** \brief Makes the host, or CUDA's current device, the calling thread's device. */
void
chooseHost(bool chosen) noexcept;

/** \brief Returns the calling thread's device: a CUDA ordinal, or \ref host. */
int
currentPlace();

} // namespace pcl::gpu::runtime
