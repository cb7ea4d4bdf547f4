// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"
#include "output_size.h"

#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

const Words<EnlargementFilter> filters = {{"lanczos", EnlargementFilter::Lanczos},
                                          {"learned", EnlargementFilter::Learned},
                                          {"better", EnlargementFilter::Better}};

/** \brief Returns the number of output pixels for each input pixel, along a side. */
int
parseScale(const std::string& text, const PinholeCamera& camera)
{
  const PinholeCamera output = cameraOfSize(camera, text);
  const int scale = output.width / camera.width;
  checkOption(scale >= 2 && scale <= SuperResolutionEffectParameters::max_scale &&
                  output.width == scale * camera.width &&
                  output.height == scale * camera.height,
              "--size " + text,
              "2, 3 or 4, or so many times " + std::to_string(camera.width) + "x" +
                  std::to_string(camera.height));
  return scale;
}

void
addSuperResolveOptions(po::options_description& group)
{
  auto add = group.add_options();
  const SuperResolutionEffectParameters defaults;
  add("size",
      textOption("SIZE", std::to_string(defaults.scale)),
      "of the output: a factor of 2, 3 or 4, or WIDTHxHEIGHT that is so many times the "
      "input's");
  add("filter",
      textOption("FILTER", wordFor(defaults.filter, filters)),
      "first enlargement of frames: lanczos; learned, from the frame itself; better, "
      "the one that agrees better with other frames");
}

void
applySuperResolveOptions(const po::variables_map& values,
                         const RGBDVideo& video,
                         SuperResolutionEffectParameters& parameters)
{
  parameters.scale =
      parseScale(values["size"].as<std::string>(), video.view(0).color_camera);
  parameters.filter = meaningOf("filter", values["filter"].as<std::string>(), filters);
}

} // namespace

EffectCommand
superResolveCommand()
{
  using Parameters = SuperResolutionEffectParameters;
  EffectCommand command = makeEffectCommand<SuperResolutionEffect, Parameters>(
      "super-resolve",
      "makes frames of more pixels, with details from many frames\n",
      {{"reach", &Parameters::reach, reach_help},
       {"iterations",
        &Parameters::iterations,
        "number of times that all frames are compared with the result"},
       {"step",
        &Parameters::step,
        "part of the differences that is added; 1 if poses and depth are exact"},
       {"sigma-residual",
        &Parameters::sigma_residual,
        "deviation of differences of other frames, levels"},
       {"sigma-frame-error",
        &Parameters::sigma_frame_error,
        "deviation of whole frames' differences, levels: frames with bad poses count "
        "less; inf: all count alike"},
       {"sigma-smooth",
        &Parameters::sigma_smooth,
        "differences over more pixels than this do not count, since they are of "
        "exposure or depth; 0: all count"},
       {"sigma-pixel",
        &Parameters::sigma_pixel,
        "deviation of distances from a pixel's centre, pixels of the output; 0.7 where "
        "poses are not quite right"},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help}},
      addSuperResolveOptions,
      applySuperResolveOptions);
  command.default_noise = "auto";
  return command;
}

} // namespace pcl::gpu::apps
