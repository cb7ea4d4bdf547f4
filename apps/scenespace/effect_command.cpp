// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"

#include "../common/errors.h"

namespace pcl::gpu::apps {

const std::vector<EffectCommand>&
effectCommands()
{
  static const std::vector<EffectCommand> commands = {denoiseCommand(),
                                                      deblurCommand(),
                                                      viewCommand(),
                                                      apertureCommand(),
                                                      shutterCommand(),
                                                      inpaintCommand(),
                                                      actionCommand(),
                                                      superResolveCommand()};
  return commands;
}

const EffectCommand&
effectNamed(const std::string& name)
{
  std::string names;
  for (const EffectCommand& command : effectCommands()) {
    if (command.name == name)
      return command;
    names += (names.empty() ? "" : ", ") + command.name;
  }
  throw InputError((name.empty() ? "no effect" : name + ": unknown effect") +
                   ": expected one of " + names + "; see --help");
}

} // namespace pcl::gpu::apps
