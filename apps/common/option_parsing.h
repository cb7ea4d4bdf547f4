// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <boost/program_options.hpp>

#include <string>
#include <vector>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief Parses a command line strictly: no guessing of abbreviated options.
 * \param[in] argc as main()'s
 * \param[in] argv as main()'s
 * \param[in] options what is allowed
 * \param[in] positional name of the option that takes words without a dash
 * \throws InputError that names the offending option
 */
boost::program_options::variables_map
parseCommandLine(int argc,
                 const char* const* argv,
                 const boost::program_options::options_description& options,
                 const std::string& positional);

/** \brief Numbers separated by commas, such as a camera's "525,525,319.5,239.5".
 * \param[in] option the option they belong to, for the message
 * \param[in] text what the user wrote
 * \param[in] expectation what was expected, for the message
 * \return the numbers, all finite
 * \throws InputError if a part is no finite number
 */
std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation);

} // namespace apps
} // namespace gpu
} // namespace pcl
