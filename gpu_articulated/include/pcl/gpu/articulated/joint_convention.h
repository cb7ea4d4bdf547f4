// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Published sets of a person's joints.
 * \ingroup gpu_articulated
 */
enum class JointConvention {
  /** \brief The 15 of the data set ITOP (Haque et al. 2016): Head, Neck, R Shoulder, L
   * Shoulder, and so on. Its Head, Hand and Foot are the middles of the skin there, its
   * Neck is halfway between the shoulders, its Torso between shoulders and hips. */
  Itop,
  /** \brief The 17 of the data set COCO (Lin et al. 2014): nose, left_eye, right_eye,
   * left_ear, and so on. Its nose, eyes and ears are fixed on the head, with a head's
   * average proportions: they do not come from the points of a nose. */
  Coco
};

/** \brief A joint under its name in a convention.
 * \ingroup gpu_articulated
 */
struct NamedJoint {
  std::string name; ///< as published
  /** \brief Metres; NaN if the body has no such joint. */
  Eigen::Vector3f position =
      Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN());
  /** \brief That of the skeleton's joint that it is fixed to, or the mean of several,
   * metres; NaN if it is not known. */
  float deviation = std::numeric_limits<float>::quiet_NaN();
};

/** \brief Returns the joints of a body in a pose under the names of a convention.
 *
 * Names of the skeleton's joints are understood as by addBodyCapsules(). Left and right
 * are the person's. Middles and faces need the skin of addBodyCapsules(), or another
 * one on the same joints: without it, the middle of a hand is its wrist, and there is
 * no face. Waits for the device.
 * \param[in] convention names and their order
 * \param[in] skeleton any body, also one that lacks some of the joints
 * \param[in] pose Skeleton::poseSize() numbers
 * \param[in] estimates of the skeleton's joints, for the deviations; empty: not known
 * \return all joints of the convention in its order
 * \throws pcl::BadArgumentException if there is no such convention, no root, the pose
 * has another size or a number that is not finite, or there is not one estimate a joint
 * \throws DeviceException if the device fails or runs out of memory
 * \ingroup gpu_articulated
 */
PCL_EXPORTS std::vector<NamedJoint>
nameJoints(JointConvention convention,
           const Skeleton& skeleton,
           const std::vector<float>& pose,
           const std::vector<JointEstimate>& estimates = {});

} // namespace pcl::gpu
