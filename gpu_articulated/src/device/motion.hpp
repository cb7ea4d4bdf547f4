// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "ball_joint.hpp"
#include "particles.h"
#include "random.hpp"

#include <cmath>

namespace pcl {
namespace device {

PCL_GPU_HOST_DEVICE bool
isInfinite(float value)
{
  return fabsf(value) > 3.40282347e38f;
}

/** \brief An angle within limits, thrown back from a limit as often as it is beyond. */
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

/** \brief Whether all values of an angle that differ by whole turns are the same pose. */
PCL_GPU_HOST_DEVICE bool
isUnlimited(float lower, float upper)
{
  return isInfinite(lower) && isInfinite(upper);
}

/** \brief Where the particle's part goes, and how fast it went there. */
struct PartMotion {
  const Particles& particles;
  const MotionTask& motion;
  std::uint32_t particle;
  NormalDeviates normal;

  /** \brief How far a degree of freedom moves. */
  PCL_GPU_HOST_DEVICE float
  step(int freedom, int number) const
  {
    const float scale = motion.scales ? motion.scales[freedom] : 1.0f;
    // Neighbours often have the same ancestor: it moves both ways.
    const float noise = particle % 4 == 3 ? motion.wide_noise : motion.noise;
    float way = noise * scale * motion.deviations[freedom] * normal.value[number];
    if (particles.velocities && motion.drift != 0.0f)
      way = way + motion.drift * particles.former_velocities[velocityPlace(freedom)];
    return way;
  }

  PCL_GPU_HOST_DEVICE void
  keepVelocity(int freedom, float step) const
  {
    if (!particles.velocities)
      return;
    const std::size_t place = velocityPlace(freedom);
    const float former = motion.first ? 0.0f : particles.former_velocities[place];
    particles.velocities[place] = former + step / motion.time_step;
  }

  /** \brief How far a rotation moves: three degrees of freedom. */
  PCL_GPU_HOST_DEVICE Vector3
  turn(int first_freedom) const
  {
    float steps[3];
    for (int axis = 0; axis < 3; ++axis) {
      steps[axis] = step(first_freedom + axis, axis);
      keepVelocity(first_freedom + axis, steps[axis]);
    }
    return {steps[0], steps[1], steps[2]};
  }

private:
  PCL_GPU_HOST_DEVICE std::size_t
  velocityPlace(int freedom) const
  {
    return static_cast<std::size_t>(particle) * particles.space.freedoms() + freedom;
  }
};

/** \brief Moves one part of one particle from its start: the position, the turn, a ball
 * joint, or some angles. */
PCL_GPU_HOST_DEVICE void
movePart(const Particles& particles,
         const MotionTask& motion,
         std::uint32_t particle,
         int part)
{
  const PoseSpace& space = particles.space;
  const std::size_t row = particle;
  const float* const start = motion.start + row * motion.start_step;
  float* const pose = particles.poses + row * space.size();
  const RandomBits bits =
      randomBits(motion.seed, particle, part, particles.state->frame, motion.layer);
  const PartMotion way = {particles, motion, particle, normalDeviates(bits)};
  if (part == 0) {
    for (int axis = 0; axis < 3; ++axis) {
      const float step = way.step(axis, axis);
      pose[axis] = start[axis] + step;
      way.keepVelocity(axis, step);
    }
    return;
  }
  if (part == 1) {
    const Vector3 step = way.turn(3);
    const Quaternion former = {start[3], start[4], start[5], start[6]};
    const Quaternion turned = normalized(former * rotationAbout(step));
    pose[3] = turned.w;
    pose[4] = turned.x;
    pose[5] = turned.y;
    pose[6] = turned.z;
    return;
  }
  const int first = space.part_starts[part - 2], last = space.part_starts[part - 1];
  const float* const from = start + root_size;
  float* const to = pose + root_size;
  const int ball = space.ball_numbers[first];
  if (ball >= 0) {
    const float side = space.ball_sides[ball];
    const Vector3 step = side * way.turn(root_freedoms + first);
    if (dot(step, step) > 0.0f)
      ballAngles(ballRotation(from + first, side) * rotationAbout(step),
                 side,
                 from + first,
                 to + first);
    else
      for (int angle = first; angle < last; ++angle)
        to[angle] = from[angle];
    return;
  }
  for (int angle = first; angle < last; ++angle) {
    const float lower = space.lower[angle], upper = space.upper[angle];
    const float step = way.step(root_freedoms + angle, angle - first);
    const float moved = reflectedAngle(from[angle] + step, lower, upper);
    to[angle] = isUnlimited(lower, upper) ? wrappedAngle(moved) : moved;
    way.keepVelocity(root_freedoms + angle, moved - from[angle]);
  }
}

} // namespace device
} // namespace pcl
