// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/correlation.hpp"
#include "matching/cuda_coarse_tensors.cuh"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

// The data that the kernels of matching share.

namespace pcl::device::cuda {

/** \brief Tensors, and tensors of the table, whose overlaps a warp counts: fewer if
 * there were too few warps. */
constexpr int count_rows = 64;
constexpr int few_count_rows = 16;
constexpr int enough_count_warps = 4096;
constexpr int count_columns = 32;
/** \brief Tensors of the table that a block compares one tensor with: few enough for
 * many blocks, as some tensors resemble far more of the table than others. With few
 * pairs left the number of blocks costs more. A chunk has stretches of the table, of
 * min_chunk_columns each, that are far from one another: tensors that resemble the same
 * one are close to one another in the table. */
constexpr int min_chunk_columns = 128;
constexpr int max_chunk_columns = 4096;
constexpr int enough_chunks = 16384;
constexpr int enough_chunks_of_few = 3072;
/** \brief Pairs of tensors that are worth the bounds of their coefficients. */
constexpr int enough_bounded_pairs = 1 << 18;
/** \brief Voxels of the largest grid whose areas are kept in shared memory. */
constexpr int max_shared_voxels = 4096;
/** \brief Tensors that are matched at a time, so that scratch memory has an end. */
constexpr int batch_rows = 4096;
/** \brief Sets of the table's tensors, of each of which the best score is kept: as many
 * as lanes, and no fewer than matches. */
constexpr int floor_sets = warp_size;

struct MatchingScratch {
  int first = 0;            // number of the batch's first tensor
  int rows;                 // room for tensors of a batch, a multiple of count_rows
  int column_words;         // of overlaps, for each tensor
  std::uint32_t* occupancy; // of the tensors
  float* areas;             // of the tensors, of all voxels; null if blocks share them
  bool drops_worse;         // by bounds of coefficients, which need the next three
  std::uint32_t* coarse;    // of the tensors, words of all voxels
  float* coarse_errors;     // of the tensors
  int* floors;              // of each tensor and set: bits of a score that is surpassed
  std::uint32_t* overlaps;  // one bit for each tensor and tensor of the table
  RankedMatch* best;        // matches of each tensor in each chunk
  int chunk_columns;
  int chunks;
  std::size_t bytes;

  MatchingScratch(const MatchingTask& task, void* memory)
  : column_words(divideUp(task.table_size, count_columns))
  {
    const int batch = task.max_count < batch_rows ? task.max_count : batch_rows;
    rows = divideUp(batch, count_rows) * count_rows;
    const std::size_t pairs = std::size_t(batch) * task.table_size;
    drops_worse = task.table_coarse && pairs >= enough_bounded_pairs;
    const std::size_t enough = drops_worse ? enough_chunks_of_few : enough_chunks;
    const std::size_t wanted = pairs / enough / min_chunk_columns + 1;
    constexpr std::size_t most = max_chunk_columns / min_chunk_columns;
    chunk_columns = static_cast<int>(wanted < most ? wanted : most) * min_chunk_columns;
    chunks = divideUp(task.table_size, chunk_columns);
    ScratchPieces pieces(memory);
    occupancy = pieces.take<std::uint32_t>(std::size_t(rows) * task.words);
    areas = task.voxels <= max_shared_voxels
                ? nullptr
                : pieces.take<float>(std::size_t(rows) * task.voxels);
    if (drops_worse) {
      coarse = pieces.take<std::uint32_t>(std::size_t(rows) * coarse_grid_words);
      coarse_errors = pieces.take<float>(rows);
      floors = pieces.take<int>(rows * floor_sets);
    }
    overlaps = pieces.take<std::uint32_t>(std::size_t(rows) * column_words);
    best = pieces.take<RankedMatch>(std::size_t(rows) * chunks * task.match_count);
    bytes = pieces.bytes();
  }

  /** \brief Returns the number of a word of overlaps of a row; some are behind the last
   * one.
   * \param[in] word its number among those of the chunk
   */
  __device__ int
  wordOfChunk(int chunk, int word) const
  {
    constexpr int stretch = min_chunk_columns / count_columns;
    return (word / stretch * chunks + chunk) * stretch + word % stretch;
  }

  /** \brief Returns the number of a tensor of the table.
   * \param[in] column its number among those of the chunk
   */
  __device__ int
  columnOfChunk(int chunk, int column) const
  {
    return wordOfChunk(chunk, column / count_columns) * count_columns +
           column % count_columns;
  }

  /** \brief Tensors of the batch. */
  __device__ int
  count(const MatchingTask& task) const
  {
    return min(*task.count, task.max_count) - first;
  }
};

} // namespace pcl::device::cuda
