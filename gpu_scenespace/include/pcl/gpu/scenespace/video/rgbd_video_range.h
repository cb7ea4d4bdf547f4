// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

namespace pcl::gpu {

/** \brief Some successive frames of a video, as a video.
 *
 * To make a part of a SceneSpaceVideo only, take the range of it, not of its input: its
 * frames then are the same, made from frames outside of the range, too.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RGBDVideoRange : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing.
   * \param[in] video whose frames are wanted
   * \param[in] begin the first one, number 0 of the range
   * \param[in] end the one after the last one
   * \throws pcl::BadArgumentException naming the parameter and its value: no video,
   * frames that it does not have, \a begin after \a end
   */
  RGBDVideoRange(RGBDVideo::ConstPtr video, int begin, int end);

  int
  size() const override
  {
    return size_;
  }

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

private:
  RGBDVideo::ConstPtr video_;
  int begin_;
  int size_;
};

} // namespace pcl::gpu
