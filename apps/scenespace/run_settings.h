// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

namespace pcl::gpu::apps {

/** \brief Writes the options of a run to settings.txt in the output folder. Compares
 * them with an existing one, so that a resumed run has the options of the first.
 * \param[in] options options of this run
 * \throws InputError naming the option whose value differs
 */
void
keepSettings(const SceneSpaceOptions& options);

} // namespace pcl::gpu::apps
