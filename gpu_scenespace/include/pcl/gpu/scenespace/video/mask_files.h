// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstdint>
#include <functional>
#include <string>

namespace pcl::gpu {

/** \brief Finds masks of a video's frames, as ScenePreparation::masks asks for them.
 *
 * They are 8-bit PNG images, grey or colour, in which black is outside.
 *
 * \param[in] path a file: the mask of all frames; or a folder. Where each of its files
 * has the name of a frame but for endings, these are their masks, and other frames have
 * none; otherwise there have to be as many files as frames, which belong together in
 * the order of the files' names (9.png before 10.png).
 * \param[in] video whose frames they are; not used after the call
 * \return the mask of a frame, whose file is read when it is called: 0 outside, 255
 * inside; empty if there is none. Throws pcl::IOException as readColorImage() does.
 * \throws pcl::IOException naming the path: nothing there, a folder that cannot be read
 * or has no masks, as many masks as there are no frames
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS std::function<Image<std::uint8_t>(int number)>
openMasks(const std::string& path, const RGBDVideo& video);

} // namespace pcl::gpu
