// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/manual_page.h"

#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief An effect as the program offers it.
 *
 * To add one: write a function that makes it, by makeEffectCommand(), and add it to
 * effectCommands(). The function has a file of its own if some options are not numbers.
 */
struct EffectCommand {
  std::string name;                ///< word that chooses it on the command line
  std::string description;         ///< for the manual: lines of at most 77 characters
  std::string default_noise = "0"; ///< of --noise; 0 takes the least time
  int default_edge_margin =
      ScenePreparation().edge_margin; ///< of --edge-margin, pixels
  bool needs_mask = false;            ///< requires --mask

  /** \brief Returns its own options, for the manual and for the command line. */
  std::function<boost::program_options::options_description()> options;

  /** \brief Returns the effect. Takes the values of its own options and the input,
   * whose depth is registered to colour. Throws InputError naming an option that
   * cannot be used. */
  std::function<SceneSpaceEffect::ConstPtr(
      const boost::program_options::variables_map& values, const RGBDVideo& video)>
      make;
};

/** \brief Returns all effects, in the order of the manual. */
const std::vector<EffectCommand>&
effectCommands();

/** \brief Returns the effect of a name.
 * \param[in] name as the user wrote it
 * \throws InputError that lists all names, if there is none
 */
const EffectCommand&
effectNamed(const std::string& name);

} // namespace pcl::gpu::apps
