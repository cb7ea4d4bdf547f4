// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Makes a person of average build: 48 capsules, 53 numbers a pose.
 *
 * It stands with its arms stretched out to the sides, palms down, and looks along +z, y
 * up, its left along +x; the root, between the hips, is the origin. Joints are named as
 * in the BVH files of the CMU motion capture database.
 *
 * Lengths of limbs, from joint to joint, are those of de Leva 1996 (Adjustments to
 * Zatsiorsky-Seluyanov's segment inertia parameters, men); heights of hips and
 * shoulders those of Winter 2009 (Biomechanics and Motor Control of Human Movement,
 * figure 4.1). Girths follow cross-sections of the mean shape of the SMPL body model.
 * Limits are common active ranges of motion, with a margin. Elbows, knees and toes are
 * hinges, collarbones and ankles turn about two axes, other joints about three. Angles
 * of the right side are the mirror images of the left side's.
 * \param[in] height of the standing person, metres
 * \return the skeleton
 * \throws pcl::BadArgumentException unless the height is positive
 */
PCL_EXPORTS Skeleton
makeHumanSkeleton(float height = 1.75f);

/** \brief Removes the legs of a body, for pictures that end above them.
 * \param[in] skeleton a body with names of joints as in addBodyCapsules()
 * \return all joints except thighs and their descendants, with their skin
 * \throws pcl::BadArgumentException if there are no joints, or no legs among them
 */
PCL_EXPORTS Skeleton
withoutLegs(const Skeleton& skeleton);

/** \brief Gives a body without skin a capsule for every bone, by the names of its
 * joints.
 *
 * Names are understood by their words, with any separators and other words around them:
 * Left Up Leg, Bip01 L Thigh, mixamorig:LeftUpLeg, left_upper_leg, upper_leg.L, lThigh
 * and LeftHip before LeftKnee are the same. Words are those of the bodies of CMU,
 * MotionBuilder, 3ds Max's Biped, Mixamo, Unity, Unreal, Blender's Rigify, MakeHuman,
 * Daz, OptiTrack, Xsens, Kinects and Acclaim's files.
 *
 * The rest pose of the skeleton (all angles 0) determines the directions up, left and
 * forward. The length of the legs determines all radii. Capsules from side to side fill
 * the trunk between hips and shoulders. Hands, feet and heads without bones get their
 * natural size. Bones with unknown names get a radius of a sixth of their length if
 * they are longer than 5 mm: see findUnknownJoints().
 * \param[in,out] skeleton in metres
 * \throws pcl::BadArgumentException if it has capsules already, or no joints
 */
PCL_EXPORTS void
addBodyCapsules(Skeleton& skeleton);

/** \brief Finds the joints of a body that addBodyCapsules() does not understand.
 *
 * Their bones get a thickness by their length, and the trunk is not filled if hips or
 * shoulders are among them. O(joints).
 * \param[in] skeleton in metres
 * \return names of the joints that begin a bone and name no part of a body, or a part
 * of an arm or a leg without its side
 */
PCL_EXPORTS std::vector<std::string>
findUnknownJoints(const Skeleton& skeleton);

/** \brief Gives the joints of a body limits and deviations, by their names.
 *
 * The angles are about the axes of the body, three a joint, as in BVH files. Their
 * limits are wide, because several triples describe the same posture. Shoulders, hips
 * and ankles get no limits. With these deviations, 2000 particles still find limbs that
 * were hidden (see bodyTrackingParameters()). Angles that no capsule depends on get the
 * deviation 0, so call this after addBodyCapsules(). Joints with unknown names do not
 * change.
 * \param[in,out] skeleton its joints change
 * \throws pcl::BadArgumentException if it has no joints
 */
PCL_EXPORTS void
setBodyLimits(Skeleton& skeleton);

} // namespace pcl::gpu
