// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/work/run_settings.h"

#include <pcl/common/angles.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

/** \brief Parses depths "A:B", metres. */
void
parseDepthRange(const std::string& text, TrackOptions& options)
{
  std::string numbers = text;
  const std::size_t colon = numbers.find(':');
  if (colon != std::string::npos)
    numbers[colon] = ',';
  const std::string expectation = "NEAREST:FARTHEST in metres";
  const std::vector<float> n = parseNumbers("--depth-range", numbers, expectation);
  checkOption(n.size() == 2 && n[0] >= 0.0f && n[1] > n[0],
              "--depth-range " + text,
              expectation);
  options.nearest = n[0];
  options.farthest = n[1];
}

/** \brief Parses two corners of a box, metres. */
Eigen::AlignedBox3f
parseBox(const std::string& text)
{
  const std::string expectation = "X,Y,Z,X,Y,Z of two opposite corners in metres";
  const std::vector<float> n = parseNumbers("--box", text, expectation);
  checkOption(n.size() == 6, "--box " + text, expectation);
  Eigen::AlignedBox3f box(Eigen::Vector3f(n[0], n[1], n[2]));
  box.extend(Eigen::Vector3f(n[3], n[4], n[5]));
  return box;
}

/** \brief Sets an option that the user did not give. */
template <typename T, typename U>
void
useDefault(const po::variables_map& values, const char* name, T& value, const U& usual)
{
  if (!isGiven(values, name))
    value = static_cast<T>(usual);
}

/** \brief Sets the parameters of filters that suit people who are found. */
void
usePeople(const po::variables_map& values, TrackOptions& options)
{
  const PoseParticleFilterParameters people = guidedBodyTrackingParameters(
      chooseDevices(options.device, options.devices).front());
  useDefault(values, "particles", options.particles, people.particle_count);
  useDefault(values, "layers", options.filter.layers, people.layers);
  options.filter.islands = people.islands;
  options.filter.max_points = people.max_points;
}

/** \brief Sets the parameters of a filter, and the noise of a simulated camera, that
 * suit a hand. */
void
useHand(const po::variables_map& values, TrackOptions& options)
{
  options.hand =
      meaningOf<HandSide>("hand",
                          values["hand"].as<std::string>(),
                          {{"left", HandSide::Left}, {"right", HandSide::Right}});
  for (const char* name : {"skeleton", "initial-pose", "upper-body", "fit"})
    checkOption(!isGiven(values, name), std::string("--") + name, "no --hand");
  const PoseParticleFilterParameters hand = handTrackingParameters();
  PoseParticleFilterParameters& filter = options.filter;
  useDefault(values, "sigma", filter.likelihood.sigma, hand.likelihood.sigma);
  useDefault(values,
             "tau",
             filter.likelihood.truncation_distance,
             hand.likelihood.truncation_distance);
  useDefault(values,
             "root-deviation",
             filter.root_translation_deviation,
             hand.root_translation_deviation);
  useDefault(values,
             "turn-deviation",
             options.turn_deviation,
             std::round(pcl::rad2deg(hand.root_rotation_deviation)));
  useDefault(values, "noise", options.noise.deviation, 0.002f);
  filter.likelihood.miss_distance = hand.likelihood.miss_distance;
  filter.wide_limb_motion = hand.wide_limb_motion;
  filter.islands = hand.islands;
}

void
checkInput(const po::variables_map& values, const TrackOptions& options)
{
  if (options.inputs.empty() == options.simulate.empty())
    throw InputError(options.simulate.empty()
                         ? "no input: expected INPUT or --simulate FILE, see --help"
                         : "both INPUT and --simulate: expected one of them");
  for (const char* name : {"eye", "target", "occluder", "outliers", "missing", "noise"})
    checkOption(!options.simulate.empty() || !isGiven(values, name),
                std::string("--") + name,
                "--simulate, too");
  for (const char* name :
       {"depth-scale", "missing-depth", "depth-range", "box", "resume", "shard"})
    checkOption(options.simulate.empty() || !isGiven(values, name),
                std::string("--") + name,
                "recorded input");
  checkOption(!options.fit || options.simulate.empty(), "--fit", "recorded input");
  checkOption(!options.fit || options.output.empty(),
              "--fit",
              "no --output: every frame has a body of its own");
  checkOption(isPositive(options.frame_rate), "--fps", "frames a second, above 0");
  checkOption(isPositive(options.depth_scale),
              "--depth-scale",
              "metres for one unit of depth maps, above 0");
  if (options.scale)
    checkOption(isPositive(*options.scale),
                "--scale",
                "metres for one unit of BVH files, above 0");
  checkOption(isPositive(options.height_of_person), "--height", "metres, above 0");
}

/** \brief Rejects options that are those of one body only. */
void
checkPeople(const po::variables_map& values, const TrackOptions& options)
{
  if (!options.finds_people)
    return;
  for (const char* name : {"first-layers", "no-partitions", "devices"})
    checkOption(!isGiven(values, name),
                std::string("--") + name,
                "--position, --height or another option of a single body, too");
}

