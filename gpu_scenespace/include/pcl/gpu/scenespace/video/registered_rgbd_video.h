// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

namespace pcl::gpu {

/** \brief A video whose frames have their depth as the colour camera sees it: of the
 * size of the colour image, with its camera and its pose.
 *
 * Neighbouring pixels of a depth map are joined to triangles where depth changes little
 * from one to the other; their surface is moved to the colour camera, and each pixel
 * gets the depth of the nearest point that falls there. A pixel that is in no triangle
 * falls into one pixel, whatever the sizes. Where nothing falls, depth is NaN.
 *
 * A depth map whose camera and pose are those of colour stays as it is.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RegisteredRGBDVideo : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose frames are wanted
   * \param[in] max_depth_change of a triangle: the largest distance of a corner behind
   * the nearest one, as a part of the nearest one's depth. Less than most steps from
   * one thing to another, and more than a sensor's steps of depth: a Kinect's are 0.023
   * at 8 m.
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, a
   * change that is not finite or negative
   */
  explicit RegisteredRGBDVideo(RGBDVideo::ConstPtr video,
                               float max_depth_change = 0.03f);

  int
  size() const override
  {
    return video_->size();
  }

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

private:
  RGBDVideo::ConstPtr video_;
  float max_depth_change_;
};

} // namespace pcl::gpu
