// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effect_command.h"
#include "effect_option.h"

#include <pcl/gpu/scenespace/effects/virtual_aperture_effect.h>

namespace pcl::gpu::apps {

namespace {

namespace po = boost::program_options;

/** \brief The width of the film that f-numbers are meant for, metres: 35 mm film's. */
constexpr float film_width = 0.036f;

/** \brief The diameter of a lens, metres.
 * \param[in] text metres, or "f/" and a number, which stands for the lens of a camera for
 * 35 mm film that sees as much as \a camera
 */
float
parseAperture(const std::string& text, const PinholeCamera& camera)
{
  const std::string option = "--aperture", expectation = "metres or f/NUMBER";
  const bool is_f_number = text.rfind("f/", 0) == 0;
  const std::vector<float> n =
      parseNumbers(option, is_f_number ? text.substr(2) : text, expectation);
  if (n.size() != 1 || n[0] < 0.0f || (is_f_number && n[0] == 0.0f))
    throw InputError(option + " " + text + ": expected " + expectation);
  if (!is_f_number)
    return n[0];
  const float focal_length = camera.fx / camera.width * film_width;
  return focal_length / n[0];
}

/** \brief Has what a pixel shows be sharp. */
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
  if (n.size() != 2 || n[0] < 0.0f || n[0] >= camera.width || n[1] < 0.0f ||
      n[1] >= camera.height)
    throw InputError(option + " " + text + ": expected " + expectation);
  parameters.focus_column = static_cast<int>(n[0]);
  parameters.focus_row = static_cast<int>(n[1]);
}

class ApertureCommand : public EffectCommand {
public:
  std::string
  name() const override
  {
    return "aperture";
  }

  std::string
  description() const override
  {
    return "takes the video through a larger lens: sharp at one distance, blurred "
           "before\n"
           "and behind it\n";
  }

  po::options_description
  options() const override
  {
    const VirtualApertureEffectParameters defaults;
    auto result = optionGroup("APERTURE");
    auto add = result.add_options();
    add("aperture",
        po::value<std::string>()
            ->default_value(shownNumber(defaults.aperture))
            ->value_name("SIZE"),
        "diameter of the lens, metres; or as f/1.4, that of a camera for 35 mm film "
        "that sees as much");
    add("focus",
        defaultOption(defaults.focus_distance),
        "what is sharp, metres along the camera's axis");
    add("focus-pixel",
        textOption("X,Y"),
        "what this pixel shows is sharp, in each frame anew, counted from 0 at the "
        "left "
        "and at the top; --focus where it has no depth");
    add("lens-samples",
        defaultOption(defaults.lens_samples),
        "pinholes that the lens is made of: time is in proportion. More if blurred "
        "things look like several pictures of them");
    add("blades",
        defaultOption(defaults.blades),
        "sides of the lens, which bright spots have the shape of; 0: a disc");
    add("reach",
        defaultOption(defaults.reach),
        "use frames so far before each one and after it, to see what it does not");
    add("step", defaultOption(defaults.step), "use every N-th of them");
    add("sigma-xyz",
        defaultOption(defaults.sigma_xyz),
        "deviation of positions of one surface, metres");
    return result;
  }

  SceneSpaceEffect::ConstPtr
  make(const po::variables_map& values, const RGBDVideo& video) const override
  {
    using Parameters = VirtualApertureEffectParameters;
    Parameters parameters;
    const PinholeCamera camera = video.view(0).color_camera;
    parameters.aperture = parseAperture(values["aperture"].as<std::string>(), camera);
    applyOption(values, "focus", parameters, &Parameters::focus_distance);
    if (const auto pixel = optionalValue<std::string>(values, "focus-pixel"))
      focusOnPixel(parameters, *pixel, camera);
    applyOption(values, "lens-samples", parameters, &Parameters::lens_samples);
    applyOption(values, "blades", parameters, &Parameters::blades);
    applyOption(values, "reach", parameters, &Parameters::reach);
    applyOption(values, "step", parameters, &Parameters::step);
    applyOption(values, "sigma-xyz", parameters, &Parameters::sigma_xyz);
    const auto effect = std::make_shared<VirtualApertureEffect>();
    effect->setParameters(parameters);
    return effect;
  }
};

} // namespace

std::unique_ptr<EffectCommand>
apertureCommand()
{
  return std::make_unique<ApertureCommand>();
}

} // namespace pcl::gpu::apps
