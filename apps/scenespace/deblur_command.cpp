// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>

namespace pcl::gpu::apps {

EffectCommand
deblurCommand()
{
  using Parameters = DeblurringEffectParameters;
  return makeEffectCommand<DeblurringEffect, Parameters>(
      "deblur",
      "has sharp frames stand in for those that a shaking camera has blurred; "
      "frames\n"
      "that are as sharp as their neighbours stay as they are\n",
      {{"reach",
        &Parameters::reach,
        "use so many frames before each one, and as many after it"},
       {"sharpness-power",
        &Parameters::sharpness_power,
        "frames count by this power of their sharpness; 0: all alike"},
       {"own-lead",
        &Parameters::own_lead,
        "a frame counts so many times as much for itself as others as sharp"},
       {"sigma-rgb",
        &Parameters::sigma_rgb,
        "deviation of colours from their average by position, levels; inf: colours are "
        "not compared"},
       {"sigma-xyz",
        &Parameters::sigma_xyz,
        "deviation of positions of one surface, metres"},
       {"sigma-frame",
        &Parameters::sigma_frame,
        "deviation of frames' distances in time, frames; inf: all count alike"}});
}

} // namespace pcl::gpu::apps
