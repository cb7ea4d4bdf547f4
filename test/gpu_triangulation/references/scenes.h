// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstdint>

namespace pcl::gpu::test {

/** \brief A camera with a Kinect's angle of view at any image size. */
PinholeCamera
cameraOfSize(int rows, int columns);

/** \brief Direction of a pixel's ray, of depth 1. */
Eigen::Vector3d
rayOf(const PinholeCamera& camera, int v, int u);

/** \brief Depth of the plane through (0, 0, distance), NaN where no ray meets it.
 * \param normal of any length
 */
Image<float>
planeDepth(const PinholeCamera& camera, const Eigen::Vector3d& normal, double distance);

/** \brief Depth of a sphere's near side, NaN beside it. */
Image<float>
sphereDepth(const PinholeCamera& camera, const Eigen::Vector3d& center, double radius);

/** \brief Curved surfaces, steps, noise and holes, 0.5 to 4 m; NaN where it has
 * holes. */
Image<float>
roughDepth(int rows, int columns, double hole_share, std::uint32_t seed);

/** \brief The same in millimetres, 0 where it has holes. */
Image<std::uint16_t>
inMillimetres(const Image<float>& depth);

/** \brief Raw depth in metres; NaN where it is 0. */
Image<float>
inMetres(const Image<std::uint16_t>& depth, double scale);

/** \brief Projected by eq. (2) in double precision; NaN where there is no depth. */
Image<PointXYZ>
cloudOf(const Image<float>& depth, const PinholeCamera& camera);

/** \brief Every n-th row and column of an image, from the first ones on. */
Image<PointXYZ>
everyNth(const Image<PointXYZ>& image, int row_step, int column_step);

/** \brief Unit vectors of random direction, some NaN. */
Image<PointXYZ>
randomNormals(int rows, int columns, double hole_share, std::uint32_t seed);

/** \brief A point of NaN, the library's mark for a missing one. */
PointXYZ
missingPoint();

} // namespace pcl::gpu::test
