// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/pose_refinement.hpp"
#include "recognition/pose_evidence.hpp"
#include "recognition/recognition_task.h"

#include <cstring>

// Matches of tensors become poses, of which fewer and fewer are looked at more and more
// closely. See model_pose.hpp for groups.

namespace pcl::device {

/** \brief Returns the scene as hypotheses and candidates are compared with it.
 * \param[in] deviations of depth up to which a point lies on the surface
 */
PCL_GPU_HOST_DEVICE EvidenceScene
evidenceScene(const RecognitionTask& task,
              const RecognitionScratch& scratch,
              float deviations)
{
  return {&task.input.scene,
          scratch.extents,
          PixelGrid(task.input.scene),
          task.parameters.deviation,
          deviations};
}

/** \brief Returns a key that orders poses by the logarithms of their odds, the largest
 * first. */
PCL_GPU_HOST_DEVICE std::uint32_t
rankOf(float log_odds)
{
  std::uint32_t bits;
  memcpy(&bits, &log_odds, sizeof(bits));
  constexpr std::uint32_t sign = 0x80000000u;
  return bits & sign ? bits : ~bits ^ sign;
}

/** \brief Rank of what is no pose, behind all others. */
constexpr std::uint32_t no_rank = 0xffffffffu;

/** \brief Makes the hypothesis of one match. */
PCL_GPU_HOST_DEVICE void
makeHypothesis(const RecognitionTask& task,
               int number,
               const RecognitionScratch& scratch)
{
  ModelPose& pose = scratch.poses[number];
  pose.model = -1;
  scratch.scores[number] = 0.0f;
  const int tensor = number / task.match_count;
  if (tensor >= task.tensors())
    return;
  const TensorMatch match = task.matches[number];
  const float score = match.tensor < 0 ? 0.0f : match.correlation * match.overlap;
  if (!(score > 0.0f))
    return;
  const int model = task.labels[match.tensor];
  pose = alignedPose(task.frames[tensor],
                     task.table_frames[match.tensor],
                     model,
                     task.input.surfaces.models[model].center);
  scratch.scores[number] = score;
}

/** \brief Ranks a hypothesis by a few of its points. */
template <typename Group>
PCL_GPU_HOST_DEVICE void
rankHypothesis(const Group& group,
               const RecognitionTask& task,
               const RecognitionScratch& scratch,
               int number)
{
  constexpr int points = 60, places = 20;
  // It is not yet where it belongs.
  constexpr float deviations = 3.0f;
  std::uint32_t rank = no_rank;
  if (scratch.scores[number] > 0.0f) {
    const EvidenceScene scene = evidenceScene(task, scratch, deviations);
    const PoseEvidence evidence = gatherEvidence(
        group, task.input.surfaces, scene, scratch.poses[number], points, places);
    rank = rankOf(logOdds(evidence.shares(0.0f)));
  }
  if (group.rank() != 0)
    return;
  scratch.hypotheses.keys[number] = rank;
  scratch.hypotheses.numbers[number] = static_cast<std::uint32_t>(number);
}

/** \brief Moves a hypothesis to the scene, and ranks it again.
 * \param[in] number of the moved pose
 * \param[in] hypothesis that it is of
 */
template <typename Group>
PCL_GPU_HOST_DEVICE void
moveHypothesis(const Group& group,
               const RecognitionTask& task,
               const RecognitionScratch& scratch,
               int number,
               int hypothesis)
{
  constexpr int points = 150, places = 40;
  constexpr float deviations = 2.0f;
  MovedPose moved = {scratch.poses[hypothesis], hypothesis, 0.0f};
  std::uint32_t rank = no_rank;
  if (scratch.scores[hypothesis] > 0.0f) {
    refinePose(group, task.input, task.parameters.capture, moved.pose);
    const EvidenceScene scene = evidenceScene(task, scratch, deviations);
    const PoseEvidence evidence =
        gatherEvidence(group, task.input.surfaces, scene, moved.pose, points, places);
    rank = rankOf(logOdds(evidence.shares(0.0f)));
    moved.preference = preferenceOf(evidence.shares(0.0f));
  }
  if (group.rank() != 0)
    return;
  scratch.moved[number] = moved;
  scratch.moved_ranks.keys[number] = rank;
  scratch.moved_ranks.numbers[number] = static_cast<std::uint32_t>(number);
}

/** \brief Returns whether a moved pose keeps another one from being a candidate: it is
 * nearly the same one, and better. */
PCL_GPU_HOST_DEVICE bool
overshadows(const RecognitionTask& task,
            const RecognitionScratch& scratch,
            int other,
            int pose)
{
  const MovedPose &a = scratch.moved[other], &b = scratch.moved[pose];
  const bool is_better =
      a.preference > b.preference || (a.preference == b.preference && other < pose);
  return is_better &&
         areNear(task.input.surfaces, a.pose, b.pose, task.parameters.same);
}

/** \brief Returns the candidate that a moved pose becomes. */
PCL_GPU_HOST_DEVICE PoseCandidate
candidateOf(const RecognitionScratch& scratch, std::uint32_t number)
{
  PoseCandidate candidate{};
  candidate.pose = scratch.moved[number].pose;
  candidate.matched = scratch.poses[scratch.moved[number].hypothesis];
  return candidate;
}

/** \brief Returns the largest score of a tensor's matches that agree with a pose. */
PCL_GPU_HOST_DEVICE float
agreeingScore(const RecognitionTask& task,
              const RecognitionScratch& scratch,
              const ModelPose& pose,
              int tensor)
{
  float score = 0.0f;
  for (int i = tensor * task.match_count; i < (tensor + 1) * task.match_count; ++i)
    if (scratch.scores[i] > score &&
        areNear(task.input.surfaces, scratch.poses[i], pose, task.parameters.group))
      score = scratch.scores[i];
  return score;
}

/** \brief Returns RecognizedObject::support of a pose. */
template <typename Group>
PCL_GPU_HOST_DEVICE float
supportOf(const Group& group,
          const RecognitionTask& task,
          const RecognitionScratch& scratch,
          const ModelPose& pose)
{
  constexpr float usual_tensors = 500.0f;
  const int tensors = task.tensors();
  float support[1] = {};
  for (int tensor = group.rank(); tensor < tensors; tensor += group.size())
    support[0] += agreeingScore(task, scratch, pose, tensor);
  group.sum(support);
  return support[0] * usual_tensors / static_cast<float>(tensors);
}

/** \brief Returns the codes of a candidate's points. */
PCL_GPU_HOST_DEVICE int*
pixelsOf(const RecognitionTask& task, const RecognitionScratch& scratch, int candidate)
{
  return scratch.pixels +
         static_cast<std::size_t>(candidate) * task.input.surfaces.max_visible;
}

/** \brief Finds the pixels of a candidate's points that lie on the scene's surface. */
template <typename Group>
PCL_GPU_HOST_DEVICE void
findPixels(const Group& group,
           const RecognitionTask& task,
           const ModelPose& pose,
           int* pixels)
{
  constexpr float deviations = 3.0f;
  const ModelSurfaces& surfaces = task.input.surfaces;
  const CameraCloud& scene = task.input.scene;
  const VisiblePoints visible = visiblePoints(group, surfaces, pose);
  const Matrix3 rotation = matrixOf(pose.rotation);
  for (int i = group.rank(); i < surfaces.max_visible; i += group.size()) {
    pixels[i] = -1;
    if (i >= visible.count)
      continue;
    const SurfacePoint point = posedPoint(surfaces, pose, rotation, visible.numbers[i]);
    int x, y;
    if (!point.facesCamera() || !findPixel(scene, point.position, x, y))
      continue;
    const Float4 seen = scene.cloud.ptr(y)[x];
    if (isFinite(seen) && fabsf(seen.z - point.position.z) <
                              deviations * task.parameters.deviation.at(seen.z))
      pixels[i] = y * scene.cloud.cols + x;
  }
}

/** \brief Moves a candidate to its place, and judges it.
 * \param[in] number of the candidate
 */
template <typename Group>
PCL_GPU_HOST_DEVICE PoseCandidate
judgedCandidate(const Group& group,
                const RecognitionTask& task,
                const RecognitionScratch& scratch,
                int number)
{
  constexpr float deviations = 2.0f;
  constexpr int all = 1 << 30;
  using E = PoseEvidence;
  PoseCandidate candidate = scratch.candidates[number];
  refinePose(group, task.input, task.parameters.refinement, candidate.pose);
  const EvidenceScene scene = evidenceScene(task, scratch, deviations);
  const PoseEvidence evidence =
      gatherEvidence(group, task.input.surfaces, scene, candidate.pose, all, all);
  findPixels(group, task, candidate.pose, pixelsOf(task, scratch, number));
  RecognizedObject& object = candidate.object;
  const float(&sums)[E::Count] = evidence.sums;
  object.inliers = static_cast<int>(sums[E::Inliers]);
  object.visible = evidence.share(sums[E::Inliers], sums[E::Points]);
  object.evidence = evidence.shares(supportOf(group, task, scratch, candidate.pose));
  object.confidence = 1.0f / (1.0f + expf(-logOdds(object.evidence)));
  // Of poses that fit equally well the one that explains more of the scene is right.
  constexpr float weight_of_size = 5.0f;
  candidate.preference =
      preferenceOf(object.evidence) + weight_of_size * logf(1.0f + sums[E::Weight]);
  candidate.accepted = object.visible >= task.parameters.min_visible &&
                       object.evidence.fit >= task.parameters.min_fit &&
                       object.confidence >= task.parameters.min_confidence;
  return candidate;
}

} // namespace pcl::device
