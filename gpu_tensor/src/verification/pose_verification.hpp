// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/model_pose.hpp"
#include "verification/pose_refinement.hpp"

namespace pcl::device {

/** \brief Verdict of a scene on a point of a model. */
enum class PointVerdict {
  Inlier,   ///< the surface goes through it
  Free,     ///< the camera sees through it
  Hidden,   ///< something is in front of it, or it is beside the image
  Unseen,   ///< nothing was measured there
  Elsewhere ///< the surface is near, but not there
};

/** \brief A verdict, and of inliers how well they fit, 0 to 1. */
struct PointFit {
  PointVerdict verdict;
  float weight;
};

/** \brief Compares a point with the scene's points in its pixel and the eight
 * around. */
PCL_GPU_HOST_DEVICE PointFit
judgePoint(const CameraCloud& scene,
           const VerificationParameters& parameters,
           const SurfacePoint& point,
           int x,
           int y)
{
  // The point's own surface is at most this far off along the line of sight.
  const float reach = 4.0f * parameters.tolerance;
  constexpr float aligned = 0.95f;
  bool any = false, all_behind = true, all_in_front = true;
  float best = 0.0f;
  bool inlier = false;
  for (int row = y - 1; row <= y + 1; ++row) {
    for (int column = x - 1; column <= x + 1; ++column) {
      if (row < 0 || row >= scene.cloud.rows || column < 0 ||
          column >= scene.cloud.cols)
        continue;
      const Float4 seen = scene.cloud.ptr(row)[column];
      if (!isFinite(seen))
        continue;
      any = true;
      const float behind = point.position.z - seen.z;
      all_behind = all_behind && behind < -parameters.free_distance;
      all_in_front = all_in_front && behind > parameters.free_distance;
      const Float4 seen_normal = scene.normals.ptr(row)[column];
      if (!isFinite(seen_normal) || fabsf(behind) > reach)
        continue;
      const Vector3 normal = vectorOf(seen_normal);
      const float distance = dot(normal, vectorOf(seen) - point.position);
      const float cosine = dot(normal, point.normal);
      if (fabsf(distance) >= parameters.tolerance || cosine <= parameters.min_cosine)
        continue;
      inlier = true;
      const float share = distance / parameters.tolerance;
      const float alike =
          (cosine - parameters.min_cosine) / (aligned - parameters.min_cosine);
      const float weight = (1.0f - share * share) * (alike < 1.0f ? alike : 1.0f);
      best = weight > best ? weight : best;
    }
  }
  if (inlier)
    return {PointVerdict::Inlier, best};
  if (!any)
    return {PointVerdict::Unseen, 0.0f};
  return {all_behind     ? PointVerdict::Free
          : all_in_front ? PointVerdict::Hidden
                         : PointVerdict::Elsewhere,
          0.0f};
}

/** \brief Sums over the points that should be seen. */
struct FitSums {
  /** \brief Places of the numbers of points with each verdict. */
  static constexpr int verdicts = 5;
  /** \brief Upper triangle of the sum of n n^T over inliers. */
  static constexpr int normals = 6;
  float sums[12] = {};

  PCL_GPU_HOST_DEVICE void
  add(const PointFit& fit, const Vector3& n)
  {
    sums[static_cast<int>(fit.verdict)] += 1.0f;
    if (fit.verdict != PointVerdict::Inlier)
      return;
    sums[verdicts] += fit.weight;
    const float products[6] = {
        n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z};
    for (int i = 0; i < 6; ++i)
      sums[normals + i] += products[i];
  }

