// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <boost/program_options.hpp>

#include <iosfwd>

namespace pcl::gpu::apps {

/** \brief Every option with its default and its paragraph of the manual.
 * \param[out] options where values go; options that need parsing stay text
 */
boost::program_options::options_description
triangulateOptionsDescription(TriangulateOptions& options);

/** \brief Prints the page of the manual.
 * \param[in] out where to
 */
void
printManual(std::ostream& out);

} // namespace pcl::gpu::apps
