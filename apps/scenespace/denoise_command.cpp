// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

class DenoiseCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "denoise";
  }

  std::string
  description() const override
  {
    return "removes noise from colour, and from depth: the average of what the frames\n"
           "before and after each one saw of the same point, and non-local means for\n"
           "what is left\n";
  }

  std::string
  defaultNoise() const override
  {
    return "auto";
  }

  po::options_description
  options() const override
  {
    const DenoisingEffectParameters defaults;
    auto result = optionGroup("DENOISE");
    auto add = result.add_options();
    add("reach",
        defaultOption(defaults.reach),
        "use so many frames before each one, and as many after it");
    add("sigma-rgb",
        defaultOption(defaults.sigma_rgb),
        "deviation of colours of one point, levels; 0: 0.7 times the noise, 14 at "
        "least");
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
    using Parameters = DenoisingEffectParameters;
    Parameters parameters;
    applyOption(values, "reach", parameters, &Parameters::reach);
    applyOption(values, "sigma-rgb", parameters, &Parameters::sigma_rgb);
    applyOption(values, "sigma-xyz", parameters, &Parameters::sigma_xyz);
    applyOption(values, "sigma-frame", parameters, &Parameters::sigma_frame);
    const auto effect = std::make_shared<DenoisingEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
denoiseCommand()
{
  return std::make_unique<DenoiseCommand>();
}

} // namespace pcl::gpu::apps
