// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <string>

// Checks of all videos, and names of frames.

namespace pcl::gpu {

/** \brief Name of a frame in messages: "frame 3 (its name)". */
std::string
frameName(const RGBDView& view, int number);

/** \brief Calls a function, and names a frame in the messages of its errors.
 * \tparam Error class of the errors
 * \param[in] view,number of the frame
 * \param[in] function throws them
 * \return the function's result
 */
template <typename Error, typename Function>
auto
namingFrame(const RGBDView& view, int number, const Function& function)
{
  try {
    return function();
  }
  catch (const Error& error) {
    PCL_THROW_EXCEPTION(Error, frameName(view, number) << ": " << messageOf(error));
  }
}

/** \brief Checks that a frame is not earlier than the one before.
 * \throws pcl::BadArgumentException naming the frame and both times
 */
void
checkTimes(const RGBDView& before, const RGBDView& view, int number);

/** \brief Checks that there is a frame of some number.
 * \throws pcl::BadArgumentException naming the number
 */
void
checkFrameNumber(int number, int size, const char* name = "number of the frame");

/** \brief Checks that a pointer has a video.
 * \throws pcl::BadArgumentException if it is null
 */
void
checkVideo(const RGBDVideo::ConstPtr& video);

/** \brief Checks that a video has some successive frames.
 * \throws pcl::BadArgumentException naming the parameter and its value: no video,
 * frames that it does not have, \a begin after \a end
 */
void
checkFrameRange(const RGBDVideo::ConstPtr& video, int begin, int end);

/** \brief Returns whether a camera has a size. */
inline bool
hasSize(const PinholeCamera& camera)
{
  return camera.width > 0 && camera.height > 0;
}

/** \brief Returns whether cameras have equal focal lengths and principal points. */
inline bool
haveSameLens(const PinholeCamera& a, const PinholeCamera& b)
{
  return a.fx == b.fx && a.fy == b.fy && a.cx == b.cx && a.cy == b.cy;
}

/** \brief Gives a camera the size of an image, or of another camera. */
template <typename Sized>
void
setSize(PinholeCamera& camera, const Sized& other)
{
  camera.width = other.width;
  camera.height = other.height;
}

/** \brief Checks that an image has the size of its camera's.
 * \throws pcl::IOException naming the file and both sizes
 */
template <typename Sized>
void
checkSize(const PinholeCamera& camera, const Sized& image, const std::string& file)
{
  if (image.width != camera.width || image.height != camera.height)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << image.width << " x " << image.height
                             << " pixels: expected " << camera.width << " x "
                             << camera.height);
}

} // namespace pcl::gpu
