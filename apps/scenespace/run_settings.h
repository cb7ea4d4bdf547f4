// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

namespace pcl::gpu::apps {

/** \brief Writes the options of a run to settings.txt in the output folder, or compares
 * them with it, so that a resumed run makes its frames with the same options.
 * \param[in] options of this run
 * \throws InputError naming the option if the folder's frames were made with another value
 */
void
keepSettings(const SceneSpaceOptions& options);

} // namespace pcl::gpu::apps
