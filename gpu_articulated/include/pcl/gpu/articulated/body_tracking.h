// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief Groups the joints of a body for PoseParticleFilterParameters::partitions: the
 * root, the rest of the trunk, then each limb.
 *
 * The trunk consists of all joints with at least three ends of the tree with skin below
 * them. The groups of joints that hang on it are limbs. O(joints).
 * \param[in] skeleton of any body
 * \return numbers of the joints of each group
 * \throws pcl::BadArgumentException if it has no joints
 * \ingroup gpu_articulated
 */
PCL_EXPORTS std::vector<std::vector<int>>
findLimbs(const Skeleton& skeleton);

/** \brief Returns parameters for following people at 30 frames a second in the points
 * of one depth camera. They have no partitions, which depend on the skeleton.
 *
 * They are:
 * - LayerNoise::Spread, with 0.7 of the spread drawn again, and a fifth of the
 *   particles that survives each of four annealing layers;
 * - two islands of half the particles each: a limb that was hidden and reappears
 *   elsewhere sometimes misleads one of them, but rarely both;
 * - a random walk, with a root that moves by 0.3 m along and turns by 1.2 radians about
 *   each axis in a second, and for every fourth particle 2.5 times the noise, 8 times
 *   for partitions of limbs, which finds limbs that reappear elsewhere. Velocities of
 *   single limbs are uncertain, and carry hidden limbs away;
 * - at most 3000 points: with more of them errors are the same;
 * - CapsuleVisibility::Occluding, a truncation distance of 0.1 m, and sigma 0.02 m:
 *   with few points a larger sigma makes the likelihood too flat, with many points the
 *   rate of survival matters more;
 * - a miss distance of 0.095 m: hidden limbs stay in front of unseen background. Give
 *   the filter the points of the background, too.
 *
 * Deviations of angles are those of the skeleton: see setBodyLimits().
 * \return the parameters
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
bodyTrackingParameters();

/** \brief Returns the same parameters with partitions.
 *
 * The partitions of findLimbs() first bring each limb close to its place, in four
 * annealing layers each. Then 28 layers move all joints together. With fewer layers the
 * filter loses a dancer who turns quickly.
 * \param[in] skeleton of a body
 * \return the parameters
 * \throws pcl::BadArgumentException if the skeleton has no joints
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
bodyTrackingParameters(const Skeleton& skeleton);

/** \brief Returns parameters for following people with a proposal before each frame,
 * such as the pose of regressPose(): see PoseParticleFilter::propose().
 *
 * They are those of bodyTrackingParameters(), but for:
 * - 1000 particles in one island: proposals find limbs that were hidden, so there is no
 *   need of a second one;
 * - three layers in place of four: errors are the same;
 * - on the host 700 particles and at most 2000 points, to keep up with some cameras:
 *   errors grow by a tenth.
 *
 * Give them the same partitions.
 * \param[in] device the one that the filter will work on
 * \return the parameters
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
guidedBodyTrackingParameters(const Device& device = currentDevice());

/** \brief Returns parameters for following a hand at 30 frames a second, 0.3 to 1 m
 * before a depth camera. They have no partitions, which depend on the skeleton.
 *
 * They are those of bodyTrackingParameters(), but for:
 * - a wrist that moves by 0.15 m along and turns by 0.8 radians about each axis in a
 *   second, and 3 times the noise for every fourth particle of fingers;
 * - one island: all particles are needed for the many joints;
 * - sigma 0.006 m, a truncation distance of 0.03 m and a miss distance of 0.0285 m:
 *   fingers are thinner than limbs, and depth is more exact at this distance.
 *
 * Deviations of angles are those of the skeleton: see makeHandSkeleton().
 * \return the parameters
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
handTrackingParameters();

/** \brief Returns the same parameters with partitions.
 *
 * The partitions of findLimbs() first bring wrist, fingers and forearm close to their
 * places, in four annealing layers each. Then 16 layers move all joints together; with
 * 28 errors are the same.
 * \param[in] skeleton of a hand
 * \return the parameters
 * \throws pcl::BadArgumentException if the skeleton has no joints
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
handTrackingParameters(const Skeleton& skeleton);

/** \brief Position of a joint.
 * \ingroup gpu_articulated
 */
struct JointEstimate {
  Eigen::Vector3f position; ///< of the mean pose, metres
  /** \brief Root of the mean squared distance of the particles from it, metres. */
  float deviation = 0.0f;
};

/** \brief Computes the positions of joints after a frame, with their uncertainty. Waits
 * for the device. O(particles * joints).
 * \param[in] filter after processFrame()
 * \param[in,out] kinematics of the filter's skeleton
 * \return one estimate a joint
 * \throws pcl::BadArgumentException if there was no frame
 * \throws DeviceException if the device fails or runs out of memory
 */
PCL_EXPORTS std::vector<JointEstimate>
estimateJoints(const PoseParticleFilter& filter, ForwardKinematics& kinematics);

} // namespace pcl::gpu
