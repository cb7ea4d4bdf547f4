// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/timings.h"
#include "../options/options.h"

namespace pcl::gpu::apps {

/** \brief Learns models, writes their library, and says so.
 * \param[in] options models and parameters
 * \param[in,out] timings gets how long it took
 * \throws InputError if an input cannot be used
 */
void
learnModels(const LearnOptions& options, Timings& timings);

} // namespace pcl::gpu::apps
