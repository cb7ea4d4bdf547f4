// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"

#include <pcl/gpu/utils/pose.h>

class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief Draws the skin over the points, as the camera sees them and from the side.
 * \param[in] frame frame to draw
 * \param[in] camera camera-to-world
 * \param[in,out] window gets the view from the side
 * \param[in,out] main the window's renderer for the camera's view
 */
void
fillScene(const TrackedFrame& frame,
          const Pose& camera,
          vtkRenderWindow& window,
          vtkRenderer& main);

} // namespace pcl::gpu::apps
