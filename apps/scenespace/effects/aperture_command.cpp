// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/virtual_aperture_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

// Width of 35 mm film, which f-numbers refer to, metres.
constexpr float film_width = 0.036f;

/** \brief Returns the diameter of a lens, metres.
 * \param[in] text metres, or "f/" and a number, which stands for the lens of a camera
 * for 35 mm film that sees as much as \a camera
 */
float
parseAperture(const std::string& text, const PinholeCamera& camera)
{
  const std::string option = "--aperture", expectation = "metres or f/NUMBER";
  const bool is_f_number = text.rfind("f/", 0) == 0;
  const std::vector<float> n =
      parseNumbers(option, is_f_number ? text.substr(2) : text, expectation);
  checkOption(n.size() == 1 && n[0] >= 0.0f && (!is_f_number || n[0] > 0.0f),
              option + " " + text,
              expectation);
  if (!is_f_number)
    return n[0];
  const float focal_length = camera.fx / camera.width * film_width;
  return focal_length / n[0];
}

/** \brief Focuses on the point that a pixel shows. */
void
focusOnPixel(VirtualApertureEffectParameters& parameters,
             const std::string& text,
             const PinholeCamera& camera)
{
  const std::string option = "--focus-pixel",
                    expectation = "COLUMN,ROW of a frame of " +
                                  std::to_string(camera.width) + "x" +
                                  std::to_string(camera.height) + " pixels";
  const std::vector<float> n = parseNumbers(option, text, expectation);
  checkOption(n.size() == 2 && n[0] >= 0.0f && n[0] < camera.width && n[1] >= 0.0f &&
                  n[1] < camera.height,
              option + " " + text,
              expectation);
  parameters.focus_column = static_cast<int>(n[0]);
  parameters.focus_row = static_cast<int>(n[1]);
}

void
addApertureOptions(po::options_description& group)
{
  auto add = group.add_options();
  const VirtualApertureEffectParameters defaults;
  add("aperture",
      textOption("SIZE", numberText(defaults.aperture)),
      "diameter of the lens, metres; or as f/1.4, that of a camera for 35 mm film that "
      "sees as much");
  add("focus-pixel",
      textOption("X,Y"),
      "focus on the point at this pixel, in each frame anew, counted from 0 at the "
      "left and at the top; --focus if it has no depth");
}

void
applyApertureOptions(const po::variables_map& values,
                     const RGBDVideo& video,
                     VirtualApertureEffectParameters& parameters)
{
  const PinholeCamera camera = video.view(0).color_camera;
  parameters.aperture = parseAperture(values["aperture"].as<std::string>(), camera);
  if (const auto pixel = optionalValue<std::string>(values, "focus-pixel"))
    focusOnPixel(parameters, *pixel, camera);
}

} // namespace

EffectCommand
apertureCommand()
{
  using Parameters = VirtualApertureEffectParameters;
  return makeEffectCommand<VirtualApertureEffect, Parameters>(
      "aperture",
      "takes the video through a larger lens: sharp at one distance, blurred before\n"
      "and behind it\n",
      {{"focus",
        &Parameters::focus_distance,
        "distance that is sharp, metres along the camera's axis"},
       {"lens-samples",
        &Parameters::lens_samples,
        "number of pinholes that the lens is made of; time is in proportion. Use more "
        "if blurred objects look like several pictures of them"},
       {"blades",
        &Parameters::blades,
        "number of sides of the lens, whose shape bright spots have; 0: a disc"},
       {"reach",
        &Parameters::reach,
        "use this many frames before and after each one, to see hidden surfaces"},
       {"step", &Parameters::step, "use every N-th of them"},
       {"sigma-xyz", &Parameters::sigma_xyz, sigma_xyz_help}},
      addApertureOptions,
      applyApertureOptions);
}

} // namespace pcl::gpu::apps
