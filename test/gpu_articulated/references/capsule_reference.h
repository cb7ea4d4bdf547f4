// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/articulated/capsule_likelihood.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstddef>
#include <vector>

/** \file
 * \brief Equations 2 to 12 of Friborg et al. 2010 by brute force, in extended
 * precision.
 *
 * A ray and a solid that is convex have an interval of ray lengths in common. The
 * interval of a capsule is found here from those of its parts, two balls and the solid
 * between them, and not by choosing among roots; castByBisection() finds it from
 * nothing but the distance to the solid.
 */

namespace pcl::gpu::test {

/** \brief The place at which a ray crosses the surface of a capsule. */
struct ReferenceHit {
  bool exists = false;
  long double length = 0; ///< Delta_min
  long double offset = 0; ///< Delta_min - Delta: distance behind the point, metres
  /** \brief True if the ray so nearly touches, or starts so near to the surface, that
   * double precision cannot decide. Cases that are computed without rounding are
   * certain. */
  bool uncertain = false;
};

/** \brief A capsule with two equal radii. */
TaperedCapsule
tapered(const Capsule& capsule);

/** \brief Casts the ray from a viewpoint through a point at a capsule.
 * \param[in] viewpoint finite
 * \param[in] point finite, and not the viewpoint
 * \param[in] capsule any
 */
ReferenceHit
castAtCapsule(const Eigen::Vector3f& viewpoint,
              const Eigen::Vector3f& point,
              const TaperedCapsule& capsule);

/** \brief The same, by search: the signed distance to the solid is a convex function of
 * the ray length, so that its least value and its zeros are bracketed.
 *
 * Finds no ray that only touches. Takes some hundred thousand operations.
 */
ReferenceHit
castByBisection(const Eigen::Vector3f& viewpoint,
                const Eigen::Vector3f& point,
                const TaperedCapsule& capsule);

/** \brief Signed distance from a place to the surface of a capsule, by search.
 * \return below 0 inside
 */
long double
signedDistance(const Eigen::Matrix<long double, 3, 1>& place,
               const TaperedCapsule& capsule);

/** \brief Sums over the points for one sample, one for each kind of sum of
 * CapsuleLikelihood. */
struct ReferenceSums {
  long double sums[2][2] = {};  ///< by CapsuleDistance and CapsuleVisibility
  long double doubt[2][2] = {}; ///< their possible change by uncertain rays

  long double
  sum(CapsuleDistance distance, CapsuleVisibility visibility) const
  {
    return sums[static_cast<int>(distance)][static_cast<int>(visibility)];
  }
};

/** \brief Points seen from a place, and capsules of some samples. */
struct CapsuleScene {
  Eigen::Vector3f viewpoint = Eigen::Vector3f::Zero();
  std::vector<PointXYZ> points;
  std::vector<float> weights; ///< of every point; empty for none
  /** \brief Ray length to the room on every point's ray; empty for none. */
  std::vector<float> backgrounds;
  int capsules_per_sample = 1;
  std::vector<TaperedCapsule> capsules;
  float truncation_distance = 0.1f;

  std::size_t
  sampleCount() const
  {
    return capsules.size() / capsules_per_sample;
  }

  /** \brief The weight of a point; 0 if it is to be skipped. */
  long double
  weightOf(std::size_t point) const;

  /** \brief The distance of the room behind a point; infinite if it is not known. */
  long double
  backgroundOf(std::size_t point) const;

  /** \brief Sum of the weights of all points that are not skipped. */
  long double
  totalWeight() const;

  /** \brief Number of points that are to be skipped. */
  std::size_t
  countSkipped() const;
};

/** \brief Sums of all samples of a scene. O(points * capsules). */
std::vector<ReferenceSums>
referenceSums(const CapsuleScene& scene);

} // namespace pcl::gpu::test
