// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "pose_grouping.hpp"
#include "pose_refinement.hpp"
#include "surface_continuation.hpp"

#include <cstring>

namespace pcl::device {

/** \brief What a scene says of a point of a model. */
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

/** \brief Compares a point with the scene's points in its pixel and the eight around. */
PCL_GPU_HOST_DEVICE PointFit
judgePoint(const SceneView& scene,
           const RecognitionParameters& parameters,
           const PosedPoint& point,
           int x,
           int y)
{
  // Of surfaces this near along the line of sight one may be that of the point.
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
  /** \brief How many points got each verdict. */
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

  PCL_GPU_HOST_DEVICE float
  weight() const
  {
    return sums[verdicts];
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

/** \brief What is kept of a point: its pixel if it is an inlier, that of what hides it, or
 * nothing. */
struct PixelCode {
  static constexpr int none = -1;

  PCL_GPU_HOST_DEVICE static int
  ofHidden(int pixel)
  {
    return -2 - pixel;
  }

  PCL_GPU_HOST_DEVICE static bool
  isHidden(int code)
  {
    return code < none;
  }

  PCL_GPU_HOST_DEVICE static int
  hiddenPixel(int code)
  {
    return -2 - code;
  }
};

/** \brief Whether what hides a point of the model is the surface that other points of it lie
 * on: then the model would go on beneath that surface, as where a block is taken to
 * reach into the table.
 * \param[in] pixel of what hides the point
 * \param[in] codes of all points that were looked at
 */
PCL_GPU_HOST_DEVICE bool
isHiddenByInliers(const RecognitionTask& task, int pixel, const int* codes, int count)
{
  constexpr float parallel = 0.97f;
  constexpr int least_inliers = 3;
  const SceneView& scene = task.scene;
  const float reach = 8.0f * task.parameters.tolerance;
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
        fabsf(dot(normal, apart)) < task.parameters.tolerance &&
        dot(normal, vectorOf(scene.normals.ptr(y)[x])) > parallel)
      ++inliers;
  }
  return inliers >= least_inliers;
}

/** \brief Judges a candidate by all points that should be seen.
 * \param[out] pixels PixelCode of each point of the model that was looked at
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
verifyCandidate(const Group& group,
                const RecognitionTask& task,
                int* pixels,
                PoseCandidate& candidate)
{
  const RecognitionParameters& parameters = task.parameters;
  const VisiblePoints visible = visiblePoints(group, task.surfaces, candidate.pose);
  const Matrix3 rotation = matrixOf(candidate.pose.rotation);
  FitSums sums;
  OutlineSums outline;
  for (int i = group.rank(); i < task.surfaces.max_visible; i += group.size()) {
    pixels[i] = PixelCode::none;
    if (i >= visible.count)
      continue;
    const PosedPoint point =
        posedPoint(task.surfaces, candidate.pose, rotation, visible.numbers[i]);
    if (!point.facesCamera())
      continue;
    int x, y;
    // What lies beside the image is neither confirmed nor missed.
    PointFit fit = {PointVerdict::Hidden, 0.0f};
    if (findPixel(task.scene, point.position, x, y)) {
      fit = judgePoint(task.scene, parameters, point, x, y);
      const int pixel = y * task.scene.cloud.cols + x;
      if (fit.verdict == PointVerdict::Inlier) {
        pixels[i] = pixel;
        const Vector3 beside =
            rotation *
            besideOf(task.surfaces, candidate.pose.model, visible.numbers[i]);
        lookBeyondOutline(task, point, beside, outline);
      }
      else if (fit.verdict == PointVerdict::Hidden)
        pixels[i] = PixelCode::ofHidden(pixel);
    }
    sums.add(fit, point.normal);
  }
  group.wait();
  float beneath[1] = {};
  for (int i = group.rank(); i < visible.count; i += group.size())
    if (PixelCode::isHidden(pixels[i]) &&
        isHiddenByInliers(
            task, PixelCode::hiddenPixel(pixels[i]), pixels, visible.count))
      beneath[0] += 1.0f;
  group.sum(beneath);
  group.sum(sums.sums);
  group.sum(outline.sums);

  // Seeing through a point speaks against a pose much more than a surface that is off.
  constexpr float weight_of_free = 5.0f;
  const float inliers = sums.count(PointVerdict::Inlier);
  const float seen_through = sums.count(PointVerdict::Free);
  const float unseen = sums.count(PointVerdict::Unseen);
  const float elsewhere = sums.count(PointVerdict::Elsewhere) + beneath[0];
  const float all = inliers + seen_through + unseen +
                    sums.count(PointVerdict::Elsewhere) +
                    sums.count(PointVerdict::Hidden);
  const float weight = sums.weight();
  candidate.inliers = static_cast<int>(inliers);
  candidate.visible = all > 0.0f ? inliers / all : 0.0f;
  const float expected = inliers + elsewhere + weight_of_free * seen_through + unseen;
  candidate.fit = expected > 0.0f ? weight / expected : 0.0f;
  candidate.violations =
      inliers + seen_through > 0.0f ? seen_through / (inliers + seen_through) : 0.0f;
  candidate.spread = 0.0f;
  if (inliers > 0.0f) {
    float mean[6];
    for (int i = 0; i < 6; ++i)
      mean[i] = sums.sums[FitSums::normals + i] / inliers;
    candidate.spread = secondEigenvalue(mean);
  }
  candidate.score = candidate.fit * weight;
  // Poses that were given have no support.
  candidate.support = 0.0f;
  // An object hardly ends where what is seen of it simply goes on.
  constexpr float weight_of_continued = 0.5f;
  candidate.confidence = candidate.fit - weight_of_continued * outline.continued();
  if (candidate.weight > 0) {
    constexpr float usual_tensors = 500.0f;
    candidate.support = static_cast<float>(candidate.weight) / weight_of_one *
                        (usual_tensors / static_cast<float>(task.tensors()));
    candidate.confidence += parameters.support_weight * logf(candidate.support);
  }
  candidate.accepted = candidate.visible >= parameters.min_visible &&
                       candidate.fit >= parameters.min_fit &&
                       candidate.violations <= parameters.max_violations &&
                       candidate.spread >= parameters.min_spread &&
                       candidate.inliers >= parameters.min_inliers &&
                       candidate.confidence >= parameters.min_confidence;
}

/** \brief Moves a candidate from where it was grouped to the surface, and judges it.
 * \param[in] number of the candidate
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
refineAndVerify(const Group& group,
                const RecognitionTask& task,
                const RecognitionScratch& scratch,
                int number,
                PoseCandidate& candidate)
{
  candidate.pose = candidate.grouped;
  refinePose(group, task, candidate.pose);
  int* const pixels =
      scratch.pixels + static_cast<std::size_t>(number) * task.surfaces.max_visible;
  verifyCandidate(group, task, pixels, candidate);
}

PCL_GPU_HOST_DEVICE RecognizedObject
recognizedObject(const RecognitionTask& task, const PoseCandidate& candidate)
{
  RecognizedObject object{};
  object.model = candidate.pose.model;
  object.inliers = candidate.inliers;
  const ModelSurface& model = task.surfaces.models[object.model];
  writePose(candidate.pose, model, object.pose);
  writePose(candidate.grouped, model, object.grouped_pose);
  object.support = candidate.support;
  object.visible = candidate.visible;
  object.fit = candidate.fit;
  object.violations = candidate.violations;
  object.spread = candidate.spread;
  object.confidence = candidate.confidence;
  object.score = candidate.score;
  return object;
}

/** \brief Chooses the objects among accepted candidates.
 *
 * Of those in one pose that of the largest support remains. Then, the best score first,
 * those become objects that do not share too many pixels with the objects before; a pixel
 * belongs to an object if it is, or touches, that of an inlier.
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
chooseObjects(const Group& group,
              const RecognitionTask& task,
              const RecognitionScratch& scratch)
{
  const RecognitionParameters& parameters = task.parameters;
  PoseCandidate* const candidates = scratch.candidates;
  const int count = *scratch.candidate_count;
  const int columns = task.scene.cloud.cols, rows = task.scene.cloud.rows;
  // Candidates are numbered by support, the largest first.
  const auto isRepeated = [&](int i) {
    for (int j = 0; j < i; ++j)
      if (candidates[j].accepted &&
          areNear(candidates[j].pose, candidates[i].pose, parameters.same))
        return true;
    return false;
  };
  for (int i = group.rank(); i < count; i += group.size())
    scratch.kept[i] = candidates[i].accepted && !isRepeated(i) ? 1 : 0;
  group.wait();
  for (int i = group.rank(); i < count; i += group.size()) {
    if (scratch.kept[i] == 0)
      continue;
    int place = 0;
    for (int j = 0; j < count; ++j)
      if (scratch.kept[j] != 0 &&
          (candidates[j].score > candidates[i].score ||
           (candidates[j].score == candidates[i].score && j < i)))
        ++place;
    scratch.order[place] = i;
  }
  float total[1] = {};
  for (int i = group.rank(); i < count; i += group.size())
    total[0] += static_cast<float>(scratch.kept[i]);
  group.sum(total);
  group.wait();

  int objects = 0;
  for (int place = 0; place < static_cast<int>(total[0]); ++place) {
    const int number = scratch.order[place];
    const PoseCandidate& candidate = candidates[number];
    const int* const pixels =
        scratch.pixels + static_cast<std::size_t>(number) * task.surfaces.max_visible;
    float shared[1] = {};
    for (int i = group.rank(); i < task.surfaces.max_visible; i += group.size())
      if (pixels[i] >= 0 && scratch.claimed[pixels[i]] != 0)
        shared[0] += 1.0f;
    group.sum(shared);
    if (shared[0] > parameters.max_shared * static_cast<float>(candidate.inliers))
      continue;
    for (int i = group.rank(); i < task.surfaces.max_visible; i += group.size())
      if (pixels[i] >= 0) {
        const int x = pixels[i] % columns, y = pixels[i] / columns;
        for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < rows; ++row)
          for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < columns;
               ++column)
            scratch.claimed[row * columns + column] = 1;
      }
    if (group.rank() == 0) {
      task.objects[objects] = recognizedObject(task, candidate);
      scratch.kept[objects] = number;
    }
    ++objects;
    group.wait();
  }
  if (group.rank() == 0)
    *task.object_count = objects;
}

/** \brief What a pixel that belongs to no object has for its claim. */
constexpr std::uint64_t no_claim = ~std::uint64_t(0);

/** \brief A claim on a pixel: the smaller wins, the nearer point first. */
PCL_GPU_HOST_DEVICE std::uint64_t
claimOf(float squared_distance, int object)
{
  std::uint32_t bits;
  memcpy(&bits, &squared_distance, sizeof(bits));
  return static_cast<std::uint64_t>(bits) << 32 | static_cast<std::uint32_t>(object);
}

PCL_GPU_HOST_DEVICE int
objectOf(std::uint64_t claim)
{
  return claim == no_claim ? -1 : static_cast<int>(claim & 0xffffffffu);
}

/** \brief Claims the pixels around a point of an object whose own points are on the plane
 * through it.
 * \param[in] visible the points of the object that are visible
 * \param[in] number place of one of these
 * \param[in] first of the pixels around the point that the caller looks at
 * \param[in] stride from one of them to the next
 * \param[in] claim is called with a pixel, row by row, and a claim on it
 */
template <typename Claim>
PCL_GPU_HOST_DEVICE void
claimPixels(const RecognitionTask& task,
            const ModelPose& pose,
            const Matrix3& rotation,
            const VisiblePoints& visible,
            int number,
            int object,
            int first,
            int stride,
            const Claim& claim)
{
  const SceneView& scene = task.scene;
  const PosedPoint point =
      posedPoint(task.surfaces, pose, rotation, visible.numbers[number]);
  const float z = point.position.z;
  if (!(z > 1e-3f))
    return;
  // Points are so far apart that discs of this radius cover the surface between them.
  const float reach = 2.0f * task.surfaces.models[pose.model].spacing;
  const float thickness = 2.0f * task.parameters.tolerance;
  const float u = point.position.x / z * scene.fx + scene.cx;
  const float v = point.position.y / z * scene.fy + scene.cy;
  const float columns = reach / z * scene.fx, rows = reach / z * scene.fy;
  const int left = static_cast<int>(fmaxf(0.0f, ceilf(u - columns)));
  const int top = static_cast<int>(fmaxf(0.0f, ceilf(v - rows)));
  const int right = static_cast<int>(
      fminf(static_cast<float>(scene.cloud.cols - 1), floorf(u + columns)));
  const int bottom = static_cast<int>(
      fminf(static_cast<float>(scene.cloud.rows - 1), floorf(v + rows)));
  const int width = right - left + 1;
  const int pixels = width > 0 && bottom >= top ? width * (bottom - top + 1) : 0;
  for (int i = first; i < pixels; i += stride) {
    const int x = left + i % width, y = top + i / width;
    const Float4 seen = scene.cloud.ptr(y)[x];
    if (!isFinite(seen))
      continue;
    const Vector3 apart = vectorOf(seen) - point.position;
    const float squared = dot(apart, apart);
    if (squared > reach * reach || fabsf(dot(point.normal, apart)) > thickness)
      continue;
    const Float4 seen_normal = scene.normals.ptr(y)[x];
    // A table is as near as the sides of what stands on it, but faces elsewhere.
    constexpr float least_cosine = 0.7f;
    if (isFinite(seen_normal) &&
        dot(point.normal, vectorOf(seen_normal)) < least_cosine)
      continue;
    claim(y * scene.cloud.cols + x, claimOf(squared, object));
  }
}

} // namespace pcl::device
