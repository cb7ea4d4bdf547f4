// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/task_parts.h"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/utils/device/types.hpp>

namespace pcl::device {

using gpu::PairSelection;
using gpu::PointPair;
using gpu::PointPairEstimationParameters;

/** \brief Finds the pairs of points that define local frames. */
struct PairTask : PointPairEstimationParameters {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  const ResolutionStatistics* statistics; ///< null if not needed
  const int* keypoints;                   ///< null if all points choose
  int keypoint_count;
  float max_cosine; ///< of the angle between the normals of a pair
  PointPair* pairs;
  int* count;
  ScratchMemory scratch;

  /** \brief Returns a number of resolutions in metres. */
  PCL_GPU_HOST_DEVICE float
  metres(float resolutions) const
  {
    return resolutions *
           (resolution > 0.0f ? resolution : statistics->nearest_distance);
  }

  /** \brief Returns whether all pairs are kept. */
  PCL_GPU_HOST_DEVICE bool
  keepsAll() const
  {
    return selection == PairSelection::All;
  }
};

namespace host {

ScratchBytes
pairScratchBytes(const PairTask& task);

void
findPairs(const PairTask& task);

} // namespace host

namespace cuda {

ScratchBytes
pairScratchBytes(const PairTask& task);

void
findPairs(const PairTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
