// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/folder_views.h"

#include "formats/file_names.h"
#include "formats/rgbd_formats.h"
#include "formats/tables/frame_cameras.h"
#include "formats/tables/frame_poses.h"

#include <filesystem>

namespace pcl::gpu {

float
readViews(const std::string& folder,
          const RGBDFolderOptions& options,
          const ViewDefaults& defaults,
          std::vector<RGBDVideoFiles::Frame>& frames)
{
  const auto file = [&](const char* name) { return inFolder(folder, name); };
  const auto has = [&](const char* name) {
    return std::filesystem::exists(file(name));
  };

  FrameCameras depth_cameras, color_cameras;
  const bool is_named = isNamed(options.depth_camera);
  if (has("intrinsics.txt") || (!is_named && !defaults.camera))
    depth_cameras = readFrameCameras(file("intrinsics.txt"), frames.size());
  else
    depth_cameras.cameras.assign(frames.size(),
                                 is_named ? options.depth_camera : defaults.camera());
  if (has("color_intrinsics.txt"))
    color_cameras = readFrameCameras(file("color_intrinsics.txt"), frames.size());

  FramePoses depth_poses, color_poses;
  Pose color_to_depth = options.color_to_depth;
  if (has("poses.txt") || !defaults.pose)
    depth_poses = readFramePoses(file("poses.txt"), frames);
  if (color_to_depth.matrix().isIdentity(0.0f)) {
    if (has("color_poses.txt"))
      color_poses = readFramePoses(file("color_poses.txt"), frames);
    else if (has("color_to_depth.txt"))
      color_to_depth = readPoseFile(file("color_to_depth.txt"));
  }

  for (std::size_t i = 0; i < frames.size(); ++i) {
    RGBDView& view = frames[i].view;
    view.time = depth_poses.times.empty() ? static_cast<double>(i) / options.frame_rate
                                          : depth_poses.times[i];
    view.depth_camera = cameraOr(options.depth_camera, depth_cameras.cameras[i]);
    view.color_camera = cameraOr(
        options.color_camera,
        color_cameras.cameras.empty() ? view.depth_camera : color_cameras.cameras[i]);
    view.depth_pose =
        depth_poses.poses.empty() ? defaults.pose(i) : depth_poses.poses[i];
    view.color_pose = color_poses.poses.empty() ? view.depth_pose * color_to_depth
                                                : color_poses.poses[i];
  }
  return options.depth_unit > 0.0f ? options.depth_unit : depth_cameras.depth_unit;
}

} // namespace pcl::gpu
