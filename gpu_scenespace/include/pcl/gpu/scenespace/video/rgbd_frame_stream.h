// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <deque>
#include <future>

namespace pcl::gpu {

/** \brief Frames of an RGB-D video one after the other, the next ones read ahead by
 * threads while the caller works.
 *
 * Never holds more than the frames read ahead.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RGBDFrameStream {
public:
  /** \brief Begins to read.
   * \param[in] video whose frames are wanted
   * \param[in] begin the first one
   * \param[in] end the one after the last one
   * \param[in] ahead the most frames that wait for the caller or are being read, 1 or
   * more
   * \throws pcl::BadArgumentException naming the parameter and its value: no video,
   * frames that it does not have, \a begin after \a end, \a ahead below 1
   */
  RGBDFrameStream(RGBDVideo::ConstPtr video, int begin, int end, int ahead = 4);

  RGBDFrameStream(const RGBDFrameStream&) = delete;
  RGBDFrameStream&
  operator=(const RGBDFrameStream&) = delete;

  /** \brief Waits for the next frame.
   * \param[out] frame untouched at the end
   * \return false at the end
   * \throws as RGBDVideo::read() for this frame, which then is the last one
   */
  bool
  next(RGBDFrame& frame);

private:
  void
  expectNext();

  RGBDVideo::ConstPtr video_;
  int next_, end_;
  std::deque<std::future<RGBDFrame>> expected_; ///< which wait for their threads
};

} // namespace pcl::gpu
