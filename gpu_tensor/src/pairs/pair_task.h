// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/task_parts.h"

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/tensor/tensor_elements.h>

#include <cstdint>

namespace pcl::device {

using gpu::PointPair;
using gpu::PtrStep;
using gpu::PtrStepSz;

/** \brief Selection of the pairs that are kept. */
struct PairSelection {
  int count; ///< 0 for all
  bool random;
  std::uint64_t seed;
};

/** \brief Finds the pairs of points that define local frames. */
struct PairTask {
  PtrStepSz<const Float4> cloud;
  PtrStep<const Float4> normals;
  const ResolutionStatistics* statistics; ///< null if not needed
  const int* keypoints;                   ///< null if all points choose
  int keypoint_count;
  ResolutionMultiple min_distance, max_distance;
  float max_cosine; ///< of the angle between the normals of a pair
  int window_radius;
  int pairs_per_point;
  PairSelection selection;
  PointPair* pairs;
  int* count;
  ScratchMemory scratch;
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
