// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/particles.h"
#include "filter/random.hpp"
#include "kinematics/ball_joint.hpp"

#include <cmath>

namespace pcl::device {

PCL_GPU_HOST_DEVICE bool
isInfinite(float value)
{
  return fabsf(value) > 3.40282347e38f;
}

/** \brief Returns an angle within limits, reflected at each limit that it crosses. */
PCL_GPU_HOST_DEVICE float
reflectedAngle(float angle, float lower, float upper)
{
  const float width = upper - lower;
  if (width <= 0.0f)
    return lower;
  if (isInfinite(width)) {
    if (angle < lower)
      return lower + (lower - angle);
    if (angle > upper)
      return upper - (angle - upper);
    return angle;
  }
  if (angle >= lower && angle <= upper)
    return angle;
  float beyond = angle - lower;
  beyond = beyond - floorf(beyond / (2.0f * width)) * (2.0f * width);
  beyond = beyond > width ? 2.0f * width - beyond : beyond;
  return fminf(fmaxf(lower + beyond, lower), upper);
}

/** \brief Returns whether all values of an angle that differ by whole turns are the
 * same pose. */
PCL_GPU_HOST_DEVICE bool
isUnlimited(float lower, float upper)
{
  return isInfinite(lower) && isInfinite(upper);
}

/** \brief Returns whether an angle is only a place on the circle. With limits less than
 * a turn apart it is a number. */
PCL_GPU_HOST_DEVICE bool
isCircular(const PoseSpace& space, int angle)
{
  return !(space.upper[angle] - space.lower[angle] <= 2.0f * pi);
}

/** \brief A rotation of a pose: the root's, which is number 0, or that of a ball
 * joint. */
struct PoseRotation {
  int number;
  int place;   ///< of its first number in the pose
  int size;    ///< count of its numbers in the pose
  int freedom; ///< the first of its three degrees of freedom
  float side;  ///< handedness of the axes of these

  PCL_GPU_HOST_DEVICE
  PoseRotation(const PoseSpace& space, int rotation)
  : number(rotation)
  , place(rotation == 0 ? 3 : root_size + space.ball_starts[rotation - 1])
  , size(rotation == 0 ? 4 : 3)
  , freedom(rotation == 0 ? 3 : root_freedoms + space.ball_starts[rotation - 1])
  , side(rotation == 0 ? 1.0f : space.ball_sides[rotation - 1])
  {}

  /** \brief Returns the rotation in a pose. */
  PCL_GPU_HOST_DEVICE Quaternion
  in(const float* pose) const
  {
    const float* const from = pose + place;
    return number == 0 ? Quaternion{from[0], from[1], from[2], from[3]}
                       : ballRotation(from, side);
  }

  /** \brief Writes the rotation into a pose.
   * \param[in] q of unit length
   * \param[in] near a pose with angles close to the result
   * \param[out] pose its numbers are written
   */
  PCL_GPU_HOST_DEVICE void
  store(const Quaternion& q, const float* near, float* pose) const
  {
    float* const to = pose + place;
    if (number != 0)
      return ballAngles(q, side, near + place, to);
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
  }
};

/** \brief Returns the pose that a particle starts from. */
PCL_GPU_HOST_DEVICE const float*
startOf(const MoveTask& task, std::uint32_t particle)
{
  return task.proposal && (particle + 1) % task.proposal_step == 0
             ? task.proposal
             : task.start + particle * task.start_step;
}

/** \brief The motion of a particle's part, and its velocity. */
class PartMotion {
public:
  PCL_GPU_HOST_DEVICE
  PartMotion(const MoveTask& task, std::uint32_t particle, int part)
  : start(startOf(task, particle))
  , task_(task)
  , particle_(particle)
  {
    const std::uint32_t frame = task.particles.state->frame;
    if (task.from_spread) {
      // All parts of the particle have the same two: correlations stay.
      const RandomBits bits =
          randomBits(task.seed, particle, pair_dimension, frame, task.layer);
      one_ = anyStart(bits.v[0]);
      other_ = anyStart(bits.v[1]);
    }
    else
      normal_ =
          normalDeviates(randomBits(task.seed, particle, part, frame, task.layer));
  }

  /** \brief Returns the step of a number of the pose that is no rotation.
   * \param[in] place of the number
   * \param[in] freedom its degree of freedom
   * \param[in] number of the freedom in the part
   */
  PCL_GPU_HOST_DEVICE float
  step(int place, int freedom, int number) const
  {
    if (!task_.from_spread)
      return randomStep(freedom, number);
    const float* const mean = task_.particles.mean;
    return scale(freedom) * (task_.pull * difference(start, mean, place) +
                             task_.noise * difference(one_, other_, place));
  }

  /** \brief Returns the step of a rotation of the pose: a rotation vector in its own
   * frame. */
  PCL_GPU_HOST_DEVICE Vector3
  turn(const PoseRotation& rotation) const
  {
    const int freedom = rotation.freedom;
    if (!task_.from_spread)
      return rotation.side * Vector3{randomStep(freedom, 0),
                                     randomStep(freedom + 1, 1),
                                     randomStep(freedom + 2, 2)};
    if (scale(freedom) == 0.0f)
      return {0.0f, 0.0f, 0.0f};
    return task_.pull * turnBetween(start, task_.particles.mean, rotation) +
           task_.noise * turnBetween(one_, other_, rotation);
  }

