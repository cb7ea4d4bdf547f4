// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"

#include <Eigen/Geometry>

#include <cmath>
#include <filesystem>
#include <iostream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

/** \brief "X,Y,Z,QX,QY,QZ,QW". */
Pose
parsePose(const std::string& option, const std::string& text)
{
  const std::string expectation =
      "X,Y,Z,QX,QY,QZ,QW, metres and a quaternion of length 1";
  const std::vector<float> n = parseNumbers(option, text, expectation);
  if (n.size() == 7) {
    const Eigen::Quaternionf orientation(n[6], n[3], n[4], n[5]);
    if (std::abs(orientation.norm() - 1.0f) < 0.01f)
      return Eigen::Translation3f(n[0], n[1], n[2]) * orientation.normalized();
  }
  throw InputError(option + " " + text + ": expected " + expectation);
}

/** \brief Levels, or nothing for "auto". */
std::optional<float>
parseNoise(const std::string& text)
{
  if (text == "auto")
    return std::nullopt;
  const std::string expectation = "levels, 0 to 255, or auto";
  const std::vector<float> n = parseNumbers("--noise", text, expectation);
  if (n.size() != 1 || n[0] < 0.0f || n[0] > 255.0f)
    throw InputError("--noise " + text + ": expected " + expectation);
  return n[0];
}

void
checkPixels(const std::string& option, int pixels)
{
  if (pixels < 0)
    throw InputError(option + " " + std::to_string(pixels) +
                     ": expected pixels, 0 or more");
}

void
checkOutput(const SceneSpaceOptions& options)
{
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(options.output, ignored)) {
    const std::string given = "--output " + options.output;
    if (!fs::is_directory(options.output, ignored))
      throw InputError(given + ": is a file: expected a folder");
    if (fs::equivalent(options.input, options.output, ignored))
      throw InputError(given + ": is the input: expected another folder");
    if (!options.resume && !fs::is_empty(options.output, ignored))
      throw InputError(
          given + ": is not empty: expected a new or an empty folder, or --resume");
  }
  checkOutputFiles({options.timings});
}

void
readInputOptions(SceneSpaceOptions& options)
{
  const po::variables_map& values = options.values;
  const auto text = [&](const char* name) { return values[name].as<std::string>(); };
  if (values.count("frames"))
    options.frames = parseFrames("--frames", text("frames"));
  if (const auto camera = optionalIntrinsics(values, "intrinsics"))
    options.folder.depth_camera = *camera;
  if (const auto camera = optionalIntrinsics(values, "color-intrinsics"))
    options.folder.color_camera = *camera;
  if (values.count("color-to-depth"))
    options.folder.color_to_depth =
        parsePose("--color-to-depth", text("color-to-depth"));
  if (values.count("depth-scale") &&
      !(std::isfinite(options.folder.depth_unit) && options.folder.depth_unit > 0.0f))
    throw InputError("--depth-scale: expected metres for one unit, above 0");
  if (!(std::isfinite(options.folder.frame_rate) && options.folder.frame_rate > 0.0f))
    throw InputError("--fps: expected frames a second, above 0");
  options.edge_margin = optionalValue<int>(values, "edge-margin")
                            .value_or(options.effect->default_edge_margin);
  checkPixels("--edge-margin", options.edge_margin);
  options.noise =
      parseNoise(values.count("noise") ? text("noise") : options.effect->default_noise);
  if (values.count("memory"))
    options.memory = parseMemory("--memory", text("memory"));
  if (values.count("host-memory"))
    options.host_memory = parseMemory("--host-memory", text("host-memory"));
}

} // namespace

std::optional<SceneSpaceOptions>
parseSceneSpaceOptions(int argc, const char* const* argv)
{
  const std::string first = argc > 1 ? argv[1] : "";
  std::optional<SceneSpaceOptions> options(std::in_place);
  if (first == "--help" || first == "-h") {
    std::cout << manualPage(*options, effectCommands().front()).text;
    return std::nullopt;
  }
  if (first == "--version") {
    std::cout << "pcl_gpu_scenespace " PCL_GPU_VERSION "\n";
    return std::nullopt;
  }
  options->effect = &effectNamed(first);
  std::vector<std::string> words;
  const auto values = readCommandLine(argc - 1,
                                      argv + 1,
                                      "pcl_gpu_scenespace " PCL_GPU_VERSION,
                                      manualPage(*options, *options->effect),
                                      words,
                                      "word");
  if (!values)
    return std::nullopt;
  options->values = *values;
  if (!words.empty())
    throw InputError(words.front() + ": expected options only behind " + first);
  if (options->input.empty())
    throw InputError("no input: expected --input FOLDER, see --help");
  if (options->output.empty())
    throw InputError("no output: expected --output FOLDER, see --help");
  if (options->mask.empty() && options->effect->needs_mask)
    throw InputError("no mask of what " + first +
                     " is about: expected --mask PATH, see --help");
  checkPixels("--mask-margin", options->mask_margin);
  if (options->format != "png" && options->format != "pcd")
    throw InputError("--format " + options->format + ": expected png or pcd");
  if (options->threads < 0 || options->threads > 64)
    throw InputError("--threads " + std::to_string(options->threads) +
                     ": expected 1 to 64, or 0 for as many as suit");
  readInputOptions(*options);
  checkOutput(*options);
  return options;
}

} // namespace pcl::gpu::apps
