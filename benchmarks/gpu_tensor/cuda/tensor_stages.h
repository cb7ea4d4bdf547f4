// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/utils/stream.h>

namespace benchmarks {

/** \brief A frame on the device with its mesh, and the stages after that, with the
 * defaults of the classes. */
class TensorStages {
public:
  /** \brief Queues the chain up to the mesh. */
  TensorStages(const RawDepth& depth, const pcl::gpu::Stream& stream);

  void
  queueChain();

  void
  queuePairs();

  void
  queueTensors();

  /** \brief Tensors of other pairs of the frame.
   * \param[in,out] extraction with its own memory
   */
  void
  queueTensors(const pcl::gpu::PointPairs& pairs,
               pcl::gpu::TensorExtraction& extraction,
               pcl::gpu::TensorSet& tensors,
               const pcl::gpu::Stream& stream) const;

  const pcl::gpu::DepthMapTriangulation&
  chain() const;

  const pcl::gpu::PointPairs&
  pairs() const;

  const pcl::gpu::TensorSet&
  tensors() const;

  /** \brief Chooses which pairs later runs keep. */
  void
  select(pcl::gpu::PairSelection selection, int count = 1);

  int
  tensorCount() const;

  double
  entriesPerTensor() const;

private:
  pcl::gpu::Stream stream_;
  pcl::gpu::RawDepthMap depth_;
  pcl::gpu::DepthMapTriangulation chain_;
  pcl::gpu::PointPairEstimation estimation_;
  pcl::gpu::TensorExtraction extraction_;
  pcl::gpu::PointPairs pairs_;
  pcl::gpu::TensorSet tensors_;
};

} // namespace benchmarks
