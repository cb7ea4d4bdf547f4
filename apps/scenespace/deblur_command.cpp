// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

class DeblurCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "deblur";
  }

  std::string
  description() const override
  {
    return "has sharp frames stand in for those that a shaking camera has blurred; "
           "frames\n"
           "that are as sharp as their neighbours stay as they are\n";
  }

  po::options_description
  options() const override
  {
    const DeblurringEffectParameters defaults;
    auto result = optionGroup("DEBLUR");
    auto add = result.add_options();
    add("reach",
        defaultOption(defaults.reach),
        "use so many frames before each one, and as many after it");
    add("sharpness-power",
        defaultOption(defaults.sharpness_power),
        "frames count by this power of their sharpness; 0: all alike");
    add("own-lead",
        defaultOption(defaults.own_lead),
        "a frame counts so many times as much for itself as others as sharp");
    add("sigma-rgb",
        defaultOption(defaults.sigma_rgb),
        "deviation of colours from their average by position, levels; inf: colours are "
        "not compared");
    add("sigma-xyz",
        defaultOption(defaults.sigma_xyz),
        "deviation of positions of one surface, metres");
    add("sigma-frame",
        defaultOption(defaults.sigma_frame),
        "deviation of frames' distances in time, frames; inf: all count alike");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo&) const override
  {
    using Parameters = DeblurringEffectParameters;
    Parameters parameters;
    applyOption(values, "reach", parameters, &Parameters::reach);
    applyOption(values, "sharpness-power", parameters, &Parameters::sharpness_power);
    applyOption(values, "own-lead", parameters, &Parameters::own_lead);
    applyOption(values, "sigma-rgb", parameters, &Parameters::sigma_rgb);
    applyOption(values, "sigma-xyz", parameters, &Parameters::sigma_xyz);
    applyOption(values, "sigma-frame", parameters, &Parameters::sigma_frame);
    const auto effect = std::make_shared<DeblurringEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
deblurCommand()
{
  return std::make_unique<DeblurCommand>();
}

} // namespace pcl::gpu::apps
