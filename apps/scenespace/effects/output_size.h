// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>

#include <string>

namespace pcl::gpu::apps {

/** \brief Returns a camera that sees the same in other pixels.
 * \param[in] camera with its size
 * \param[in] text the value of --size: a factor, or WIDTHxHEIGHT
 * \return the camera of that size, of 1 to SceneView::max_size pixels a side
 * \throws InputError if it is neither, or if that is too small or too large
 */
PinholeCamera
cameraOfSize(const PinholeCamera& camera, const std::string& text);

} // namespace pcl::gpu::apps
