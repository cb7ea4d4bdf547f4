// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/deblurring_effect.h>

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
    const DeblurringEffect defaults;
    auto result = optionGroup("DEBLUR");
    auto add = result.add_options();
    add("reach",
        defaultOption(defaults.getReach()),
        "use so many frames before each one, and as many after it");
    add("sharpness-power",
        defaultOption(defaults.getSharpnessPower()),
        "frames count by this power of their sharpness; 0: all alike");
    add("own-lead",
        defaultOption(defaults.getOwnLead()),
        "a frame counts so many times as much for itself as others as sharp");
    add("sigma-rgb",
        defaultOption(defaults.getSigmaRGB()),
        "deviation of colours from their average by position, levels; inf: colours are "
        "not compared");
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
    const auto effect = std::make_shared<DeblurringEffect>();
    using Effect = DeblurringEffect;
    applyOption(values, "reach", *effect, &Effect::setReach);
    applyOption(values, "sharpness-power", *effect, &Effect::setSharpnessPower);
    applyOption(values, "own-lead", *effect, &Effect::setOwnLead);
    applyOption(values, "sigma-rgb", *effect, &Effect::setSigmaRGB);
    applyOption(values, "sigma-xyz", *effect, &Effect::setSigmaXYZ);
    applyOption(values, "sigma-frame", *effect, &Effect::setSigmaFrame);
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
