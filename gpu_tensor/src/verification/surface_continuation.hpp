// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/model_pose.hpp"

namespace pcl::device {

/** \brief Counts places beside a model's outline: those that the scene shows, and those of
 * them on which its surface goes on from the point of the model nearby. */
struct OutlineSums {
  float sums[2] = {};

  PCL_GPU_HOST_DEVICE void
  add(bool goes_on)
  {
    sums[0] += 1.0f;
    sums[1] += goes_on ? 1.0f : 0.0f;
  }

  /** \brief The share of the outline that the scene's surface goes on beyond. */
  PCL_GPU_HOST_DEVICE float
  continued() const
  {
    return sums[0] > 0.0f ? sums[1] / sums[0] : 0.0f;
  }
};

/** \brief See ModelSurfaces::beside.
 * \param[in] number of one of the model's points
 */
PCL_GPU_HOST_DEVICE Vector3
besideOf(const ModelSurfaces& surfaces, int model, std::uint32_t number)
{
  if (!surfaces.beside)
    return {0.0f, 0.0f, 0.0f};
  return vectorOf(
      surfaces.beside[surfaces.models[model].first_point + static_cast<int>(number)]);
}

/** \brief Looks at the scene beside the outline of a model, next to a point that is an inlier.
 * \param[in] beside from the point to a place where the model has ended, in the scene's
 * frame; zero if it has not
 */
PCL_GPU_HOST_DEVICE void
lookBeyondOutline(const VerificationInput& input,
                  const PosedPoint& point,
                  const Vector3& beside,
                  OutlineSums& sums)
{
  constexpr float parallel = 0.97f;
  const SceneView& scene = input.scene;
  const Vector3 place = point.position + beside;
  int x, y;
  if (dot(beside, beside) == 0.0f || !findPixel(scene, place, x, y))
    return;
  const Float4 seen = scene.cloud.ptr(y)[x], seen_normal = scene.normals.ptr(y)[x];
  if (!isFinite(seen) || !isFinite(seen_normal))
    return;
  const Vector3 apart = vectorOf(seen) - point.position;
  const bool goes_on = fabsf(dot(point.normal, apart)) < input.parameters.tolerance &&
                       dot(point.normal, vectorOf(seen_normal)) > parallel;
  // A surface in front hides the place: nothing is known.
  if (goes_on || seen.z >= place.z - input.parameters.free_distance)
    sums.add(goes_on);
}

} // namespace pcl::device
