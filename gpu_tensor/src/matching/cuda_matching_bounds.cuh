// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/coefficient_bounds.hpp"
#include "matching/cuda_coarse_tensors.cuh"
#include "matching/cuda_matching_scratch.cuh"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
// Bounds of the coefficient of two tensors, from their coarse ones.

namespace pcl::device::cuda {

/** \brief All bits of the bytes whose highest bit is set. */
__device__ __forceinline__ std::uint32_t
spreadHighBits(std::uint32_t bytes)
{
  std::uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(bytes));
  return mask;
}

/** \brief Sums over a tensor and one of the table, the same in all of a group of lanes.
 * All lanes of a warp must call.
 * \param[in] areas words of the tensor, of all voxels
 * \param[in] first, steps of the other, see CoarseTensor
 */
__device__ __forceinline__ CoarseSums
coarseSumsInGroup(const CoarseTable& table,
                  const std::uint32_t* areas,
                  std::uint32_t first,
                  int steps)
{
  constexpr unsigned int ones = 0x01010101;
  constexpr int count_shift = 18; // a sum of 1024 bytes needs fewer bits
  CoarseSums sums;
  int signed_p = 0; // of bytes less 256
  const auto add = [&](unsigned short offset, std::uint32_t b) {
    const std::uint32_t a = *reinterpret_cast<const std::uint32_t*>(
        reinterpret_cast<const char*>(areas) + offset);
    const std::uint32_t common_a = a & spreadHighBits(b);
    const std::uint32_t common_b = b & spreadHighBits(a);
    sums.p = __dp4a(common_a, ones, sums.p);
    signed_p = __dp4a(static_cast<int>(common_a), static_cast<int>(ones), signed_p);
    sums.q = __dp4a(common_b, ones, sums.q);
    sums.pp = __dp4a(common_a, common_a, sums.pp);
    sums.qq = __dp4a(common_b, common_b, sums.qq);
    sums.pq = __dp4a(common_a, common_b, sums.pq);
  };
  std::uint32_t place = first * coarse_group_lanes + threadIdx.x % coarse_group_lanes;
#pragma unroll 1
  for (int i = 0; i < steps; ++i, place += coarse_group_lanes) {
    const uint4 words = table.areas[place];
    const ushort4 offsets = table.offsets[place];
    add(offsets.x, words.x);
    add(offsets.y, words.y);
    add(offsets.z, words.z);
    add(offsets.w, words.w);
  }
  // The count goes with a sum.
  const unsigned int count = (static_cast<int>(sums.p) - signed_p) / 256;
  sums.p |= count << count_shift;
  addOverLanes<coarse_group_lanes>(sums.p, sums.q, sums.pp, sums.qq, sums.pq);
  sums.count = static_cast<int>(sums.p >> count_shift);
  sums.p &= (1u << count_shift) - 1;
  return sums;
}

} // namespace pcl::device::cuda

// Drops pairs of tensors that cannot be among the best matches: those whose coefficient
// has an upper bound below as many lower bounds as matches are wanted.

namespace pcl::device::cuda {

constexpr int bound_threads = 256;
constexpr int bound_warps = bound_threads / warp_size;
constexpr int coarse_groups = warp_size / coarse_group_lanes;
/** \brief Tensors that a block looks at a time. */
constexpr int bound_rows = warp_size;
/** \brief Tensors of the table that it looks at a time, in words of overlaps: fewer
 * where that makes too few blocks. */
constexpr int max_bound_words = 4;
/** \brief Most tiles of one word that are looked at one by one; up to four times as
 * many are looked at in pairs. */
constexpr int enough_narrow_tiles = 1024;
/** \brief Blocks that are enough for all multiprocessors to finish at about the same
 * time. */
constexpr int enough_bound_blocks = 2048;

static_assert(count_rows % bound_rows == 0, "all rows have memory");
static_assert(count_columns % floor_sets == 0, "places in a tile tell the set");

/** \brief Shared memory of a block of boundKernel.
 * \tparam Words of overlaps of a row
 */
template <int Words>
struct alignas(16) BoundTile {
  /** \brief Words of the coarse tensors; rows begin so many banks apart that a group of
   * lanes mostly reads others than the next one. */
  std::uint32_t areas[bound_rows][coarse_grid_words + coarse_group_lanes];
  float errors[bound_rows];
  int entries[bound_rows];
  int floors[bound_rows][floor_sets];
  unsigned int least[bound_rows];        ///< steps of a score to be kept
  std::uint32_t kept[bound_rows][Words]; ///< bits of overlaps
  /** \brief Pairs that overlap: steps of the score that they may have, column, row. */
  std::uint32_t pairs[bound_rows * Words * count_columns];
  int pair_count;
};

/** \brief The bits of a pair that hold its row and its column. */
constexpr int row_bits = 5, column_bits = 7, pair_bits = 16;
static_assert(1 << row_bits == bound_rows &&
                  1 << column_bits == max_bound_words * count_columns,
              "any place in a tile");
/** \brief Steps that a score of 1 has. */
constexpr float score_steps = 16384.0f;

/** \brief Drops the pairs of tiles: rows that stay, and columns one after the other. */
template <int Words>
struct BoundTiles {
  const MatchingTask& task;
  const MatchingScratch& scratch;
  const CoarseTable& table;
  BoundTile<Words>& tile;
  int first_row; ///< of the batch
  int rows;      ///< up to bound_rows
  int warp, lane;

