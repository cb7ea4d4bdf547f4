// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "cloud_reader.h"
#include "synthetic_scene.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

// "x" of "x.depth.png", "x.depth_mm.png" and "x.png".
std::string
frameName(const fs::path& path)
{
  const fs::path stem = path.stem();
  return stem.extension().string().rfind(".depth", 0) == 0 ? stem.stem().string()
                                                           : stem.string();
}

std::string
colorBeside(const fs::path& depth)
{
  for (const char* extension : {".color.jpg", ".color.jpeg", ".color.png"}) {
    const fs::path color = depth.parent_path() / (frameName(depth) + extension);
    if (fs::exists(color))
      return color.string();
  }
  return "";
}

bool
isFrame(const fs::path& path)
{
  const std::string extension = extensionOf(path.string());
  const bool is_color = path.stem().extension() == ".color";
  return extension == ".pcd" || (extension == ".png" && !is_color);
}

std::vector<fs::path>
framesInFolder(const fs::path& folder)
{
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && isFrame(entry.path()))
      files.push_back(entry.path());
  if (files.empty())
    throw fileError(folder.string(), "no frames in this folder", "*.png or *.pcd");
  std::sort(files.begin(), files.end());
  return files;
}

// Files of one name from different folders must not overwrite each other's results.
void
makeNamesUnique(std::vector<FrameSource>& frames)
{
  std::set<std::string> names;
  for (FrameSource& frame : frames) {
    const std::string name = frame.name;
    for (int i = 2; !names.insert(frame.name).second; ++i)
      frame.name = name + "-" + std::to_string(i);
  }
}

// The cameras of most depth sensors see like this one, at any resolution; depth registered
// to colour is as the colour camera sees it, raw disparity as the infrared camera does.
PinholeCamera
usualCamera(int width, int height, bool infrared)
{
  PinholeCamera camera;
  camera.fx = camera.fy = (infrared ? 575.8f : 525.0f) * width / 640.0f;
  camera.cx = 0.5f * (width - 1);
  camera.cy = 0.5f * (height - 1);
  return camera;
}

} // namespace

std::vector<FrameSource>
findFrames(const TriangulateOptions& options)
{
  std::vector<FrameSource> frames;
  if (options.synthetic)
    frames.push_back({"synthetic", "", ""});
  for (const std::string& input : options.inputs) {
    std::vector<fs::path> files{input};
    if (fs::is_directory(input))
      files = framesInFolder(input);
    else if (!fs::exists(input))
      throw fileError(input, "no such file", "a 16-bit PNG, a PCD or a folder of them");
    else if (extensionOf(input) != ".png" && extensionOf(input) != ".pcd")
      throw fileError(input, "unknown kind of file", "a 16-bit PNG or a PCD");
    for (const fs::path& file : files) {
      const bool has_own_color =
          options.no_color || extensionOf(file.string()) == ".pcd";
      frames.push_back(
          {frameName(file), file.string(), has_own_color ? "" : colorBeside(file)});
    }
  }
  if (!options.color.empty()) {
    if (frames.size() > 1)
      throw InputError("--color " + options.color + ": one image for " +
                       std::to_string(frames.size()) +
                       " frames: expected NAME.color.jpg beside each NAME.depth.png");
    frames[0].color = options.color;
  }
  makeNamesUnique(frames);
  return frames;
}

Frame
readFrame(const FrameSource& source, const TriangulateOptions& options)
{
  Frame frame;
  frame.name = source.name;
  frame.depth_scale = options.depth_scale;
  if (source.file.empty()) {
    renderSyntheticScene(frame);
    if (options.no_color)
      frame.color = {};
    return frame;
  }
  if (extensionOf(source.file) == ".pcd") {
    if (options.intrinsics || options.disparity || !source.color.empty())
      throw fileError(source.file,
                      "--intrinsics, --disparity and --color are for depth maps",
                      "a 16-bit PNG");
    frame.cloud = readOrganizedCloud(source.file);
    return frame;
  }

  frame.depth = readDepthImage(source.file);
  const int width = frame.depth.width, height = frame.depth.height;
  frame.camera =
      options.intrinsics.value_or(usualCamera(width, height, options.disparity));
  if (source.color.empty())
    return frame;
  frame.color = readColorImage(source.color);
  if (!options.color_intrinsics &&
      (frame.color.width != width || frame.color.height != height))
    throw fileError(source.color,
                    "is " + std::to_string(frame.color.width) + " x " +
                        std::to_string(frame.color.height) + " pixels",
                    "the depth map's " + std::to_string(width) + " x " +
                        std::to_string(height) + ", or --color-intrinsics");
  return frame;
}

} // namespace pcl::gpu::apps
