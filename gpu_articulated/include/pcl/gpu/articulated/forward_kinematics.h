// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <memory>

namespace pcl::gpu {

struct KinematicTables;

/** \brief Turns poses of a skeleton into joints and skin in the world, many poses at
 * once (Friborg et al. 2010, section 2).
 *
 * Poses are rows of Skeleton::poseSize() floats, one after the other, on any device;
 * results are made there. Root quaternions of any length but 0 are turned into unit
 * ones. Numbers of a pose that are not finite, and angles beyond 1e5 radians, make all
 * results that depend on them NaN, and no others.
 *
 * O(poses * joints). Steady state neither allocates nor waits, and can be captured into
 * a CUDA graph. One object serves one call at a time.
 * \ingroup gpu_articulated
 */
class PCL_EXPORTS ForwardKinematics {
public:
  /** \brief Sets the skeleton. Later changes of it need another call.
   * \param[in] skeleton one with a root
   * \throws pcl::BadArgumentException if null or without joints
   */
  void
  setSkeleton(const Skeleton::ConstPtr& skeleton);

  /** \return the skeleton; null if none was set */
  const Skeleton::ConstPtr&
  getSkeleton() const
  {
    return skeleton_;
  }

  /** \brief Computes the skin's capsules.
   * \param[in] poses rows of poseSize() floats
   * \param[out] capsules those of the first pose in the order of the skeleton, then
   * those of the second, and so on
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if there is no skeleton, the poses are no whole
   * rows, or a capsule of the skeleton has two radii
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeCapsules(const DeviceArray<float>& poses,
                  DeviceArray<Capsule>& capsules,
                  const Stream& stream = {});

  /** \brief Computes the skin's capsules, with a radius at each end.
   * \param[in] poses as above
   * \param[out] capsules as above
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, or the poses are no
   * whole rows
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeCapsules(const DeviceArray<float>& poses,
                  DeviceArray<TaperedCapsule>& capsules,
                  const Stream& stream = {});

  /** \brief Computes the joints' positions.
   * \param[in] poses as above
   * \param[out] positions those of the first pose in the order of the skeleton, metres,
   * in the world, then those of the second, and so on
   * \param[in] stream as above
   * \throws pcl::BadArgumentException if there is no skeleton, or the poses are no
   * whole rows
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  computeJoints(const DeviceArray<float>& poses,
                DeviceArray<PointXYZ>& positions,
                const Stream& stream = {});

private:
  struct Buffers;

  template <typename Skin, typename T>
  void
  turnPoses(const DeviceArray<float>& poses,
            DeviceArray<T>& outputs,
            const Stream& stream);

  Skeleton::ConstPtr skeleton_;
  std::shared_ptr<const KinematicTables> tables_; ///< of the skeleton as it was set
  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
