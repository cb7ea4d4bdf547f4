// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "registration/surface_grid.hpp"

#include <pcl/gpu/utils/device/missing_depth.hpp>

namespace pcl::device {

/** \brief Returns a point of a surface as a pose has it. */
PCL_GPU_HOST_DEVICE SurfacePoint
posedPoint(const ScannedSurface& surface,
           const ModelPose& pose,
           const Matrix3& rotation,
           int number)
{
  return {vectorOf(pose.center) + rotation * vectorOf(surface.points[number]),
          rotation * vectorOf(surface.normals[number])};
}

/** \brief Returns a pose of the target in the source's frame. */
PCL_GPU_HOST_DEVICE ModelPose
inversePose(const ModelPose& pose,
            const ScannedSurface& source,
            const ScannedSurface& target)
{
  const Vector3 center =
      vectorOf(source.center) +
      matrixOf(pose.rotation)
          .transposeTimes(vectorOf(target.center) - vectorOf(pose.center));
  const Float4& q = pose.rotation;
  return {{-q.x, -q.y, -q.z, q.w}, {center.x, center.y, center.z}, pose.model};
}

/** \brief A point of another surface near a point. */
struct SurfaceNeighbor {
  Vector3 normal;
  float distance; ///< from the neighbour's plane to the point, along its normal
  float lateral;  ///< between the neighbour and the point, along the plane, squared
  float cosine;   ///< between the normals
};

/** \brief Finds the neighbour of a point; false if there is none. */
PCL_GPU_HOST_DEVICE bool
findNeighbor(const ScannedSurface& surface,
             const SurfacePoint& point,
             bool is_oriented,
             SurfaceNeighbor& neighbor)
{
  const int number = nearestPoint(surface.grid, point.position);
  if (number < 0)
    return false;
  neighbor.normal = vectorOf(surface.normals[number]);
  const Vector3 apart =
      point.position - vectorOf(surface.center) - vectorOf(surface.points[number]);
  neighbor.distance = dot(neighbor.normal, apart);
  neighbor.lateral = dot(apart, apart) - neighbor.distance * neighbor.distance;
  const float cosine = dot(neighbor.normal, point.normal);
  neighbor.cosine = is_oriented ? cosine : fabsf(cosine);
  return true;
}

/** \brief Verdict of a camera on a point. */
enum class CameraVerdict {
  None,   ///< it may be there, or the camera could not see it
  Free,   ///< the camera sees through it
  Unseen, ///< nothing was measured there
};

/** \brief Compares a point with the depth in its pixel and the eight around.
 * \param[in] is_oriented whether the point's normal says which side was seen
 * \param[in] free_distance behind the point, at which it is seen through, metres
 */
PCL_GPU_HOST_DEVICE CameraVerdict
cameraVerdict(const MeasuredDepth& seen,
              const SurfacePoint& point,
              bool is_oriented,
              float free_distance)
{
  int x, y;
  const SurfacePoint reversed = {point.position, -1.0f * point.normal};
  if (!(point.facesCamera() || (!is_oriented && reversed.facesCamera())) ||
      !findPixel(seen.camera, seen.depth.cols, seen.depth.rows, point.position, x, y) ||
      x < 1 || y < 1 || x + 1 >= seen.depth.cols || y + 1 >= seen.depth.rows)
    return CameraVerdict::None;
  bool any = false, all_behind = true;
  for (int row = y - 1; row <= y + 1; ++row)
    for (int column = x - 1; column <= x + 1; ++column) {
      const float z = seen.depth.ptr(row)[column];
      if (!gpu::isMeasuredDepth(z))
        continue;
      any = true;
      all_behind = all_behind && z - point.position.z > free_distance;
    }
  return !any         ? CameraVerdict::Unseen
         : all_behind ? CameraVerdict::Free
                      : CameraVerdict::None;
}

/** \brief Sums over points of a surface that is laid on another one. */
struct OverlapEvidence {
  enum Sum {
    Points,       ///< that were looked at
    Inliers,      ///< on the other surface
    Weight,       ///< of inliers, each 1 at most
    Contradicted, ///< of others: before the other surface, in free space
    Elsewhere,    ///< of others: near the other surface, but not on it
    Free,         ///< that the other camera sees through
    Unseen,       ///< no inliers, where the other camera measured nothing
    Normals,      ///< upper triangle of the sum of n n^T over inliers
    Count = Normals + 6
  };
  float sums[Count] = {};

