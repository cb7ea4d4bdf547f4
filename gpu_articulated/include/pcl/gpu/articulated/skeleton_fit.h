// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief How fitSkeleton() works.
 * \ingroup gpu_articulated
 */
struct SkeletonFitOptions {
  bool fit_pose = true;    ///< whether the pose may change, within the limits
  bool fit_lengths = true; ///< whether the size of the body and its proportions may
  bool fit_radii = true;   ///< whether the thickness of its parts may
  /** \brief Whether all of the body is seen, and nothing else: it is not where there are no
   * points around it. If not, only what is between the points is known to be empty. */
  bool is_whole = true;
  float sigma = 0.02f; ///< deviation of points from the skin, metres
  /** \brief Distance beyond which a point is an outlier, metres. The search begins with
   * three times that. */
  float truncation_distance = 0.1f;
  /** \brief How much factors of lengths and radii deviate from 1: what no point shows stays
   * as it was. */
  float shape_deviation = 0.15f;
  /** \brief Most rounds of the search, for either truncation distance. */
  int most_rounds = 60;
};

/** \brief What fitSkeleton() found.
 * \ingroup gpu_articulated
 */
struct SkeletonFit {
  Skeleton skeleton;       ///< the same joints and capsules with other sizes
  std::vector<float> pose; ///< of that skeleton
  /** \brief CapsuleLikelihood of the points, sigma and truncation distance of the options.
   */
  double log_likelihood = 0.0;
};

/** \brief Fits lengths of bones and radii of the skin to one view of a body, given about
 * where it is and how it stands.
 *
 * Maximises the CapsuleLikelihood, less half of what a point costs that the skin misses for every
 * ray past the points that the skin is in the way of, over one factor of the whole size, factors of lengths and
 * radii of trunk, head, arms and legs, one of the trunk's width (by the names of the joints,
 * see addBodyCapsules(); others have the factor of the whole only), and the pose. In every round all numbers are
 * changed up and down, each alone and by a step of its own, which is halved where it does not
 * help; then those changes that help are tried together, the best ones first. All trials of a
 * round are computed at once. What is found is a maximum near the start: hands may be some
 * 20 cm off, and the size 15 percent.
 *
 * Runs where the points are, and waits for it. O(rounds * angles * points), some seconds on
 * the host for a person seen by 5000 points.
 * \param[in] skeleton one with capsules
 * \param[in] pose about the pose of the body
 * \param[in] points of the body seen from the viewpoint, metres; others do not matter if
 * they are not close to it
 * \param[in] viewpoint where the camera is, metres
 * \param[in] options what to fit
 * \param[in] stream the queue to join
 * \return the fitted skeleton and pose
 * \throws pcl::BadArgumentException if the skeleton has no capsules, the pose is not one of
 * its poses or not finite, there are no points, the viewpoint is not finite, or an option is
 * not positive
 * \throws DeviceException if the device fails or runs out of memory
 */
PCL_EXPORTS SkeletonFit
fitSkeleton(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const DeviceArray<PointXYZ>& points,
            const Eigen::Vector3f& viewpoint,
            const SkeletonFitOptions& options = {},
            const Stream& stream = {});

} // namespace pcl::gpu
