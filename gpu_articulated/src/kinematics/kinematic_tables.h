// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics.hpp"

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>

#include <vector>

namespace pcl::gpu {

/** \brief A skeleton's tables for turning poses: kept on the host, copied once to the device
 * that poses are on. A copy has no device memory. */
class KinematicTables {
public:
  KinematicTables() = default;

  /** \param[in] skeleton one with a root; not needed afterwards */
  explicit KinematicTables(const Skeleton& skeleton);

  KinematicTables(const KinematicTables& other);
  KinematicTables(KinematicTables&&) = default;
  KinematicTables&
  operator=(KinematicTables other) noexcept;
  ~KinematicTables() = default;

  /** \brief Size of a pose; 0 without a skeleton. */
  int
  poseSize() const;

  int
  jointCount() const;

  int
  capsuleCount() const;

  bool
  hasPlainCapsules() const;

  /** \brief The tables on a device, which is the current one. The first call for it copies
   * them, and waits.
   * \throws DeviceException if memory runs out
   */
  device::KinematicTree
  on(const Device& device);

private:
  device::KinematicTree
  view(const void* memory) const;

  /** \brief All tables in one piece, at multiples of 256 bytes. */
  std::vector<char> tables_;
  DeviceArray<char> copy_;
  int joint_count_ = 0;
  int depths_ = 0;
  int capsule_count_ = 0;
  int pose_size_ = 0;
  bool has_plain_capsules_ = true;
};

} // namespace pcl::gpu
