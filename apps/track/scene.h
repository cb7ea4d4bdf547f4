// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "body_tracker.h"

#include <pcl/gpu/utils/pose.h>

#include <vector>

class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief Draws skins over the points, as the camera sees them and from the side.
 * \param[in] frame points to draw
 * \param[in] all_bodies results with the skins; those of confidence 0 are not drawn
 * \param[in] camera camera-to-world
 * \param[in,out] window gets the view from the side
 * \param[in,out] main the window's renderer for the camera's view
 */
void
fillScene(const TrackFrame& frame,
          const std::vector<TrackedFrame>& all_bodies,
          const Pose& camera,
          vtkRenderWindow& window,
          vtkRenderer& main);

} // namespace pcl::gpu::apps
