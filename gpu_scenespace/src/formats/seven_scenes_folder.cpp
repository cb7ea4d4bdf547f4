// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/folder_views.h"
#include "formats/rgbd_formats.h"
#include "formats/tables/frame_poses.h"

#include <pcl/exceptions.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

const std::string depth_ending = ".depth.png";
const PinholeCamera seven_scenes_camera = {585.0f, 585.0f, 320.0f, 240.0f, 0, 0};

std::string
colorFile(const std::string& folder, const std::string& frame)
{
  for (const char* ending : {".color.png", ".color.jpg", ".color.jpeg"}) {
    const std::string file = inFolder(folder, frame + ending);
    if (std::filesystem::exists(file))
      return file;
  }
  PCL_THROW_EXCEPTION(IOException,
                      folder << ": no colour image of frame " << frame << ": expected "
                             << frame << ".color.png or .color.jpg");
}

} // namespace

RGBDVideo::ConstPtr
openSevenScenesFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  const std::vector<std::string> depth_files = filesEndingIn(folder, {depth_ending});
  if (depth_files.empty())
    return nullptr;
  std::vector<RGBDVideoFiles::Frame> frames;
  for (const std::string& file : depth_files) {
    RGBDVideoFiles::Frame frame;
    frame.view.name = file.substr(0, file.size() - depth_ending.size());
    frame.color_file = colorFile(folder, frame.view.name);
    frame.depth_file = inFolder(folder, file);
    frames.push_back(frame);
  }
  const auto readPose = [&](std::size_t place) {
    return readPoseFile(inFolder(folder, frames[place].view.name + ".pose.txt"));
  };
  const float depth_unit = readViews(
      folder, options, {[] { return seven_scenes_camera; }, readPose}, frames);
  return std::make_shared<RGBDVideoFiles>(
      std::move(frames), depth_unit, options.missing_depth);
}

} // namespace pcl::gpu
