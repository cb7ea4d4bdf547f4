// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/timings.h"
#include "../options/options.h"

namespace pcl::gpu::apps {

/** \brief Looks at meshes from random sides, matches their tensors, and prints and writes
 * what they were matched with.
 * \param[in] options meshes, camera and noise
 * \param[in,out] timings gets how long it took
 * \throws InputError if an input cannot be used
 */
void
measureConfusion(const ConfusionOptions& options, Timings& timings);

} // namespace pcl::gpu::apps
