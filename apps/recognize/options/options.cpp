// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../../common/command_line/errors.h"
#include "../../common/work/run_settings.h"

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

void
checkRange(const std::string& option, int value, int least, int most)
{
  checkOption(value >= least && value <= most,
              option + " " + std::to_string(value),
              std::to_string(least) + " to " + std::to_string(most));
}

void
checkPositive(const std::string& option, float value)
{
  checkOption(isPositive(value), option, "a number above 0");
}

/** \brief Returns the value of an option above 0, if it was given. */
std::optional<float>
optionalLength(const po::variables_map& values, const char* name)
{
  const auto value = optionalValue<float>(values, name);
  if (value)
    checkPositive(std::string("--") + name, *value);
  return value;
}

/** \brief Sets the size of meshes, which only one option may decide. */
void
setScaling(const po::variables_map& values, MeshScaling& scaling)
{
  checkPositive("--scale", scaling.unit);
  scaling.size = optionalLength(values, "size");
  checkOption(!scaling.size || !isGiven(values, "scale"),
              "both --scale and --size",
              "one of them");
}

void
checkShare(const std::string& option, float value)
{
  checkOption(value > 0.0f && value <= 1.0f, option, "a number above 0, at most 1");
}

/** \brief Takes the library from the first word.
 * \param[in] expectation name of the other words; empty for none
 */
void
splitLibrary(LibraryOptions& o, const std::string& expectation)
{
  std::vector<std::string>& words = o.inputs;
  checkOption(!words.empty(),
              "no library",
              "LIBRARY" + (expectation.empty() ? "" : " and " + expectation) +
                  ", see --help");
  o.library = words.front();
  words.erase(words.begin());
  checkOption(expectation.empty() || !words.empty(),
              "no input",
              expectation + " behind the library, see --help");
}

/** \brief Parses a camera with its size: "fx,fy,cx,cy,width,height". */
PinholeCamera
parseCamera(const std::string& text)
{
  const std::string expectation = "fx,fy,cx,cy,width,height in pixels";
  const std::vector<float> n = parseNumbers("--camera", text, expectation);
  const auto is_size = [](float x) {
    return x >= 16.0f && x <= 8192.0f && x == std::floor(x);
  };
  checkOption(n.size() == 6 && n[0] > 0.0f && n[1] > 0.0f && is_size(n[4]) &&
                  is_size(n[5]),
              "--camera " + text,
              expectation + ", sizes of 16 to 8192");
  return {n[0], n[1], n[2], n[3], static_cast<int>(n[4]), static_cast<int>(n[5])};
}

/** \brief Reads a camera, whose size may be left out: its images have it. */
PinholeCamera
parseSceneCamera(const std::string& text)
{
  const std::string expectation = "fx,fy,cx,cy or fx,fy,cx,cy,width,height";
  if (parseNumbers("--camera", text, expectation).size() == 6)
    return parseCamera(text);
  return parseIntrinsics("--camera", text);
}

void
checkSharedOutput(const SharingOptions& sharing, const std::string& output)
{
  checkOption(!sharing.goesOn() || !output.empty(),
              sharing.resume ? "--resume" : "--shard",
              "--output FILE, too");
}

} // namespace

void
setOptions(const po::variables_map& values, LearnOptions& o)
{
  splitLibrary(o, "MODEL");
  checkRange("--views", o.views, 1, 10000);
  checkRange("--tensors", o.learning.extraction.tensor_count, 1, 1000000);
  checkRange("--points", o.learning.point_count, 1, 1000000);
  o.resolution = optionalLength(values, "resolution");
  setScaling(values, o.scaling);
  checkPositive("--distance", o.distance);
  o.camera = parseCamera(values["camera"].as<std::string>());
  checkWritable(o.library);
  o.sharing.settings = settingsOf("pcl_gpu_recognize learn", values, {});
}

void
setOptions(const po::variables_map& values, RecognizeOptions& o)
{
  splitLibrary(o, "SCENE");
  checkRange("--tensors", o.extraction.tensor_count, 1, 1000000);
  checkRange("--repeat", o.repeat, 1, 1000000);
  checkPositive("--scale", o.depth_scale);
  checkPositive("--nearest", o.extraction.nearest_depth);
  checkOption(o.confidence >= 0.0f && o.confidence <= 1.0f, "--confidence", "0 to 1");
  if (values.count("camera"))
    o.camera = parseSceneCamera(values["camera"].as<std::string>());
  checkExtension(o.output, ".json");
  checkExtension(o.screenshot, ".png");
  checkOutputFiles({o.output, o.screenshot});
  checkSharedOutput(o.sharing, o.output);
  o.sharing.settings =
      settingsOf("pcl_gpu_recognize recognize", values, {"labels", "repeat"});
}

void
setOptions(const po::variables_map&, LibraryOptions& o)
{
  splitLibrary(o, "");
  if (!o.inputs.empty())
    throw InputError(o.inputs.front() + ": expected one library only");
}

void
setOptions(const po::variables_map&, MergeOptions& o)
{
  splitLibrary(o, "PART");
  checkWritable(o.library);
}

void
setOptions(const po::variables_map& values, ConfusionOptions& o)
{
  splitLibrary(o, "MODEL");
  checkRange("--views", o.views, 1, 10000);
  checkRange("--tensors", o.extraction.tensor_count, 1, 1000000);
  setScaling(values, o.scaling);
  const std::string distances = values["distance"].as<std::string>();
  const std::string expectation = "M or NEAREST,FARTHEST in metres, above 0";
  const std::vector<float> range = parseNumbers("--distance", distances, expectation);
  checkOption(!range.empty() && range.size() <= 2 && range.front() > 0.0f &&
                  range.back() >= range.front(),
              "--distance " + distances,
              expectation);
  o.nearest = range.front();
  o.farthest = range.back();
  o.camera = parseCamera(values["camera"].as<std::string>());
  checkOption(o.noise >= 0.0f && o.noise <= 100.0f, "--noise", "0 to 100");
  checkShare("--correlation", o.matching.min_correlation);
  checkShare("--overlap", o.matching.min_overlap);
  checkExtension(o.output, ".json");
  checkOutputFiles({o.output});
}

void
setOptions(const po::variables_map& values, RegisterOptions& o)
{
  checkOption(o.inputs.size() >= 2,
              std::to_string(o.inputs.size()) + " clouds",
              "SOURCE and TARGET, or more, see --help");
  checkOption(!o.sharing.goesOn() || o.inputs.size() > 2,
              o.sharing.resume ? "--resume" : "--shard",
              "three clouds or more");
  o.registration.resolution =
      optionalLength(values, "resolution").value_or(o.registration.resolution);
  checkShare("--overlap", o.registration.min_overlap);
  const bool places = !o.poses.empty() || !o.model.empty();
  checkOption(!places || (o.inputs.size() > 2 && !o.sharing.goesOn()),
              o.poses.empty() ? "--model" : "--poses",
              "three clouds or more, and neither --shard nor --resume");
  checkExtension(o.output, ".json");
  checkExtension(o.poses, ".json");
  checkExtension(o.model, ".pcd");
  checkOutputFiles({o.output, o.poses, o.model});
  checkSharedOutput(o.sharing, o.output);
  o.sharing.settings = settingsOf("pcl_gpu_recognize register", values, {});
}

} // namespace pcl::gpu::apps
