// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/manual_page.h"
#include "options.h"

namespace pcl::gpu::apps {

/** \brief Returns the page of the manual, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(TriangulateOptions& options);

} // namespace pcl::gpu::apps
