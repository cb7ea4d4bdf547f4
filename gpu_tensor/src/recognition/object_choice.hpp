// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognition/pose_search.hpp"
#include "recognition/recognition_task.h"

#include <cstring>

// Candidates that passed become objects, and objects claim the pixels of the scene.

namespace pcl::device {

PCL_GPU_HOST_DEVICE RecognizedObject
recognizedObject(const ModelSurfaces& surfaces, const PoseCandidate& candidate)
{
  RecognizedObject object = candidate.object;
  object.model = candidate.pose.model;
  const ModelSurface& model = surfaces.models[object.model];
  writePose(candidate.pose, model, object.pose);
  writePose(candidate.matched, model, object.matched_pose);
  return object;
}

/** \brief Returns how many pixels around a point of an object are claimed with it: as
 * many as to the next points, some. */
PCL_GPU_HOST_DEVICE int
claimReach(const RecognitionTask& task, const ModelPose& pose)
{
  constexpr float most = 8.0f;
  const float spacing = task.input.surfaces.models[pose.model].spacing;
  const float pixels =
      0.6f * spacing * task.input.scene.camera.fx / fmaxf(pose.center[2], 1e-3f);
  return 1 + static_cast<int>(fminf(pixels, most));
}

/** \brief Chooses the objects among accepted candidates.
 *
 * In the order of preference those become objects that do not share too many pixels
 * with earlier objects: others are the same ones in nearly the same pose. A pixel
 * belongs to an object if it is near that of a point. Objects are listed in the order
 * of their confidence.
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
chooseObjects(const Group& group,
              const RecognitionTask& task,
              const RecognitionScratch& scratch)
{
  PoseCandidate* const candidates = scratch.candidates;
  const int count = *scratch.candidate_count;
  const int columns = task.input.scene.cloud.cols, rows = task.input.scene.cloud.rows;
  for (int i = group.rank(); i < count; i += group.size())
    scratch.kept[i] = candidates[i].accepted ? 1 : 0;
  group.wait();
  for (int i = group.rank(); i < count; i += group.size()) {
    if (scratch.kept[i] == 0)
      continue;
    const float preference = candidates[i].preference;
    int place = 0;
    for (int j = 0; j < count; ++j)
      if (scratch.kept[j] != 0 && (candidates[j].preference > preference ||
                                   (candidates[j].preference == preference && j < i)))
        ++place;
    scratch.order[place] = i;
  }
  float total[1] = {};
  for (int i = group.rank(); i < count; i += group.size())
    total[0] += static_cast<float>(scratch.kept[i]);
  group.sum(total);
  group.wait();

  const int points = task.input.surfaces.max_visible;
  int objects = 0;
  for (int place = 0; place < static_cast<int>(total[0]); ++place) {
    const int number = scratch.order[place];
    const PoseCandidate& candidate = candidates[number];
    const int* const pixels = pixelsOf(task, scratch, number);
    float seen[2] = {}; // points, and those in pixels that are claimed
    for (int i = group.rank(); i < points; i += group.size())
      if (pixels[i] >= 0) {
        seen[0] += 1.0f;
        seen[1] += scratch.claimed[pixels[i]] != 0 ? 1.0f : 0.0f;
      }
    group.sum(seen);
    if (seen[0] == 0.0f || seen[1] > task.parameters.max_shared * seen[0])
      continue;
    const int reach = claimReach(task, candidate.pose);
    for (int i = group.rank(); i < points; i += group.size())
      if (pixels[i] >= 0) {
        const int x = pixels[i] % columns, y = pixels[i] / columns;
        const int bottom = y + reach < rows ? y + reach : rows - 1;
        const int right = x + reach < columns ? x + reach : columns - 1;
        for (int row = y > reach ? y - reach : 0; row <= bottom; ++row)
          for (int column = x > reach ? x - reach : 0; column <= right; ++column)
            scratch.claimed[row * columns + column] = 1;
      }
    if (group.rank() == 0)
      scratch.kept[objects] = number;
    ++objects;
    group.wait();
  }
  for (int i = group.rank(); i < objects; i += group.size()) {
    const PoseCandidate& candidate = candidates[scratch.kept[i]];
    const float confidence = candidate.object.confidence;
    int place = 0;
    for (int j = 0; j < objects; ++j) {
      const float other = candidates[scratch.kept[j]].object.confidence;
      if (other > confidence || (other == confidence && j < i))
        ++place;
    }
    scratch.order[place] = scratch.kept[i];
    task.objects[place] = recognizedObject(task.input.surfaces, candidate);
  }
  if (group.rank() == 0)
    *task.object_count = objects;
}

/** \brief Claim of a pixel that belongs to no object. */
constexpr std::uint64_t no_claim = ~std::uint64_t(0);

PCL_GPU_HOST_DEVICE int
objectOf(std::uint64_t claim)
{
  return claim == no_claim ? -1 : static_cast<int>(claim & 0xffffffffu);
}

/** \brief Numbers that a caller looks at: from the first one on, in strides. */
struct Share {
  int first, stride;
};

/** \brief Claims the pixels around a point of an object whose scene points lie on the
 * plane through it.
 * \param[in] spacing of the model's points
 * \param[in] share of the pixels around the point
 * \param[in] claim is called with a pixel, row by row, and a claim on it
 */
template <typename Claim>
PCL_GPU_HOST_DEVICE void
claimPixels(const RecognitionTask& task,
            const SurfacePoint& point,
            float spacing,
            int object,
            const Share& share,
            const Claim& claim)
{
  const CameraCloud& scene = task.input.scene;
  const float z = point.position.z;
  if (!(z > 1e-3f))
    return;
  // Points are so far apart that discs of this radius cover the surface between them.
  const float reach = 2.0f * spacing;
  const float thickness = 3.0f * task.parameters.deviation.at(z);
  const float u = point.position.x / z * scene.camera.fx + scene.camera.cx;
  const float v = point.position.y / z * scene.camera.fy + scene.camera.cy;
  const float columns = reach / z * scene.camera.fx, rows = reach / z * scene.camera.fy;
  const int left = static_cast<int>(fmaxf(0.0f, ceilf(u - columns)));
  const int top = static_cast<int>(fmaxf(0.0f, ceilf(v - rows)));
  const int right = static_cast<int>(
      fminf(static_cast<float>(scene.cloud.cols - 1), floorf(u + columns)));
  const int bottom = static_cast<int>(
      fminf(static_cast<float>(scene.cloud.rows - 1), floorf(v + rows)));
  const int width = right - left + 1;
  const int pixels = width > 0 && bottom >= top ? width * (bottom - top + 1) : 0;
  for (int i = share.first; i < pixels; i += share.stride) {
    const int x = left + i % width, y = top + i / width;
    const Float4 seen = scene.cloud.ptr(y)[x];
    if (!isFinite(seen))
      continue;
    const Vector3 apart = vectorOf(seen) - point.position;
    const float squared = dot(apart, apart);
    if (squared > reach * reach || fabsf(dot(point.normal, apart)) > thickness)
      continue;
    const Float4 seen_normal = scene.normals.ptr(y)[x];
    // A table is as near as the sides of an object on it, but faces another way.
    constexpr float least_cosine = 0.7f;
    if (isFinite(seen_normal) &&
        dot(point.normal, vectorOf(seen_normal)) < least_cosine)
      continue;
    // The smaller claim wins: that of the nearer point.
    std::uint32_t bits;
    memcpy(&bits, &squared, sizeof(bits));
    claim(y * scene.cloud.cols + x,
          static_cast<std::uint64_t>(bits) << 32 | static_cast<std::uint32_t>(object));
  }
}

/** \brief Claims the pixels of an object.
 * \param[in] points the share of the object's visible points
 * \param[in] pixels the share of the pixels around each
 * \param[in] claim see claimPixels()
 */
template <typename Group, typename Claim>
PCL_GPU_HOST_DEVICE void
claimObject(const Group& group,
            const RecognitionTask& task,
            const RecognitionScratch& scratch,
            int object,
            const Share& points,
            const Share& pixels,
            const Claim& claim)
{
  const ModelSurfaces& surfaces = task.input.surfaces;
  const ModelPose pose = scratch.candidates[scratch.order[object]].pose;
  const Matrix3 rotation = matrixOf(pose.rotation);
  const VisiblePoints visible = visiblePoints(group, surfaces, pose);
  for (int i = points.first; i < visible.count; i += points.stride)
    claimPixels(task,
                posedPoint(surfaces, pose, rotation, visible.numbers[i]),
                surfaces.models[pose.model].spacing,
                object,
                pixels,
                claim);
}

} // namespace pcl::device
