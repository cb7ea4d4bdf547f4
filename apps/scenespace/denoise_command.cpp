// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/errors.h"
#include "../common/option_parsing.h"
#include "effect_command.h"

#include <pcl/gpu/scenespace/denoising_effect.h>

#include <limits>

namespace pcl {
namespace gpu {
namespace apps {

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

  po::options_description
  options() const override
  {
    auto result = optionGroup("DENOISE");
    auto add = result.add_options();
    add("reach",
        numberOption(18, "18"),
        "use so many frames before each one, and as many after it");
    add("sigma-rgb",
        numberOption(0.0f, "0"),
        "deviation of colours of one point, levels; 0: 0.7 times the noise, 14 at "
        "least");
    add("sigma-xyz",
        numberOption(0.05f, "0.05"),
        "deviation of positions of one surface, metres");
    add("sigma-frame",
        numberOption(std::numeric_limits<float>::infinity(), "inf"),
        "deviation of frames' distances in time, frames; inf: all count alike");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo&) const override
  {
    const auto effect = std::make_shared<DenoisingEffect>();
    asOption("--reach", [&] { effect->setReach(values["reach"].as<int>()); });
    asOption("--sigma-rgb",
             [&] { effect->setSigmaRGB(values["sigma-rgb"].as<float>()); });
    asOption("--sigma-xyz",
             [&] { effect->setSigmaXYZ(values["sigma-xyz"].as<float>()); });
    asOption("--sigma-frame",
             [&] { effect->setSigmaFrame(values["sigma-frame"].as<float>()); });
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
denoiseCommand()
{
  return std::make_unique<DenoiseCommand>();
}

} // namespace apps
} // namespace gpu
} // namespace pcl
