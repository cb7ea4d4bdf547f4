// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/manual_page.h"

#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief An effect as the program offers it.
 *
 * To add one: write a function that makes it, by makeEffectCommand(), in a file of its
 * own if it has options that are not numbers, and add it to effectCommands().
 */
struct EffectCommand {
  std::string name;                ///< word that chooses it on the command line
  std::string description;         ///< for the manual: lines of at most 77 characters
  std::string default_noise = "0"; ///< of --noise; 0 takes the least time
  int default_edge_margin = 0;     ///< of --edge-margin, pixels
  bool needs_mask = false;         ///< makes no sense without --mask

  /** \brief Returns its own options, for the manual and for the command line. */
  std::function<boost::program_options::options_description()> options;

  /** \brief Returns the effect. Takes the values of its own options and the input, whose
   * depth is registered to colour. Throws InputError naming an option that cannot be
   * used. */
  std::function<SceneSpaceEffect::ConstPtr(
      const boost::program_options::variables_map& values, const RGBDVideo& video)>
      make;
};

/** \brief All effects, in the order of the manual. */
const std::vector<EffectCommand>&
effectCommands();

/** \brief The effect of that name.
 * \param[in] name as the user wrote it
 * \throws InputError that lists all names, if there is none
 */
const EffectCommand&
effectNamed(const std::string& name);

/** \brief Other cameras: VirtualViewEffect. */
EffectCommand
viewCommand();

/** \brief Large lenses: VirtualApertureEffect. */
EffectCommand
apertureCommand();

/** \brief Long exposures: ComputationalShutterEffect. */
EffectCommand
shutterCommand();

/** \brief What moves, at several times: ActionShotEffect. */
EffectCommand
actionCommand();

/** \brief More pixels: SuperResolutionEffect. */
EffectCommand
superResolveCommand();

} // namespace pcl::gpu::apps
