// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics/kinematics.hpp"

#include <pcl/gpu/articulated/skeleton.h>

#include <vector>

namespace pcl::gpu {

/** \brief A skeleton's tables for turning poses, on the host. */
class KinematicTables {
public:
  /** \param[in] skeleton one with a root; not needed afterwards */
  explicit KinematicTables(const Skeleton& skeleton);

  /** \brief Returns all tables in one piece, to be copied to a device. */
  const std::vector<char>&
  bytes() const
  {
    return tables_;
  }

  /** \brief Whether both ends of every capsule have one radius. */
  bool
  hasPlainCapsules() const
  {
    return has_plain_capsules_;
  }

  /** \brief Returns a view of the tables in a copy of bytes(). */
  device::KinematicTree
  view(const char* copy) const;

private:
  std::vector<char> tables_;
  int joint_count_;
  int depths_;
  int capsule_count_;
  int pose_size_;
  bool has_plain_capsules_;
};

} // namespace pcl::gpu
