// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <boost/program_options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief An effect as the program offers it.
 *
 * To add one: derive from this in a file of its own, declare the function that makes it
 * below, and add that to effectCommands().
 */
class EffectCommand {
public:
  virtual ~EffectCommand() = default;

  /** \brief The word that chooses it on the command line. */
  virtual std::string
  name() const = 0;

  /** \brief What it does, for the manual: lines of at most 77 characters. */
  virtual std::string
  description() const = 0;

  /** \brief What --noise is unless the user says: for an effect that needs to know.
   * \return 0 by default, which takes the least time
   */
  virtual std::string
  defaultNoise() const
  {
    return "0";
  }

  /** \brief What --edge-margin is unless the user says.
   * \return 0 by default
   */
  virtual int
  defaultEdgeMargin() const
  {
    return 0;
  }

  /** \brief Whether it makes no sense without --mask.
   * \return false by default
   */
  virtual bool
  needsMask() const
  {
    return false;
  }

  /** \brief Its own options, for the manual and for the command line. */
  virtual boost::program_options::options_description
  options() const = 0;

  /** \brief The effect.
   * \param[in] values of its own options, as parsed
   * \param[in] video the input, whose depth is registered to colour
   * \throws InputError naming the option and its value if one cannot be used
   */
  virtual SceneSpaceEffect::ConstPtr
  make(const boost::program_options::variables_map& values,
       const RGBDVideo& video) const = 0;
};

/** \brief All effects, in the order of the manual. */
const std::vector<std::unique_ptr<EffectCommand>>&
effectCommands();

/** \brief The effect of that name.
 * \param[in] name as the user wrote it
 * \throws InputError that lists all names, if there is none
 */
const EffectCommand&
effectNamed(const std::string& name);

/** \brief Noise is removed: DenoisingEffect. */
std::unique_ptr<EffectCommand>
denoiseCommand();

/** \brief Sharp frames stand in for blurred ones: DeblurringEffect. */
std::unique_ptr<EffectCommand>
deblurCommand();

/** \brief Other cameras: VirtualViewEffect. */
std::unique_ptr<EffectCommand>
viewCommand();

/** \brief Large lenses: VirtualApertureEffect. */
std::unique_ptr<EffectCommand>
apertureCommand();

/** \brief Long exposures: ComputationalShutterEffect. */
std::unique_ptr<EffectCommand>
shutterCommand();

/** \brief Objects are removed: InpaintingEffect. */
std::unique_ptr<EffectCommand>
inpaintCommand();

/** \brief What moves, at several times: ActionShotEffect. */
std::unique_ptr<EffectCommand>
actionCommand();

/** \brief More pixels: SuperResolutionEffect. */
std::unique_ptr<EffectCommand>
superResolveCommand();

} // namespace pcl::gpu::apps
