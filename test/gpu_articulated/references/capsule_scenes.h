// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsule_reference.h"

#include <cstdint>
#include <vector>

namespace pcl::gpu::test {

/** \brief Difficulties of a random scene. */
enum class SceneKind {
  Room, ///< capsules of all shapes at some metres
  Body, ///< a person of 48 capsules before a wall
  Grid, ///< small whole numbers: rays touch, run along axes, start and end on surfaces
  Far,  ///< a room a kilometre from the origin
  Scales,  ///< radii and lengths from 0.1 mm to 1 km
  Inside,  ///< the viewpoint is within capsules
  Near,    ///< points nearer to the viewpoint than tau, or all of the scene
  Towards, ///< capsules that point at the viewpoint, all but exactly or exactly
  Thin,    ///< capsules of a fraction of a millimetre, and rays at their axes
  Broken   ///< much of it not finite, negative or double
};

constexpr int scene_kinds = 10;

const char*
nameOf(SceneKind kind);

/** \brief A scene with 1 to 2000 points, 1 to 200 capsules and some samples. Each of
 * them has some of all special cases in it: points that are not finite, at the
 * viewpoint, twice there, at the ends of axes, and on surfaces; spheres, segments, and
 * capsules that do not exist; and, every second scene, weights, some of them bad.
 * \param[in] kind of the scene
 * \param[in] seed the same seed gives the same scene
 * \param[in] two_radii capsules have a radius at each end
 */
CapsuleScene
randomScene(SceneKind kind, std::uint32_t seed, bool two_radii = false);

/** \brief A person at 3 m before a wall, as a depth camera sees it.
 * \param[in] points number of points
 * \param[in] on_body share of them on the body
 * \param[in] samples number of samples: the first is the truth
 * \param[in] spread of the others' angles, radians
 * \param[in] seed the same seed gives the same scene
 */
CapsuleScene
bodyScene(std::size_t points,
          float on_body,
          std::size_t samples,
          float spread,
          std::uint32_t seed);

/** \brief A point on the ray towards a goal, a distance behind the first capsule of the
 * first sample that it meets; the goal itself if it meets none. */
PointXYZ
pointSeen(const CapsuleScene& scene, const Eigen::Vector3f& goal, float distance);

/** \brief The capsules of a scene whose radii are equal at both ends. */
std::vector<Capsule>
plainCapsules(const CapsuleScene& scene);

} // namespace pcl::gpu::test
