// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "cuda_floors.h"
#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief One row of the table. */
struct Stage {
  std::string name;
  Work work;
  double gtx480 = 0.0; ///< the paper's table 3, ms; 0 where it has no figure
  QueueWork queue;
};

/** \brief A depth map on the device, the chain, and the stages' own classes. */
class TriangulationStages {
public:
  static constexpr int filter_radius = 6;
  static constexpr int normal_radius = 3;

  /** \brief Uploads a depth map and runs the chain once, so that all memory exists.
   * \param[in] depth the input
   * \param[in] stream where everything is queued
   * \throws std::runtime_error if the mesh is empty, or has other polygons when the
   * chain is replayed from a graph
   */
  TriangulationStages(const RawDepth& depth, const pcl::gpu::Stream& stream);

  /** \brief The stages in the order of the paper's table 3, those that it lacks, and
   * the whole chain. */
  std::vector<Stage>
  stages();

  /** \brief Queues the whole chain. */
  void
  queueChain();

  pcl::gpu::RawDepthMap&
  depth();

  const pcl::gpu::DepthMapTriangulation&
  chain() const;

  /** \brief Returns the number of the mesh's polygons. */
  int
  polygons() const;

  double
  pixels() const;

private:
  void
  queueSeparateStages();

  void
  verify();

  pcl::gpu::Stream stream_;
  pcl::gpu::RawDepthMap depth_;
  pcl::gpu::DepthMapTriangulation chain_;

  // The stages on their own, and their outputs; their inputs are the chain's.
  pcl::gpu::DepthBilateralFilter filter_;
  pcl::gpu::DepthMapProjection projection_;
  pcl::gpu::NormalMapEstimation normal_estimation_;
  pcl::gpu::NormalMapEstimation adaptive_estimation_;
  pcl::gpu::FlyingPixelRemoval flying_pixel_removal_;
  pcl::gpu::CloudResolution resolution_;
  pcl::gpu::OrganizedTriangulation triangulation_;
  pcl::gpu::DepthMap filtered_;
  pcl::gpu::OrganizedCloud cloud_;
  pcl::gpu::NormalMap normals_;
  pcl::gpu::NormalMap adaptive_normals_;
  pcl::gpu::DepthMap cleaned_;
  pcl::gpu::DeviceArray<pcl::gpu::ResolutionStatistics> statistics_;
  pcl::gpu::OrganizedMesh mesh_;
  int polygons_ = 0;
};

} // namespace benchmarks
