// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/depth_png.h"
#include "common/image.h"

#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief A recorded depth map, millimetres, and the camera that took it. */
struct RecordedFrame {
  std::string name;
  PinholeCamera camera;
  Image<std::uint16_t> depth;
};

/** \brief Returns the names of the recorded frames, usable with recordedFrame(). */
const std::vector<std::string>&
recordedFrameNames();

/** \brief Loads a recorded frame; skips the running test if it is absent. */
RecordedFrame
recordedFrame(const std::string& name);

} // namespace pcl::gpu::test
