// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

namespace pcl::gpu::apps {

// Each is in a file of its own.
EffectCommand
viewCommand();
EffectCommand
apertureCommand();
EffectCommand
shutterCommand();
EffectCommand
actionCommand();
EffectCommand
superResolveCommand();

namespace {

EffectCommand
denoiseCommand()
{
  using Parameters = DenoisingEffectParameters;
  EffectCommand command = makeEffectCommand<DenoisingEffect, Parameters>(
      "denoise",
      "removes noise from colour, and from depth: the average of the same point in\n"
      "the frames before and after each one, and a filter of blocks that look alike "
      "for\n"
      "the rest. Faint details that stand still in many frames stay\n",
      {{"reach", &Parameters::reach, reach_help},
       {"sigma-rgb",
        &Parameters::sigma_rgb,
        "deviation of colours of one point, levels; 0: 0.7 times the noise, 14 at "
        "least"},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help},
       {"sigma-frame", &Parameters::sigma_frame, sigma_frame_help}});
  command.default_noise = "auto";
  return command;
}

EffectCommand
deblurCommand()
{
  using Parameters = DeblurringEffectParameters;
  return makeEffectCommand<DeblurringEffect, Parameters>(
      "deblur",
      "replaces the blurred frames of a shaking camera by pixels of sharp frames;\n"
      "frames that are as sharp as their neighbours stay as they are\n",
      {{"reach", &Parameters::reach, reach_help},
       {"sharpness-power",
        &Parameters::sharpness_power,
        "weight of a frame is this power of its sharpness; 0: all weigh the same"},
       {"own-lead",
        &Parameters::own_lead,
        "weight of a frame for itself, relative to other frames of the same sharpness"},
       {"sigma-rgb", &Parameters::sigma_rgb, average_sigma_rgb_help},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help},
       {"sigma-frame", &Parameters::sigma_frame, sigma_frame_help}});
}

EffectCommand
inpaintCommand()
{
  using Parameters = InpaintingEffectParameters;
  EffectCommand command = makeEffectCommand<InpaintingEffect, Parameters>(
      "inpaint",
      "removes the objects of --mask: their pixels show the background that "
      "other\nframes see\n",
      {{"opacity", &Parameters::opacity, "remaining opacity of the objects, 0 to 1"},
       {"reach",
        &Parameters::reach,
        "search this many frames before and after each one for the background"},
       {"step", &Parameters::step, "use every N-th frame of these"},
       {"sigma-rgb",
        &Parameters::sigma_rgb,
        "deviation of similar colours, levels; inf: the mean of all is used"},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help},
       {"sigma-frame", &Parameters::sigma_frame, sigma_frame_help}});
  command.needs_mask = true;
  return command;
}

} // namespace

const std::vector<EffectCommand>&
effectCommands()
{
  static const std::vector<EffectCommand> commands = {denoiseCommand(),
                                                      deblurCommand(),
                                                      viewCommand(),
                                                      apertureCommand(),
                                                      shutterCommand(),
                                                      inpaintCommand(),
                                                      actionCommand(),
                                                      superResolveCommand()};
  return commands;
}

const EffectCommand&
effectNamed(const std::string& name)
{
  std::string names;
  for (const EffectCommand& command : effectCommands()) {
    if (command.name == name)
      return command;
    names += (names.empty() ? "" : ", ") + command.name;
  }
  throw InputError((name.empty() ? "no effect" : name + ": unknown effect") +
                   ": expected one of " + names + "; see --help");
}

} // namespace pcl::gpu::apps
