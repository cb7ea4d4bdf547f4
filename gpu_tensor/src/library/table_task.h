// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::TensorFrame;

/** \brief Compressed tensors on a device. */
struct TensorView {
  const TensorFrame* frames;
  const std::uint32_t* starts;
  const std::uint16_t* voxels;
  const float* areas;
  std::uint32_t room; ///< for entries; those beyond were lost

  /** \brief Place of a tensor's first entry; \a tensor may be their number. */
  PCL_GPU_HOST_DEVICE std::uint32_t
  start(int tensor) const
  {
    return starts[tensor] < room ? starts[tensor] : room;
  }

  /** \brief Number of a tensor's entries. */
  PCL_GPU_HOST_DEVICE int
  entryCount(int tensor) const
  {
    return static_cast<int>(start(tensor + 1) - start(tensor));
  }
};

/** \brief Bins of angles. */
struct AngleBins {
  float width; ///< radians
  int count;
};

/** \brief Puts tensors into the order of their bins, and finds their voxels that are
 * not empty. */
struct TableTask {
  TensorView from;
  int count;
  const std::uint32_t* places; ///< former place of each tensor
  TensorFrame* frames;
  const int* from_labels;
  int* labels;
  const std::uint32_t* starts; ///< of the tensors in their new order
  std::uint16_t* voxels;
  float* areas;
  std::uint32_t entries;
  int words;                ///< of occupancy, of a tensor
  std::uint32_t* occupancy; ///< zero
  void* coarse;             ///< of coarseTableBytes(); null for none
};

/** \brief The bin of a tensor's angle. */
PCL_GPU_HOST_DEVICE int
binOf(float angle, const AngleBins& bins)
{
  const int bin = static_cast<int>(angle / bins.width);
  return bin < 0 ? 0 : bin < bins.count ? bin : bins.count - 1;
}

/** \brief Finds the bin of a tensor's angle. */
struct FindBin {
  const TensorFrame* frames;
  AngleBins bins;
  std::uint32_t* bin; ///< of every tensor

  PCL_GPU_HOST_DEVICE void
  operator()(int tensor, int) const
  {
    bin[tensor] = static_cast<std::uint32_t>(binOf(frames[tensor].angle, bins));
  }
};

namespace host {

/** \brief Returns the memory for the coarse tensors of a table; see
 * max_coarse_voxels. */
std::size_t
coarseTableBytes(int tensors, std::uint32_t entries);

void
gatherTensors(const TableTask& task);

} // namespace host

namespace cuda {

std::size_t
coarseTableBytes(int tensors, std::uint32_t entries);

void
gatherTensors(const TableTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
