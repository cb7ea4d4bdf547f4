// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_frame.h>

#include <string>
#include <vector>

namespace benchmarks {

using SceneFrames = std::vector<pcl::gpu::SceneFrame::ConstPtr>;

/** \brief Frames of the rendered room on the current device, with noise, of 10 s of a
 * motion.
 * \param[in] motion rotation, sideways or forward
 * \throws std::runtime_error for another motion
 */
SceneFrames
renderFrames(const std::string& motion, int count, int width, int height);

/** \brief Frames by their distance in time from one of them. */
SceneFrames
nearestFirst(SceneFrames frames, int number);

} // namespace benchmarks
