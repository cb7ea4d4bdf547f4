// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Side of the body that a hand belongs to.
 * \ingroup gpu_articulated
 */
enum class HandSide {
  Left, ///< the person's left hand
  Right ///< the person's right hand
};

/** \brief Makes the hand of an adult, with its forearm: 22 joints, 46 capsules, 29
 * numbers a pose. The hand has 26 degrees of freedom: the wrist moves and turns freely,
 * and fingers and thumb have 20 angles. Two more angles turn the forearm.
 *
 * In the rest pose the hand is flat: fingers along +y, side by side, palm towards +z,
 * forearm along -y. The thumb of a right hand points to +x and +y, that of a left hand
 * to -x and +y, both somewhat before the palm. So a person who looks along +z, as that
 * of makeHumanSkeleton(), holds up a hand. The root, in the wrist, is the origin.
 *
 * Joints have the names of Mixamo's bodies: LeftHand is the wrist, LeftHandIndex1, 2
 * and 3 are the knuckle, the middle and the last joint of the index finger,
 * LeftHandIndex3_end is its tip. LeftHandThumb1 is the joint between carpus and thumb.
 * The other fingers are Middle, Ring and Pinky; the right hand's names begin with
 * Right. LeftForeArm is in the wrist, too, and holds the forearm. Trackers need it:
 * without it the palm comes to rest on the forearm.
 *
 * A knuckle has two angles: it bends towards the palm, then spreads away from the
 * middle finger, the middle finger towards the thumb. The two angles of Thumb1 swing
 * the thumb before the palm, about the hand's long axis, and bend it. Those of ForeArm
 * bend the wrist towards the palm, then away from the thumb. Other joints only bend;
 * bent is positive. Angles of the right hand are the mirror images of the left hand's.
 * Limits are common active ranges of motion, with a margin. With the deviations, 500
 * particles follow fast signs (see handTrackingParameters()).
 *
 * Lengths of bones, with the soft tissue of finger tips, are the means of Buryanov and
 * Kotiuk 2010 (Proportions of hand segments, table 1, 66 adults), rounded to 0.1 mm:
 * from wrist to finger tip they add up to 190 mm with 33 mm of carpus. Girths of finger
 * joints and the breadths of hand and wrist are those of Greiner 1991 (Hand
 * anthropometry of U.S. Army personnel), means of women and men at that length. The
 * places of knuckles follow from Greiner's distances of finger tips from the wrist.
 * Girths of the last joints of ring and little finger, of the ends of fingers and of
 * the forearm are estimates.
 * \param[in] length of the hand from the wrist to the tip of the middle finger, metres;
 * all other lengths and girths are proportional to it
 * \param[in] side left or right
 * \return the skeleton
 * \throws pcl::BadArgumentException unless the length is positive and the side exists
 * \ingroup gpu_articulated
 */
PCL_EXPORTS Skeleton
makeHandSkeleton(float length = 0.19f, HandSide side = HandSide::Right);

} // namespace pcl::gpu