  __device__ void
  loadRows() const
  {
    constexpr int row_parts = coarse_grid_words / 4;
    const uint4* const from = reinterpret_cast<const uint4*>(
        scratch.coarse + std::size_t(first_row) * coarse_grid_words);
    for (int i = threadIdx.x; i < rows * row_parts; i += bound_threads)
      reinterpret_cast<uint4*>(tile.areas[i / row_parts])[i % row_parts] = from[i];
    if (threadIdx.x < rows) {
      const int row = first_row + threadIdx.x;
      tile.errors[threadIdx.x] = scratch.coarse_errors[row];
      tile.entries[threadIdx.x] = task.tensors.entryCount(scratch.first + row);
    }
    for (int i = threadIdx.x; i < bound_rows * floor_sets; i += bound_threads)
      tile.floors[i / floor_sets][i % floor_sets] = 0;
  }

  /** \brief Clears the overlaps of pairs of a tile that cannot be among the best.
   * \param[in] first_word number of the tile's first word of overlaps
   */
  __device__ void
  narrow(int first_word) const
  {
    for (int i = threadIdx.x; i < bound_rows * Words; i += bound_threads)
      tile.kept[i / Words][i % Words] = 0;
    if (threadIdx.x == 0)
      tile.pair_count = 0;
    __syncthreads();
    listPairs(first_word);
    __syncthreads();
    if (tile.pair_count == 0)
      return;
    // Warps have the same number of pairs, or nearly so.
    const int batches = divideUp(tile.pair_count, bound_threads);
    const int turns = divideUp(tile.pair_count, batches * bound_warps * coarse_groups);
    for (int batch = warp; batch < batches * bound_warps; batch += bound_warps)
      boundPairs(first_word, batch * turns * coarse_groups, turns);
    __syncthreads();
    joinFloors();
    __syncthreads();
    for (int row = warp; row < rows; row += bound_warps)
      findLeast(row);
    __syncthreads();
    for (int i = threadIdx.x; i < tile.pair_count; i += bound_threads)
      keepPair(tile.pairs[i]);
    __syncthreads();
    for (int i = threadIdx.x; i < rows * Words; i += bound_threads) {
      const int row = i / Words, word = i % Words;
      if (first_word + word < scratch.column_words)
        overlaps(row)[first_word + word] = tile.kept[row][word];
    }
  }

  __device__ std::uint32_t*
  overlaps(int row) const
  {
    return scratch.overlaps + std::size_t(first_row + row) * scratch.column_words;
  }

  /** \brief Lists the pairs that overlap, column by column; a warp has some columns. */
  __device__ void
  listPairs(int first_word) const
  {
    constexpr int columns = Words * count_columns / bound_warps;
    const int first = warp * columns;
    const int word = first_word + first / count_columns;
    std::uint32_t bits = 0;
    if (lane < rows && word < scratch.column_words)
      bits = overlaps(lane)[word] >> first % count_columns &
             ((std::uint32_t(1) << columns) - 1);
    const int count = sumOverWarp(__popc(bits));
    if (count == 0)
      return;
    int place = lane == 0 ? atomicAdd(&tile.pair_count, count) : 0;
    place = __shfl_sync(all_lanes, place, 0);
    for (int i = 0; i < columns; ++i) {
      const bool has = bits >> i & 1;
      const unsigned int lanes = __ballot_sync(all_lanes, has);
      if (has)
        tile.pairs[place + lanesBefore(lanes, lane)] =
            static_cast<std::uint32_t>(first + i) << row_bits | lane;
      place += __popc(lanes);
    }
  }

