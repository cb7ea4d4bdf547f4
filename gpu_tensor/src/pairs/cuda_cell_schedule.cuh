// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <cstddef>

namespace pcl::device::cuda {

/** \brief The order in which cells are searched: those that took longest in the run before
 * come first, so that none is still being searched long after the others. A camera's next frame is much
 * like its last one; and only the time depends on the order.
 *
 * The memory is zero before the first run of a number of cells.
 */
class CellSchedule {
public:
  /** \param[in] memory of bytes(cells)
   * \param[in] cells their number
   */
  __host__ __device__
  CellSchedule(void* memory, int cells)
  : counts_(static_cast<unsigned int*>(memory))
  , places_(counts_ + 2 * classes)
  , cells_(cells)
  {}

  static std::size_t
  bytes(int cells)
  {
    return sizeof(unsigned int) * (2 * classes + static_cast<std::size_t>(cells));
  }

  /** \brief Begins a run. The first warp of a grid calls, before the grid that searches.
   * \param[in] run its number, which is odd in every other run
   */
  __device__ void
  begin(unsigned int run) const
  {
    counts_[run % 2 * classes + threadIdx.x] = 0;
  }

  /** \brief Returns the turn of a cell in the search. All lanes of a warp must call.
   * \param[in] cell its number; may be too large
   * \return its place among all cells; negative if nothing is known of the run before
   */
  __device__ int
  place(unsigned int run, int cell) const
  {
    // Lanes have the classes, that of the most work first.
    const int lane = threadIdx.x % warp_size;
    const unsigned int count = counts_[(run + 1) % 2 * classes + (classes - 1 - lane)];
    const unsigned int end = inclusiveSumOverWarp(count, lane);
    const bool known =
        __shfl_sync(all_lanes, end, warp_size - 1) == static_cast<unsigned int>(cells_);
    const unsigned int place = cell < cells_ ? places_[cell] : 0;
    const unsigned int begin =
        __shfl_sync(all_lanes, end - count, classes - 1 - place % classes);
    return known ? static_cast<int>(begin + place / classes) : -1;
  }

  /** \brief Keeps for the next run how much work a cell was. One thread calls. */
  __device__ void
  record(unsigned int run, int cell, int work) const
  {
    const unsigned int work_class = min(work, classes - 1);
    const unsigned int rank = atomicAdd(counts_ + run % 2 * classes + work_class, 1u);
    places_[cell] = rank * classes + work_class;
  }

private:
  static constexpr int classes = warp_size;

  unsigned int* counts_; ///< of cells of each class, in this run and the one before
  unsigned int* places_; ///< of each cell among those of its class, and the class
  int cells_;
};

} // namespace pcl::device::cuda
