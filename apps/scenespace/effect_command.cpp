// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"

#include "../common/errors.h"

namespace pcl::gpu::apps {

const std::vector<std::unique_ptr<EffectCommand>>&
effectCommands()
{
  static const std::vector<std::unique_ptr<EffectCommand>> commands = [] {
    std::vector<std::unique_ptr<EffectCommand>> all;
    all.push_back(denoiseCommand());
    all.push_back(deblurCommand());
    all.push_back(viewCommand());
    all.push_back(apertureCommand());
    all.push_back(shutterCommand());
    all.push_back(inpaintCommand());
    all.push_back(actionCommand());
    all.push_back(superResolveCommand());
    return all;
  }();
  return commands;
}

const EffectCommand&
effectNamed(const std::string& name)
{
  std::string names;
  for (const auto& command : effectCommands()) {
    if (command->name() == name)
      return *command;
    names += (names.empty() ? "" : ", ") + command->name();
  }
  throw InputError((name.empty() ? "no effect" : name + ": unknown effect") +
                   ": expected one of " + names + "; see --help");
}

} // namespace pcl::gpu::apps
