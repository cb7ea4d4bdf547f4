// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Options of regressPose(). */
struct PoseRegressionOptions {
  /** \brief Height of the floor that the person stands on, metres: the dot product of
   * its points with the direction upward. Without it, hidden legs are less sure. */
  std::optional<float> floor;
  bool fit_lengths = true; ///< false: the skeleton keeps its sizes
};

/** \brief Result of regressPose().
 * \ingroup gpu_articulated
 */
struct PoseRegression {
  Skeleton skeleton;       ///< the same joints and capsules with other sizes
  std::vector<float> pose; ///< of that skeleton
  /** \brief Joints of JointConvention::Itop that the points show. A deviation is the
   * expected distance from the true joint. The pose's joints are near them. Empty if
   * there are too few points. */
  std::vector<NamedJoint> joints;
};

/** \brief Finds pose and sizes of a person in a single view at once, without a search.
 *
 * A network reads the joints off a picture of the points. Each cell of the picture
 * votes for each joint, as in A2J (Xiong et al., ICCV 2019). The pose and the lengths
 * whose joints are nearest to them, by their expected errors, are found by the method
 * of Levenberg and Marquardt. Limbs of hidden joints keep the usual angles. The network
 * learned from rendered bodies alone: of all sizes, in random poses and in poses near
 * recorded ones of the CMU motion capture database, from all sides and from above, with
 * noise and hidden parts. It learned from no picture of a person. Views from above are
 * read in four rolls, and each joint is a weighted mean of the four answers: single
 * answers depend on the roll.
 *
 * A person who is seen from the front is found to some 5 cm. fitSkeleton() makes the
 * result more exact. Skin is not compared with the points: use PeopleDetection to find
 * out whether there is a person.
 *
 * The network runs on the device of the points, the fit to its joints on the host.
 * Waits for both. Calls of several threads on one device take turns with the network.
 * The same input gives the same result on one device.
 * \param[in] skeleton a person: with shoulders, by the joints' names (see
 * addBodyCapsules()). Its capsules are not needed
 * \param[in] pose with the usual angles of the joints. Its orientation makes the body
 * upright; place and direction do not matter
 * \param[in] points points of the person seen from the viewpoint, metres. Some that are
 * not finite or of something else do no harm
 * \param[in] viewpoint position of the camera, metres
 * \param[in] options the floor, and whether lengths are found
 * \param[in] stream the queue to join
 * \return pose, sizes and joints; the given pose if points fill fewer than 40 squares
 * of 3 cm
 * \throws pcl::BadArgumentException if the skeleton has no shoulders, the pose is not
 * one of its poses or not finite, there are no points, or the viewpoint or the floor is
 * not finite
 * \throws DeviceException if the device fails
 */
PCL_EXPORTS PoseRegression
regressPose(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const DeviceArray<PointXYZ>& points,
            const Eigen::Vector3f& viewpoint,
            const PoseRegressionOptions& options = {},
            const Stream& stream = {});

} // namespace pcl::gpu
