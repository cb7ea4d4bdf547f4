// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "mesh_reader.h"
#include "options.h"

#include <pcl/gpu/raycast/camera_view.h>

#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns the cameras of all frames.
 *
 * Without options all meshes fit into all images, also while they deform.
 * \param[in] options the user's options
 * \param[in] meshes the meshes to show
 * \throws InputError if a pose cannot be read, or eye and target are one
 */
std::vector<CameraView>
placeCameras(const RaycastOptions& options, const std::vector<InputMesh>& meshes);

} // namespace pcl::gpu::apps
