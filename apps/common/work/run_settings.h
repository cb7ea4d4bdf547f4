// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <boost/program_options.hpp>

#include <set>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns the settings that a run's results depend on: the program, and a line
 * for each option and its value.
 * \param[in] program name of the program, and of its subcommand if it has some
 * \param[in] values options of the command line
 * \param[in] unrelated options that do not change results. Those of folders, devices,
 * windows and shared work need not be named.
 */
std::vector<std::string>
settingsOf(const std::string& program,
           const boost::program_options::variables_map& values,
           const std::set<std::string>& unrelated);

} // namespace pcl::gpu::apps
