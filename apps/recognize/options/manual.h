// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <boost/program_options.hpp>

#include <iosfwd>
#include <string>

namespace pcl::gpu::apps {

/** \brief Every option of a subcommand, and its words without a dash as "input".
 * \param[out] options where their values go
 */
boost::program_options::options_description
allOptions(LearnOptions& options);

/** \brief See above. */
boost::program_options::options_description
allOptions(RecognizeOptions& options);

/** \brief See above. */
boost::program_options::options_description
allOptions(ConfusionOptions& options);

/** \brief See above. */
boost::program_options::options_description
allOptions(RegisterOptions& options);

/** \brief See above.
 * \param[out] options where values go
 * \param[out] words those without a dash
 */
boost::program_options::options_description
allOptions(LibraryOptions& options, std::vector<std::string>& words);

/** \brief Prints a page of the manual.
 * \param[in,out] out where it goes
 * \param[in] subcommand which page; empty for that of the program
 */
void
printManual(std::ostream& out, const std::string& subcommand);

} // namespace pcl::gpu::apps
