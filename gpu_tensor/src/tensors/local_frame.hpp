// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/vectors.hpp"
#include "tensors/tensor_task.h"

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>

namespace pcl::device {

PCL_GPU_HOST_DEVICE Vector3
unit(const Vector3& v)
{
  return (1.0f / sqrtf(dot(v, v))) * v;
}

/** \brief Returns whether the frame's second point is \a q rather than \a p.
 * \param[in] z the frame's z axis
 */
PCL_GPU_HOST_DEVICE bool
comesAfter(const Vector3& q, const Vector3& p, const Vector3& z)
{
  const float height = dot(z, q - p);
  if (height != 0.0f)
    return height > 0.0f;
  if (q.x != p.x)
    return q.x > p.x;
  return q.y != p.y ? q.y > p.y : q.z >= p.z;
}

/** \brief Returns whether a pair has a frame. */
PCL_GPU_HOST_DEVICE bool
isFrame(const TensorFrame& frame)
{
  return frame.x_axis[0] == frame.x_axis[0] && frame.origin[0] == frame.origin[0];
}

/** \brief The frame of a pair of points, as TensorFrame says; NaN if it has none. */
PCL_GPU_HOST_DEVICE TensorFrame
localFrame(const TensorMesh& mesh, const PointPair& pair, float voxel_size)
{
  const int points = mesh.points.rows * mesh.points.cols;
  if (pair.first < 0 || pair.first >= points || pair.second < 0 ||
      pair.second >= points) {
    const float none = NAN;
    return {{none, none, none},
            none,
            {none, none, none},
            voxel_size,
            {none, none, none},
            pair.first,
            {none, none, none},
            pair.second};
  }
  const Vector3 p1 = vectorOf(mesh.point(pair.first));
  const Vector3 p2 = vectorOf(mesh.point(pair.second));
  const Vector3 n1 = vectorOf(mesh.normal(pair.first));
  const Vector3 n2 = vectorOf(mesh.normal(pair.second));
  const Vector3 between = unit(n1 + n2);
  const bool in_order = comesAfter(p2, p1, between);
  const Vector3 normals_cross = in_order ? cross(n1, n2) : cross(n2, n1);
  const Vector3 x = unit(normals_cross);
  // Nearly opposite normals leave few digits in their sum.
  const Vector3 z = unit(between - dot(between, x) * x);
  const Vector3 y = cross(z, x);
  const Vector3 origin = 0.5f * (p1 + p2);
  const float angle = atan2f(sqrtf(dot(normals_cross, normals_cross)), dot(n1, n2));
  return {{x.x, x.y, x.z},
          angle,
          {y.x, y.y, y.z},
          voxel_size,
          {z.x, z.y, z.z},
          in_order ? pair.first : pair.second,
          {origin.x, origin.y, origin.z},
          in_order ? pair.second : pair.first};
}

} // namespace pcl::device