  PCL_GPU_HOST_DEVICE float
  count(PointVerdict verdict) const
  {
    return sums[static_cast<int>(verdict)];
  }
};

/** \brief The second eigenvalue of a symmetric matrix (Smith 1961).
 * \param[in] upper its upper triangle, row by row
 */
PCL_GPU_HOST_DEVICE float
secondEigenvalue(const float (&upper)[6])
{
  const double third = 1.0 / 3.0;
  const double mean = third * (static_cast<double>(upper[0]) + upper[3] + upper[5]);
  const double a = upper[0] - mean, b = upper[1], c = upper[2], d = upper[3] - mean,
               e = upper[4], f = upper[5] - mean;
  const double squares = a * a + d * d + f * f + 2.0 * (b * b + c * c + e * e);
  const double p = sqrt(squares / 6.0);
  if (!(p > 1e-9))
    return static_cast<float>(mean);
  const double determinant =
      a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
  const double cosine = fmin(1.0, fmax(-1.0, 0.5 * determinant / (p * p * p)));
  // The angles of the three lie a third of a turn apart, the first in the first sixth.
  constexpr double third_of_turn = 2.0943951023931955;
  return static_cast<float>(mean + 2.0 * p * cos(acos(cosine) * third - third_of_turn));
}

/** \brief Code of a point that is neither an inlier nor hidden. An inlier has its
 * pixel, and a hidden point a smaller number: hiddenCode() of the pixel that hides
 * it. */
constexpr int no_pixel = -1;

/** \brief Returns the code of a hidden point, or the pixel of such a code. */
PCL_GPU_HOST_DEVICE int
hiddenCode(int pixel)
{
  return -2 - pixel;
}

/** \brief Returns whether a point of the model is hidden by the surface that other
 * points of it lie on. Then the model would continue beneath that surface, as a block
 * that reaches into a table.
 * \param[in] pixel that hides the point
 * \param[in] codes of all points that were looked at
 */
PCL_GPU_HOST_DEVICE bool
isHiddenByInliers(const VerificationInput& input,
                  int pixel,
                  const int* codes,
                  int count)
{
  constexpr float parallel = 0.97f;
  constexpr int least_inliers = 3;
  const CameraCloud& scene = input.scene;
  const float reach = 8.0f * input.parameters.tolerance;
  const int columns = scene.cloud.cols;
  const Float4 seen_normal = scene.normals.ptr(pixel / columns)[pixel % columns];
  if (!isFinite(seen_normal))
    return false;
  const Vector3 point = vectorOf(scene.cloud.ptr(pixel / columns)[pixel % columns]);
  const Vector3 normal = vectorOf(seen_normal);
  int inliers = 0;
  for (int i = 0; i < count && inliers < least_inliers; ++i) {
    if (codes[i] < 0)
      continue;
    const int y = codes[i] / columns, x = codes[i] % columns;
    const Vector3 apart = vectorOf(scene.cloud.ptr(y)[x]) - point;
    if (dot(apart, apart) < reach * reach &&
        fabsf(dot(normal, apart)) < input.parameters.tolerance &&
        dot(normal, vectorOf(scene.normals.ptr(y)[x])) > parallel)
      ++inliers;
  }
  return inliers >= least_inliers;
}

/** \brief Sums over all points of a posed model. */
struct PoseSums {
  FitSums fit;
  float beneath; ///< points that inliers hide
};

/** \brief Compares all points that should be visible with the scene.
 * \param[out] pixels no_pixel or another code of each point of the model that was
 * looked at; input.surfaces.max_visible
 * \return the sums of all of the group
 */
template <typename Group>
PCL_GPU_HOST_DEVICE PoseSums
measurePose(const Group& group,
            const VerificationInput& input,
            const ModelPose& pose,
            int* pixels)
{
  const VisiblePoints visible = visiblePoints(group, input.surfaces, pose);
  const Matrix3 rotation = matrixOf(pose.rotation);
  FitSums sums;
  for (int i = group.rank(); i < input.surfaces.max_visible; i += group.size()) {
    pixels[i] = no_pixel;
    if (i >= visible.count)
      continue;
    const SurfacePoint point =
        posedPoint(input.surfaces, pose, rotation, visible.numbers[i]);
    if (!point.facesCamera())
      continue;
    int x, y;
    // A point beside the image is neither confirmed nor missed.
    PointFit fit = {PointVerdict::Hidden, 0.0f};
    if (findPixel(input.scene, point.position, x, y)) {
      fit = judgePoint(input.scene, input.parameters, point, x, y);
      const int pixel = y * input.scene.cloud.cols + x;
      if (fit.verdict == PointVerdict::Inlier)
        pixels[i] = pixel;
      else if (fit.verdict == PointVerdict::Hidden)
        pixels[i] = hiddenCode(pixel);
    }
    sums.add(fit, point.normal);
  }
  group.wait();
  float beneath[1] = {};
  for (int i = group.rank(); i < visible.count; i += group.size())
    if (pixels[i] < no_pixel &&
        isHiddenByInliers(input, hiddenCode(pixels[i]), pixels, visible.count))
      beneath[0] += 1.0f;
  group.sum(beneath);
  group.sum(sums.sums);
  return {sums, beneath[0]};
}

/** \brief Returns how well a pose fits, by the sums of its points. */
PCL_GPU_HOST_DEVICE PoseFit
fitOf(const ModelPose& pose, const PoseSums& all_sums)
{
  const FitSums& sums = all_sums.fit;
  PoseFit result{};
  result.pose = pose;
  // A point that is seen through counts against a pose much more than a surface
  // elsewhere.
  constexpr float weight_of_free = 5.0f;
  const float inliers = sums.count(PointVerdict::Inlier);
  const float seen_through = sums.count(PointVerdict::Free);
  const float unseen = sums.count(PointVerdict::Unseen);
  const float elsewhere = sums.count(PointVerdict::Elsewhere) + all_sums.beneath;
  const float all = inliers + seen_through + unseen +
                    sums.count(PointVerdict::Elsewhere) +
                    sums.count(PointVerdict::Hidden);
  const float weight = sums.sums[FitSums::verdicts];
  result.inliers = static_cast<int>(inliers);
  result.visible = all > 0.0f ? inliers / all : 0.0f;
  const float expected = inliers + elsewhere + weight_of_free * seen_through + unseen;
  result.fit = expected > 0.0f ? weight / expected : 0.0f;
  result.violations =
      inliers + seen_through > 0.0f ? seen_through / (inliers + seen_through) : 0.0f;
  if (inliers > 0.0f) {
    float mean[6];
    for (int i = 0; i < 6; ++i)
      mean[i] = sums.sums[FitSums::normals + i] / inliers;
    result.spread = secondEigenvalue(mean);
  }
  result.score = result.fit * weight;
  return result;
}

/** \brief Refines and judges a pose of a task.
 * \param[in] number of the pose
 */
template <typename Group>
PCL_GPU_HOST_DEVICE PoseFit
verifiedPose(const Group& group, const VerificationTask& task, int number)
{
  ModelPose pose = task.given[number];
  int* const pixels =
      task.pixels + std::size_t(number) * task.input.surfaces.max_visible;
  refinePose(group, task.input, task.input.parameters.refinement, pose);
  return fitOf(pose, measurePose(group, task.input, pose, pixels));
}

} // namespace pcl::device
