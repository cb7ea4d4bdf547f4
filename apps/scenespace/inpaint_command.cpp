// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

namespace pcl::gpu::apps {

EffectCommand
inpaintCommand()
{
  using Parameters = InpaintingEffectParameters;
  EffectCommand command = makeEffectCommand<InpaintingEffect, Parameters>(
      "inpaint",
      "removes what --mask shows: its pixels show what other frames see behind "
      "it\n",
      {{"opacity", &Parameters::opacity, "how much of the objects is left, 0 to 1"},
       {"reach",
        &Parameters::reach,
        "look so far before and after each frame for what sees behind them, frames"},
       {"step", &Parameters::step, "use every N-th frame of these"},
       {"sigma-rgb",
        &Parameters::sigma_rgb,
        "deviation of similar colours, levels; inf: the mean of all is used"},
       {"sigma-xyz",
        &Parameters::sigma_xyz,
        "deviation of positions of one surface, metres"},
       {"sigma-frame",
        &Parameters::sigma_frame,
        "deviation of frames' distances in time, frames; inf: all count alike"}});
  command.needs_mask = true;
  return command;
}

} // namespace pcl::gpu::apps
