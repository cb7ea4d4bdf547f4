// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/pcl_exports.h>
#include <pcl/types.h>

#include <vector>

/** \file
 * \brief The pair of each point. Part of the host wrappers' implementation: not for use
 * elsewhere.
 */

namespace pcl::gpu::detail {

/** \brief The pairs that points form with their closest partners, and the pair of each
 * point. */
class PCL_EXPORTS PairsOfPoints {
public:
  /** \brief Finds them. Waits for the device.
   * \param[in] estimation finds one pair for each point, and selects all
   * \param[in] cloud an organized cloud, on the current device
   * \param[in] normals its normals
   * \param[in] statistics its resolution
   * \param[in] points numbers of the points; null for all
   */
  void
  compute(PointPairEstimation& estimation,
          const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          const Indices* points);

  /** \return the number of pairs */
  int
  size() const
  {
    return static_cast<int>(pairs_.size());
  }

  /** \brief Returns the number of a point's pair.
   * \param[in] point number of one of the points that were asked for
   * \return 0 to size() - 1, or -1 if the point is in no pair
   */
  int
  numberOf(index_t point) const
  {
    return numbers_[point];
  }

  /** \brief Brings some pairs to the current device.
   * \param[in] begin number of the first one
   * \param[in] end number of the last one, and 1
   * \return the pairs; valid until the next call
   */
  const PointPairs&
  upload(int begin, int end);

private:
  PointPairs on_device_;
  DeviceArray<int> keypoints_;
  std::vector<PointPair> pairs_;
  std::vector<int> numbers_;
};

} // namespace pcl::gpu::detail
