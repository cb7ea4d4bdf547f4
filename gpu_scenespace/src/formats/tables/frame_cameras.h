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

/** \brief Intrinsics of a video's frames: the same for all, or others for each. */
struct FrameCameras {
  /** \brief One camera for all frames. */
  explicit FrameCameras(const PinholeCamera& camera) : cameras{camera} {}

  /** \brief Reads a text file with one line for all frames, or one for each:
   * [width height] fx fy cx cy [depth unit].
   * \param[in] file its name
   * \param[in] frames their number
   * \throws pcl::IOException naming the file and the line
   */
  FrameCameras(const std::string& file, std::size_t frames);

  /** \brief The camera of a frame.
   * \param[in] place of the frame, from 0
   */
  const PinholeCamera&
  at(std::size_t place) const
  {
    return cameras[cameras.size() == 1 ? 0 : place];
  }

  std::vector<PinholeCamera> cameras;
  float depth_unit = 0.001f; ///< metres
};

} // namespace pcl::gpu
