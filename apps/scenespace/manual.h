// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "options.h"

#include <boost/program_options.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Every option of an effect with its default and its paragraph of the manual.
 * \param[out] options where values go; options that need parsing stay text
 * \param[in] effect whose own options there are besides
 * \param[out] words those without a dash, of which there are to be none
 */
boost::program_options::options_description
sceneSpaceOptionsDescription(SceneSpaceOptions& options,
                             const EffectCommand& effect,
                             std::vector<std::string>& words);

/** \brief Prints the page of the manual.
 * \param[in] out where to
 */
void
printManual(std::ostream& out);

} // namespace pcl::gpu::apps
