// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"
#include "output_size.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

/** \brief How many pixels of the output there are for each of the input, along a side. */
int
parseScale(const std::string& text, const PinholeCamera& camera)
{
  const PinholeCamera output = cameraOfSize(camera, text);
  const int scale = output.width / camera.width;
  if (scale < 2 || scale > SuperResolutionEffectParameters::max_scale ||
      output.width != scale * camera.width || output.height != scale * camera.height)
    throw InputError("--size " + text + ": expected 2, 3 or 4, or so many times " +
                     std::to_string(camera.width) + "x" +
                     std::to_string(camera.height));
  return scale;
}

EnlargementFilter
parseFilter(const std::string& text)
{
  if (text == "lanczos")
    return EnlargementFilter::Lanczos;
  if (text == "learned")
    return EnlargementFilter::Learned;
  if (text == "better")
    return EnlargementFilter::Better;
  throw InputError("--filter " + text + ": expected lanczos, learned or better");
}

class SuperResolveCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "super-resolve";
  }

  std::string
  description() const override
  {
    return "makes frames of more pixels, with details that many frames tell together\n";
  }

  std::string
  defaultNoise() const override
  {
    return "auto";
  }

  po::options_description
  options() const override
  {
    const SuperResolutionEffectParameters defaults;
    auto result = optionGroup("SUPER-RESOLVE");
    auto add = result.add_options();
    add("size",
        po::value<std::string>()
            ->default_value(std::to_string(defaults.scale))
            ->value_name("SIZE"),
        "of the output: a factor of 2, 3 or 4, or WIDTHxHEIGHT that is so many times "
        "the input's");
    add("reach",
        defaultOption(defaults.reach),
        "use so many frames before each one, and as many after it");
    add("filter",
        po::value<std::string>()->default_value("better")->value_name("FILTER"),
        "by which frames are enlarged to begin with: lanczos; learned, from the frame "
        "itself; or the better of them, as other frames tell");
    add("iterations",
        defaultOption(defaults.iterations),
        "how often all frames are compared with the result");
    add("step",
        defaultOption(defaults.step),
        "the part of the differences that is added; 1 where poses and depth are exact");
    add("sigma-residual",
        defaultOption(defaults.sigma_residual),
        "deviation of differences of other frames, levels");
    add("sigma-frame-error",
        defaultOption(defaults.sigma_frame_error),
        "deviation of whole frames' differences, levels: frames with bad poses count "
        "less; inf: all count alike");
    add("sigma-smooth",
        defaultOption(defaults.sigma_smooth),
        "differences over more pixels than this do not count, since they are of "
        "exposure or depth; 0: all count");
    add("sigma-pixel",
        defaultOption(defaults.sigma_pixel),
        "deviation of distances from a pixel's centre, pixels of the output; 0.7 where "
        "poses are not quite right");
    add("sigma-xyz",
        defaultOption(defaults.sigma_xyz),
        "deviation of positions of one surface, metres");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo& video) const override
  {
    using Parameters = SuperResolutionEffectParameters;
    Parameters parameters;
    parameters.scale =
        parseScale(values["size"].as<std::string>(), video.view(0).color_camera);
    parameters.filter = parseFilter(values["filter"].as<std::string>());
    applyOption(values, "reach", parameters, &Parameters::reach);
    applyOption(values, "iterations", parameters, &Parameters::iterations);
    applyOption(values, "step", parameters, &Parameters::step);
    applyOption(values, "sigma-residual", parameters, &Parameters::sigma_residual);
    applyOption(
        values, "sigma-frame-error", parameters, &Parameters::sigma_frame_error);
    applyOption(values, "sigma-smooth", parameters, &Parameters::sigma_smooth);
    applyOption(values, "sigma-pixel", parameters, &Parameters::sigma_pixel);
    applyOption(values, "sigma-xyz", parameters, &Parameters::sigma_xyz);
    const auto effect = std::make_shared<SuperResolutionEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
superResolveCommand()
{
  return std::make_unique<SuperResolveCommand>();
}

} // namespace pcl::gpu::apps
