// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tapered_capsule.hpp"

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/utils/device/vector3.hpp>

#include <cstddef>

namespace pcl {
namespace device {

/** \brief The numbers of a gpu::PinholeCamera. */
struct PixelRays {
  double fx, fy, cx, cy;
};

/** \brief Capsules to see. All arrays live on the device. */
struct CapsuleCastTask {
  PixelRays rays;
  RigidTransform pose; ///< camera-to-world
  int columns, rows;
  const gpu::TaperedCapsule* capsules;
  int count;
  gpu::PtrStep<float> depth;
  gpu::PtrStep<int> ids;        ///< may be null
  gpu::PtrStep<Float4> normals; ///< null if ids are
};

/** \brief A capsule in the camera's frame, with a sphere around it. */
struct CastCapsule {
  TaperedCapsuleHull hull;
  Vector3 center;
  float squared_radius; ///< with a margin for rounding errors; below 0: never hit
};

/** \brief What a ray has met so far. */
struct NearestCapsule {
  double depth = INFINITY;
  int id = -1;
  TaperedCapsuleHull hull = {};
};

PCL_GPU_HOST_DEVICE bool
isThere(const gpu::TaperedCapsule& capsule)
{
  float sum = capsule.radius_a + capsule.radius_b;
  for (int axis = 0; axis < 3; ++axis)
    sum += fabsf(capsule.a[axis]) + fabsf(capsule.b[axis]);
  return sum < INFINITY && capsule.radius_a >= 0.0f && capsule.radius_b >= 0.0f;
}

PCL_GPU_HOST_DEVICE Vector3d
toCamera(const RigidTransform& pose, const float (&point)[3])
{
  const Vector3d p = {static_cast<double>(point[0]) - pose.m[0][3],
                      static_cast<double>(point[1]) - pose.m[1][3],
                      static_cast<double>(point[2]) - pose.m[2][3]};
  return {pose.m[0][0] * p.x + pose.m[1][0] * p.y + pose.m[2][0] * p.z,
          pose.m[0][1] * p.x + pose.m[1][1] * p.y + pose.m[2][1] * p.z,
          pose.m[0][2] * p.x + pose.m[1][2] * p.y + pose.m[2][2] * p.z};
}

PCL_GPU_HOST_DEVICE CastCapsule
prepareCapsule(const gpu::TaperedCapsule& capsule, const RigidTransform& pose)
{
  CastCapsule result;
  const Vector3d b = toCamera(pose, capsule.b);
  result.hull =
      makeHull(toCamera(pose, capsule.a), capsule.radius_a, b, capsule.radius_b);
  const Vector3d center = result.hull.a + 0.5 * result.hull.axis;
  const double radius =
      0.5 * sqrt(dot(result.hull.axis, result.hull.axis)) +
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
  Vector3d direction; ///< so long that z is 1
  Vector3 rounded;    ///< the same
  float inverse_squared_length;
};

PCL_GPU_HOST_DEVICE PixelRay
pixelRay(const PixelRays& rays, int column, int row)
{
  PixelRay ray;
  ray.direction = {(column - rays.cx) / rays.fx, (row - rays.cy) / rays.fy, 1.0};
  ray.rounded = {
      static_cast<float>(ray.direction.x), static_cast<float>(ray.direction.y), 1.0f};
  ray.inverse_squared_length = 1.0f / dot(ray.rounded, ray.rounded);
  return ray;
}

/** \brief Whether a ray may hit a capsule; in single precision. */
PCL_GPU_HOST_DEVICE bool
mayHit(const CastCapsule& capsule, const PixelRay& ray)
{
  const Vector3& center = capsule.center;
  const float along = dot(center, ray.rounded);
  // True, too, where the numbers overflow.
  return capsule.squared_radius >= 0.0f &&
         !(dot(center, center) - along * along * ray.inverse_squared_length >
           capsule.squared_radius);
}

/** \brief Looks whether a capsule is met before all others so far. */
PCL_GPU_HOST_DEVICE void
castAt(const CastCapsule& capsule, int id, const PixelRay& ray, NearestCapsule& nearest)
{
  double depth;
  if (mayHit(capsule, ray) &&
      firstHit({0.0, 0.0, 0.0}, ray.direction, capsule.hull, depth) &&
      depth < nearest.depth) {
    nearest.depth = depth;
    nearest.id = id;
    nearest.hull = capsule.hull;
  }
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
  if (hit) {
    const Vector3d normal = normalAt(nearest.hull, nearest.depth * ray.direction);
    written = {static_cast<float>(normal.x),
               static_cast<float>(normal.y),
               static_cast<float>(normal.z),
               0.0f};
  }
  normals(row, column) = written;
}

} // namespace device
} // namespace pcl
