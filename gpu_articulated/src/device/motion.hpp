// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "particles.h"
#include "random.hpp"
#include "rotation.hpp"

#include <cmath>

namespace pcl {
namespace device {

constexpr int angles_per_part = 4;

/** \brief A pose moves in parts, each with random numbers of its own: position, turn, then
 * every four angles. */
PCL_GPU_HOST_DEVICE int
partsOf(const PoseSpace& space)
{
  return 2 + (space.angles + angles_per_part - 1) / angles_per_part;
}

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

PCL_GPU_HOST_DEVICE float
wrappedAngle(float angle)
{
  if (fabsf(angle) <= pi)
    return angle;
  const float turns = floorf(angle * (0.5f / pi) + 0.5f);
  return (angle - turns * 6.28125f) - turns * 1.93530718e-3f;
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

private:
  PCL_GPU_HOST_DEVICE std::size_t
  velocityPlace(int freedom) const
  {
    return static_cast<std::size_t>(particle) * particles.space.freedoms() + freedom;
  }
};

/** \brief Moves one part of one particle from its start. */
PCL_GPU_HOST_DEVICE void
movePart(const Particles& particles,
         const MotionTask& motion,
         std::uint32_t particle,
         int part)
{
  const std::size_t row = particle;
  const float* const start = motion.start + row * motion.start_step;
  float* const pose = particles.poses + row * particles.space.size();
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
    const Vector3 step = {way.step(3, 0), way.step(4, 1), way.step(5, 2)};
    const Quaternion former = {start[3], start[4], start[5], start[6]};
    const Quaternion turned = normalized(former * rotationAbout(step));
    pose[3] = turned.w;
    pose[4] = turned.x;
    pose[5] = turned.y;
    pose[6] = turned.z;
    way.keepVelocity(3, step.x);
    way.keepVelocity(4, step.y);
    way.keepVelocity(5, step.z);
    return;
  }
  const int first = (part - 2) * angles_per_part;
  for (int i = 0; i < angles_per_part && first + i < particles.space.angles; ++i) {
    const int angle = first + i;
    const float lower = particles.space.lower[angle];
    const float upper = particles.space.upper[angle];
    const float from = start[root_size + angle];
    const float to =
        reflectedAngle(from + way.step(root_freedoms + angle, i), lower, upper);
    pose[root_size + angle] = isUnlimited(lower, upper) ? wrappedAngle(to) : to;
    way.keepVelocity(root_freedoms + angle, to - from);
  }
}

} // namespace device
} // namespace pcl
