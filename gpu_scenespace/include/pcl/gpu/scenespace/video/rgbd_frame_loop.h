// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Reads frames of a video and does something with each, on several threads,
 * each of which takes the next frame when it is done with one.
 *
 * Frames are taken in the order of \a numbers. After an error no more are taken; of
 * several errors the one of the frame that was taken first is thrown, when all threads
 * have stopped.
 *
 * \param[in] video whose frames are wanted
 * \param[in] numbers of these frames
 * \param[in] threads their number, 1 or more; 1: the caller's
 * \param[in] work is given a frame and its number, by several threads at once
 * \param[in] begin is asked before a frame is read, by several threads at once: false
 * leaves the frame out; may be empty
 * \throws pcl::BadArgumentException naming \a threads and its value
 * \throws as RGBDVideo::read(), \a work and \a begin
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
forEachFrame(const RGBDVideo& video,
             const std::vector<int>& numbers,
             int threads,
             const std::function<void(const RGBDFrame& frame, int number)>& work,
             const std::function<bool(int number)>& begin = {});

} // namespace pcl::gpu
