// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Makes a person of average build: 48 capsules, 53 numbers a pose.
 *
 * It stands with its arms stretched out to the sides, palms down, and looks along +z, y up,
 * its left along +x; the root, between the hips, is the origin. Joints are named as in the
 * BVH files of the CMU motion capture database.
 *
 * Lengths of limbs, from joint to joint, are those of de Leva 1996 (Adjustments to
 * Zatsiorsky-Seluyanov's segment inertia parameters, men); heights of hips and shoulders
 * those of Winter 2009 (Biomechanics and Motor Control of Human Movement, figure 4.1).
 * Girths follow cross-sections of the mean shape of the SMPL body model. Limits are common
 * active ranges of motion, with a margin. Elbows, knees and toes are hinges, collarbones and
 * ankles turn about two axes, other joints about three. Angles of the right side mean what
 * those of the left side mean, in the mirror.
 * \param[in] height of the standing person, metres
 * \return the skeleton
 * \throws pcl::BadArgumentException unless the height is positive
 */
PCL_EXPORTS Skeleton
makeHumanSkeleton(float height = 1.75f);

/** \brief Takes the legs off a body, for pictures that end above them.
 * \param[in] skeleton one whose joints have the names of a body's, see addBodyCapsules()
 * \return all joints but thighs and what hangs on them, with their skin
 * \throws pcl::BadArgumentException if there are no joints, or no legs among them
 */
PCL_EXPORTS Skeleton
withoutLegs(const Skeleton& skeleton);

/** \brief Gives a body without skin a capsule for every bone, by the names of its joints.
 *
 * Names as in CMU's, 3ds Max's, Mixamo's and Biped's files are understood: Hips, LowerBack,
 * Spine, Neck, Head, LeftArm, LeftForeArm, LeftElbow, LeftHand, LeftWrist, LeftUpLeg,
 * LeftLeg, LeftKnee, LeftFoot, ... The skeleton in its rest pose (all angles 0) tells where
 * up, left and forward are, and the length of its legs how thick everything is. A trunk
 * between hips and shoulders is filled by capsules from side to side. Hands, feet and heads
 * get their natural size where the skeleton has no bones for them. Bones with names of other
 * kinds that are longer than 5 mm get a capsule of a sixth of their length.
 * \param[in,out] skeleton in metres
 * \throws pcl::BadArgumentException if it has capsules already, or no joints
 */
PCL_EXPORTS void
addBodyCapsules(Skeleton& skeleton);

/** \brief Gives the joints of a body limits and deviations, by their names.
 *
 * Made for angles about the axes of the body (three a joint, as BVH files have them), of
 * which limits can only be wide: the same posture has several triples. Shoulders, hips and
 * ankles get none. Deviations are those of motion at which 2000 particles still find limbs
 * that were hidden (see bodyTrackingParameters()); angles that no capsule depends on get 0, so call
 * this after addBodyCapsules(). Joints with names of other kinds stay as they are.
 * \param[in,out] skeleton its joints change
 * \throws pcl::BadArgumentException if it has no joints
 */
PCL_EXPORTS void
setBodyLimits(Skeleton& skeleton);

} // namespace pcl::gpu
