// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/pcl_exports.h>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Poses of a skeleton, one after the other.
 * \ingroup gpu_articulated
 */
struct MotionClip {
  std::vector<std::vector<float>> poses; ///< Skeleton::poseSize() numbers each
  double frame_time = 0.0;               ///< seconds from one pose to the next
};

/** \brief Options of loadBvh().
 * \ingroup gpu_articulated
 */
struct BvhOptions {
  /** \brief Metres in the file's unit of length: 0.05644 for the CMU motion capture
   * database in its usual conversion, 0.01 for centimetres. */
  float scale = 1.0f;
  /** \brief Largest motion of a joint other than the root in its parent's frame,
   * metres. Bones are rigid: smaller motions are averaged, larger ones are refused. */
  float most_stretch = 0.01f;
};

/** \brief Reads a skeleton and its motion from a BVH file (Biovision hierarchy).
 *
 * Joints keep their names and order. The rotation channels of a joint become its
 * angles, in their order, without limits: Zrotation Yrotation Xrotation is R_z R_y R_x.
 * Those of the root become a quaternion, with signs that do not jump from frame to
 * frame. Position channels replace the joint's OFFSET; a joint without them stays at
 * its OFFSET. An End Site becomes a joint without angles that is named after its
 * parent, "Head_end".
 *
 * Channels and End Sites may be absent. Letters may be small or capital. Names have
 * 1000 characters at most. O(size of the file).
 * \param[in] file its name
 * \param[out] skeleton without capsules; unchanged if the file is refused
 * \param[out] motion its poses; unchanged if the file is refused
 * \param[in] options units
 * \throws pcl::BadArgumentException if the scale is not positive, or the stretch below
 * 0
 * \throws pcl::IOException naming the file, the line and the expected contents
 */
PCL_EXPORTS void
loadBvh(const std::string& file,
        Skeleton& skeleton,
        MotionClip& motion,
        const BvhOptions& options = {});

/** \brief Writes a skeleton and its motion to a BVH file, in metres and degrees.
 *
 * The root gets the channels Xposition Yposition Zposition Zrotation Yrotation
 * Xrotation. Angles about x, y and z become channels; of a joint with other axes the
 * rotation is written as Zrotation Yrotation Xrotation. Joints come in the order of the
 * tree, each followed by its descendants. A joint without angles and children that is
 * named after its parent, "Head_end", becomes its End Site; other joints without
 * children get one of length
 * 0. Limits and capsules are not written: see saveSkeleton().
 *
 * The file appears under its name when it is complete. O(poses * joints).
 * \param[in] file its name
 * \param[in] skeleton a skeleton with a root
 * \param[in] motion poses of that skeleton; there may be none
 * \throws pcl::BadArgumentException if there is no root, a pose does not consist of
 * poseSize() finite numbers or has a quaternion of length 0, the frame time is below 0,
 * or the name of a joint has braces or line breaks
 * \throws pcl::IOException naming the file if it cannot be written
 */
PCL_EXPORTS void
saveBvh(const std::string& file, const Skeleton& skeleton, const MotionClip& motion);

} // namespace pcl::gpu
