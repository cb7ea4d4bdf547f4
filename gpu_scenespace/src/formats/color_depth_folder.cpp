// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"
#include "formats/folder_views.h"
#include "formats/rgbd_formats.h"

#include <pcl/exceptions.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief The folder's folder of colour; empty if there is none. */
std::string
colorFolder(const std::string& folder)
{
  for (const char* name : {"color", "rgb", "colour"})
    if (std::filesystem::is_directory(inFolder(folder, name)))
      return inFolder(folder, name);
  return "";
}

} // namespace

RGBDVideo::ConstPtr
openColorDepthFolder(const std::string& folder, const RGBDFolderOptions& options)
{
  const std::string colors = colorFolder(folder), depths = inFolder(folder, "depth");
  if (colors.empty() || !std::filesystem::is_directory(depths))
    return nullptr;
  const std::vector<std::string> color_files =
                                     filesEndingIn(colors, {".png", ".jpg", ".jpeg"}),
                                 depth_files = filesEndingIn(depths, {".png"});
  if (color_files.size() != depth_files.size() || color_files.empty())
    PCL_THROW_EXCEPTION(IOException,
                        folder << ": " << color_files.size() << " colour images and "
                               << depth_files.size()
                               << " depth maps: expected as many of both, 1 or more");
  std::vector<RGBDVideoFiles::Frame> frames(color_files.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].view.name = stemOf(color_files[i]);
    frames[i].color_file = inFolder(colors, color_files[i]);
    frames[i].depth_file = inFolder(depths, depth_files[i]);
  }
  const float depth_unit = readViews(folder, options, {}, frames);
  return std::make_shared<RGBDVideoFiles>(
      std::move(frames), depth_unit, options.missing_depth);
}

} // namespace pcl::gpu
