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

/** \brief Options of searchPose().
 * \ingroup gpu_articulated
 */
struct PoseSearchOptions {
  int particles = 1500;        ///< guesses of a pose
  int layers = 12;             ///< annealing layers for the trunk and for each limb
  int runs = 2;                ///< searches with other random numbers; the best counts
  std::uint64_t seed = 0;      ///< of the random numbers
  float root_deviation = 0.2f; ///< of the coarse position, metres
  float turn_deviation = 0.3f; ///< of the coarse orientation, radians
  float sigma = 0.05f;         ///< deviation of points from the skin, metres
  /** \brief Distance beyond which a point is an outlier, metres. */
  float truncation_distance = 0.15f;
  /** \brief The points are all of the body and nothing else, so that space without
   * points around it is empty. If false, only the space between the points is known to
   * be empty. */
  bool is_whole = true;
  /** \brief Points of everything else around the body, as dense as its own: no skin is
   * before them. If there are any, \a is_whole does not matter. On the device of the
   * body's points. */
  DeviceArray<PointXYZ> room;
};

/** \brief Result of searchPose().
 * \ingroup gpu_articulated
 */
struct PoseSearchResult {
  std::vector<float> pose; ///< the best one
  /** \brief Log-likelihood of the points, less the costs of skin on rays past them and
   * of angles far from the coarse pose. */
  double log_likelihood = 0.0;
};

/** \brief Finds the pose of a body in a single view, from a coarse position of its
 * trunk.
 *
 * Searches the trunk with the head first, then limb by limb. Each search is a
 * PoseParticleFilter with many annealing layers (Deutscher, Blake and Reid 2000), and
 * begins with poses all over the limits of the limb. The likelihood is that of
 * fitSkeleton(), which makes a good second step.
 *
 * Runs on the device of the points, and waits for it: O(runs * limbs * layers *
 * particles), some seconds on the host for a person seen by 3000 points. The same input
 * and seed give the same result on one device.
 * \param[in] skeleton a skeleton with capsules
 * \param[in] pose a coarse pose; limbs without points stay near their angles
 * \param[in] points points of the body seen from the viewpoint, metres
 * \param[in] viewpoint position of the camera, metres
 * \param[in] options sizes and deviations of the search
 * \param[in] stream the queue to join
 * \return the best pose
 * \throws pcl::BadArgumentException if the skeleton has no capsules, the pose is not
 * one of its poses or not finite, there are no points, the viewpoint is not finite, or
 * an option is not positive (deviations: is below 0)
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
