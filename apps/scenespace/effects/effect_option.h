// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/command_line/errors.h"
#include "effect_command.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <variant>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Option that is a number among an effect's parameters. They hold its default.
 */
template <typename Parameters>
struct EffectOption {
  const char* name; ///< without dashes
  std::variant<int Parameters::*, float Parameters::*> parameter;
  const char* help; ///< its paragraph of the manual
};

// Help of options that several effects have.
constexpr const char* reach_help =
    "use this many frames before each one, and as many after it";
constexpr const char* sigma_xyz_help = "deviation of positions of one surface, metres";
constexpr const char* sigma_frame_help =
    "deviation of frames' distances in time, frames; inf: all count alike";
constexpr const char* average_sigma_rgb_help =
    "deviation of colours from their average by position, levels; inf: colours are not "
    "compared";

/** \brief Makes a command of an effect.
 * \tparam Effect class with setParameters()
 * \tparam Parameters has validate(), which throws pcl::BadArgumentException
 * \param[in] name word that chooses it on the command line
 * \param[in] description lines of at most 77 characters, for the manual
 * \param[in] table options that are numbers
 * \param[in] add_others adds options of other kinds to an options_description, before
 * those of the table
 * \param[in] apply_others sets parameters from these: takes the values, the video and
 * the parameters
 */
template <typename Effect, typename Parameters, typename Add, typename Apply>
EffectCommand
makeEffectCommand(const std::string& name,
                  const std::string& description,
                  const std::vector<EffectOption<Parameters>>& table,
                  const Add& add_others,
                  const Apply& apply_others)
{
  EffectCommand command;
  command.name = name;
  command.description = description;
  command.options = [=] {
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) {
      return static_cast<char>(std::toupper(c));
    });
    auto group = optionGroup(title);
    add_others(group);
    const Parameters defaults;
    for (const EffectOption<Parameters>& option : table)
      std::visit(
          [&](auto parameter) {
            group.add_options()(
                option.name, defaultOption(defaults.*parameter), option.help);
          },
          option.parameter);
    return group;
  };
  command.make = [=](const boost::program_options::variables_map& values,
                     const RGBDVideo& video) {
    Parameters parameters;
    apply_others(values, video, parameters);
    for (const EffectOption<Parameters>& option : table)
      asOption(std::string("--") + option.name, [&] {
        std::visit(
            [&](auto parameter) {
              auto& value = parameters.*parameter;
              const boost::any& given = values[option.name].value();
              value = boost::any_cast<std::decay_t<decltype(value)>>(given);
            },
            option.parameter);
        parameters.validate();
      });
    const auto effect = std::make_shared<Effect>();
    effect->setParameters(parameters);
    return effect;
  };
  return command;
}

/** \brief Makes a command of an effect whose options are all numbers. */
template <typename Effect, typename Parameters>
EffectCommand
makeEffectCommand(const std::string& name,
                  const std::string& description,
                  const std::vector<EffectOption<Parameters>>& table)
{
  return makeEffectCommand<Effect, Parameters>(
      name,
      description,
      table,
      [](boost::program_options::options_description&) {},
      [](const boost::program_options::variables_map&, const RGBDVideo&, Parameters&) {
      });
}

} // namespace pcl::gpu::apps
