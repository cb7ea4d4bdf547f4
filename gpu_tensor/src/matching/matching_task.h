// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "library/table_task.h"

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_matching.h>

namespace pcl::device {

using gpu::MatchRanking;
using gpu::TensorMatch;
using gpu::TensorMatchingParameters;

/** \brief Finds the tensors of a table that resemble given ones most. */
struct MatchingTask : TensorMatchingParameters {
  TensorView tensors;
  const int* count;
  int max_count;
  TensorView table;
  int table_size;
  const std::uint32_t* table_occupancy;
  const void* table_coarse; ///< see coarseTableBytes(); null for none
  /** \brief Numbers of the table's tensors in the whole table; null if it is whole. */
  const std::uint32_t* whole_numbers;
  const std::uint32_t* bin_starts;
  AngleBins bins;
  int voxels; ///< of a grid
  int words;  ///< of occupancy, of a tensor
  TensorMatch* matches;
  void* scratch; ///< as many bytes as matchingScratchBytes() says

  /** \brief Number of a tensor of the table in the whole table. */
  PCL_GPU_HOST_DEVICE int
  wholeNumber(int tensor) const
  {
    return whole_numbers ? static_cast<int>(whole_numbers[tensor]) : tensor;
  }
};

namespace host {

/** \brief Looks at sizes only. */
std::size_t
matchingScratchBytes(const MatchingTask& task);

void
match(const MatchingTask& task);

} // namespace host

namespace cuda {

std::size_t
matchingScratchBytes(const MatchingTask& task);

void
match(const MatchingTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
