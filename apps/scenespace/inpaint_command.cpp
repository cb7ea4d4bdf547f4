// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/inpainting_effect.h>

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
    const InpaintingEffect defaults;
    auto result = optionGroup("INPAINT");
    auto add = result.add_options();
    add("opacity",
        defaultOption(defaults.getOpacity()),
        "how much of the objects is left, 0 to 1");
    add("reach",
        defaultOption(defaults.getReach()),
        "look so far before and after each frame for what sees behind them, frames");
    add("step", defaultOption(defaults.getStep()), "use every N-th frame of these");
    add("sigma-rgb",
        defaultOption(defaults.getSigmaRGB()),
        "deviation of similar colours, levels; inf: the mean of all is used");
    add("sigma-xyz",
        defaultOption(defaults.getSigmaXYZ()),
        "deviation of positions of one surface, metres");
    add("sigma-frame",
        defaultOption(defaults.getSigmaFrame()),
        "deviation of frames' distances in time, frames; inf: all count alike");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo&) const override
  {
    const auto effect = std::make_shared<InpaintingEffect>();
    using Effect = InpaintingEffect;
    applyOption(values, "opacity", *effect, &Effect::setOpacity);
    applyOption(values, "reach", *effect, &Effect::setReach);
    applyOption(values, "step", *effect, &Effect::setStep);
    applyOption(values, "sigma-rgb", *effect, &Effect::setSigmaRGB);
    applyOption(values, "sigma-xyz", *effect, &Effect::setSigmaXYZ);
    applyOption(values, "sigma-frame", *effect, &Effect::setSigmaFrame);
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
