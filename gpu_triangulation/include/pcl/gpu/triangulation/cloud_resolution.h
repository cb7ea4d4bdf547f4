// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

namespace pcl::gpu {

/** \brief Parameters of a CloudResolution.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS CloudResolutionParameters {
  int neighbors = 8;   ///< pixels around a point that it is compared with, 4 or 8
  int row_step = 1;    ///< only every n-th row is there, from the first one on
  int column_step = 1; ///< only every n-th column is there

  /** \brief Start of the line of sight, in the cloud's frame, metres. */
  Eigen::Vector3f viewpoint = Eigen::Vector3f::Zero();

  /** \brief Rejects any other number of neighbours, steps below 1, a viewpoint that is
   * not finite.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Measures the spacing of an organized cloud's points and normals.
 *
 * For every point the mean distance from its neighbours, that from the nearest of them,
 * and the mean angle between its normal and theirs; then means and standard deviations
 * over the cloud: see ResolutionStatistics. Mean plus deviation are the dynamic
 * thresholds T_d and eps_n of the triangulation (Orts-Escolano et al. 2014, section
 * 2.2). Neighbours are the 8 pixels around, or the 4 beside, in the grid of those rows
 * and columns that the steps leave: a mesh of large quads needs the spacing of its own
 * vertices (OrganizedTriangulationParameters::applyTo()).
 *
 * The result stays on the device and is the same, bit for bit, on every run. O(pixels).
 * Steady state neither allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS CloudResolution : public Parameterized<CloudResolutionParameters> {
public:
  /** \brief Measures one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its normals; empty to measure distances only
   * \param[out] statistics one element, in device memory
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          DeviceArray<ResolutionStatistics>& statistics,
          const Stream& stream = {});

private:
  Workspace workspace_;
};

} // namespace pcl::gpu
