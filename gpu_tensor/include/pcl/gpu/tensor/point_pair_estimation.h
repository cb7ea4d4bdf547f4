// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <utility>

namespace pcl::gpu {

/** \brief Finds the pairs of points of an organized cloud that define local frames.
 *
 * Two points may be paired under three conditions (Orts-Escolano et al. 2014, section
 * 2.3). Each lies in the other's window. Their distance is from 5 to 14 times the
 * resolution of the cloud. Their normals differ by at least 15 degrees. Each point
 * chooses the three closest of the points that it may be paired with; of equally close
 * ones the first row by row. The result has every chosen pair once. Its first point is
 * the one that chose, or the upper left one if both chose each other. Pairs are ordered
 * by the first point, then by distance.
 *
 * Closest is by Euclidean distance and exact, within the window. A point without a
 * normal is in no pair.
 *
 * O(pixels x window); cells without possible partners are left out. The result is the
 * same, bit for bit, on every run. Steady state neither allocates nor waits. On CUDA, a
 * run is faster on a frame that resembles the one before.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS PointPairEstimation
: public Parameterized<PointPairEstimationParameters> {
public:
  /** \brief Finds the pairs of one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * a resolution is set
   * \param[out] pairs in the order above; room for as many as can be
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, inputs are on different
   * devices,
   * \a statistics is empty and needed, or the cloud has 2^29 points or more
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          PointPairs& pairs,
          const Stream& stream = {})
  {
    run(cloud, normals, statistics, nullptr, pairs, stream);
  }

  /** \brief Finds the pairs that some points choose.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * a resolution is set
   * \param[in] keypoints numbers of the points that choose, row by row, in any order;
   * numbers outside of the cloud are left out. Partners may be any points
   * \param[out] pairs in the order above; room for as many as can be
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException as above
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          const DeviceArray<int>& keypoints,
          PointPairs& pairs,
          const Stream& stream = {})
  {
    run(cloud, normals, statistics, &keypoints, pairs, stream);
  }

private:
  void
  run(const OrganizedCloud& cloud,
      const NormalMap& normals,
      const DeviceArray<ResolutionStatistics>& statistics,
      const DeviceArray<int>* keypoints,
      PointPairs& pairs,
      const Stream& stream);

  /** \brief Rows and columns of the cloud that kept memory is of. */
  detail::Unshared<std::pair<int, int>> kept_size_;
  Workspace kept_memory_;
  Workspace workspace_;
};

} // namespace pcl::gpu
