// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "formats/tables/table_file.h"

#include <pcl/gpu/utils/pinhole_camera.h>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the camera of a line: [width height] fx fy cx cy [depth unit].
 * \throws pcl::IOException naming file and line
 */
PinholeCamera
cameraOf(const TableLine& line);

/** \brief Intrinsics of a video's frames. */
struct FrameCameras {
  std::vector<PinholeCamera> cameras; ///< of each frame
  float depth_unit = 0.001f;          ///< metres
};

/** \brief Reads a text file with one line for all frames, or one for each:
 * [width height] fx fy cx cy [depth unit].
 * \param[in] file its name
 * \param[in] frames their number, 1 or more
 * \return a camera for each frame
 * \throws pcl::IOException naming the file and the line
 */
FrameCameras
readFrameCameras(const std::string& file, std::size_t frames);

} // namespace pcl::gpu
