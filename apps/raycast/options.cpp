// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/work/run_settings.h"

#include <pcl/gpu/raycast/mesh_renderer.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

void
parseCamera(const po::variables_map& values, RaycastOptions& options)
{
  checkOption(isGiven(values, "fov") + isGiven(values, "intrinsics") +
                      isGiven(values, "orthographic") <=
                  1,
              "two of --fov, --intrinsics, --orthographic",
              "one");
  checkOption(options.field_of_view > 0.0f && options.field_of_view < 180.0f,
              "--fov",
              "degrees, above 0 and below 180");
  checkOption(options.orthographic.value_or(0.0f) >= 0.0f,
              "--orthographic",
              "pixels for every metre, 0 or more");
  checkOption(options.up.norm() > 0.0f, "--up", "a direction, not 0,0,0");
  const bool is_placed = options.eye || options.target || values.count("up");
  checkOption(options.pose.empty() || !(is_placed || options.orbit),
              "--pose with --eye, --target, --up or --orbit",
              "one way to place the camera");
}

void
parseMotion(const po::variables_map& values, RaycastOptions& options)
{
  options.orbit = values.count("orbit") > 0;
  if (const auto way = optionalValue<std::string>(values, "deform"))
    options.deformation = meaningOf<Deformation>("deform",
                                                 *way,
                                                 {{"wave", Deformation::Wave},
                                                  {"twist", Deformation::Twist},
                                                  {"bend", Deformation::Bend},
                                                  {"noise", Deformation::Noise}});
  checkOption(!values.count("frames") || !options.orbit,
              "both --frames and --orbit",
              "one, which both say how many frames there are");
  checkOption(
      !values.count("frames") || options.deformation, "--frames", "--deform, too");
  options.frames = options.orbit            ? values["orbit"].as<int>()
                   : values.count("frames") ? values["frames"].as<int>()
                   : options.deformation    ? RaycastOptions::deformation_frames
                                            : 1;
  checkOption(options.frames >= 1 && options.frames <= 1000000,
              (options.orbit ? "--orbit " : "--frames ") +
                  std::to_string(options.frames),
              "1 to 1000000");
  checkOption(
      options.strength >= 0.0f && options.strength <= 10.0f, "--strength", "0 to 10");
  if (!options.views)
    return;
  checkOption(*options.views >= 0 && *options.views <= 5,
              "--views " + std::to_string(*options.views),
              "0 to 5");
  checkOption(!options.isSequence(), "--views with --deform or --orbit", "one of them");
  for (const char* other : {"image",
                            "depth",
                            "cloud",
                            "ids",
                            "screenshot",
                            "view",
                            "intrinsics",
                            "eye",
                            "target",
                            "up",
                            "pose",
                            "orthographic",
                            "light",
                            "shadows",
                            "soft-shadows",
                            "glass",
                            "ground",
                            "ambient-occlusion"})
    checkOption(!isGiven(values, other),
                "--views with --" + std::string(other),
                "one of them: views are clouds alone");
}

/** \brief Parses a lamp: "x,y,z", "x,y,z,intensity" or "camera". */
LampOption
parseLamp(const std::string& text)
{
  if (text == "camera")
    return {};
  const std::string expectation = "x,y,z or x,y,z,intensity or camera";
  const std::vector<float> n = parseNumbers("--light", text, expectation);
  checkOption(n.size() == 3 || n.size() == 4, "--light " + text, expectation);
  LampOption lamp;
  lamp.position = Eigen::Vector3f(n[0], n[1], n[2]);
  if (n.size() == 4)
    lamp.intensity = n[3];
  checkOption(lamp.intensity >= 0.0f, "--light " + text, "an intensity of 0 or more");
  return lamp;
}

void
parseLight(const po::variables_map& values, RaycastOptions& options)
{
  for (const char* name : {"light", "lights"})
    if (values.count(name))
      for (const std::string& text : values[name].as<std::vector<std::string>>())
        options.lights.push_back(parseLamp(text));
  constexpr int most = MeshRenderer::max_lights;
  checkOption(options.lights.size() <= most,
              "--light",
              "it at most " + std::to_string(most) + " times");
  checkOption(!options.soft_shadows || isPositive(*options.soft_shadows),
              "--soft-shadows",
              "the lamps' radius in metres, above 0");
  checkOption(!options.ambient_occlusion ||
                  (std::isfinite(*options.ambient_occlusion) &&
                   *options.ambient_occlusion >= 0.0f),
              "--ambient-occlusion",
              "a radius in metres, 0 or more");
  checkOption(
      options.reflect >= 0.0f && options.reflect <= 1.0f, "--reflect", "0 to 1");
  checkOption(options.ground_reflect >= 0.0f && options.ground_reflect <= 1.0f,
              "--ground-reflect",
              "0 to 1");
  checkOption(options.ground_reflect == 0.0f || options.ground,
              "--ground-reflect",
              "--ground, too");
}

void
checkOutputs(RaycastOptions& options)
{
  for (const std::string& path :
       {options.image, options.depth, options.ids, options.screenshot})
    checkExtension(path, ".png");
  checkExtension(options.cloud, ".pcd");
  const bool nothing_named = options.image.empty() && options.depth.empty() &&
                             options.ids.empty() && options.cloud.empty() &&
                             options.screenshot.empty();
  const bool needs_folder = options.views || options.isSequence();
  if (options.output_directory.empty()) {
    checkOption(!needs_folder || (options.view && nothing_named),
                "several views and no folder for them",
                "--output-directory FOLDER");
    checkOutputFiles(
        {options.image, options.depth, options.ids, options.cloud, options.screenshot});
  }
  else if (!needs_folder)
    throw InputError("--output-directory: expected --deform, --orbit or --views, too");
  else if (nothing_named && !options.views)
    options.image = "image.png";
  checkSharing(options.sharing, options.output_directory);
  checkOutputFiles({options.timings});
}

} // namespace

std::optional<RaycastOptions>
parseRaycastOptions(int argc, const char* const* argv)
{
  RaycastOptions options;
  const auto line = readCommandLine(argc,
                                    argv,
                                    "pcl_gpu_raycast " PCL_GPU_VERSION,
                                    manualPage(options),
                                    options.inputs);
  if (!line)
    return std::nullopt;
  const po::variables_map& values = *line;
  checkOption(!options.inputs.empty(), "no input", "MESH, see --help");
  parseMotion(values, options);
  parseCamera(values, options);
  parseLight(values, options);
  checkOption(
      options.depth_scale > 0.0f, "--depth-scale", "metres for one unit, above 0");
  checkOption(options.crease_angle >= 0.0f && options.crease_angle <= 180.0f,
              "--crease-angle",
              "degrees, 0 to 180");
  checkOption(options.repeat >= 1, "--repeat", "at least 1");
  checkOutputs(options);
  options.sharing.settings = settingsOf("pcl_gpu_raycast", values, {"repeat"});
  return options;
}

} // namespace pcl::gpu::apps
