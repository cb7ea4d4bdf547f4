// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "ray_cast_sequence.h"

class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief Draws a frame into a window: the cloud from beside the camera, and in a
 * column the picture, the depth map and the triangles.
 * \param[in] frame with picture and cloud
 * \param[in,out] window the window
 * \param[in,out] main the renderer for the cloud
 */
void
fillScene(const RayCastFrame& frame, vtkRenderWindow& window, vtkRenderer& main);

} // namespace pcl::gpu::apps
