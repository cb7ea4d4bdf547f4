// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"

#include <pcl/gpu/raycast/mesh_renderer.h>

#include <cmath>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

void
parseCamera(const po::variables_map& values, RaycastOptions& options)
{
  const ImageSize size =
      parseSize("--size", values["size"].as<std::string>(), 1, CameraView::max_size);
  options.width = size.width;
  options.height = size.height;
  options.intrinsics = optionalIntrinsics(values, "intrinsics");
  options.orthographic = optionalValue<float>(values, "orthographic");
  if (!values["fov"].defaulted() + values.count("intrinsics") +
          values.count("orthographic") >
      1)
    throw InputError("two of --fov, --intrinsics, --orthographic: expected one");
  if (!(options.field_of_view > 0.0f && options.field_of_view < 180.0f))
    throw InputError("--fov: expected degrees, above 0 and below 180");
  if (options.orthographic && !(*options.orthographic >= 0.0f))
    throw InputError("--orthographic: expected pixels for every metre, 0 or more");
  options.eye = optionalPoint(values, "eye");
  options.target = optionalPoint(values, "target");
  if (const auto up = optionalPoint(values, "up"))
    options.up = *up;
  if (!(options.up.norm() > 0.0f))
    throw InputError("--up: expected a direction, not 0,0,0");
  const bool is_placed = options.eye || options.target || values.count("up");
  if (!options.pose.empty() && (is_placed || options.orbit))
    throw InputError("--pose with --eye, --target, --up or --orbit: expected one way "
                     "to place the camera");
}

void
parseMotion(const po::variables_map& values, RaycastOptions& options)
{
  options.orbit = values.count("orbit") > 0;
  if (values.count("deform"))
    options.deformation = chosenWord<Deformation>(values,
                                                  "deform",
                                                  {{"wave", Deformation::Wave},
                                                   {"twist", Deformation::Twist},
                                                   {"bend", Deformation::Bend},
                                                   {"noise", Deformation::Noise}});
  if (values.count("frames") && options.orbit)
    throw InputError("both --frames and --orbit: expected one, which both say how many "
                     "frames there are");
  if (values.count("frames") && !options.deformation)
    throw InputError("--frames: expected --deform, too");
  options.frames = options.orbit            ? values["orbit"].as<int>()
                   : values.count("frames") ? values["frames"].as<int>()
                   : options.deformation    ? 24
                                            : 1;
  if (options.frames < 1 || options.frames > 1000000)
    throw InputError((options.orbit ? "--orbit " : "--frames ") +
                     std::to_string(options.frames) + ": expected 1 to 1000000");
  if (!(options.strength >= 0.0f && options.strength <= 10.0f))
    throw InputError("--strength: expected 0 to 10");
  options.views = optionalValue<int>(values, "views");
  if (options.views && (*options.views < 0 || *options.views > 5))
    throw InputError("--views " + std::to_string(*options.views) + ": expected 0 to 5");
  if (options.views && options.isSequence())
    throw InputError("--views with --deform or --orbit: expected one of them");
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
    if (options.views && values.count(other) && !values[other].defaulted())
      throw InputError("--views with --" + std::string(other) +
                       ": expected one of them: views are clouds alone");
}

/** \brief A lamp: "x,y,z", "x,y,z,intensity" or "camera". */
LampOption
parseLamp(const std::string& text)
{
  if (text == "camera")
    return {};
  const std::string expectation = "x,y,z or x,y,z,intensity or camera";
  const std::vector<float> n = parseNumbers("--light", text, expectation);
  if (n.size() != 3 && n.size() != 4)
    throw InputError("--light " + text + ": expected " + expectation);
  if (n.size() == 4 && n[3] < 0.0f)
    throw InputError("--light " + text + ": expected an intensity of 0 or more");
  return {Eigen::Vector3f(n[0], n[1], n[2]), n.size() == 4 ? n[3] : 1.0f};
}

void
parseLight(const po::variables_map& values, RaycastOptions& options)
{
  for (const char* name : {"light", "lights"})
    if (values.count(name))
      for (const std::string& text : values[name].as<std::vector<std::string>>())
        options.lights.push_back(parseLamp(text));
  constexpr int most = MeshRenderer::max_lights;
  if (options.lights.size() > most)
    throw InputError("--light: expected it at most " + std::to_string(most) + " times");
  options.soft_shadows = optionalValue<float>(values, "soft-shadows");
  if (options.soft_shadows &&
      !(std::isfinite(*options.soft_shadows) && *options.soft_shadows > 0.0f))
    throw InputError("--soft-shadows: expected the lamps' radius in metres, above 0");
  options.ambient_occlusion = optionalValue<float>(values, "ambient-occlusion");
  if (options.ambient_occlusion && !(std::isfinite(*options.ambient_occlusion) &&
                                     *options.ambient_occlusion >= 0.0f))
    throw InputError("--ambient-occlusion: expected a radius in metres, 0 or more");
  if (!(options.reflect >= 0.0f && options.reflect <= 1.0f))
    throw InputError("--reflect: expected 0 to 1");
  if (!(options.ground_reflect >= 0.0f && options.ground_reflect <= 1.0f))
    throw InputError("--ground-reflect: expected 0 to 1");
  if (options.ground_reflect > 0.0f && !options.ground)
    throw InputError("--ground-reflect: expected --ground, too");
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
    if (needs_folder && !(options.view && nothing_named))
      throw InputError(
          "several views and no folder for them: expected --output-directory FOLDER");
    checkOutputFiles(
        {options.image, options.depth, options.ids, options.cloud, options.screenshot});
  }
  else if (!needs_folder)
    throw InputError("--output-directory: expected --deform, --orbit or --views, too");
  else if (nothing_named && !options.views)
    options.image = "image.png";
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
  if (options.inputs.empty())
    throw InputError("no input: expected MESH, see --help");
  parseMotion(values, options);
  parseCamera(values, options);
  parseLight(values, options);
  options.method = chosenWord<CastMethod>(values,
                                          "method",
                                          {{"automatic", CastMethod::Automatic},
                                           {"visibility", CastMethod::Visibility},
                                           {"grid", CastMethod::TileGrid}});
  options.culling = chosenWord<Culling>(
      values,
      "culling",
      {{"none", Culling::None}, {"back", Culling::Back}, {"front", Culling::Front}});
  if (!(options.depth_scale > 0.0f))
    throw InputError("--depth-scale: expected metres for one unit, above 0");
  if (!(options.crease_angle >= 0.0f && options.crease_angle <= 180.0f))
    throw InputError("--crease-angle: expected degrees, 0 to 180");
  if (options.repeat < 1)
    throw InputError("--repeat: expected at least 1");
  checkOutputs(options);
  return options;
}

} // namespace pcl::gpu::apps
