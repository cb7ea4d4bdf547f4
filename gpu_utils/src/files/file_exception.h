// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu {

/** \brief Throws pcl::IOException "<file>: <problem>: expected <expectation>".
 * \param[in] file the file's name
 * \param[in] problem what is wrong with it
 * \param[in] expectation the right contents, in words
 */
[[noreturn]] void
throwFileException(const std::string& file,
                   const std::string& problem,
                   const std::string& expectation);

} // namespace pcl::gpu
