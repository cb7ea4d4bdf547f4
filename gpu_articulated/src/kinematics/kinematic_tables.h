// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "kinematics/kinematics.hpp"

#include <pcl/gpu/articulated/skeleton.h>

#include <vector>

namespace pcl::gpu {

/** \brief Tables of a skeleton for turning poses, on the host. Not to be copied. */
struct KinematicTables {
  /** \param[in] skeleton one with a root; not needed afterwards */
  explicit KinematicTables(const Skeleton& skeleton);

  /** \brief Returns a view of the tables in a copy of them. */
  device::KinematicTree
  view(char* copy) const;

  std::vector<char> bytes;      ///< all tables in one piece, to be copied to a device
  device::KinematicTree tree{}; ///< their sizes
  bool has_plain_capsules;      ///< both ends of every capsule have one radius
};

/** \brief Places the capsules of one pose, on the host.
 * \param[in] tables of the skeleton
 * \param[in] pose of the skeleton
 * \param[out] capsules one for each of the skeleton's
 */
template <typename T>
void
placeCapsules(const KinematicTables& tables,
              const std::vector<float>& pose,
              T* capsules)
{
  device::KinematicsTask<device::PlaceCapsules<T>> task{};
  task.tree = tables.tree;
  task.poses = pose.data();
  task.count = 1;
  std::vector<device::JointTransform> transforms(
      device::host::scratchTransforms(task.tree));
  task.scratch = transforms.data();
  task.outputs = capsules;
  device::host::turnPoses(task);
}

} // namespace pcl::gpu
