// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/pose_refinement.hpp"
#include "registration/overlap_evidence.hpp"

// Matches of tensors become poses of the source in the target's frame, of which fewer
// and fewer are looked at more and more closely. See model_pose.hpp for groups.

namespace pcl::device {

/** \brief Moves the source to the target's surface: the iterative closest point method,
 * from points to planes. */
template <typename Group>
PCL_GPU_HOST_DEVICE void
moveToSurface(const Group& group,
              const RegistrationTask& task,
              const RefinementRounds& rounds,
              ModelPose& pose)
{
  const int count =
      task.source.count < rounds.points ? task.source.count : rounds.points;
  iteratePose(group, rounds, pose, [&](int round, MotionEquations& equations) {
    const Matrix3 rotation = matrixOf(pose.rotation);
    const float gate = rounds.gates[round];
    for (int i = group.rank(); i < count; i += group.size()) {
      const SurfacePoint point = posedPoint(task.source, pose, rotation, i);
      SurfaceNeighbor neighbor;
      if (!findNeighbor(task.target, point, task.overlap.is_oriented, neighbor) ||
          fabsf(neighbor.distance) > gate || neighbor.cosine < rounds.cosines[round])
        continue;
      const float inside = 1.0f - neighbor.distance * neighbor.distance / (gate * gate);
      equations.add(point.position - vectorOf(pose.center),
                    neighbor.normal,
                    -neighbor.distance,
                    inside * inside);
    }
  });
}

/** \brief Makes the hypothesis of one match, and ranks it by a few points. */
template <typename Group>
PCL_GPU_HOST_DEVICE RankedPose
rankedHypothesis(const Group& group, const RegistrationTask& task, int number)
{
  constexpr int points = 200;
  const gpu::TensorMatch match = task.matches[number];
  RankedPose hypothesis{};
  hypothesis.pose.model = -1;
  if (match.tensor < 0)
    return hypothesis;
  hypothesis.pose = alignedPose(task.target_frames[match.tensor],
                                task.frames[number / task.match_count],
                                0,
                                task.source.center);
  // It is not yet where it belongs.
  OverlapParameters overlap = task.overlap;
  overlap.tolerance *= 2.0f;
  overlap.min_cosine -= 0.1f;
  hypothesis.rank =
      gatherOverlap(group, task.source, task.target, overlap, hypothesis.pose, points)
          .overlap();
  return hypothesis;
}

/** \brief Moves a hypothesis to the target, and ranks it again. */
template <typename Group>
PCL_GPU_HOST_DEVICE RankedPose
capturedPose(const Group& group, const RegistrationTask& task, RankedPose hypothesis)
{
  constexpr int points = 600;
  moveToSurface(group, task, task.capture, hypothesis.pose);
  const OverlapEvidence evidence = gatherOverlap(
      group, task.source, task.target, task.overlap, hypothesis.pose, points);
  hypothesis.rank = evidence.overlap() * evidence.fit();
  return hypothesis;
}

/** \brief Returns the largest score of a tensor's matches that agree with a pose. */
PCL_GPU_HOST_DEVICE float
agreeingScore(const RegistrationTask& task,
              const ModelPose& pose,
              const Matrix3& rotation,
              int tensor)
{
  constexpr float least_cosine = 0.92f;
  const gpu::TensorFrame& frame = task.frames[tensor];
  const Vector3 origin =
      vectorOf(pose.center) +
      rotation * (vectorOf(frame.origin) - vectorOf(task.source.center));
  const Vector3 x = rotation * vectorOf(frame.x_axis);
  const Vector3 z = rotation * vectorOf(frame.z_axis);
  float score = 0.0f;
  for (int i = tensor * task.match_count; i < (tensor + 1) * task.match_count; ++i) {
    const gpu::TensorMatch match = task.matches[i];
    if (match.tensor < 0)
      continue;
    const gpu::TensorFrame& other = task.target_frames[match.tensor];
    const Vector3 apart = origin - vectorOf(other.origin);
    if (dot(apart, apart) < task.support_distance * task.support_distance &&
        dot(x, vectorOf(other.x_axis)) > least_cosine &&
        dot(z, vectorOf(other.z_axis)) > least_cosine)
      score = fmaxf(score, match.correlation * match.overlap);
  }
  return score;
}

/** \brief Returns the mean over the source's tensors of the best score among their
 * matches that agree with a pose. */
template <typename Group>
PCL_GPU_HOST_DEVICE float
supportOf(const Group& group, const RegistrationTask& task, const ModelPose& pose)
{
  const Matrix3 rotation = matrixOf(pose.rotation);
  float support[1] = {};
  for (int tensor = group.rank(); tensor < task.tensors; tensor += group.size())
    support[0] += agreeingScore(task, pose, rotation, tensor);
  group.sum(support);
  return task.tensors > 0 ? support[0] / static_cast<float>(task.tensors) : 0.0f;
}

/** \brief Returns the second eigenvalue of a symmetric matrix (Smith 1961).
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

/** \brief Returns the spread of the normals of inliers: the second eigenvalue of the
 * mean of n n^T, 0 if all are one, at most 1/2. */
PCL_GPU_HOST_DEVICE float
spreadOf(const OverlapEvidence& evidence)
{
  using E = OverlapEvidence;
  if (!(evidence.sums[E::Inliers] > 0.0f))
    return 0.0f;
  float mean[6];
  for (int i = 0; i < 6; ++i)
    mean[i] = evidence.sums[E::Normals + i] / evidence.sums[E::Inliers];
  return fmaxf(secondEigenvalue(mean), 0.0f);
}

/** \brief Moves a pose to its place, and judges it both ways. */
template <typename Group>
PCL_GPU_HOST_DEVICE JudgedPose
judgedPose(const Group& group, const RegistrationTask& task, ModelPose pose)
{
  constexpr int points = 3000;
  using E = OverlapEvidence;
  moveToSurface(group, task, task.refinement, pose);
  const OverlapEvidence forward =
      gatherOverlap(group, task.source, task.target, task.overlap, pose, points);
  const OverlapEvidence backward =
      gatherOverlap(group,
                    task.target,
                    task.source,
                    task.overlap,
                    inversePose(pose, task.source, task.target),
                    points);
  JudgedPose judged{};
  judged.pose = pose;
  judged.overlap = 0.5f * (forward.overlap() + backward.overlap());
  // Small planes of nearly one direction fit in many places.
  constexpr float usual_spread = 0.15f;
  const float spread = fminf(spreadOf(forward), spreadOf(backward));
  const float squared_overlap = judged.overlap * judged.overlap;
  const float evidence =
      fminf(sqrtf(spread / usual_spread) + squared_overlap * squared_overlap, 1.0f);
  judged.fit = evidence * sqrtf(forward.fit() * backward.fit());
  judged.support = supportOf(group, task, pose);
  judged.inliers =
      static_cast<int>(fminf(forward.sums[E::Inliers], backward.sums[E::Inliers]));
  return judged;
}

} // namespace pcl::device
