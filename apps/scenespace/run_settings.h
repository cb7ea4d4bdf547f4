// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

namespace pcl::gpu::apps {

/** \brief Has the output folder tell by what options its frames were made, in the file
 * settings.txt, so that no run that is resumed makes the others by other options.
 * \param[in] options of this run
 * \throws InputError naming the option if the folder's frames were made with another value
 */
void
keepSettings(const SceneSpaceOptions& options);

} // namespace pcl::gpu::apps
