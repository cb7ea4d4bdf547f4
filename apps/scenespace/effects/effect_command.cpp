// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

namespace pcl::gpu::apps {

namespace {

EffectCommand
denoiseCommand()
{
  using Parameters = DenoisingEffectParameters;
  EffectCommand command = makeEffectCommand<DenoisingEffect, Parameters>(
      "denoise",
      "removes noise from colour, and from depth: the average of what the frames\n"
      "before and after each one saw of the same point, and non-local means for\n"
      "what is left\n",
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
      "has sharp frames stand in for those that a shaking camera has blurred; frames\n"
      "that are as sharp as their neighbours stay as they are\n",
      {{"reach", &Parameters::reach, reach_help},
       {"sharpness-power",
        &Parameters::sharpness_power,
        "frames count by this power of their sharpness; 0: all alike"},
       {"own-lead",
        &Parameters::own_lead,
        "a frame counts so many times as much for itself as others as sharp"},
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
      "removes what --mask shows: its pixels show what other frames see behind it\n",
      {{"opacity", &Parameters::opacity, "how much of the objects is left, 0 to 1"},
       {"reach",
        &Parameters::reach,
        "look so far before and after each frame for what sees behind them, frames"},
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
