// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstdint>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief A depth map in millimetres, 0 where nothing was measured, and its camera. */
struct RawDepth {
  std::string name;
  pcl::gpu::PinholeCamera camera;
  std::vector<std::uint16_t> millimetres;
};

/** \brief Renders a structured-light sensor's view of a room with a few objects.
 *
 * Depth is quantized in eighths of a pixel of disparity, with noise of half a step, as
 * a Kinect's; the projector's shadows, grazing surfaces, a dark patch, a border of 8
 * columns and one pixel in 200 are missing. The field of view is the same at all sizes,
 * and so is the picture: only the sampling changes. The same on every machine.
 * \param[in] width columns
 * \param[in] height rows
 */
RawDepth
renderSyntheticDepth(int width, int height);

/** \brief Reads a binary portable graymap (P5) of 16 bits, in millimetres.
 *
 * The camera is a Kinect's (525 pixels at 640 columns), scaled to the image's width.
 * \param[in] file its path
 * \throws std::runtime_error naming \a file and its fault
 */
RawDepth
readDepthPgm(const std::string& file);

} // namespace benchmarks
