// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../mesh_writer.h"

namespace pcl::gpu::apps {

/** \brief Chooses the part of a frame that is worth a look from close by: whole, near,
 * and with surfaces that face many ways.
 * \param[in] frame a triangulated frame
 * \return a tenth of the image's width and height, or all of an image too small for that
 */
PixelWindow
interestingWindow(const TriangulatedFrame& frame);

} // namespace pcl::gpu::apps
