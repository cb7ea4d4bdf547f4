// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/host_matching_lanes.h"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <cstddef>
#include <cstdint>

// Coarse tensors as the host has them; see coefficient_bounds.hpp.

namespace pcl::device::host {

/** \brief Coarse tensors of a table. */
struct CoarseTable {
  std::uint8_t* areas; ///< of entries, see coarsen()
  CellCounts* cells;   ///< of tensors
  float* errors;       ///< of tensors, see CoarseScale::error()
  std::size_t bytes;

  CoarseTable(int count, std::uint32_t entries, void* memory)
  {
    ScratchPieces pieces(memory);
    areas = pieces.take<std::uint8_t>(entries);
    cells = pieces.take<CellCounts>(std::size_t(count) + overlap_rows);
    errors = pieces.take<float>(count);
    bytes = pieces.bytes();
  }
};

/** \brief A given tensor, see sumCoarse(). */
struct CoarseGrid {
  std::uint8_t areas[max_coarse_voxels];
  std::uint32_t words; ///< bits of those of occupancy that are not 0
  float error;
  CellCounts cells;
};

/** \brief Brings a tensor's areas to whole numbers from 1 to 127, in the order of its entries.
 * \return see CoarseScale::error()
 */
float
coarsen(const TensorView& tensors, int tensor, std::uint8_t* coarse);

void
countInCells(const TensorView& tensors, int tensor, CellCounts& counts);

/** \brief Sets the bits of the voxels of a tensor that are not empty, and no others. */
void
setBits(const TensorView& tensors, int tensor, int words, std::uint32_t* bits);

/** \brief Writes bytes of voxels, those of words of occupancy that are 0 or not.
 * \param[in] coarse see coarsen()
 * \param[in] occupancy of the tensor
 * \param[out] grid of max_coarse_voxels
 * \return bits of the words of occupancy that are not 0
 */
std::uint32_t
fillGrid(const TensorView& tensors,
         int tensor,
         const std::uint8_t* coarse,
         const std::uint32_t* occupancy,
         int words,
         std::uint8_t* grid);

} // namespace pcl::device::host
