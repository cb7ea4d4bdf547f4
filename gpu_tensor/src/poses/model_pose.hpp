// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/vectors.hpp"
#include "poses/pose_types.h"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
// One thread of the host, or all threads of a CUDA block together, run functions that
// take a group. group.sum() adds up the threads' values; group.keepNearest() finds the
// nearest of their directions.

namespace pcl::device {

PCL_GPU_HOST_DEVICE Vector3
vectorOf(const float (&v)[3])
{
  return {v[0], v[1], v[2]};
}

PCL_GPU_HOST_DEVICE float
dot(const Float4& a, const Float4& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

PCL_GPU_HOST_DEVICE Float4
normalized(const Float4& q)
{
  const float scale = 1.0f / sqrtf(dot(q, q));
  return {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

/** \brief Three rows. */
struct Matrix3 {
  Vector3 rows[3];

  PCL_GPU_HOST_DEVICE Vector3
  operator*(const Vector3& v) const
  {
    return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
  }

  /** \brief The product of the transpose and a vector. */
  PCL_GPU_HOST_DEVICE Vector3
  transposeTimes(const Vector3& v) const
  {
    return v.x * rows[0] + v.y * rows[1] + v.z * rows[2];
  }
};

PCL_GPU_HOST_DEVICE Matrix3
matrixOf(const Float4& q)
{
  const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{1.0f - 2.0f * (yy + zz), 2.0f * (xy - wz), 2.0f * (xz + wy)},
           {2.0f * (xy + wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz - wx)},
           {2.0f * (xz - wy), 2.0f * (yz + wx), 1.0f - 2.0f * (xx + yy)}}};
}

/** \brief The unit quaternion of a rotation; from the largest of its four numbers, so
 * that nothing is divided by a small one (Shepperd 1978). */
PCL_GPU_HOST_DEVICE Float4
quaternionOf(const Matrix3& m)
{
  const float xx = m.rows[0].x, yy = m.rows[1].y, zz = m.rows[2].z;
  const float yz = m.rows[2].y - m.rows[1].z, zx = m.rows[0].z - m.rows[2].x;
  const float xy = m.rows[1].x - m.rows[0].y;
  if (xx + yy + zz > 0.0f)
    return normalized({yz, zx, xy, 1.0f + xx + yy + zz});
  const float sum_xy = m.rows[0].y + m.rows[1].x, sum_xz = m.rows[0].z + m.rows[2].x;
  const float sum_yz = m.rows[1].z + m.rows[2].y;
  if (xx >= yy && xx >= zz)
    return normalized({1.0f + xx - yy - zz, sum_xy, sum_xz, yz});
  if (yy >= zz)
    return normalized({sum_xy, 1.0f + yy - xx - zz, sum_yz, zx});
  return normalized({sum_xz, sum_yz, 1.0f + zz - xx - yy, xy});
}

/** \brief The rotation b, then a. */
PCL_GPU_HOST_DEVICE Float4
product(const Float4& a, const Float4& b)
{
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
          a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/** \brief The rotation about a vector by its length. */
PCL_GPU_HOST_DEVICE Float4
rotationAbout(const Vector3& v)
{
  const float angle = sqrtf(dot(v, v));
  // sin(angle / 2) / angle, whose limit is a half.
  const float scale = angle > 1e-6f ? sinf(0.5f * angle) / angle : 0.5f;
  return normalized({scale * v.x, scale * v.y, scale * v.z, cosf(0.5f * angle)});
}

/** \brief Returns whether poses are nearly the same, or differ by nearly a symmetry of
 * the model. */
PCL_GPU_HOST_DEVICE bool
areNear(const ModelSurfaces& surfaces,
        const ModelPose& a,
        const ModelPose& b,
        const PoseRadius& radius)
{
  const Vector3 apart = vectorOf(a.center) - vectorOf(b.center);
  if (a.model != b.model || !(dot(apart, apart) < radius.squared_distance))
    return false;
  if (fabsf(dot(a.rotation, b.rotation)) > radius.half_cosine)
    return true;
  // Symmetries leave the centre in place: a S is near b if S is near the turn from a
  // to b.
  const Float4 back = {-a.rotation.x, -a.rotation.y, -a.rotation.z, a.rotation.w};
  const Float4 turn = product(back, b.rotation);
  const std::uint32_t end = surfaces.symmetry_starts[a.model + 1];
  for (std::uint32_t i = surfaces.symmetry_starts[a.model]; i < end; ++i)
    if (fabsf(dot(surfaces.symmetries[i], turn)) > radius.half_cosine)
      return true;
  return false;
}

/** \brief The pose in which a scene's tensor is where a model's one is: F_s F_m^-1. */
PCL_GPU_HOST_DEVICE ModelPose
alignedPose(const gpu::TensorFrame& in_scene,
            const gpu::TensorFrame& in_model,
            int model,
            const float (&center)[3])
{
  // Columns of both are axes: R = sum over axes of s m^T.
  const Vector3 sx = vectorOf(in_scene.x_axis), sy = vectorOf(in_scene.y_axis),
                sz = vectorOf(in_scene.z_axis);
  const Vector3 mx = vectorOf(in_model.x_axis), my = vectorOf(in_model.y_axis),
                mz = vectorOf(in_model.z_axis);
  const Matrix3 rotation = {{sx.x * mx + sy.x * my + sz.x * mz,
                             sx.y * mx + sy.y * my + sz.y * mz,
                             sx.z * mx + sy.z * my + sz.z * mz}};
  const Vector3 at = vectorOf(in_scene.origin) +
                     rotation * (vectorOf(center) - vectorOf(in_model.origin));
  return {quaternionOf(rotation), {at.x, at.y, at.z}, model};
}

/** \brief A pose about the model's centre as one of its own frame. */
PCL_GPU_HOST_DEVICE void
writePose(const ModelPose& pose, const ModelSurface& model, float (&to)[3][4])
{
  const Matrix3 rotation = matrixOf(pose.rotation);
  const Vector3 center = rotation * vectorOf(model.center);
  const float at[3] = {
      pose.center[0] - center.x, pose.center[1] - center.y, pose.center[2] - center.z};
  for (int i = 0; i < 3; ++i) {
    to[i][0] = rotation.rows[i].x;
    to[i][1] = rotation.rows[i].y;
    to[i][2] = rotation.rows[i].z;
    to[i][3] = at[i];
  }
}

/** \brief One of the directions that models are looked at from. */
struct ViewDirection {
  float along = -3.402823466e38f; ///< distance of the camera in this direction
  int number = 0;

  /** \brief Becomes the one nearer to the camera, of equally near ones the first. */
  PCL_GPU_HOST_DEVICE void
  keepNearer(const ViewDirection& other)
  {
    if (other.along > along || (other.along == along && other.number < number))
      *this = other;
  }
};

/** \brief The points of a model that are visible from some direction. */
struct VisiblePoints {
  const std::uint32_t* numbers;
  int count;
};

/** \brief Returns the view of a model from the direction nearest to that in which the
 * camera, at the origin of the scene's frame, sees it: its place among the views of all
 * models. */
template <typename Group>
PCL_GPU_HOST_DEVICE int
viewOf(const Group& group, const ModelSurfaces& surfaces, const ModelPose& pose)
{
  const Vector3 to_camera =
      -1.0f * matrixOf(pose.rotation).transposeTimes(vectorOf(pose.center));
  ViewDirection nearest;
  for (int i = group.rank(); i < surfaces.direction_count; i += group.size())
    nearest.keepNearer({dot(to_camera, vectorOf(surfaces.directions[i])), i});
  group.keepNearest(nearest);
  return pose.model * surfaces.direction_count + nearest.number;
}

PCL_GPU_HOST_DEVICE VisiblePoints
pointsOfView(const ModelSurfaces& surfaces, int view)
{
  return {surfaces.visible + surfaces.starts[view],
          static_cast<int>(surfaces.starts[view + 1] - surfaces.starts[view])};
}

/** \brief Returns the points that are visible in viewOf(). */
template <typename Group>
PCL_GPU_HOST_DEVICE VisiblePoints
visiblePoints(const Group& group, const ModelSurfaces& surfaces, const ModelPose& pose)
{
  return pointsOfView(surfaces, viewOf(group, surfaces, pose));
}

/** \brief A point of a surface, in the scene's frame. */
struct SurfacePoint {
  Vector3 position, normal;

  /** \brief Returns whether the camera can see this side of the surface, and not too
   * flatly. */
  PCL_GPU_HOST_DEVICE bool
  facesCamera() const
  {
    const float along = dot(normal, position);
    return along < 0.0f && along * along > 0.15f * 0.15f * dot(position, position);
  }
};

/** \brief Returns a point of a model as a pose has it. */
PCL_GPU_HOST_DEVICE SurfacePoint
posedPoint(const ModelSurfaces& surfaces,
           const ModelPose& pose,
           const Matrix3& rotation,
           std::uint32_t number)
{
  const int point = surfaces.models[pose.model].first_point + static_cast<int>(number);
  return {vectorOf(pose.center) + rotation * vectorOf(surfaces.points[point]),
          rotation * vectorOf(surfaces.normals[point])};
}

/** \brief The pixel that shows a point; false if there is none.
 * \param[in] camera intrinsics
 * \param[in] columns,rows of the image
 */
PCL_GPU_HOST_DEVICE bool
findPixel(const PinholeCamera& camera,
          int columns,
          int rows,
          const Vector3& point,
          int& x,
          int& y)
{
  if (!(point.z > 1e-3f))
    return false;
  const float u = point.x / point.z * camera.fx + camera.cx;
  const float v = point.y / point.z * camera.fy + camera.cy;
  if (!(u > -0.5f && v > -0.5f && u < columns - 0.5f && v < rows - 0.5f))
    return false;
  x = static_cast<int>(u + 0.5f);
  y = static_cast<int>(v + 0.5f);
  return true;
}

PCL_GPU_HOST_DEVICE bool
findPixel(const CameraCloud& scene, const Vector3& point, int& x, int& y)
{
  return findPixel(scene.camera, scene.cloud.cols, scene.cloud.rows, point, x, y);
}

PCL_GPU_HOST_DEVICE bool
isFinite(const Float4& v)
{
  return v.x - v.x == 0.0f && v.y - v.y == 0.0f && v.z - v.z == 0.0f;
}

/** \brief Finds the point of the scene in the pixel that shows a place; false if there
 * is none, or it has no normal. */
PCL_GPU_HOST_DEVICE bool
findSeen(const CameraCloud& scene, const Vector3& place, SurfacePoint& seen)
{
  int x, y;
  if (!findPixel(scene, place, x, y))
    return false;
  const Float4 position = scene.cloud.ptr(y)[x], normal = scene.normals.ptr(y)[x];
  seen = {vectorOf(position), vectorOf(normal)};
  return isFinite(position) && isFinite(normal);
}

} // namespace pcl::device

namespace pcl::device::host {

/** \brief A group of one thread. */
struct SingleThread {
  int
  rank() const
  {
    return 0;
  }

  int
  size() const
  {
    return 1;
  }

  template <int Count>
  void
  sum(float (&)[Count]) const
  {}

  void
  keepNearest(ViewDirection&) const
  {}

  void
  wait() const
  {}
};

} // namespace pcl::device::host
