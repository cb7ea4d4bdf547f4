// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../../common/command_line/errors.h"
#include "../../common/files/output_file.h"

#include <cmath>

namespace pcl::gpu::apps {

namespace po = boost::program_options;

namespace {

void
checkRange(const char* option, int value, int least, int most)
{
  if (value < least || value > most)
    throw InputError(std::string(option) + " " + std::to_string(value) + ": expected " +
                     std::to_string(least) + " to " + std::to_string(most));
}

void
checkPositive(const char* option, float value)
{
  if (!(std::isfinite(value) && value > 0.0f))
    throw InputError(std::string(option) + ": expected a number above 0");
}

/** \brief Returns the value of an option above 0, if it was given. */
std::optional<float>
optionalLength(const po::variables_map& values, const char* name)
{
  const auto value = optionalValue<float>(values, name);
  if (value)
    checkPositive((std::string("--") + name).c_str(), *value);
  return value;
}

void
checkShare(const char* option, float value)
{
  if (!(value > 0.0f && value <= 1.0f))
    throw InputError(std::string(option) + ": expected a number above 0, at most 1");
}

/** \brief Takes out the first word, which names the library. */
void
splitLibrary(std::vector<std::string>& words, std::string& library, const char* others)
{
  if (words.empty())
    throw InputError("no library: expected LIBRARY" +
                     std::string(*others ? " and " : "") + others + ", see --help");
  library = words.front();
  words.erase(words.begin());
  if (*others && words.empty())
    throw InputError("no input: expected " + std::string(others) +
                     " behind the library, see --help");
}

/** \brief A camera with its size: "fx,fy,cx,cy,width,height". */
PinholeCamera
parseCamera(const std::string& text)
{
  const std::string expectation = "fx,fy,cx,cy,width,height in pixels";
  const std::vector<float> n = parseNumbers("--camera", text, expectation);
  const auto is_size = [](float x) {
    return x >= 16.0f && x <= 8192.0f && x == std::floor(x);
  };
  if (n.size() != 6 || n[0] <= 0.0f || n[1] <= 0.0f || !is_size(n[4]) || !is_size(n[5]))
    throw InputError("--camera " + text + ": expected " + expectation +
                     ", sizes of 16 to 8192");
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

template <typename Options>
std::optional<po::variables_map>
parse(int argc,
      const char* const* argv,
      Options& options,
      std::vector<std::string>& words)
{
  auto values = readCommandLine(
      argc, argv, "pcl_gpu_recognize " PCL_GPU_VERSION, manualPage(options), words);
  if (values && !options.timings.empty())
    OutputFile::checkWritable(options.timings);
  return values;
}

} // namespace

std::optional<LearnOptions>
parseLearnOptions(int argc, const char* const* argv)
{
  LearnOptions o;
  const auto values = parse(argc, argv, o, o.models);
  if (!values)
    return std::nullopt;
  splitLibrary(o.models, o.library, "MODEL");
  checkRange("--views", o.views, 1, 10000);
  checkRange("--tensors", o.tensors, 1, 1000000);
  checkRange("--points", o.points, 1, 1000000);
  o.resolution = optionalLength(*values, "resolution");
  o.size = optionalLength(*values, "size");
  checkPositive("--distance", o.distance);
  o.camera = parseCamera((*values)["camera"].as<std::string>());
  OutputFile::checkWritable(o.library);
  return o;
}

std::optional<RecognizeOptions>
parseRecognizeOptions(int argc, const char* const* argv)
{
  RecognizeOptions o;
  const auto values = parse(argc, argv, o, o.scenes);
  if (!values)
    return std::nullopt;
  splitLibrary(o.scenes, o.library, "SCENE");
  checkRange("--tensors", o.tensors, 1, 1000000);
  checkRange("--repeat", o.repeat, 1, 1000000);
  checkPositive("--scale", o.depth_scale);
  checkPositive("--nearest", o.nearest);
  if (!std::isfinite(o.confidence))
    throw InputError("--confidence: expected a number");
  if (values->count("camera"))
    o.camera = parseSceneCamera((*values)["camera"].as<std::string>());
  checkExtension(o.output, ".json");
  checkExtension(o.screenshot, ".png");
  checkOutputFiles({o.output, o.screenshot});
  return o;
}

std::optional<LibraryOptions>
parseInfoOptions(int argc, const char* const* argv)
{
  LibraryOptions o;
  std::vector<std::string> words;
  if (!parse(argc, argv, o, words))
    return std::nullopt;
  splitLibrary(words, o.library, "");
  if (!words.empty())
    throw InputError(words.front() + ": expected one library only");
  return o;
}

std::optional<ConfusionOptions>
parseConfusionOptions(int argc, const char* const* argv)
{
  ConfusionOptions o;
  const auto values = parse(argc, argv, o, o.models);
  if (!values)
    return std::nullopt;
  splitLibrary(o.models, o.library, "MODEL");
  checkRange("--views", o.views, 1, 10000);
  checkRange("--tensors", o.tensors, 1, 1000000);
  o.size = optionalLength(*values, "size");
  const std::string distances = (*values)["distance"].as<std::string>();
  const std::string expectation = "M or NEAREST,FARTHEST in metres, above 0";
  const std::vector<float> range = parseNumbers("--distance", distances, expectation);
  if (range.empty() || range.size() > 2 || !(range.front() > 0.0f) ||
      range.back() < range.front())
    throw InputError("--distance " + distances + ": expected " + expectation);
  o.nearest = range.front();
  o.farthest = range.back();
  o.camera = parseCamera((*values)["camera"].as<std::string>());
  if (!(o.noise >= 0.0f && o.noise <= 100.0f))
    throw InputError("--noise: expected 0 to 100");
  checkShare("--correlation", o.correlation);
  checkShare("--overlap", o.overlap);
  checkExtension(o.output, ".json");
  checkOutputFiles({o.output});
  return o;
}

std::optional<RegisterOptions>
parseRegisterOptions(int argc, const char* const* argv)
{
  RegisterOptions o;
  const auto values = parse(argc, argv, o, o.clouds);
  if (!values)
    return std::nullopt;
  if (o.clouds.size() != 2)
    throw InputError(std::to_string(o.clouds.size()) +
                     " clouds: expected SOURCE and TARGET, see --help");
  o.resolution = optionalLength(*values, "resolution");
  checkShare("--overlap", o.overlap);
  checkExtension(o.output, ".json");
  checkOutputFiles({o.output});
  return o;
}

} // namespace pcl::gpu::apps
