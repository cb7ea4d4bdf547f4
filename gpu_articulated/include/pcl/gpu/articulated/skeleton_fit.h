// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <functional>
#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Options of fitSkeleton().
 * \ingroup gpu_articulated
 */
struct SkeletonFitOptions {
  bool fit_pose = true;    ///< the pose may change, within the limits
  bool fit_lengths = true; ///< size and proportions of the body may change
  bool fit_radii = true;   ///< the thickness of its parts may change
  /** \brief The points are all of the body and nothing else, so that space without
   * points around it is empty. If false, only the space between the points is known to
   * be empty. */
  bool is_whole = true;
  /** \brief Points of everything else around the body, as dense as its own: no skin is
   * before them. If there are any, \a is_whole does not matter. On the device of the
   * body's points. */
  DeviceArray<PointXYZ> room;
  /** \brief Coefficients of the floor's plane in the frame of the points, with a unit
   * normal upward. Hidden legs may reach through a floor that is not given: no point
   * contradicts them. Skin up to 3 cm beneath the floor costs nothing. The
   * log-likelihood falls by half the square of the rest, in units of 5 mm. */
  std::optional<Eigen::Vector4f> floor;
  float sigma = 0.02f; ///< deviation of points from the skin, metres
  /** \brief Distance beyond which a point is an outlier, metres. The search begins with
   * three times that. */
  float truncation_distance = 0.1f;
  /** \brief Standard deviation of factors of lengths and radii from 1. Parts without
   * points keep their size. */
  float shape_deviation = 0.15f;
  /** \brief Largest factor of the whole size, and of a part's length or radius on top
   * of it, 1 or more; its reciprocal is the least. Larger ones do not occur among
   * people. */
  float largest_factor = 2.0f;
  /** \brief Most rounds of the search, for either truncation distance. */
  int most_rounds = 60;
  /** \brief Called often by the calling thread, if not empty. An exception that it
   * throws ends the search: so a program lets its user stop. */
  std::function<void()> check_interruption;
};

/** \brief Result of fitSkeleton().
 * \ingroup gpu_articulated
 */
struct SkeletonFit {
  Skeleton skeleton;       ///< the same joints and capsules with other sizes
  std::vector<float> pose; ///< of that skeleton
  /** \brief CapsuleLikelihood of the points, sigma and truncation distance of the
   * options.
   */
  double log_likelihood = 0.0;
};

/** \brief Fits lengths of bones and radii of the skin to one view of a body, from a
 * coarse pose.
 *
 * Maximises the CapsuleLikelihood over the pose and the shape. For every ray past the
 * points that hits the skin, half the cost of a missed point is subtracted. The shape
 * is a factor of the whole size, factors of lengths and radii of trunk, head, upper
 * arms, forearms with hands, and legs, and one of the trunk's width. Names of joints
 * are understood as by addBodyCapsules(); joints with other names have the factor of
 * the whole size only.
 *
 * Every round changes each number up and down by its own step, and halves the step if
 * that does not help. Then it tries the helpful changes together, the best ones first.
 * All trials of a round are computed at once. The result is a maximum near the start:
 * hands may be some 20 cm off, and the size 15 percent.
 *
 * Runs on the device of the points, and waits for it. O(rounds * angles * points), some
 * seconds on the host for a person seen by 5000 points.
 * \param[in] skeleton a skeleton with capsules
 * \param[in] pose a coarse pose of the body
 * \param[in] points points of the body seen from the viewpoint, metres; points far from
 * the body do not matter
 * \param[in] viewpoint position of the camera, metres
 * \param[in] options of the search
 * \param[in] stream the queue to join
 * \return the fitted skeleton and pose
 * \throws pcl::BadArgumentException if the skeleton has no capsules, the pose is not
 * one of its poses or not finite, there are no points, the viewpoint is not finite, an
 * option is not positive, or the floor's normal is not of length 1
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
