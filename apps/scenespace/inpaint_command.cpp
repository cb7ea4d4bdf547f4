// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

class InpaintCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "inpaint";
  }

  std::string
  description() const override
  {
    return "removes what --mask shows: its pixels show what other frames see behind "
           "it\n";
  }

  bool
  needsMask() const override
  {
    return true;
  }

  po::options_description
  options() const override
  {
    const InpaintingEffectParameters defaults;
    auto result = optionGroup("INPAINT");
    auto add = result.add_options();
    add("opacity",
        defaultOption(defaults.opacity),
        "how much of the objects is left, 0 to 1");
    add("reach",
        defaultOption(defaults.reach),
        "look so far before and after each frame for what sees behind them, frames");
    add("step", defaultOption(defaults.step), "use every N-th frame of these");
    add("sigma-rgb",
        defaultOption(defaults.sigma_rgb),
        "deviation of similar colours, levels; inf: the mean of all is used");
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
    using Parameters = InpaintingEffectParameters;
    Parameters parameters;
    applyOption(values, "opacity", parameters, &Parameters::opacity);
    applyOption(values, "reach", parameters, &Parameters::reach);
    applyOption(values, "step", parameters, &Parameters::step);
    applyOption(values, "sigma-rgb", parameters, &Parameters::sigma_rgb);
    applyOption(values, "sigma-xyz", parameters, &Parameters::sigma_xyz);
    applyOption(values, "sigma-frame", parameters, &Parameters::sigma_frame);
    const auto effect = std::make_shared<InpaintingEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
inpaintCommand()
{
  return std::make_unique<InpaintCommand>();
}

} // namespace pcl::gpu::apps
