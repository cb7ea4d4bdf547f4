// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/model_pose.hpp"
#include "verification/pose_refinement.hpp"
namespace pcl::device {

/** \brief Counts places beside a model's outline that the scene shows, and among them
 * those to which the scene's surface continues from the nearby point of the model. */
struct OutlineSums {
  float sums[2] = {};

  PCL_GPU_HOST_DEVICE void
  add(bool goes_on)
  {
    sums[0] += 1.0f;
    sums[1] += goes_on ? 1.0f : 0.0f;
  }

  /** \brief The share of the outline beyond which the scene's surface continues. */
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

/** \brief Looks at the scene beside the outline of a model, next to a point that is an
 * inlier.
 * \param[in] beside from the point to a place past the model's edge, in the scene's
 * frame; zero if no edge is near
 */
PCL_GPU_HOST_DEVICE void
lookBeyondOutline(const VerificationInput& input,
                  const SurfacePoint& point,
                  const Vector3& beside,
                  OutlineSums& sums)
{
  constexpr float parallel = 0.97f;
  const Vector3 place = point.position + beside;
  SurfacePoint seen;
  if (dot(beside, beside) == 0.0f || !findSeen(input.scene, place, seen))
    return;
  const Vector3 apart = seen.position - point.position;
  const bool goes_on = fabsf(dot(point.normal, apart)) < input.parameters.tolerance &&
                       dot(point.normal, seen.normal) > parallel;
  // A surface in front hides the place: nothing is known.
  if (goes_on || seen.position.z >= place.z - input.parameters.free_distance)
    sums.add(goes_on);
}

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
  OutlineSums outline;
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
  // Not in one struct: only the sums that verdicts index have to be in memory.
  FitSums sums;
  OutlineSums outline;
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
      if (fit.verdict == PointVerdict::Inlier) {
        pixels[i] = pixel;
        const Vector3 beside =
            rotation * besideOf(input.surfaces, pose.model, visible.numbers[i]);
        lookBeyondOutline(input, point, beside, outline);
      }
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
  group.sum(outline.sums);
  return {sums, outline, beneath[0]};
}

/** \brief Judges a candidate by the sums of its pose.
 * \param[in] tensors number of the scene's tensors; not used for given poses
 */
PCL_GPU_HOST_DEVICE void
judgeCandidate(const PoseVerificationParameters& limits,
               int tensors,
               const PoseSums& all_sums,
               PoseCandidate& candidate)
{
  const FitSums& sums = all_sums.fit;
  RecognizedObject& object = candidate.object;
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
  object.inliers = static_cast<int>(inliers);
  object.visible = all > 0.0f ? inliers / all : 0.0f;
  const float expected = inliers + elsewhere + weight_of_free * seen_through + unseen;
  object.fit = expected > 0.0f ? weight / expected : 0.0f;
  object.violations =
      inliers + seen_through > 0.0f ? seen_through / (inliers + seen_through) : 0.0f;
  object.spread = 0.0f;
  if (inliers > 0.0f) {
    float mean[6];
    for (int i = 0; i < 6; ++i)
      mean[i] = sums.sums[FitSums::normals + i] / inliers;
    object.spread = secondEigenvalue(mean);
  }
  object.score = object.fit * weight;
  // Poses that were given have no support.
  object.support = 0.0f;
  // A surface that continues beyond a model's edge makes the object less likely.
  constexpr float weight_of_continued = 0.5f;
  object.confidence = object.fit - weight_of_continued * all_sums.outline.continued();
  if (candidate.weight > 0) {
    constexpr float usual_tensors = 500.0f;
    object.support = static_cast<float>(candidate.weight) / weight_of_one *
                     (usual_tensors / static_cast<float>(tensors));
    object.confidence += limits.support_weight * logf(object.support);
  }
  candidate.accepted =
      object.visible >= limits.min_visible && object.fit >= limits.min_fit &&
      object.violations <= limits.max_violations &&
      object.spread >= limits.min_spread && object.inliers >= limits.min_inliers &&
      object.confidence >= limits.min_confidence;
}

/** \brief Moves a candidate from where it was grouped to the surface, and judges it.
 * \param[in] tensors see judgeCandidate()
 * \param[out] pixels see measurePose()
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
refineAndVerify(const Group& group,
                const VerificationInput& input,
                int tensors,
                int* pixels,
                PoseCandidate& candidate)
{
  candidate.pose = candidate.grouped;
  refinePose(group, input, candidate.pose);
  const PoseSums sums = measurePose(group, input, candidate.pose, pixels);
  judgeCandidate(input.parameters.given, tensors, sums, candidate);
}

PCL_GPU_HOST_DEVICE RecognizedObject
recognizedObject(const ModelSurfaces& surfaces, const PoseCandidate& candidate)
{
  RecognizedObject object = candidate.object;
  object.model = candidate.pose.model;
  const ModelSurface& model = surfaces.models[object.model];
  writePose(candidate.pose, model, object.pose);
  writePose(candidate.grouped, model, object.grouped_pose);
  return object;
}

/** \brief Refines and judges a pose of a task.
 * \param[in] number of the pose
 */
template <typename Group>
PCL_GPU_HOST_DEVICE RecognizedObject
verifiedObject(const Group& group, const VerificationTask& task, int number)
{
  PoseCandidate candidate{};
  candidate.grouped = task.given[number];
  int* const pixels =
      task.pixels + std::size_t(number) * task.input.surfaces.max_visible;
  refineAndVerify(group, task.input, 0, pixels, candidate);
  return recognizedObject(task.input.surfaces, candidate);
}

} // namespace pcl::device