  PCL_GPU_HOST_DEVICE float
  overlap() const
  {
    return sums[Points] > 0.0f ? sums[Weight] / sums[Points] : 0.0f;
  }

  /** \brief Returns the share of the weight in all that speaks for and against. */
  PCL_GPU_HOST_DEVICE float
  fit() const
  {
    constexpr float of_elsewhere = 0.5f, of_contradicted = 5.0f, of_free = 10.0f;
    const float against = of_elsewhere * sums[Elsewhere] +
                          of_contradicted * sums[Contradicted] + of_free * sums[Free] +
                          sums[Unseen];
    return sums[Weight] > 0.0f ? sums[Weight] / (sums[Weight] + against) : 0.0f;
  }
};

/** \brief Adds up one point. */
PCL_GPU_HOST_DEVICE void
addPoint(const ScannedSurface& other,
         const OverlapParameters& parameters,
         const SurfacePoint& point,
         OverlapEvidence& evidence)
{
  using E = OverlapEvidence;
  const float free_distance = 2.0f * parameters.tolerance;
  const bool has_camera = other.seen.depth.data != nullptr;
  evidence.sums[E::Points] += 1.0f;
  SurfaceNeighbor neighbor{};
  const bool is_near = findNeighbor(other, point, parameters.is_oriented, neighbor);
  const float distance = neighbor.distance;
  if (is_near && fabsf(distance) < parameters.tolerance &&
      neighbor.cosine > parameters.min_cosine) {
    const float share = distance / parameters.tolerance;
    const Vector3& n = point.normal;
    const float products[6] = {
        n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z};
    evidence.sums[E::Inliers] += 1.0f;
    evidence.sums[E::Weight] += 1.0f - share * share;
    for (int i = 0; i < 6; ++i)
      evidence.sums[E::Normals + i] += products[i];
    return;
  }
  const CameraVerdict verdict =
      has_camera
          ? cameraVerdict(other.seen, point, parameters.is_oriented, free_distance)
          : CameraVerdict::None;
  if (verdict == CameraVerdict::Free) {
    evidence.sums[E::Free] += 1.0f;
    return;
  }
  evidence.sums[E::Unseen] += verdict == CameraVerdict::Unseen ? 1.0f : 0.0f;
  if (!is_near)
    return;
  // Behind a surface that a camera saw anything may be.
  const float in_free_space = has_camera ? distance : fabsf(distance);
  const bool is_contradicted =
      in_free_space > free_distance &&
      neighbor.lateral < parameters.lateral * parameters.lateral;
  evidence.sums[is_contradicted ? E::Contradicted : E::Elsewhere] += 1.0f;
}

/** \brief Lays the first points of a surface on another one. */
template <typename Group>
PCL_GPU_HOST_DEVICE OverlapEvidence
gatherOverlap(const Group& group,
              const ScannedSurface& surface,
              const ScannedSurface& other,
              const OverlapParameters& parameters,
              const ModelPose& pose,
              int points)
{
  const Matrix3 rotation = matrixOf(pose.rotation);
  const int count = surface.count < points ? surface.count : points;
  OverlapEvidence evidence;
  for (int i = group.rank(); i < count; i += group.size())
    addPoint(other, parameters, posedPoint(surface, pose, rotation, i), evidence);
  group.sum(evidence.sums);
  return evidence;
}

} // namespace pcl::device
