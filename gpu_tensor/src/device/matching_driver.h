// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_frame.h>
#include <pcl/gpu/tensor/tensor_match.h>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

using gpu::TensorFrame;
using gpu::TensorMatch;

/** \brief Compressed tensors as a driver sees them. */
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

/** \brief Words of one bit a voxel, in rows of 256 bits. */
inline int
occupancyWords(int voxels)
{
  return (voxels + 255) / 256 * 8;
}

/** \brief Bins of angles. */
struct AngleBins {
  float width; ///< radians
  int count;
};

/** \brief What putting tensors into the order of their bins needs. */
struct TableTask {
  TensorView from;
  int count;
  const std::uint32_t* places; ///< of each tensor among those it is taken from
  TensorFrame* frames;
  const int* from_labels;
  int* labels;
  const std::uint32_t* starts; ///< of the tensors in their new order
  std::uint16_t* voxels;
  float* areas;
  std::uint32_t entries;
  int words;                ///< of occupancy, of a tensor
  std::uint32_t* occupancy; ///< zero
  void* coarse;             ///< see MatchingDriver::coarseTableBytes(); null for none

  /** \brief The tensors in their new order. */
  PCL_GPU_HOST_DEVICE TensorView
  gathered() const
  {
    return {frames, starts, voxels, areas, entries};
  }
};

/** \brief What matching needs. */
struct MatchingTask {
  TensorView tensors;
  const int* count;
  int max_count;
  TensorView table;
  int table_size;
  const std::uint32_t* table_occupancy;
  const void* table_coarse; ///< see coarseTableBytes(); null for none
  const std::uint32_t* bin_starts;
  AngleBins bins;
  int neighbor_bins; ///< -1 for all
  int voxels;        ///< of a grid
  int words;         ///< of occupancy, of a tensor
  float min_overlap;
  int min_overlap_voxels;
  float min_correlation;
  int match_count;
  bool ranks_by_overlap; ///< by coefficient times overlap
  TensorMatch* matches;
};

/** \brief What tables and matching ask of a device. See TensorDriver. */
class MatchingDriver {
public:
  using Queue = CUstream_st*;

  virtual void
  findBins(const TensorFrame* frames,
           int count,
           const AngleBins& bins,
           std::uint32_t* bin,
           Queue queue) const = 0;

  /** \brief Memory for what a driver keeps of a table for itself.
   * \param[in] voxels of a grid
   * \param[in] count of tensors
   * \param[in] entries of all of them
   * \return 0 if it keeps nothing
   */
  virtual std::size_t
  coarseTableBytes(int voxels, int count, std::uint32_t entries) const = 0;

  /** \brief Gathers tensors and finds which of their voxels are not empty. */
  virtual void
  gatherTensors(const TableTask& task, Queue queue) const = 0;

  virtual std::size_t
  matchingScratchBytes(const MatchingTask& task) const = 0;

  virtual void
  match(const MatchingTask& task, void* scratch, Queue queue) const = 0;

protected:
  ~MatchingDriver() = default;
};

const MatchingDriver&
hostMatchingDriver();

/** \brief Exists only where the module is built with CUDA. */
const MatchingDriver&
cudaMatchingDriver();

} // namespace pcl::device
