// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "options/options.h"

namespace pcl::gpu::apps {

/** \brief Finds how a cloud lies on another one, prints the pose and writes it.
 * \param[in] options both clouds
 * \param[in,out] timings gets how long it took
 * \throws InputError if a cloud cannot be used
 * \throws std::runtime_error if no pose is found
 */
void
registerClouds(const RegisterOptions& options, Timings& timings);

} // namespace pcl::gpu::apps
