// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <memory>

namespace pcl::gpu {

/** \brief Turns poses of a skeleton into joints and skin in the world, many poses at once
 * (Friborg et al. 2010, section 2).
 *
 * Poses are rows of Skeleton::poseSize() floats, one after the other, on any device; results
 * are made there. Root quaternions of any length but 0 are turned into unit ones. Numbers of
 * a pose that are not finite, and angles beyond 1e5 radians, make what depends on them NaN,
 * and nothing else.
 *
 * O(poses * joints). Steady state neither allocates nor waits, and can be captured into a
 * CUDA graph. One object serves one call at a time.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS ForwardKinematics {
public:
  /** \brief Makes one without a skeleton. */
  ForwardKinematics();

  /** \brief Copies the skeleton; the copy gets memory of its own.
   * \param[in] other stays as it is
   */
  ForwardKinematics(const ForwardKinematics& other);

  /** \brief Takes everything over.
   * \param[in,out] other can only be destroyed or assigned to afterwards
   */
  ForwardKinematics(ForwardKinematics&& other) noexcept;

  /** \brief Takes everything over; assigning a copy keeps the other as it is.
   * \param[in] other forward kinematics
   * \return this
   */
  ForwardKinematics&
  operator=(ForwardKinematics other) noexcept;

  /** \brief Frees its memory. */
  ~ForwardKinematics();

  /** \brief Sets whose poses are turned; later changes of the skeleton need another call.
   * \param[in] skeleton one with a root
   * \throws pcl::BadArgumentException if null or without joints
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return whose poses are turned; null if nothing was set */
  const Skeleton::ConstPtr&
  getSkeleton() const;

  /** \brief Computes where the skin is.
   * \param[in] poses rows of poseSize() floats
   * \param[out] capsules those of the first pose in the order of the skeleton, then those of
   * the second, and so on
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no skeleton, the poses are no whole rows,
   * or a capsule of the skeleton has two radii
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeCapsules(const DeviceArray<float>& poses,
                  DeviceArray<Capsule>& capsules,
                  const Stream& stream = {});

  /** \brief Computes where the skin is, with a radius at each end.
   * \param[in] poses as above
   * \param[out] capsules as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, or the poses are no whole rows
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeCapsules(const DeviceArray<float>& poses,
                  DeviceArray<TaperedCapsule>& capsules,
                  const Stream& stream = {});

  /** \brief Computes where the joints are.
   * \param[in] poses as above
   * \param[out] positions those of the first pose in the order of the skeleton, metres, in
   * the world, then those of the second, and so on
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, or the poses are no whole rows
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeJoints(const DeviceArray<float>& poses,
                DeviceArray<PointXYZ>& positions,
                const Stream& stream = {});

private:
  struct Buffers;

  Skeleton::ConstPtr skeleton_;
  std::unique_ptr<Buffers> buffers_;
};

} // namespace pcl::gpu
