// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/action_shot_effect.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

/** \brief Parses the frames of --at. */
std::vector<int>
parseFrameList(const std::string& text, int frames)
{
  const std::string option = "--at", expectation = "frames of 0 to " +
                                                   std::to_string(frames - 1) +
                                                   " between commas";
  std::vector<int> numbers;
  for (const float number : parseNumbers(option, text, expectation)) {
    checkOption(number == std::floor(number) && number >= 0.0f && number < frames,
                option + " " + text,
                expectation);
    numbers.push_back(static_cast<int>(number));
  }
  checkOption(!numbers.empty(), option + " " + text, expectation);
  return numbers;
}

void
addActionOptions(po::options_description& group)
{
  auto add = group.add_options();
  const ActionShotEffectParameters defaults;
  add("at", textOption("N,N..."), "frames whose movers appear, counted from 0");
  add("before",
      defaultOption(defaults.reach_before)->default_value(defaults.reach_before, "all"),
      "each frame shows movers of so many frames before it");
  add("after",
      defaultOption(defaults.reach_after)->default_value(defaults.reach_after, "all"),
      "and of so many after it; 0: none appears before it has been there");
  add("without-own",
      po::bool_switch(),
      "a frame's own movers do not appear unless they are among those chosen");
}

void
applyActionOptions(const po::variables_map& values,
                   const RGBDVideo& video,
                   ActionShotEffectParameters& parameters)
{
  if (const auto list = optionalValue<std::string>(values, "at"))
    parameters.frames = parseFrameList(*list, video.size());
  asOption("--before and --after", [&] {
    parameters.reach_before = values["before"].as<int>();
    parameters.reach_after = values["after"].as<int>();
    parameters.validate();
  });
  parameters.own_movers_shown = !values["without-own"].as<bool>();
}

} // namespace

EffectCommand
actionCommand()
{
  using Parameters = ActionShotEffectParameters;
  EffectCommand command = makeEffectCommand<ActionShotEffect, Parameters>(
      "action",
      "shows the objects of --mask, such as moving people, at several times at "
      "once,\neach at its place in space\n",
      {{"every",
        &Parameters::interval,
        "without --at: movers of the first frame, and of every N-th after it"},
       {"fade",
        &Parameters::half_life,
        "movers' opacity halves with so many frames' distance in time"},
       {"tolerance",
        &Parameters::tolerance,
        "movers hide surfaces that are nearer by no more than this part of the depth"}},
      addActionOptions,
      applyActionOptions);
  command.needs_mask = true;
  return command;
}

} // namespace pcl::gpu::apps
