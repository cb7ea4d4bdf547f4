// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Two points of a cloud whose normals differ: numbers of the points, row by row.
 * \ingroup gpu_tensor_types
 */
struct PointPair {
  int first;  ///< the point that chose the other one
  int second; ///< one of the closest points that may be paired with it
};

/** \brief The local coordinate frame of a pair of points (Orts-Escolano et al. 2014,
 * section 2.3), with what else is known of its tensor.
 *
 * With the points p1, p2 and their unit normals n1, n2 the origin is the pair's midpoint,
 * z the direction of n1 + n2, x that of n1 x n2, and y = z x x. Right-handed and
 * orthonormal, in the frame of the cloud.
 *
 * The cross product changes its sign when the points change places, which the paper
 * leaves open. Here p2 is the point that lies higher along z; where both are equally high,
 * the one whose coordinates come later. The frame is thus the same in whatever order the
 * points come. A surface that is nearly symmetric about the pair may be seen with either
 * sign all the same: the frame is then turned by half a turn about z.
 * \ingroup gpu_tensor_types
 */
struct TensorFrame {
  float x_axis[3];  ///< unit vector along n1 x n2
  float angle;      ///< between both normals, radians, 0 to pi
  float y_axis[3];  ///< z x x
  float voxel_size; ///< of the tensor, metres
  float z_axis[3];  ///< unit vector along n1 + n2
  int first;        ///< number of p1
  float origin[3];  ///< midpoint of the pair, metres
  int second;       ///< number of p2
};

} // namespace pcl::gpu
