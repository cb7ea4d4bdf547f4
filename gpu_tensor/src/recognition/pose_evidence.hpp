// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/model_pose.hpp"
#include "recognition/recognition_task.h"

#include <cmath>

// What a scene's depth says for and against a pose. See model_pose.hpp for groups.

namespace pcl::device {

/** \brief Sums over a posed model's points that should be seen, and over places around
 * its contour. */
struct PoseEvidence {
  enum {
    Points,  ///< that face the camera
    Weight,  ///< of points on the scene's surface, 0 to 1 by how well each fits
    Inliers, ///< points on the scene's surface that face as it does
    Near,    ///< points within half the tolerance of the surface
    Aligned, ///< points on the surface whose normals agree well
    Free,    ///< points that the camera sees through
    Hidden,  ///< points behind something, or beside the image
    Unseen,  ///< points where nothing was measured
    Larger,  ///< points in a plane that is larger than the model
    Places,  ///< outside the contour, where something is seen that does not hide them
    Filled,  ///< of these, those where the model's surface seems to go on
    Count
  };
  float sums[Count] = {};

  PCL_GPU_HOST_DEVICE float
  share(float part, float of) const
  {
    return of > 0.0f ? part / of : 0.0f;
  }

  /** \brief Returns the number of points that the scene says something about. */
  PCL_GPU_HOST_DEVICE float
  visible() const
  {
    return fmaxf(1.0f, sums[Points] - sums[Hidden] - sums[Unseen]);
  }

  /** \param[in] support of the pose by matches */
  PCL_GPU_HOST_DEVICE gpu::RecognitionEvidence
  shares(float support) const
  {
    return {support,
            share(sums[Weight], visible()),
            share(sums[Near], visible()),
            share(sums[Aligned], visible()),
            share(sums[Free], visible()),
            share(sums[Hidden], sums[Points]),
            share(sums[Unseen], sums[Points]),
            share(sums[Larger], sums[Points]),
            share(sums[Filled], sums[Places])};
  }
};

/** \brief A scene, and how points are compared with it. */
struct EvidenceScene {
  const CameraCloud* cloud;
  const float* extents; ///< of the pixels of \a grid
  PixelGrid grid;
  DepthDeviation deviation;
  float deviations; ///< up to which a point lies on the surface

  PCL_GPU_HOST_DEVICE float
  tolerance(float z) const
  {
    return deviations * deviation.at(z);
  }