void
checkFilter(const TrackOptions& options)
{
  checkOption(options.particles >= 1, "--particles", "1 or more");
  checkOption(
      isPositive(options.filter.likelihood.sigma), "--sigma", "metres, above 0");
  checkOption(isPositive(options.filter.likelihood.truncation_distance),
              "--tau",
              "metres, above 0");
  checkOption(options.filter.layers >= 1 && options.filter.layers <= 1000,
              "--layers",
              "1 to 1000");
  if (options.first_layers)
    checkOption(*options.first_layers >= 1 && *options.first_layers <= 1000,
                "--first-layers",
                "1 to 1000");
  checkOption(options.filter.survival_rate >= 0.0f &&
                  options.filter.survival_rate < 1.0f,
              "--survival",
              "a share of the particles, 0 or more and below 1");
  checkOption(options.filter.root_translation_deviation >= 0.0f &&
                  std::isfinite(options.filter.root_translation_deviation),
              "--root-deviation",
              "metres, 0 or more");
  checkOption(options.turn_deviation >= 0.0f && std::isfinite(options.turn_deviation),
              "--turn-deviation",
              "degrees, 0 or more");
}

/** \brief Returns whether each input is a recording. */
bool
isByRecording(const TrackOptions& options)
{
  const auto is_folder = [](const std::string& input) {
    return fs::is_directory(input);
  };
  const auto other =
      std::find_if_not(options.inputs.begin(), options.inputs.end(), is_folder);
  const bool shares = options.sharing.goesOn();
  if (!shares &&
      std::count_if(options.inputs.begin(), options.inputs.end(), is_folder) < 2)
    return false;
  if (other != options.inputs.end())
    throw fileError(*other,
                    "is no folder",
                    shares ? "folders with --shard or --resume, one for each recording"
                           : "one folder, or several, one for each recording");
  return true;
}

void
checkRate(const TrackOptions& options)
{
  if (!options.rate)
    return;
  checkOption(isPositive(*options.rate), "--rate", "frames a second, above 0");
  checkOption(!options.fit, "--rate", "frames that follow each other, without --fit");
  checkOption(!options.by_recording,
              "--rate",
              "a single recording, without --resume and --shard");
}

void
checkOutputs(const TrackOptions& options)
{
  checkExtension(options.output, ".bvh");
  checkExtension(options.csv, ".csv");
  checkExtension(options.json, ".json");
  checkExtension(options.screenshot, ".png");
  if (options.by_recording) {
    checkSharing(options.sharing, options.output_directory);
    checkOption(!options.output_directory.empty(),
                std::to_string(options.inputs.size()) + " recordings",
                "--output-directory FOLDER, too");
    checkOption(!options.output.empty() || !options.csv.empty() ||
                    !options.json.empty() || !options.screenshot.empty(),
                "--output-directory",
                "--output .bvh, --csv .csv, --json .json or --screenshot .png, too");
    checkOutputFiles({options.timings});
    return;
  }
  if (options.output_directory.empty() != options.screenshot.empty())
    throw InputError(options.screenshot.empty()
                         ? "--output-directory: expected --screenshot NAME.png, too"
                         : "--screenshot: expected --output-directory FOLDER, too, for "
                           "a picture of every frame");
  checkOutputFiles({options.output, options.csv, options.json, options.timings});
}

} // namespace

const Words<JointNames>&
jointNameWords()
{
  static const Words<JointNames> words = {{"itop", JointConvention::Itop},
                                          {"coco", JointConvention::Coco},
                                          {"skeleton", std::nullopt}};
  return words;
}

std::optional<TrackOptions>
parseTrackOptions(int argc, const char* const* argv)
{
  TrackOptions options;
  const auto line = readCommandLine(argc,
                                    argv,
                                    "pcl_gpu_track " PCL_GPU_VERSION,
                                    manualPage(options),
                                    options.inputs);
  if (!line)
    return std::nullopt;
  const po::variables_map& values = *line;
  if (values.count("frames"))
    options.frames = parseFrames("--frames", values["frames"].as<std::string>());
  if (values.count("depth-range"))
    parseDepthRange(values["depth-range"].as<std::string>(), options);
  if (values.count("box"))
    options.box = parseBox(values["box"].as<std::string>());
  const auto is_given = [&](const char* name) {
    return values.count(name) > 0 && !values[name].defaulted();
  };
  if (values.count("hand"))
    useHand(values, options);
  options.finds_people =
      options.simulate.empty() && !options.hand && !options.upper_body &&
      !options.whole && !is_given("position") && !is_given("turn") &&
      !is_given("height") && options.skeleton.empty() && options.initial_pose.empty();
  if (options.finds_people)
    usePeople(values, options);
  options.noise.seed = options.filter.seed;
  checkInput(values, options);
  checkPeople(values, options);
  options.by_recording = isByRecording(options);
  checkFilter(options);
  checkRate(options);
  checkOption(!options.json.empty() || !isGiven(values, "joints"),
              "--joints",
              "--json FILE, too");
  checkOutputs(options);
  options.sharing.settings = settingsOf("pcl_gpu_track", values, {});
  return options;
}

std::vector<TrackOptions>
optionsOfRecordings(const TrackOptions& options)
{
  if (!options.by_recording)
    return {options};
  std::vector<TrackOptions> recordings;
  std::set<std::string> names;
  for (const std::string& input : options.inputs) {
    const fs::path folder = fs::absolute(input).lexically_normal();
    const std::string name = uniqueName(
        (folder.has_filename() ? folder : folder.parent_path()).filename().string(),
        names);
    const auto nameFile = [&](std::string& file, const fs::path& directory) {
      if (!file.empty())
        file = (directory / (name + extensionOf(file))).string();
    };
    TrackOptions& recording = recordings.emplace_back(options);
    recording.inputs = {input};
    nameFile(recording.output, options.output_directory);
    nameFile(recording.csv, options.output_directory);
    nameFile(recording.json, options.output_directory);
    nameFile(recording.screenshot, "");
  }
  return recordings;
}

} // namespace pcl::gpu::apps