  PCL_GPU_HOST_DEVICE void
  keepVelocity(int freedom, float step) const
  {
    const Particles& particles = task_.particles;
    if (!particles.velocities)
      return;
    const std::size_t place = velocityPlace(freedom);
    const float former = task_.first ? 0.0f : particles.former_velocities[place];
    particles.velocities[place] = former + step / task_.time_step;
  }

  const float* const start; ///< the former pose

private:
  PCL_GPU_HOST_DEVICE const float*
  anyStart(std::uint32_t bits) const
  {
    const std::uint64_t count = task_.particles.count;
    return task_.start + (bits * count >> 32) * task_.start_step;
  }

  PCL_GPU_HOST_DEVICE float
  scale(int freedom) const
  {
    return task_.scales ? task_.scales[freedom] : 1.0f;
  }

  PCL_GPU_HOST_DEVICE float
  randomStep(int freedom, int number) const
  {
    // Neighbours often have the same ancestor: it moves both ways.
    const float noise = particle_ % 4 == 3 ? task_.wide_noise : task_.noise;
    const Particles& particles = task_.particles;
    float way =
        noise * scale(freedom) * task_.deviations[freedom] * normal_.value[number];
    if (particles.velocities && task_.drift != 0.0f)
      way = way + task_.drift * particles.former_velocities[velocityPlace(freedom)];
    if (task_.rest && freedom >= root_freedoms) {
      const int place = root_size + freedom - root_freedoms;
      way = way +
            scale(freedom) * task_.rest_share * difference(start, task_.rest, place);
    }
    return way;
  }

  PCL_GPU_HOST_DEVICE float
  difference(const float* from, const float* to, int place) const
  {
    const float way = to[place] - from[place];
    const bool wraps =
        place >= root_size && isCircular(task_.particles.space, place - root_size);
    return wraps ? wrappedAngle(way) : way;
  }

  PCL_GPU_HOST_DEVICE Vector3
  turnBetween(const float* from, const float* to, const PoseRotation& rotation) const
  {
    double vector[3];
    rotationVector(rotation.in(from), rotation.in(to), vector);
    return {static_cast<float>(vector[0]),
            static_cast<float>(vector[1]),
            static_cast<float>(vector[2])};
  }

  PCL_GPU_HOST_DEVICE std::size_t
  velocityPlace(int freedom) const
  {
    const std::size_t freedoms = task_.particles.space.freedoms();
    return particle_ * freedoms + freedom;
  }

  const MoveTask& task_;
  const std::uint32_t particle_;
  const float* one_ = nullptr;   ///< the pose of another particle
  const float* other_ = nullptr; ///< that of a third particle
  NormalDeviates normal_ = {};
};

/** \brief Moves the root's position. */
PCL_GPU_HOST_DEVICE void
movePosition(const PartMotion& way, float* pose)
{
  for (int axis = 0; axis < 3; ++axis) {
    const float step = way.step(axis, axis, axis);
    pose[axis] = way.start[axis] + step;
    way.keepVelocity(axis, step);
  }
}

/** \brief Turns the root or a ball joint. */
PCL_GPU_HOST_DEVICE void
moveRotation(const PartMotion& way, const PoseRotation& rotation, float* pose)
{
  const float* const start = way.start;
  const Vector3 step = way.turn(rotation);
  if (dot(step, step) > 0.0f)
    rotation.store(normalized(rotation.in(start)*rotationAbout(step)), start, pose);
  else
    for (int i = rotation.place; i < rotation.place + rotation.size; ++i)
      pose[i] = start[i];
  const Vector3 turn = rotation.side * step;
  way.keepVelocity(rotation.freedom, turn.x);
  way.keepVelocity(rotation.freedom + 1, turn.y);
  way.keepVelocity(rotation.freedom + 2, turn.z);
}

PCL_GPU_HOST_DEVICE void
moveAngle(
    const PartMotion& way, const PoseSpace& space, int angle, int number, float* pose)
{
  const int freedom = root_freedoms + angle, place = root_size + angle;
  const float lower = space.lower[angle], upper = space.upper[angle];
  const float from = way.start[place];
  const float to =
      reflectedAngle(from + way.step(place, freedom, number), lower, upper);
  pose[place] = isUnlimited(lower, upper) ? wrappedAngle(to) : to;
  way.keepVelocity(freedom, to - from);
}

/** \brief Moves one part of one particle from its start. */
PCL_GPU_HOST_DEVICE void
movePart(const MoveTask& task, std::uint32_t particle, int part)
{
  const PoseSpace& space = task.particles.space;
  float* const pose = task.particles.pose(particle);
  const PartMotion way(task, particle, part);
  if (part == 0)
    return movePosition(way, pose);
  if (part == 1)
    return moveRotation(way, PoseRotation(space, 0), pose);
  const int first = space.part_starts[part - 2], last = space.part_starts[part - 1];
  if (space.ball_numbers[first] >= 0)
    return moveRotation(way, PoseRotation(space, 1 + space.ball_numbers[first]), pose);
  for (int angle = first; angle < last; ++angle)
    moveAngle(way, space, angle, angle - first, pose);
}

} // namespace pcl::device
