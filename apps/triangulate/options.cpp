// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "options.h"

#include "../common/errors.h"
#include "../common/option_parsing.h"
#include "../common/output_file.h"
#include "manual.h"
#include "mesh_writer.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>

namespace pcl {
namespace gpu {
namespace apps {

namespace po = boost::program_options;

namespace {

PinholeCamera
parseIntrinsics(const std::string& option, const std::string& text)
{
  const std::string expectation = "fx,fy,cx,cy in pixels, focal lengths above 0";
  const std::vector<float> numbers = parseNumbers(option, text, expectation);
  if (numbers.size() != 4 || numbers[0] <= 0.0f || numbers[1] <= 0.0f)
    throw InputError(option + " " + text + ": expected " + expectation);
  PinholeCamera camera;
  camera.fx = numbers[0];
  camera.fy = numbers[1];
  camera.cx = numbers[2];
  camera.cy = numbers[3];
  return camera;
}

Pose
parsePose(const std::string& option, const std::string& text)
{
  const std::string expectation = "tx,ty,tz or tx,ty,tz,qx,qy,qz,qw";
  const std::vector<float> n = parseNumbers(option, text, expectation);
  Pose pose = Pose::Identity();
  if (n.size() != 3 && n.size() != 7)
    throw InputError(option + " " + text + ": expected " + expectation);
  pose.translation() << n[0], n[1], n[2];
  if (n.size() == 7) {
    const Eigen::Quaternionf rotation(n[6], n[3], n[4], n[5]);
    if (std::abs(rotation.norm() - 1.0f) > 0.01f)
      throw InputError(option + " " + text + ": expected a quaternion of length 1");
    pose.linear() = rotation.normalized().toRotationMatrix();
  }
  return pose;
}

Cut
parseCut(const std::string& text)
{
  const std::map<std::string, Cut> cuts{{"left", Cut::Left},
                                        {"right", Cut::Right},
                                        {"adaptive", Cut::Adaptive},
                                        {"quad", Cut::Quad}};
  const auto found = cuts.find(text);
  if (found == cuts.end())
    throw InputError("--cut " + text + ": expected left, right, adaptive or quad");
  return found->second;
}

void
parsePictureSize(const std::string& text, int& width, int& height)
{
  const std::size_t cross = text.find('x');
  if (cross != std::string::npos &&
      text.find_first_not_of("0123456789x") == std::string::npos && text.size() < 12) {
    width = std::atoi(text.c_str());
    height = std::atoi(text.c_str() + cross + 1);
  }
  // Pictures are drawn at twice the size, and graphics drivers end at 16384 pixels.
  if (width < 64 || height < 64 || width > 8192 || height > 8192)
    throw InputError("--picture-size " + text + ": expected WIDTHxHEIGHT, 64 to 8192");
}

void
checkExtension(const std::string& path, const std::string& extension)
{
  if (!path.empty() && extensionOf(path) != extension)
    throw fileError(path, "unknown kind of file", extension);
}

void
checkCombination(const TriangulateOptions& options)
{
  if (options.inputs.empty() == !options.synthetic)
    throw InputError(options.synthetic
                         ? "both INPUT and --synthetic: expected one of them"
                         : "no input: expected INPUT or --synthetic, see --help");
  if (!(options.depth_scale > 0.0f))
    throw InputError("--depth-scale: expected metres for one unit, above 0");
  if (options.repeat < 1)
    throw InputError("--repeat: expected at least 1");
  if (!options.color.empty() && options.no_color)
    throw InputError("both --color and --no-color: expected one of them");
}

void
checkOutputs(const TriangulateOptions& options)
{
  if (!options.output.empty())
    checkMeshExtension(options.output);
  checkExtension(options.cloud, ".pcd");
  checkExtension(options.screenshot, ".png");
  if (options.output_directory.empty())
    for (const std::string& path : {options.output, options.cloud, options.screenshot})
      if (!path.empty())
        OutputFile::checkWritable(path);
  if (!options.timings.empty())
    OutputFile::checkWritable(options.timings);
}

template <typename T>
std::optional<T>
optionalValue(const po::variables_map& values, const char* name)
{
  if (values.count(name))
    return values[name].as<T>();
  return std::nullopt;
}

} // namespace

std::optional<TriangulateOptions>
parseTriangulateOptions(int argc, const char* const* argv)
{
  TriangulateOptions options;
  const po::variables_map values =
      parseCommandLine(argc, argv, triangulateOptionsDescription(options), "input");
  if (values.count("help")) {
    printManual(std::cout);
    return std::nullopt;
  }
  if (values.count("version")) {
    std::cout << "pcl_gpu_triangulate " PCL_GPU_VERSION "\n";
    return std::nullopt;
  }

  if (values.count("intrinsics"))
    options.intrinsics =
        parseIntrinsics("--intrinsics", values["intrinsics"].as<std::string>());
  if (values.count("color-intrinsics"))
    options.color_intrinsics = parseIntrinsics(
        "--color-intrinsics", values["color-intrinsics"].as<std::string>());
  if (values.count("color-pose")) {
    if (!options.color_intrinsics)
      throw InputError("--color-pose: expected --color-intrinsics, too");
    options.color_pose =
        parsePose("--color-pose", values["color-pose"].as<std::string>());
  }
  options.cut = parseCut(values["cut"].as<std::string>());
  parsePictureSize(values["picture-size"].as<std::string>(),
                   options.picture_width,
                   options.picture_height);
  options.max_edge = optionalValue<float>(values, "max-edge");
  options.normal_deviations = optionalValue<float>(values, "normal-deviations");
  checkCombination(options);
  checkOutputs(options);
  return options;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
