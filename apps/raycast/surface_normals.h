// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_scene.h>

namespace pcl::gpu::apps {

/** \brief Adds normals to a mesh that are smooth except at edges.
 *
 * The normal of a vertex is the mean of those of its triangles, larger ones counting
 * more. A vertex with triangles that turn away by more than the crease angle is split
 * into one for each corner; its normal is the mean of the triangles that turn by less.
 * Vertices at one place count as one, so that a surface of several pieces looks whole.
 * \param[in,out] mesh without normals, on the current device
 * \param[in] crease_angle degrees
 */
void
addSurfaceNormals(TriangleMesh& mesh, float crease_angle);

} // namespace pcl::gpu::apps
