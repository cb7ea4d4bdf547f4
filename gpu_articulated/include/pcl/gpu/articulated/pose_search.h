// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief How searchPose() works.
 * \ingroup gpu_articulated
 */
struct PoseSearchOptions {
  int particles = 1500;        ///< guesses of a pose
  int layers = 12;             ///< annealing layers for the trunk and for each limb
  int runs = 2;                ///< searches with other random numbers; the best counts
  std::uint64_t seed = 0;      ///< what the random numbers come from
  float root_deviation = 0.2f; ///< how far off the coarse position may be, metres
  float turn_deviation = 0.3f; ///< how far off the coarse orientation may be, radians
  float sigma = 0.05f;         ///< deviation of points from the skin, metres
  /** \brief Distance beyond which a point is an outlier, metres. */
  float truncation_distance = 0.15f;
  /** \brief Whether all of the body is seen, and nothing else: it is not where there are no
   * points around it. If not, only what is between the points is known to be empty. */
  bool is_whole = true;
};

/** \brief What searchPose() found.
 * \ingroup gpu_articulated
 */
struct PoseSearchResult {
  std::vector<float> pose; ///< the best one
  /** \brief Of the points, less what the skin costs on rays where nothing was seen. */
  double log_likelihood = 0.0;
};

/** \brief Finds the pose of a body in a single view, given about where its trunk is.
 *
 * First the trunk with the head, then limb by limb, is searched by a PoseParticleFilter of
 * its own with many annealing layers (Deutscher, Blake and Reid 2000), each limb from all
 * over its limits. The likelihood is that of fitSkeleton(), which makes a good second step.
 *
 * Runs where the points are, and waits for it: O(runs * limbs * layers * particles), some
 * seconds on the host for a person seen by 3000 points. The same input and seed give the
 * same result on one device.
 * \param[in] skeleton one with capsules
 * \param[in] pose a coarse one: of limbs it does not matter
 * \param[in] points of the body seen from the viewpoint, metres
 * \param[in] viewpoint where the camera is, metres
 * \param[in] options how to search
 * \param[in] stream the queue to join
 * \return the best pose
 * \throws pcl::BadArgumentException if the skeleton has no capsules, the pose is not one of
 * its poses or not finite, there are no points, the viewpoint is not finite, or an option
 * is not positive (deviations: is below 0)
 * \throws DeviceException if the device fails or runs out of memory
 */
PCL_EXPORTS PoseSearchResult
searchPose(const Skeleton& skeleton,
           const std::vector<float>& pose,
           const DeviceArray<PointXYZ>& points,
           const Eigen::Vector3f& viewpoint,
           const PoseSearchOptions& options = {},
           const Stream& stream = {});

} // namespace pcl::gpu
