// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>

namespace pcl::gpu::apps {

EffectCommand
denoiseCommand()
{
  using Parameters = DenoisingEffectParameters;
  EffectCommand command = makeEffectCommand<DenoisingEffect, Parameters>(
      "denoise",
      "removes noise from colour, and from depth: the average of what the frames\n"
      "before and after each one saw of the same point, and non-local means for\n"
      "what is left\n",
      {{"reach",
        &Parameters::reach,
        "use so many frames before each one, and as many after it"},
       {"sigma-rgb",
        &Parameters::sigma_rgb,
        "deviation of colours of one point, levels; 0: 0.7 times the noise, 14 at "
        "least"},
       {"sigma-xyz",
        &Parameters::sigma_xyz,
        "deviation of positions of one surface, metres"},
       {"sigma-frame",
        &Parameters::sigma_frame,
        "deviation of frames' distances in time, frames; inf: all count alike"}});
  command.default_noise = "auto";
  return command;
}

} // namespace pcl::gpu::apps
