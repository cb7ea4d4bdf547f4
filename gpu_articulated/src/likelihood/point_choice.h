// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstddef>

namespace pcl::gpu {

/** \brief Some of an observation's points, with weights by which they stand for all. */
struct PointChoice {
  /** \brief Joins neighbours, and chooses most of those near the rays to a body and
   * few of the others. O(points * capsules).
   * \param[in] all more points than are wanted
   * \param[in] all_backgrounds as in CapsuleLikelihood::setPoints(); may be empty
   * \param[in] viewpoint of the points
   * \param[in] body its capsules, on the device of the points
   * \param[in] count number of the wanted points
   * \param[in] stream the queue to join
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  choose(const DeviceArray<PointXYZ>& all,
         const DeviceArray<float>& all_backgrounds,
         const Eigen::Vector3f& viewpoint,
         const DeviceArray<TaperedCapsule>& body,
         std::size_t count,
         const Stream& stream);

  /** \brief Returns the bytes that choose() allocates on the current device. */
  static std::size_t
  estimateMemory(std::size_t all, std::size_t count);

  DeviceArray<PointXYZ> points;
  DeviceArray<float> weights;
  DeviceArray<float> backgrounds; ///< empty if none are known

private:
  Workspace memory_;
};

} // namespace pcl::gpu
