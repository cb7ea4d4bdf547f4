// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frame.h"

namespace pcl::gpu::apps {

/** \brief Renders a depth map and its colours: a table with a few things on it.
 *
 * 640 x 480, with the quantization and noise of a Kinect; the same on every run.
 * \param[out] frame its depth, colour, camera and depth_scale are set
 */
void
renderSyntheticScene(Frame& frame);

} // namespace pcl::gpu::apps
