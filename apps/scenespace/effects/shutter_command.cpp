// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/computational_shutter_effect.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

constexpr float max_exposure = 10000.0f; // frames

// Width of a Gaussian at half its height.
constexpr float widths_of_sigma = 2.3548200f;

Shutter
makeShutter(const po::variables_map& values)
{
  const std::string shape = values["shape"].as<std::string>();
  if (shape == "strobe") {
    Shutter shutter;
    asOption("--flashes and --interval", [&] {
      shutter =
          Shutter::strobe(values["flashes"].as<int>(), values["interval"].as<int>());
    });
    return shutter;
  }
  const float exposure = values["exposure"].as<float>();
  // A frame cannot be exposed in part.
  checkOption(
      exposure >= 1.0f && exposure <= max_exposure, "--exposure", "frames, 1 to 10000");
  if (shape == "box")
    return Shutter::box(static_cast<int>(std::lround(exposure)));
  if (shape == "gaussian")
    return Shutter::gaussian(exposure / widths_of_sigma);
  if (shape == "exponential")
    return Shutter::exponential(exposure);
  throw InputError("--shape " + shape +
                   ": expected box, gaussian, exponential or strobe");
}

void
addShutterOptions(po::options_description& group)
{
  auto add = group.add_options();
  // The library's default, a box, which weighs all of its frames alike.
  const Shutter box = ComputationalShutterEffectParameters().shutter;
  add("shape",
      textOption("NAME", "box"),
      "box: opens and shuts at once; gaussian: opens and shuts slowly; exponential: "
      "trails fade behind moving objects; strobe: a few flashes, the last for the "
      "frame itself");
  add("exposure",
      defaultOption(static_cast<float>(box.weights.size())),
      "length of the exposure, frames; of a gaussian the width at half its height, of "
      "an exponential the time after which trails have faded to 1/e");
  // The library has no default strobe.
  add("flashes", defaultOption(4), "number of flashes of a strobe");
  add("interval", defaultOption(5), "frames from a flash to the next one");
}

void
applyShutterOptions(const po::variables_map& values,
                    const RGBDVideo&,
                    ComputationalShutterEffectParameters& parameters)
{
  parameters.shutter = makeShutter(values);
}

} // namespace

EffectCommand
shutterCommand()
{
  using Parameters = ComputationalShutterEffectParameters;
  return makeEffectCommand<ComputationalShutterEffect, Parameters>(
      "shutter",
      "exposes frames for a long time: still surfaces stay sharp although the "
      "camera\nmoves, moving objects leave trails\n",
      {{"sigma-xyz",
        &Parameters::sigma_xyz,
        "deviation of samples behind the still scene that belong to it, metres"}},
      addShutterOptions,
      applyShutterOptions);
}

} // namespace pcl::gpu::apps
