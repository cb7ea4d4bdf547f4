// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/folder_views.h"

#include "formats/file_names.h"
#include "formats/rgbd_formats.h"

#include <filesystem>

namespace pcl::gpu {

FolderViews::FolderViews(const std::string& folder,
                         std::size_t frames,
                         const RGBDFolderOptions& options,
                         const Defaults& defaults)
: options_(options)
, default_pose_(defaults.pose)
{
  const auto file = [&](const char* name) { return inFolder(folder, name); };
  const auto has = [&](const char* name) {
    return std::filesystem::exists(file(name));
  };

  if (has("intrinsics.txt") || (!isNamed(options.depth_camera) && !defaults.camera))
    depth_cameras_.emplace(file("intrinsics.txt"), frames);
  else
    depth_cameras_.emplace(isNamed(options.depth_camera) ? options.depth_camera
                                                         : defaults.camera());
  if (has("color_intrinsics.txt"))
    color_cameras_.emplace(file("color_intrinsics.txt"), frames);

  if (has("poses.txt") || !default_pose_)
    depth_poses_.emplace(file("poses.txt"), frames);
  if (!options.color_to_depth.matrix().isIdentity(0.0f))
    return;
  if (has("color_poses.txt"))
    color_poses_.emplace(file("color_poses.txt"), frames);
  else if (has("color_to_depth.txt"))
    options_.color_to_depth = readPoseFile(file("color_to_depth.txt"));
}

RGBDView
FolderViews::at(std::size_t place, const std::string& name) const
{
  RGBDView view;
  view.name = name;
  view.time = depth_poses_ && !depth_poses_->times.empty()
                  ? depth_poses_->times[place]
                  : static_cast<double>(place) / options_.frame_rate;
  view.depth_camera = cameraOr(options_.depth_camera, depth_cameras_->at(place));
  view.color_camera =
      cameraOr(options_.color_camera,
               color_cameras_ ? color_cameras_->at(place) : view.depth_camera);
  view.depth_pose =
      depth_poses_ ? depth_poses_->at(place, name) : default_pose_(place, name);
  view.color_pose = color_poses_ ? color_poses_->at(place, name)
                                 : view.depth_pose * options_.color_to_depth;
  return view;
}

float
FolderViews::depthUnit() const
{
  return options_.depth_unit > 0.0f ? options_.depth_unit : depth_cameras_->depth_unit;
}

} // namespace pcl::gpu
