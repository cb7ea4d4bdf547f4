// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "formats/tables/frame_cameras.h"
#include "formats/tables/frame_poses.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <functional>
#include <optional>
#include <string>

namespace pcl::gpu {

/** \brief Reads the text files of a folder about its frames: poses.txt, intrinsics.txt,
 * color_poses.txt, color_intrinsics.txt and color_to_depth.txt. */
class FolderViews {
public:
  /** \brief The pose of a frame, by its place and its name. */
  using PoseOfFrame = std::function<Pose(std::size_t, const std::string&)>;

  /** \brief Camera in place of a missing file; none: the file is required. */
  struct Defaults {
    std::function<PinholeCamera()> camera; ///< for intrinsics.txt
    PoseOfFrame pose;                      ///< for poses.txt
  };

  /** \brief Reads the files.
   * \param[in] folder its name
   * \param[in] frames their number
   * \param[in] options data in place of the folder's
   * \param[in] defaults in place of missing files
   * \throws pcl::IOException naming the file and the line
   */
  FolderViews(const std::string& folder,
              std::size_t frames,
              const RGBDFolderOptions& options,
              const Defaults& defaults);

  /** \brief The view of a frame.
   * \param[in] place of the frame, from 0
   * \param[in] name of the frame
   * \throws pcl::IOException naming the file and the frame, if it has no pose
   */
  RGBDView
  at(std::size_t place, const std::string& name) const;

  /** \brief The depth unit, metres. */
  float
  depthUnit() const;

private:
  RGBDFolderOptions options_;
  PoseOfFrame default_pose_;
  std::optional<FrameCameras> depth_cameras_, color_cameras_;
  std::optional<FramePoses> depth_poses_, color_poses_;
};

} // namespace pcl::gpu