  /** \brief Finds the scores that pairs of the list may have; a lane has one, but
   * groups of lanes take turns to compare the tensors. */
  __device__ void
  boundPairs(int first_word, int first, int turns) const
  {
    const int own_turn = lane % coarse_group_lanes;
    // Pairs that are compared at the same time follow one another: mostly of one
    // column.
    const int i = first + own_turn * coarse_groups + lane / coarse_group_lanes;
    const bool exists = own_turn < turns && i < tile.pair_count;
    const std::uint32_t pair = exists ? tile.pairs[i] : 0;
    const int row = pair % bound_rows, column = pair >> row_bits;
    CoarseTensor other = {0, 0, 0, 0.0f};
    if (exists)
      other = table.tensors[first_word * count_columns + column];
    CoarseSums sums;
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
      const auto ofLane = [turn](auto value) {
        return __shfl_sync(all_lanes, value, turn, coarse_group_lanes);
      };
      const CoarseSums some = coarseSumsInGroup(
          table, tile.areas[ofLane(row)], ofLane(other.step), ofLane(other.steps));
      if (own_turn == turn)
        sums = some;
    }
    if (!exists)
      return;
    const CoefficientBounds bounds =
        boundsOfCoefficient(sums, tile.errors[row], other.error);
    const auto score = [&](float coefficient) {
      return matchScore(
          task, coefficient, sums.count, tile.entries[row], other.entries);
    };
    if (bounds.lower > 0.0f && bounds.lower >= task.min_correlation)
      atomicMax(&tile.floors[row][column % floor_sets],
                __float_as_int(score(bounds.lower)));
    unsigned int steps = 0;
    if (bounds.upper >= task.min_correlation)
      steps = static_cast<unsigned int>(score(bounds.upper) * score_steps) + 2;
    tile.pairs[i] = steps << pair_bits | pair;
  }

  /** \brief Exchanges this block's scores with those of other blocks. */
  __device__ void
  joinFloors() const
  {
    for (int i = threadIdx.x; i < rows * floor_sets; i += bound_threads) {
      int* const of_all = scratch.floors + first_row * floor_sets + i;
      int& own = tile.floors[i / floor_sets][i % floor_sets];
      const int others = __ldcg(of_all);
      if (own > others)
        atomicMax(of_all, own);
      own = max(own, others);
    }
  }

  /** \brief Finds a score that at least match_count pairs surpass. */
  __device__ void
  findLeast(int row) const
  {
    int floor = tile.floors[row][lane], least = 0;
    for (int i = 0; i < task.match_count; ++i) {
      least = maxOverWarp(floor);
      const unsigned int lanes = __ballot_sync(all_lanes, floor == least);
      if (lane == __ffs(lanes) - 1)
        floor = 0;
    }
    if (lane == 0)
      tile.least[row] =
          max(1u, static_cast<unsigned int>(__int_as_float(least) * score_steps));
  }

  __device__ void
  keepPair(std::uint32_t pair) const
  {
    const int row = pair % bound_rows;
    const int column = pair >> row_bits & ((1 << column_bits) - 1);
    if (pair >> pair_bits >= tile.least[row])
      atomicOr(&tile.kept[row][column / count_columns], 1u << column % count_columns);
  }
};

template <int Words>
__global__ void
__launch_bounds__(bound_threads, 4)
    boundKernel(const __grid_constant__ MatchingTask task,
                const __grid_constant__ MatchingScratch scratch,
                const __grid_constant__ CoarseTable table)
{
  extern __shared__ uint4 shared_tile[];
  waitForPreviousKernel();
  const int first_row = blockIdx.y * bound_rows;
  if (first_row >= scratch.count(task))
    return;
  const BoundTiles<Words> tiles = {task,
                                   scratch,
                                   table,
                                   *reinterpret_cast<BoundTile<Words>*>(shared_tile),
                                   first_row,
                                   min(bound_rows, scratch.count(task) - first_row),
                                   static_cast<int>(threadIdx.x / warp_size),
                                   static_cast<int>(threadIdx.x % warp_size)};
  tiles.loadRows();
  for (int word = blockIdx.x * Words; word < scratch.column_words;
       word += gridDim.x * Words) {
    __syncthreads();
    tiles.narrow(word);
  }
}

/** \brief Launches boundKernel. */
template <int Words>
void
launchBounds(const MatchingTask& task,
             const MatchingScratch& scratch,
             int rows,
             cudaStream_t stream)
{
  checkCuda(cudaFuncSetAttribute(boundKernel<Words>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(sizeof(BoundTile<Words>))),
            "asking for shared memory");
  const int row_tiles = divideUp(rows, bound_rows);
  const int column_tiles = divideUp(scratch.column_words, Words);
  const int blocks = divideUp(enough_bound_blocks, row_tiles);
  launchOverlapping("boundKernel",
                    dim3(column_tiles < blocks ? column_tiles : blocks, row_tiles),
                    bound_threads,
                    stream,
                    sizeof(BoundTile<Words>))(
      boundKernel<Words>,
      task,
      scratch,
      CoarseTable(
          task.table_size, task.table.room, const_cast<void*>(task.table_coarse)));
}

/** \brief Clears the overlaps of pairs that cannot be among the best matches. */
inline void
dropWorse(const MatchingTask& task,
          const MatchingScratch& scratch,
          int rows,
          cudaStream_t stream)
{
  const int narrow_tiles = divideUp(rows, bound_rows) * scratch.column_words;
  const auto launch = narrow_tiles <= enough_narrow_tiles ? launchBounds<1>
                      : narrow_tiles <= 4 * enough_narrow_tiles
                          ? launchBounds<2>
                          : launchBounds<max_bound_words>;
  launch(task, scratch, rows, stream);
}

} // namespace pcl::device::cuda
