// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/host_mesh.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

namespace benchmarks {

using pcl::gpu::test::HostMesh;
using pcl::gpu::test::quadrupled;
using pcl::gpu::test::readMesh;
using pcl::gpu::test::uploaded;

/** \brief Moves the centre of the bounding box to the origin and scales the largest
 * extent to 1. */
void
normalize(HostMesh& mesh);

/** \brief Triangles are split in three at their centres, from the first on, until there
 * are at least so many. */
HostMesh
splitUpTo(HostMesh mesh, int triangles);

/** \brief A pinhole camera at z = 2.2 that looks along -z at the origin, y up.
 * \param[in] focal_length in halves of the image's height
 */
pcl::gpu::PinholeCamera
cameraFor(int width, int height, double focal_length);

pcl::gpu::Pose
poseBefore(double distance);

/** \brief The focal length, in halves of the image's height, at which the mesh spans
 * this much of the image from poseBefore(). */
double
fittingFocalLength(const HostMesh& mesh, double aspect, double distance, double span);

} // namespace benchmarks
