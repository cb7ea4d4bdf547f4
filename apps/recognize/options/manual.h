// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/manual_page.h"
#include "options.h"

#include <string>

namespace pcl::gpu::apps {

/** \brief Returns the page of the program, which lists its subcommands. */
std::string
programPage();

/** \brief Returns the page of a subcommand, with every option and its default.
 * \param[in,out] options options receive the values of a command line; those that need
 * parsing stay text
 */
ManualPage
manualPage(LearnOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(RecognizeOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(LibraryOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(ConfusionOptions& options);

/** \copydoc manualPage(LearnOptions&) */
ManualPage
manualPage(RegisterOptions& options);

} // namespace pcl::gpu::apps
