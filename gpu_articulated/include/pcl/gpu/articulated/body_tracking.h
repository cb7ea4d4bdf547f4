// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

#include <vector>

namespace pcl::gpu {

/** \brief Groups the joints of a body for PoseParticleFilterParameters::partitions: the root,
 * the rest of the trunk, then each limb.
 *
 * The trunk are all joints with three ends of the tree or more behind them that have skin;
 * what hangs on it are limbs. O(joints).
 * \param[in] skeleton of any body
 * \return numbers of the joints of each group
 * \throws pcl::BadArgumentException if it has no joints
 * \ingroup gpu_articulated
 */
PCL_EXPORTS std::vector<std::vector<int>>
findLimbs(const Skeleton& skeleton);

/** \brief Returns parameters by which people are followed at 30 frames a second in the points
 * of one depth camera, but for the partitions, which depend on the skeleton.
 *
 * They are:
 * - LayerNoise::Spread, with 0.7 of the spread drawn anew, and a fifth of the particles that
 *   survives each of four annealing layers;
 * - two islands of half the particles each: a limb that was hidden and comes back elsewhere
 *   now and then holds one of them back, but seldom both;
 * - a random walk, with a root that moves by 0.3 m along and turns by 1.2 radians about each
 *   axis in a second, and for every fourth particle 2.5 times the noise, 8 times where limbs
 *   are moved, which finds those that came back elsewhere. Velocities of single limbs say
 *   little, and carry hidden ones away;
 * - CapsuleVisibility::Occluding, a truncation distance of 0.1 m, and sigma 0.02 m: with
 *   fewer points more would make the likelihood too flat, with many the rate of survival
 *   rules;
 * - a miss distance of 0.095 m: hidden limbs stay where the background cannot be seen. Give
 *   the filter the points of the background, too.
 *
 * Deviations of angles are those of the skeleton: see setBodyLimits().
 * \return the parameters
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
bodyTrackingParameters();

/** \brief Returns the same with partitions.
 *
 * Partitions as findLimbs() finds them bring each limb close by, in four annealing layers each.
 * Then all joints are moved together in 28 layers, which finds a pose whose limbs suit one
 * another: with fewer a dancer who turns quickly gets lost.
 * \param[in] skeleton of a body
 * \return the parameters
 * \throws pcl::BadArgumentException if the skeleton has no joints
 * \ingroup gpu_articulated
 */
PCL_EXPORTS PoseParticleFilterParameters
bodyTrackingParameters(const Skeleton& skeleton);

} // namespace pcl::gpu
