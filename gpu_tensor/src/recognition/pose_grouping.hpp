// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognition/recognition_task.h"
#include "verification/model_pose.hpp"

// Matches of tensors vote for poses. See model_pose.hpp for groups.

namespace pcl::device {

/** \brief The hypothesis of one match. */
PCL_GPU_HOST_DEVICE void
makeHypothesis(const RecognitionTask& task,
               int number,
               const RecognitionScratch& scratch)
{
  ModelPose& pose = scratch.poses[number];
  pose.model = -1;
  scratch.weights[number] = 0;
  const int tensor = number / task.match_count;
  if (tensor >= task.tensors())
    return;
  const TensorMatch match = task.matches[number];
  if (match.tensor < 0)
    return;
  const int model = task.labels[match.tensor];
  pose = alignedPose(task.frames[tensor],
                     task.table_frames[match.tensor],
                     model,
                     task.verification.surfaces.models[model].center);
  const float score = match.correlation * match.overlap;
  if (score > 0.0f)
    scratch.weights[number] = static_cast<std::uint32_t>(score * weight_of_one + 0.5f);
}

/** \brief The largest weight of a tensor's hypotheses that agree with a pose. */
PCL_GPU_HOST_DEVICE std::uint32_t
agreeingWeight(const RecognitionTask& task,
               const RecognitionScratch& scratch,
               const ModelPose& pose,
               int tensor)
{
  std::uint32_t weight = 0;
  for (int i = tensor * task.match_count; i < (tensor + 1) * task.match_count; ++i)
    if (scratch.weights[i] > weight &&
        areNear(scratch.poses[i], pose, task.parameters.group[0]))
      weight = scratch.weights[i];
  return weight;
}

/** \brief Returns whether hypothesis \a a has more support than \a b, of equal ones the
 * first. */
PCL_GPU_HOST_DEVICE bool
hasMoreSupport(const RecognitionScratch& scratch, int a, int b)
{
  return scratch.support[a] > scratch.support[b] ||
         (scratch.support[a] == scratch.support[b] && a < b);
}

/** \brief Returns whether a hypothesis keeps another one from being a peak. */
PCL_GPU_HOST_DEVICE bool
overshadows(const RecognitionTask& task,
            const RecognitionScratch& scratch,
            int other,
            int hypothesis)
{
  return scratch.poses[other].model >= 0 &&
         hasMoreSupport(scratch, other, hypothesis) &&
         areNear(
             scratch.poses[other], scratch.poses[hypothesis], task.parameters.group[0]);
}

/** \brief The weighted mean of the hypotheses near a pose; false if they are too few.
 *
 * Quaternions are turned to the side of the pose's own and added up: for rotations
 * within some 15 degrees that is their mean (Gramkow 2001).
 */
template <typename Group>
PCL_GPU_HOST_DEVICE bool
meanOfNear(const Group& group,
           const RecognitionTask& task,
           const RecognitionScratch& scratch,
           const PoseRadius& radius,
           int least_count,
           ModelPose& pose)
{
  // Quaternion, centre relative to the pose's, weight, number.
  float sums[9] = {};
  const Vector3 at = vectorOf(pose.center);
  for (int i = group.rank(); i < task.hypotheses(); i += group.size()) {
    const ModelPose& other = scratch.poses[i];
    if (scratch.weights[i] == 0 || !areNear(other, pose, radius))
      continue;
    const float score = static_cast<float>(scratch.weights[i]) / weight_of_one;
    const float weight = score * score;
    const float side = dot(other.rotation, pose.rotation) < 0.0f ? -weight : weight;
    sums[0] += side * other.rotation.x;
    sums[1] += side * other.rotation.y;
    sums[2] += side * other.rotation.z;
    sums[3] += side * other.rotation.w;
    const Vector3 apart = vectorOf(other.center) - at;
    sums[4] += weight * apart.x;
    sums[5] += weight * apart.y;
    sums[6] += weight * apart.z;
    sums[7] += weight;
    sums[8] += 1.0f;
  }
  group.sum(sums);
  if (sums[8] < static_cast<float>(least_count) || !(sums[7] > 0.0f))
    return false;
  pose.rotation = normalized({sums[0], sums[1], sums[2], sums[3]});
  const float scale = 1.0f / sums[7];
  for (int i = 0; i < 3; ++i)
    pose.center[i] += scale * sums[4 + i];
  return true;
}

/** \brief The pose that a peak and the hypotheses near it agree on: their mean, and
 * then means of those that are nearer to it (mean shift, Comaniciu and Meer 2002). */
template <typename Group>
PCL_GPU_HOST_DEVICE ModelPose
groupedPose(const Group& group,
            const RecognitionTask& task,
            const RecognitionScratch& scratch,
            const ModelPose& peak)
{
  ModelPose pose = peak;
  meanOfNear(group, task, scratch, task.parameters.group[0], 1, pose);
  for (int i = 1; i <= mean_shifts; ++i)
    if (!meanOfNear(group, task, scratch, task.parameters.group[i], 3, pose))
      break;
  return pose;
}

} // namespace pcl::device
