// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsule_scenes.h"

#include "common/devices.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>

#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief Options of a likelihood's computation. */
struct LikelihoodMode {
  CapsuleDistance distance = CapsuleDistance::Squared;
  CapsuleVisibility visibility = CapsuleVisibility::EachCapsule;
  CapsuleSearch search = CapsuleSearch::Culled;

  std::string
  name() const;
};

/** \brief All combinations of distances and visibilities. */
std::vector<LikelihoodMode>
allModes(CapsuleSearch search = CapsuleSearch::Culled);

/** \brief The deviation that sums of tests are computed with: -1 / (2 sigma^2) is
 * -2. */
constexpr float test_sigma = 0.5f;

/** \brief Gives a likelihood the mode, the scene's truncation distance and its
 * points. */
void
prepare(CapsuleLikelihood& likelihood,
        const CapsuleScene& scene,
        const LikelihoodMode& mode = {});

/** \brief Computes sums over the points, one a sample, on the current device. Outputs
 * start full of nonsense.
 * \param[in] likelihood is prepared
 * \param[in] scene of the capsules
 * \param[in] two_radii TaperedCapsule instead of Capsule
 */
std::vector<double>
sumsOf(CapsuleLikelihood& likelihood,
       const CapsuleScene& scene,
       bool two_radii = false);

/** \brief The same with a likelihood of its own. */
std::vector<double>
sumsOf(const CapsuleScene& scene,
       const LikelihoodMode& mode = {},
       bool two_radii = false);

/** \brief The distance |Delta_min - Delta| of one point from capsules. Expects brute
 * force to give the same bits, many equal points the same each, and smaller truncation
 * distances the same, truncated.
 * \param[in] truncation_distance the answer if no capsule is hit
 */
double
distanceOf(const std::vector<Capsule>& capsules,
           const Eigen::Vector3f& point,
           const Eigen::Vector3f& viewpoint = Eigen::Vector3f::Zero(),
           float truncation_distance = 16.0f,
           CapsuleVisibility visibility = CapsuleVisibility::EachCapsule);

Capsule
makeCapsule(const Eigen::Vector3f& a, const Eigen::Vector3f& b, float radius);

/** \brief Errors of sums, relative to the sum of the reference. A sum that is less than
 * that of points at 3% of tau (of 3 cm, if tau is more than 1 m), 30% with a
 * background, is taken as that much: distances are differences of coordinates, and no
 * more exact than these. */
class SumErrors {
public:
  /** \brief Expects that sums agree with the reference, but for rays that double
   * precision does not decide.
   * \param[in] sums as sumsOf() gives them
   * \param[in] scene of the sums
   * \param[in] references of the same scene
   * \param[in] mode of their computation
   * \param[in] tolerance largest relative error
   */
  void
  expect(const std::vector<double>& sums,
         const CapsuleScene& scene,
         const std::vector<ReferenceSums>& references,
         const LikelihoodMode& mode,
         double tolerance);

  /** \return the largest error so far */
  double
  worst() const
  {
    return worst_;
  }

private:
  double worst_ = 0.0;
};

/** \brief Expects that two lists of sums have the same bits. */
void
expectSameBits(const std::vector<double>& actual, const std::vector<double>& expected);

/** \brief Expects in all modes that a scene's sums agree with the reference, and that
 * culled sums have the bits of those by brute force.
 * \param[in] scene to be compared
 * \param[in] two_radii TaperedCapsule instead of Capsule
 * \param[in,out] errors of the sums
 */
void
expectReferenceSums(const CapsuleScene& scene, bool two_radii, SumErrors& errors);

} // namespace pcl::gpu::test
