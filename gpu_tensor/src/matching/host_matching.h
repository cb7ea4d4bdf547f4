// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "library/table_task.h"
#include "matching/coefficient_bounds.hpp"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <cstddef>
#include <cstdint>

// The steps of matching on the host that process many numbers at once. The best SIMD
// target is chosen at run time.

namespace pcl::device::host {

/** \brief The least sufficient overlap: \a least voxels, and \a slope more for each
 * voxel of the other tensor. */
struct OverlapLimit {
  float slope, least;
};

/** \brief Cells that the voxels of a coarse tensor are counted in, in their order. */
constexpr int cells = 64;
constexpr int cell_voxels = max_coarse_voxels / cells;

/** \brief Number of voxels of each cell that are not empty. */
struct CellCounts {
  std::uint8_t of[cells];
};

/** \brief The voxels of a tensor that are not empty, a bit each. */
struct OccupancyRow {
  const std::uint32_t* words;
  int word_count;          ///< a multiple of 8
  const CellCounts* cells; ///< null for none
  OverlapLimit limit;      ///< with others
};

/** \brief Rows of tensors that are looked at together. */
constexpr int overlap_rows = 32;

/** \brief The same of tensors that follow one another; cells and sizes have room for
 * overlap_rows more. */
struct OccupancyRows {
  const std::uint32_t* words;
  const CellCounts* cells; ///< null for none
  const float* sizes;      ///< voxels of each that are not empty
  int count;
};

/** \brief Finds the tensors that overlap enough with a given one.
 *
 * No more voxels of a cell are common than either tensor has; this rules out most
 * tensors.
 * \param[out] numbers of those that are found, in their order
 * \param[out] common voxels of each of them
 * \return their number
 */
int
findOverlaps(const OccupancyRow& own,
             const OccupancyRows& others,
             int* numbers,
             int* common);

/** \brief Voxels of a word of occupancy. */
constexpr int word_voxels = 32;

/** \brief Sums over two coarse tensors, but for the count.
 * \param[in] areas, others bytes of all voxels: 0 where a voxel is empty, else up to
 * 127
 * \param[in] words bits of the words of occupancy that are not 0 in both; bytes of
 * other words are not looked at
 */
CoarseSums
sumCoarse(const std::uint8_t* areas, const std::uint8_t* others, std::uint32_t words);

/** \brief Number of tensors that are correlated at once. */
constexpr int overlap_group = 8;

/** \brief AreaSums of several tensors and a given one. */
struct OverlapGroup {
  double p[overlap_group], q[overlap_group];
  double pp[overlap_group], qq[overlap_group], pq[overlap_group];
};

/** \brief Sums over the voxels that a tensor has in common with each of several others,
 * in the order of their entries.
 * \param[in] areas of the one tensor, overlap_group in a row: in the voxel of the first
 * entry of each of the others, then of the second entry, and so on; 0 where it is empty
 * \param[in] others areas of the others' entries in the same order
 * \param[in] steps rows of both
 * \param[in] count number of the others
 */
void
sumOverlaps(
    const float* areas, const float* others, int steps, int count, OverlapGroup& sums);

// Coarse tensors as the host has them; see coefficient_bounds.hpp.

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

/** \brief Brings a tensor's areas to whole numbers from 1 to 127, in the order of its
 * entries, and counts these in cells.
 * \return see CoarseScale::error()
 */
float
coarsen(const TensorView& tensors,
        int tensor,
        std::uint8_t* coarse,
        CellCounts& counts);

/** \brief Sets the bits of the voxels of a tensor that are not empty, and no others. */
void
setBits(const TensorView& tensors, int tensor, int words, std::uint32_t* bits);

/** \brief Writes bytes of voxels, 0 where they are empty.
 * \param[in] coarse see coarsen()
 * \param[out] grid of max_coarse_voxels
 * \return bits of the words of occupancy that are not 0
 */
std::uint32_t
fillGrid(const TensorView& tensors,
         int tensor,
         const std::uint8_t* coarse,
         std::uint8_t* grid);

} // namespace pcl::device::host
