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
#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Options of searchPose(). */
struct PoseSearchOptions {
  /** \brief Guesses of a pose for each direction that is followed. Trunks and limbs are
   * tried in as many poses, times constants. */
  int particles = 1000;
  /** \brief Most directions of the body that are followed to the end: 60 degrees apart
   * or more. */
  int directions = 4;
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
  /** \brief Called often by the calling thread, if not empty. An exception that it
   * throws ends the search: so a program lets its user stop. */
  std::function<void()> check_interruption;
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

/** \brief Finds the pose of any body in a single view, from a coarse one. For people,
 * regressPose() needs none, and takes milliseconds.
 *
 * -# Trunks are tried around the coarse place and direction, with legs near the given
 *    angles and without arms. The best ones that differ stay, and are moved a little,
 *    three times.
 * -# Each limb is tried on each trunk, without the other limbs: all over its limits,
 *    then near the best ones.
 * -# All combinations of some good poses of each limb are compared on each trunk. So
 *    one leg cannot explain the points of both.
 * -# The best bodies are the first particles of PoseParticleFilter, which moves all
 *    joints together. There is a filter for each direction that they face.
 * -# Limbs are tried again on the trunk that was found, up to twice: some are only
 *    found on a trunk that fits.
 *
 * The likelihood is that of the filter, with the room as its background (see
 * CapsuleLikelihood), and a wide normal density of the angles about the given ones,
 * which decides where the points do not. About 400 points of the body are compared.
 *
 * Runs on the device of the points, and waits for it: O(particles * (trunks + limbs)
 * and a frame of the filter), about two seconds on two cores for a person. The same
 * input and seed give the same result on one device.
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
