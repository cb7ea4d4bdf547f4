// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

namespace pcl::gpu::apps {

/** \brief Returns the page of the manual, with the options of all effects.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 * \param[in] effect effect whose own options the command line may have
 */
ManualPage
manualPage(SceneSpaceOptions& options, const EffectCommand& effect);

} // namespace pcl::gpu::apps