  /** \brief Returns whether a pixel is of a plane that is larger than a model. */
  PCL_GPU_HOST_DEVICE bool
  isOfLargerPlane(int x, int y, float diameter) const
  {
    constexpr float factor = 1.1f, slack = 0.01f;
    return extents[grid.placeOf(x, y)] > factor * diameter + slack;
  }
};

/** \brief Adds what the scene says of a point. */
PCL_GPU_HOST_DEVICE void
addPoint(const EvidenceScene& scene,
         const SurfacePoint& point,
         float diameter,
         PoseEvidence& evidence)
{
  // Depth of surfaces that are seen more flatly is not worse than by this.
  constexpr float flattest = 0.5f;
  constexpr float least_cosine = 0.5f, aligned = 0.85f, parallel = 0.8f;
  using E = PoseEvidence;
  float(&sums)[E::Count] = evidence.sums;
  sums[E::Points] += 1.0f;
  int x, y;
  if (!findPixel(*scene.cloud, point.position, x, y)) {
    sums[E::Hidden] += 1.0f;
    return;
  }
  const Float4 seen = scene.cloud->cloud.ptr(y)[x];
  if (!isFinite(seen)) {
    sums[E::Unseen] += 1.0f;
    return;
  }
  const float facing =
      -dot(point.normal, point.position) / sqrtf(dot(point.position, point.position));
  const float tolerance = scene.tolerance(seen.z) / fmaxf(facing, flattest);
  const float behind = seen.z - point.position.z;
  if (fabsf(behind) < tolerance) {
    const Float4 normal = scene.cloud->normals.ptr(y)[x];
    const float cosine =
        isFinite(normal) ? dot(vectorOf(normal), point.normal) : least_cosine;
    sums[E::Near] += fabsf(behind) < 0.5f * tolerance ? 1.0f : 0.0f;
    sums[E::Aligned] += cosine > aligned ? 1.0f : 0.0f;
    if (scene.isOfLargerPlane(x, y, diameter)) {
      sums[E::Larger] += cosine > parallel ? 1.0f : 0.0f;
      return;
    }
    const float share = behind / tolerance;
    const float alike =
        fminf(1.0f, fmaxf(0.0f, (cosine - least_cosine) / (aligned - least_cosine)));
    sums[E::Weight] += (1.0f - share * share) * alike;
    sums[E::Inliers] += alike > 0.0f ? 1.0f : 0.0f;
    return;
  }
  const float sure = fabsf(behind) > 2.0f * tolerance ? 1.0f : 0.5f;
  sums[behind > 0.0f ? E::Free : E::Hidden] += sure;
}

/** \brief Adds what the scene says of a place outside the contour.
 * \param[in] place in the scene's frame
 * \param[in] inside point of the model near it, inside its contour
 */
PCL_GPU_HOST_DEVICE void
addPlace(const EvidenceScene& scene,
         const Vector3& place,
         const SurfacePoint& inside,
         float diameter,
         PoseEvidence& evidence)
{
  constexpr float factor = 1.5f; // edges of depth are a little off
  constexpr float parallel = 0.8f, slope = 0.05f;
  int x, y;
  if (!findPixel(*scene.cloud, place, x, y))
    return;
  const Float4 seen = scene.cloud->cloud.ptr(y)[x];
  if (!isFinite(seen))
    return;
  const Float4 seen_normal = scene.cloud->normals.ptr(y)[x];
  const bool has_normal = isFinite(seen_normal);
  const Vector3 normal = vectorOf(seen_normal);
  const Vector3 apart = vectorOf(seen) - inside.position;
  const float tolerance = scene.tolerance(seen.z);
  const bool goes_on =
      has_normal && dot(normal, inside.normal) > parallel &&
      fabsf(dot(inside.normal, apart)) < tolerance + slope * sqrtf(dot(apart, apart));
  const float behind = seen.z - place.z;
  if (!goes_on && behind < -factor * tolerance)
    return;
  evidence.sums[PoseEvidence::Places] += 1.0f;
  if (scene.isOfLargerPlane(x, y, diameter))
    return;
  // The model rises above a surface that it only touches.
  const bool rises = has_normal && -dot(normal, apart) > tolerance;
  if (goes_on || (behind <= factor * tolerance && !rises))
    evidence.sums[PoseEvidence::Filled] += 1.0f;
}

/** \brief Compares a posed model with a scene.
 * \param[in] most_points of the model that are looked at
 * \param[in] most_places outside its contour that are looked at
 * \return the sums of all of the group
 */
template <typename Group>
PCL_GPU_HOST_DEVICE PoseEvidence
gatherEvidence(const Group& group,
               const ModelSurfaces& surfaces,
               const EvidenceScene& scene,
               const ModelPose& pose,
               int most_points,
               int most_places)
{
  const int view = viewOf(group, surfaces, pose);
  const VisiblePoints visible = pointsOfView(surfaces, view);
  const Matrix3 rotation = matrixOf(pose.rotation);
  const float diameter = surfaces.models[pose.model].diameter;
  PoseEvidence evidence;
  const int points = visible.count < most_points ? visible.count : most_points;
  for (int i = group.rank(); i < points; i += group.size()) {
    const SurfacePoint point = posedPoint(surfaces, pose, rotation, visible.numbers[i]);
    if (point.facesCamera())
      addPoint(scene, point, diameter, evidence);
  }
  const int first = static_cast<int>(surfaces.contour_starts[view]);
  const int all = static_cast<int>(surfaces.contour_starts[view + 1]) - first;
  const int places = all < most_places ? all : most_places;
  const Vector3 center = vectorOf(pose.center);
  for (int i = group.rank(); i < places; i += group.size()) {
    const ContourPlace& at = surfaces.contours[first + i];
    addPlace(scene,
             center + rotation * vectorOf(at.place),
             {center + rotation * vectorOf(at.inside), rotation * vectorOf(at.normal)},
             diameter,
             evidence);
  }
  group.sum(evidence.sums);
  return evidence;
}

/** \brief Returns how much better a pose is than others in the same place of the
 * scene. That place is as smooth for all of them, so aligned normals do not count. */
PCL_GPU_HOST_DEVICE float
preferenceOf(const gpu::RecognitionEvidence& e)
{
  return 6.2f * e.fit + 4.7f * e.near - 5.0f * e.free - 6.0f * e.larger -
         5.3f * e.hidden - 12.0f * e.unseen - 15.3f * e.filled +
         2.4f * logf(0.2f + e.support);
}

/** \brief Returns the logarithm of the odds that a pose is right.
 *
 * A logistic regression (benchmarks/field/fit_confidence.py), fitted to candidates of
 * 160 rendered arrangements of 14 objects and of 60 of 21 boxes, cans, bottles and
 * tools, with 0.7 to 1.4 times a structured-light camera's noise; bounds keep that free
 * points, larger planes and places without measurements, which are rare there, speak
 * against a pose. Of surfaces that fit equally well those with better normals are
 * smoother, and say less.
 */
PCL_GPU_HOST_DEVICE float
logOdds(const gpu::RecognitionEvidence& e)
{
  // Without noise many matches agree with a part of an object that is elsewhere.
  constexpr float most_support = 2.0f;
  return -2.2f + 11.8f * e.fit + 2.7f * e.near - 9.9f * e.aligned - 5.1f * e.free -
         6.3f * e.hidden - 4.0f * e.unseen - 15.2f * e.larger - 16.8f * e.filled +
         1.4f * logf(0.2f + fminf(e.support, most_support));
}

} // namespace pcl::device
