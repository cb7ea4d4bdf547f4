// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/stream.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief A joint that was read off the points of a body. */
struct RegressedJoint {
  Eigen::Vector3f position;
  float error; ///< expected distance from the true joint, metres
};

/** \brief Finds the joints of a body in the points that a camera sees of it.
 *
 * A network finds them in a picture of the points: see findJoints(). It knows people of
 * all sizes in many poses, seen from any side and from above, with parts hidden. Views
 * from above are looked at in four rolls: each joint is the mean of four answers,
 * weighted by their expected errors to the power of -4. The first roll turns the
 * direction in which the points extend most to the right, so that the camera's own roll
 * hardly matters.
 * \param[in] points finite, of one person, metres
 * \param[in] viewpoint of the camera
 * \param[in] up unit length
 * \param[in] floor its height: the dot product of its points with \a up; nothing if it
 * is not known
 * \param[in] stream the queue to join on the current device
 * \return the joints of JointConvention::Itop in their order; none if there are less
 * than 40 cells of 3.2 cm with points
 * \throws DeviceException if memory runs out
 */
std::vector<RegressedJoint>
regressJoints(const std::vector<PointXYZ>& points,
              const Eigen::Vector3f& viewpoint,
              const Eigen::Vector3f& up,
              const std::optional<float>& floor,
              const Stream& stream);

} // namespace pcl::gpu
