// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>

#include <string>

// What all videos check, and how they name frames.

namespace pcl {
namespace gpu {

/** \brief What messages call a frame: "frame 3 (its name)". */
std::string
frameName(const RGBDView& view, int number);

/** \brief Checks that a frame is not earlier than the one before.
 * \throws pcl::BadArgumentException naming the frame and both times
 */
void
checkTimes(const RGBDView& before, const RGBDView& view, int number);

/** \brief Checks that there is a frame of some number.
 * \throws pcl::BadArgumentException naming the number
 */
void
checkFrameNumber(int number, int size);

} // namespace gpu
} // namespace pcl
