// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/action_shot_effect.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

/** \brief The frames of --at. */
std::vector<int>
parseFrameList(const std::string& text, int frames)
{
  const std::string option = "--at", expectation = "frames of 0 to " +
                                                   std::to_string(frames - 1) +
                                                   " between commas";
  std::vector<int> numbers;
  for (const float number : parseNumbers(option, text, expectation)) {
    if (number != std::floor(number) || number < 0.0f || number >= frames)
      throw InputError(option + " " + text + ": expected " + expectation);
    numbers.push_back(static_cast<int>(number));
  }
  if (numbers.empty())
    throw InputError(option + " " + text + ": expected " + expectation);
  return numbers;
}

class ActionCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "action";
  }

  std::string
  description() const override
  {
    return "shows what --mask shows, such as people who move, at several times at "
           "once,\n"
           "each where it was in space\n";
  }

  bool
  needsMask() const override
  {
    return true;
  }

  po::options_description
  options() const override
  {
    const ActionShotEffectParameters defaults;
    auto result = optionGroup("ACTION");
    auto add = result.add_options();
    add("at", textOption("N,N..."), "frames whose movers appear, counted from 0");
    add("every",
        defaultOption(defaults.interval),
        "without --at: movers of the first frame, and of every N-th after it");
    add("before",
        numberOption(defaults.reach_before, "all"),
        "each frame shows movers of so many frames before it");
    add("after",
        numberOption(defaults.reach_after, "all"),
        "and of so many after it; 0: none appears before it has been there");
    add("fade",
        defaultOption(defaults.half_life),
        "movers' opacity halves with so many frames' distance in time");
    add("without-own",
        po::bool_switch(),
        "a frame's own movers do not appear unless they are among those chosen");
    add("tolerance",
        defaultOption(defaults.tolerance),
        "movers are before what is so little nearer, as a part of its depth");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo& video) const override
  {
    using Parameters = ActionShotEffectParameters;
    Parameters parameters;
    if (const auto list = optionalValue<std::string>(values, "at"))
      parameters.frames = parseFrameList(*list, video.size());
    applyOption(values, "every", parameters, &Parameters::interval);
    asOption("--before and --after", [&] {
      parameters.reach_before = values["before"].as<int>();
      parameters.reach_after = values["after"].as<int>();
      parameters.validate();
    });
    applyOption(values, "fade", parameters, &Parameters::half_life);
    parameters.own_movers_shown = !values["without-own"].as<bool>();
    applyOption(values, "tolerance", parameters, &Parameters::tolerance);
    const auto effect = std::make_shared<ActionShotEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
actionCommand()
{
  return std::make_unique<ActionCommand>();
}

} // namespace pcl::gpu::apps
