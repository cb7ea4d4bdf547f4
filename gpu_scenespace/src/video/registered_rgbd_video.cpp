// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/depth_registration.h"
#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <utility>

namespace pcl::gpu {

namespace {

bool
areSame(const PinholeCamera& a, const PinholeCamera& b)
{
  return haveSameLens(a, b) && a.width == b.width && a.height == b.height;
}

} // namespace

RegisteredRGBDVideo::RegisteredRGBDVideo(RGBDVideo::ConstPtr video,
                                         float max_depth_change)
: video_(std::move(video))
, max_depth_change_(max_depth_change)
{
  checkVideo(video_);
  checkNotNegative("largest change of depth", max_depth_change);
}

RGBDView
RegisteredRGBDVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  view.depth_camera = view.color_camera;
  view.depth_pose = view.color_pose;
  return view;
}

RGBDFrame
RegisteredRGBDVideo::read(int number) const
{
  RGBDFrame frame = video_->read(number);
  checkSize(frame.depth_camera, frame.depth, frameName(frame, number) + ", depth");
  checkSize(frame.color_camera, frame.color, frameName(frame, number) + ", colour");
  if (!areSame(frame.depth_camera, frame.color_camera) ||
      frame.depth_pose.matrix() != frame.color_pose.matrix()) {
    // Files have poses that are rigid but for rounding: what both cameras have of that is no
    // motion between them.
    const Eigen::Affine3d color_pose(frame.color_pose.cast<double>());
    const Eigen::Affine3d motion =
        color_pose.inverse() * frame.depth_pose.cast<double>();
    frame.depth = registerDepth(
        frame.depth, frame.depth_camera, frame.color_camera, motion, max_depth_change_);
    frame.depth_camera = frame.color_camera;
    frame.depth_pose = frame.color_pose;
  }
  return frame;
}

} // namespace pcl::gpu
