// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/model_pose.hpp"

namespace pcl::device {

/** \brief Normal equations of the small motion that brings points to planes: the upper
 * triangle of the matrix row by row, the right side, and the number of points. */
struct MotionEquations {
  static constexpr int right_side = 21;
  static constexpr int count = 27;
  float sums[28] = {};

  /** \param[in] arm from the centre of the rotation to the point
   * \param[in] normal of the plane
   * \param[in] distance from the point to the plane along the normal
   * \param[in] weight of the point
   */
  PCL_GPU_HOST_DEVICE void
  add(const Vector3& arm, const Vector3& normal, float distance, float weight)
  {
    const Vector3 moment = cross(arm, normal);
    const float row[6] = {moment.x, moment.y, moment.z, normal.x, normal.y, normal.z};
    int place = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j)
        sums[place++] += weight * row[i] * row[j];
    for (int i = 0; i < 6; ++i)
      sums[right_side + i] += weight * row[i] * distance;
    sums[count] += 1.0f;
  }

  /** \brief Solves them by Cholesky's method, in double precision as surfaces of
   * revolution leave a turn nearly free.
   * \param[out] motion rotation vector, then translation
   * \return whether there is a solution
   */
  PCL_GPU_HOST_DEVICE bool
  solve(float (&motion)[6]) const
  {
    // Keeps motions that the points do not determine at zero. The damping is some 0.3 %
    // of the equations of three planes.
    const double damping = 1e-3 * sums[count];
    double l[6][6];
    int place = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j)
        l[j][i] = sums[place++];
    for (int i = 0; i < 6; ++i)
      l[i][i] += i < 3 ? 1e-3 * damping : damping;
    double x[6], inverse[6]; // of the diagonal of l
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < i; ++j) {
        for (int k = 0; k < j; ++k)
          l[i][j] -= l[i][k] * l[j][k];
        l[i][j] *= inverse[j];
      }
      double rest = l[i][i];
      for (int k = 0; k < i; ++k)
        rest -= l[i][k] * l[i][k];
      if (!(rest > 0.0))
        return false;
      inverse[i] = 1.0 / sqrt(rest);
      x[i] = sums[right_side + i];
      for (int k = 0; k < i; ++k)
        x[i] -= l[i][k] * x[k];
      x[i] *= inverse[i];
    }
    for (int i = 5; i >= 0; --i) {
      for (int k = i + 1; k < 6; ++k)
        x[i] -= l[k][i] * x[k];
      x[i] *= inverse[i];
      motion[i] = static_cast<float>(x[i]);
    }
    return true;
  }
};

/** \brief The point of the scene in a model point's pixel. */
struct PointPartner : SurfacePoint {
  float distance; ///< from the point to the partner's plane, along its normal
  float weight;   ///< Tukey's
};

/** \brief Finds the partner of a point; false if nothing is seen there that is near
 * enough and faces the same way. */
PCL_GPU_HOST_DEVICE bool
findPartner(const CameraCloud& scene,
            const SurfacePoint& point,
            float gate,
            float min_cosine,
            PointPartner& partner)
{
  if (!point.facesCamera() || !findSeen(scene, point.position, partner))
    return false;
  const Vector3 apart = partner.position - point.position;
  partner.distance = dot(partner.normal, apart);
  if (dot(apart, apart) > 2.0f * gate * gate || fabsf(partner.distance) > gate ||
      dot(partner.normal, point.normal) < min_cosine)
    return false;
  const float inside = 1.0f - partner.distance * partner.distance / (gate * gate);
  partner.weight = inside * inside;
  return true;
}

PCL_GPU_HOST_DEVICE void
move(const float (&motion)[6], ModelPose& pose)
{
  constexpr float longest_turn = 0.2f;
  Vector3 turn = {motion[0], motion[1], motion[2]};
  const float angle = sqrtf(dot(turn, turn));
  const float scale = angle > longest_turn ? longest_turn / angle : 1.0f;
  turn = scale * turn;
  pose.rotation = normalized(product(rotationAbout(turn), pose.rotation));
  for (int i = 0; i < 3; ++i)
    pose.center[i] += scale * motion[3 + i];
}

/** \brief Moves a pose by the equations of each round in turn.
 * \param[in,out] pose is moved
 * \param[in] add adds the points of a round to its equations: add(round, equations)
 */
template <typename Group, typename Add>
PCL_GPU_HOST_DEVICE void
iteratePose(const Group& group,
            const RefinementRounds& rounds,
            ModelPose& pose,
            const Add& add)
{
  constexpr float least_points = 20.0f;
  for (int round = 0; round < rounds.rounds; ++round) {
    MotionEquations equations;
    add(round, equations);
    group.sum(equations.sums);
    float motion[6];
    if (equations.sums[MotionEquations::count] < least_points ||
        !equations.solve(motion))
      return;
    move(motion, pose);
  }
}

/** \brief Moves a model to the surface of the scene: the iterative closest point
 * method, from points to planes, with the point that is seen in the same pixel for the
 * closest one (Blais and Levine 1995). */
template <typename Group>
PCL_GPU_HOST_DEVICE void
refinePose(const Group& group,
           const RefinementInput& input,
           const RefinementRounds& rounds,
           ModelPose& pose)
{
  iteratePose(group, rounds, pose, [&](int round, MotionEquations& equations) {
    const VisiblePoints visible = visiblePoints(group, input.surfaces, pose);
    const Matrix3 rotation = matrixOf(pose.rotation);
    const int count = visible.count < rounds.points ? visible.count : rounds.points;
    for (int i = group.rank(); i < count; i += group.size()) {
      const SurfacePoint point =
          posedPoint(input.surfaces, pose, rotation, visible.numbers[i]);
      PointPartner partner;
      if (findPartner(
              input.scene, point, rounds.gates[round], rounds.cosines[round], partner))
        equations.add(point.position - vectorOf(pose.center),
                      partner.normal,
                      partner.distance,
                      partner.weight);
    }
  });
}

} // namespace pcl::device
