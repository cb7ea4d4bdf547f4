// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsules/capsule_exact.hpp"

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/internal/device/vector3.hpp>
#include <pcl/gpu/utils/pinhole_camera.h>

struct CUstream_st;

namespace pcl::device {

/** \brief Capsules to see. All arrays live on the device. */
struct CapsuleCastTask {
  gpu::PinholeCamera camera;
  RigidTransform pose; ///< camera-to-world
  const gpu::TaperedCapsule* capsules;
  int count;
  gpu::PtrStep<float> depth;
  gpu::PtrStep<int> ids;        ///< may be null
  gpu::PtrStep<Float4> normals; ///< null if ids are
};

namespace host {

/** \brief Casts the rays of all pixels. */
void
castCapsules(const CapsuleCastTask& task);

} // namespace host

namespace cuda {

void
castCapsules(const CapsuleCastTask& task, CUstream_st* stream);

} // namespace cuda

/** \brief A capsule in the camera's frame, with a sphere around it. */
struct CastCapsule {
  DoubleVector a, b;
  double radius_a, radius_b;
  Vector3 center;
  float squared_radius; ///< with a margin for rounding errors; below 0: never hit
};

/** \brief The nearest capsule that a ray has met so far. */
struct NearestCapsule {
  double depth = INFINITY;
  int id = -1;
  CastCapsule capsule = {};
};

PCL_GPU_HOST_DEVICE bool
isThere(const gpu::TaperedCapsule& capsule)
{
  float sum = capsule.radius_a + capsule.radius_b;
  for (int axis = 0; axis < 3; ++axis)
    sum += fabsf(capsule.a[axis]) + fabsf(capsule.b[axis]);
  return sum < INFINITY && capsule.radius_a >= 0.0f && capsule.radius_b >= 0.0f;
}

PCL_GPU_HOST_DEVICE DoubleVector
toCamera(const RigidTransform& pose, const float (&point)[3])
{
  const DoubleVector origin = {pose.m[0][3], pose.m[1][3], pose.m[2][3]};
  const DoubleVector p = asDoubles(point) - origin;
  return {pose.m[0][0] * p.x + pose.m[1][0] * p.y + pose.m[2][0] * p.z,
          pose.m[0][1] * p.x + pose.m[1][1] * p.y + pose.m[2][1] * p.z,
          pose.m[0][2] * p.x + pose.m[1][2] * p.y + pose.m[2][2] * p.z};
}

PCL_GPU_HOST_DEVICE CastCapsule
castCapsule(const gpu::TaperedCapsule& capsule, const RigidTransform& pose)
{
  CastCapsule result;
  result.a = toCamera(pose, capsule.a);
  result.b = toCamera(pose, capsule.b);
  result.radius_a = capsule.radius_a;
  result.radius_b = capsule.radius_b;
  const DoubleVector &a = result.a, &b = result.b;
  const DoubleVector center = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)};
  const DoubleVector axis = b - a;
  const double radius =
      0.5 * sqrt(dot(axis, axis)) +
      (capsule.radius_a > capsule.radius_b ? capsule.radius_a : capsule.radius_b);
  result.center = {static_cast<float>(center.x),
                   static_cast<float>(center.y),
                   static_cast<float>(center.z)};
  result.squared_radius =
      isThere(capsule)
          ? static_cast<float>(1.00001 * radius * radius + 1e-5 * dot(center, center))
          : -1.0f;
  return result;
}

/** \brief The ray of a pixel in the camera's frame; it starts at the origin. */
struct PixelRay {
  DoubleVector direction; ///< so long that z is 1
  Vector3 rounded;        ///< the same
  float inverse_squared_length;
};

PCL_GPU_HOST_DEVICE PixelRay
pixelRay(const gpu::PinholeCamera& camera, int column, int row)
{
  const double cx = camera.cx, cy = camera.cy;
  PixelRay ray;
  ray.direction = {(column - cx) / camera.fx, (row - cy) / camera.fy, 1.0};
  ray.rounded = {
      static_cast<float>(ray.direction.x), static_cast<float>(ray.direction.y), 1.0f};
  ray.inverse_squared_length = 1.0f / dot(ray.rounded, ray.rounded);
  return ray;
}

/** \brief Returns false only if a ray misses a capsule; in single precision. */
PCL_GPU_HOST_DEVICE bool
mayHit(const CastCapsule& capsule, const PixelRay& ray)
{
  const Vector3& center = capsule.center;
  const float along = dot(center, ray.rounded);
  // Also true if the numbers overflow.
  return capsule.squared_radius >= 0.0f &&
         !(dot(center, center) - along * along * ray.inverse_squared_length >
           capsule.squared_radius);
}

/** \brief Keeps a capsule whose surface the ray meets before all others so far, or
 * leaves if the camera is inside. */
PCL_GPU_HOST_DEVICE void
castAt(const CastCapsule& capsule, int id, const PixelRay& ray, NearestCapsule& nearest)
{
  if (!mayHit(capsule, ray))
    return;
  const LinePart part = partWithin(
      ray.direction, capsule.a, capsule.radius_a, capsule.b, capsule.radius_b);
  const bool enters = part.begin > 0.0 && part.begin < HUGE_VAL;
  const bool leaves = part.end > 0.0;
  const double depth = enters ? part.begin : leaves ? part.end : NAN;
  if (depth < nearest.depth) {
    nearest.depth = depth;
    nearest.id = id;
    nearest.capsule = capsule;
  }
}

/** \brief The direction away from a capsule at a point of its surface, unit length. */
PCL_GPU_HOST_DEVICE Float4
normalAt(const CastCapsule& capsule, const DoubleVector& point)
{
  // Each point lies on one of the balls between the two ends, at the part s of the
  // axis.
  const DoubleVector &a = capsule.a, &b = capsule.b;
  const DoubleVector axis = b - a, from_a = point - a;
  const double tapering = capsule.radius_a - capsule.radius_b;
  const double slant = dot(axis, axis) - tapering * tapering;
  double s = tapering > 0.0 ? 0.0 : 1.0;
  if (slant > 0.0) {
    s = (dot(from_a, axis) - capsule.radius_a * tapering) / slant;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
  }
  const DoubleVector away = from_a - s * axis;
  const double length = sqrt(dot(away, away));
  return {static_cast<float>(away.x / length),
          static_cast<float>(away.y / length),
          static_cast<float>(away.z / length),
          0.0f};
}

PCL_GPU_HOST_DEVICE void
writePixel(const CapsuleCastTask& task,
           int column,
           int row,
           const PixelRay& ray,
           const NearestCapsule& nearest)
{
  const bool hit = nearest.id >= 0;
  gpu::PtrStep<float> depth = task.depth;
  depth(row, column) = hit ? static_cast<float>(nearest.depth) : NAN;
  if (!task.ids.data)
    return;
  gpu::PtrStep<int> ids = task.ids;
  ids(row, column) = nearest.id;
  gpu::PtrStep<Float4> normals = task.normals;
  Float4 written = {NAN, NAN, NAN, 0.0f};
  if (hit)
    written = normalAt(nearest.capsule, nearest.depth * ray.direction);
  normals(row, column) = written;
}

} // namespace pcl::device
