// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsule_reference.h"
#include "common/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

/** \file
 * \brief Random numbers and random capsules that the scenes are made of.
 */

namespace pcl::gpu::test {

using Random = std::mt19937;

float
uniform(Random& random, float low, float high);

float
logUniform(Random& random, float low, float high);

/** \brief From 1 to \a most, small ones as often as large ones. */
int
logUniformCount(Random& random, int most);

bool
chance(Random& random, float probability);

template <std::size_t N>
float
oneOf(Random& random, const float (&values)[N])
{
  return values[random() % N];
}

Eigen::Vector3f
randomVector(Random& random, float range);

/** \brief A small whole number of quarters for each coordinate: double precision
 * does not round their products. */
Eigen::Vector3f
gridVector(Random& random, int range);

TaperedCapsule
capsuleOf(const Eigen::Vector3f& a, const Eigen::Vector3f& b, float radius);

Eigen::Vector3f
endOf(const TaperedCapsule& capsule, bool second);

/** \brief Subject of a kind of scene; the special cases are added to it. */
struct Setting {
  Eigen::Vector3f center;
  float range; ///< of the capsules and points around it
  TaperedCapsule (*makeCapsule)(const Setting&,
                                const Eigen::Vector3f& viewpoint,
                                Random&);
};

Eigen::Vector3f
within(const Setting& setting, Random& random);

/** \brief Of any shape. */
TaperedCapsule
roomCapsule(const Setting& setting, const Eigen::Vector3f& viewpoint, Random& random);

/** \brief Of quarters; half of them along coordinate axes. */
TaperedCapsule
gridCapsule(const Setting& setting, const Eigen::Vector3f& viewpoint, Random& random);

/** \brief From 0.1 mm to 1 km; its surface goes through the scene. */
TaperedCapsule
capsuleOfAnyScale(const Setting& setting,
                  const Eigen::Vector3f& viewpoint,
                  Random& random);

/** \brief Most of them have the viewpoint inside. */
TaperedCapsule
capsuleAroundViewpoint(const Setting& setting,
                       const Eigen::Vector3f& viewpoint,
                       Random& random);

/** \brief Its axis goes through the viewpoint, or almost. */
TaperedCapsule
capsuleTowardsViewpoint(const Setting& setting,
                        const Eigen::Vector3f& viewpoint,
                        Random& random);

/** \brief From 0.1 micrometres to 1 mm thick, and some centimetres or metres long. */
TaperedCapsule
thinCapsule(const Setting& setting, const Eigen::Vector3f& viewpoint, Random& random);

/** \brief Makes it a sphere or a segment, puts it behind the viewpoint, makes it the
 * double of another, or one that does not exist. */
void
makeSpecial(const CapsuleScene& scene, TaperedCapsule& capsule, Random& random);

/** \brief Changes its second radius, mostly.
 * \param[in] whole true for quarters only
 */
void
giveTwoRadii(bool whole, TaperedCapsule& capsule, Random& random);

} // namespace pcl::gpu::test
