// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/work/run_settings.h"

#include <Eigen/Geometry>

#include <cmath>
#include <filesystem>
#include <iostream>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

/** \brief Parses "X,Y,Z,QX,QY,QZ,QW". */
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

/** \brief Parses levels; returns nothing for "auto". */
std::optional<float>
parseNoise(const std::string& text)
{
  if (text == "auto")
    return std::nullopt;
  const std::string expectation = "levels, 0 to 255, or auto";
  const std::vector<float> n = parseNumbers("--noise", text, expectation);
  checkOption(
      n.size() == 1 && n[0] >= 0.0f && n[0] <= 255.0f, "--noise " + text, expectation);
  return n[0];
}

void
checkPixels(const std::string& option, int pixels)
{
  checkOption(pixels >= 0, option + " " + std::to_string(pixels), "pixels, 0 or more");
}

void
checkOutput(const SceneSpaceOptions& options)
{
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(options.output, ignored)) {
    const std::string given = "--output " + options.output;
    checkOption(
        fs::is_directory(options.output, ignored), given + ": is a file", "a folder");
    checkOption(!fs::equivalent(options.input, options.output, ignored),
                given + ": is the input",
                "another folder");
    checkOption(options.sharing.goesOn() || fs::is_empty(options.output, ignored),
                given + ": is not empty",
                "a new or an empty folder, --resume or --shard");
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
  if (values.count("intrinsics"))
    options.folder.depth_camera = parseIntrinsics("--intrinsics", text("intrinsics"));
  if (values.count("color-intrinsics"))
    options.folder.color_camera =
        parseIntrinsics("--color-intrinsics", text("color-intrinsics"));
  if (values.count("color-to-depth"))
    options.folder.color_to_depth =
        parsePose("--color-to-depth", text("color-to-depth"));
  checkOption(!values.count("depth-scale") || isPositive(options.folder.depth_unit),
              "--depth-scale",
              "metres for one unit, above 0");
  checkOption(
      isPositive(options.folder.frame_rate), "--fps", "frames a second, above 0");
  int& edge_margin = options.preparation.edge_margin;
  edge_margin = optionalValue<int>(values, "edge-margin")
                    .value_or(options.effect->default_edge_margin);
  checkPixels("--edge-margin", edge_margin);
  options.noise =
      parseNoise(values.count("noise") ? text("noise") : options.effect->default_noise);
  if (values.count("memory"))
    options.resources.memory = parseMemory("--memory", text("memory"));
  if (values.count("host-memory"))
    options.resources.host_memory = parseMemory("--host-memory", text("host-memory"));
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
  checkOption(!options->input.empty(), "no input", "--input FOLDER, see --help");
  checkOption(!options->output.empty(), "no output", "--output FOLDER, see --help");
  checkOption(!options->mask.empty() || !options->effect->needs_mask,
              "no mask of what " + first + " is about",
              "--mask PATH, see --help");
  checkPixels("--mask-margin", options->preparation.mask_margin);
  checkOption(options->format == "png" || options->format == "pcd",
              "--format " + options->format,
              "png or pcd");
  checkOption(options->threads >= 0 && options->threads <= 64,
              "--threads " + std::to_string(options->threads),
              "1 to 64, or 0 for as many as suit");
  readInputOptions(*options);
  checkOutput(*options);
  options->sharing.settings =
      settingsOf("pcl_gpu_scenespace " + options->effect->name,
                 options->values,
                 {"compare", "memory", "host-memory", "threads", "save-color-camera"});
  return options;
}

} // namespace pcl::gpu::apps
