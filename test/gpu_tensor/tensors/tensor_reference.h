// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tensor_scenes.h"

#include <pcl/gpu/tensor/types.h>

#include <Eigen/Core>

#include <array>
#include <vector>

/** \file
 * \brief Frames and tensors in double precision, by other methods than the library's.
 */

namespace pcl::gpu::test {

/** \brief The frame of two points and their normals, as TensorFrame describes it. */
struct ReferenceFrame {
  Eigen::Vector3d x_axis, y_axis, z_axis, origin;
  double angle;
  bool in_order; ///< whether the first point given is p1
  double height; ///< of the second point above the first one, metres
};

ReferenceFrame
referenceFrame(const OrientedCloud& cloud, const PointPair& pair);

using Corners = std::array<Eigen::Vector3d, 3>;

/** \brief Corners of triangles in a grid: voxel (i, j, k) reaches from these numbers to
 * the next ones. What is not finite is left out. */
std::vector<Corners>
gridTriangles(const std::vector<PointXYZ>& points,
              const Triangles& triangles,
              const TensorFrame& frame,
              int grid_size);

/** \brief Area of a triangle inside a box.
 *
 * In the triangle's own plane the box leaves six half planes, as has the triangle
 * three. The corners of their common part are those crossings of two of the nine lines
 * that lie in all half planes. A triangle in a face of the box is inside if it is one
 * of the three low faces.
 */
double
areaInBox(const Corners& triangle,
          const Eigen::Vector3d& low,
          const Eigen::Vector3d& high);

/** \brief Areas of triangles in all voxels of a grid, in the order of their numbers. */
std::vector<double>
referenceAreas(const std::vector<Corners>& triangles, int grid_size);

/** \brief Area of triangles inside a whole grid. */
double
areaInGrid(const std::vector<Corners>& triangles, int grid_size);

/** \brief Triangles that hang together with a pair, as TensorTriangles::Connected says.
 * \param[in] least_area least area inside the grid of a quad that is part of it
 */
Triangles
connectedTriangles(const Image<PointXYZ>& points,
                   const Triangles& triangles,
                   const TensorFrame& frame,
                   int grid_size,
                   double least_area);

} // namespace pcl::gpu::test
