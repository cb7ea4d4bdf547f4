// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "matching/correlation.hpp"
#include "matching/cuda_matching_bounds.cuh"
#include "matching/cuda_matching_scratch.cuh"
#include "matching/match_join.hpp"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>

PCL_GPU_INSTANTIATE_LOOP(pcl::device::JoinMatches);

namespace pcl::device::cuda {

namespace {

using Scratch = MatchingScratch;

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;

constexpr int correlation_threads = 128;
constexpr int correlation_warps = correlation_threads / warp_size;

/** \brief Lanes that compare two tensors. */
constexpr int group_lanes = 8;
/** \brief Entries that a lane reads before it looks at any. */
constexpr int entries_ahead = 8;

/** \brief Adds the numbers of bits that 16 rows of 256 bits have in common with 8
 * others, as the lanes of a warp hold them (the layout of mma.m16n8k256, but for the
 * order of words, which does not matter).
 * \param[in] a words 2 * (lane % 4) of rows lane / 4 and lane / 4 + 8, then the next
 * words
 * \param[in] b words 2 * (lane % 4) and the next one of the other row lane / 4
 * \param[in,out] common rows lane / 4 and that plus 8 with others lane % 4 * 2 and the
 * next
 */
__device__ void
countCommonBits(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], int* common)
{
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(common[0]), "+r"(common[1]), "+r"(common[2]), "+r"(common[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  const int lane = threadIdx.x % warp_size;
  for (int i = 0; i < 2; ++i)
    for (int word = 0; word < 4; ++word)
      for (int high = 0; high < 2; ++high) {
        const std::uint32_t own =
            __shfl_sync(all_lanes, a[2 * high + i], lane / 4 * 4 + word);
        for (int j = 0; j < 2; ++j)
          common[2 * i + j] += __popc(
              own & __shfl_sync(all_lanes, b[high], (lane % 4 * 2 + j) * 4 + word));
      }
#endif
}

/** \brief Sums over a tensor and one of the table, the same in all of a group of lanes.
 * \param[in] areas of the tensor, of all voxels
 * \param[in] other number in the table; -1 for none
 */
template <typename Real>
__device__ __forceinline__ AreaSums
sumInGroup(const MatchingTask& task, const Real* areas, int other)
{
  const int lane = threadIdx.x % group_lanes;
  AreaSums sums;
  if (other >= 0) {
    const std::uint32_t begin = task.table.start(other);
    int left = static_cast<int>(task.table.start(other + 1) - begin) - lane;
    const std::uint16_t* voxels = task.table.voxels + begin + lane;
    const float* other_areas = task.table.areas + begin + lane;
    for (; left > 0; left -= entries_ahead * group_lanes) {
      int voxel[entries_ahead];
      float area[entries_ahead];
#pragma unroll
      for (int k = 0; k < entries_ahead; ++k) {
        const bool exists = k * group_lanes < left;
        voxel[k] = exists ? voxels[k * group_lanes] : -1;
        area[k] = exists ? other_areas[k * group_lanes] : 0.0f;
      }
      voxels += entries_ahead * group_lanes;
      other_areas += entries_ahead * group_lanes;
#pragma unroll
      for (int k = 0; k < entries_ahead; ++k) {
        const double own = voxel[k] >= 0 ? areas[voxel[k]] : 0;
        // A voxel that only one of both has adds nothing, without a branch.
        const bool is_common = own > 0.0;
        sums.count += is_common ? 1 : 0;
        sums.addAreas(own, is_common ? area[k] : 0.0f);
      }
    }
  }
  addOverLanes<group_lanes>(sums.count, sums.p, sums.q, sums.pp, sums.qq, sums.pq);
  return sums;
}

/** \brief The best matches that a warp has seen: lane i holds that of place i. */
class BestMatches {
public:
  __device__ explicit BestMatches(int count) : count_(count) {}

  /** \brief Keeps a match if it is one of the best; all lanes call with the same
   * one. */
  __device__ void
  add(const RankedMatch& match)
  {
    const int lane = threadIdx.x % warp_size;
    const int place = __popc(__ballot_sync(all_lanes, match_.key >= match.key));
    if (place >= count_)
      return;
    const RankedMatch before = {__shfl_up_sync(all_lanes, match_.key, 1),
                                __shfl_up_sync(all_lanes, match_.coefficient, 1)};
    if (lane > place)
      match_ = before;
    else if (lane == place)
      match_ = match;
  }

  /** \brief Keeps the best of the matches that lanes hold, each its own. */
  __device__ void
  addAll(const RankedMatch& match)
  {
    unsigned int lanes = __ballot_sync(all_lanes, match.key != 0);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __ffs(lanes) - 1;
      add({__shfl_sync(all_lanes, match.key, lane),
           __shfl_sync(all_lanes, match.coefficient, lane)});
    }
  }

  /** \brief The match at the lane's place. */
  __device__ const RankedMatch&
  match() const
  {
    return match_;
  }

private:
  RankedMatch match_ = {0, 0.0f};
  int count_;
};

/** \brief Writes the areas of a tensor's voxels that are not empty; all threads
 * call. */
template <typename Real>
__device__ void
spreadAreas(const MatchingTask& task, int tensor, Real* areas)
{
  for (int i = threadIdx.x; i < task.voxels; i += blockDim.x)
    areas[i] = 0;
  __syncthreads();
  const std::uint32_t end = task.tensors.start(tensor + 1);
  for (std::uint32_t i = task.tensors.start(tensor) + threadIdx.x; i < end;
       i += blockDim.x)
    areas[task.tensors.voxels[i]] = task.tensors.areas[i];
}

/** \brief Writes the words of the coarse tensor of a row; all threads call. */
__device__ void
spreadCoarse(const MatchingTask& task, const Scratch& scratch, int row)
{
  __shared__ std::uint32_t grid[coarse_grid_words];
  if (threadIdx.x < warp_size) {
    const float error = coarsen(task.tensors, scratch.first + row, grid);
    if (threadIdx.x == 0)
      scratch.coarse_errors[row] = error;
    scratch.floors[row * floor_sets + threadIdx.x] = 0;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < coarse_grid_words; i += blockDim.x)
    scratch.coarse[std::size_t(row) * coarse_grid_words + i] = grid[i];
}

/** \brief Spreads tensors out: a bit for each voxel; a block has a tensor. */
__global__ void
__launch_bounds__(block_threads) spreadKernel(const __grid_constant__ MatchingTask task,
                                              const __grid_constant__ Scratch scratch)
{
  const int row = blockIdx.x;
  waitForPreviousKernel();
  std::uint32_t* const bits = scratch.occupancy + std::size_t(row) * task.words;
  for (int i = threadIdx.x; i < task.words; i += blockDim.x)
    bits[i] = 0;
  __syncthreads();
  if (row >= scratch.count(task))
    return;
  const int tensor = scratch.first + row;
  if (scratch.drops_worse)
    spreadCoarse(task, scratch, row);
  const std::uint32_t end = task.tensors.start(tensor + 1);
  for (std::uint32_t i = task.tensors.start(tensor) + threadIdx.x; i < end;
       i += blockDim.x)
    atomicOr(bits + task.tensors.voxels[i] / 32, 1u << (task.tensors.voxels[i] % 32));
  if (scratch.areas)
    spreadAreas(task, tensor, scratch.areas + std::size_t(row) * task.voxels);
}

/** \brief Returns a word with its lowest bits set: none for a count below 0, all above
 * 32. */
__device__ std::uint32_t
lowestBits(int count)
{
  return count <= 0 ? 0 : count >= 32 ? ~0u : (1u << count) - 1;
}

/** \brief Finds which tensors overlap enough: some tensors with 32 of the table a
 * warp. */
template <int CountRows>
__global__ void
__launch_bounds__(block_threads)
    overlapKernel(const __grid_constant__ MatchingTask task,
                  const __grid_constant__ Scratch scratch)
{
  constexpr int row_tiles = CountRows / 16, column_tiles = count_columns / 8;
  const int lane = threadIdx.x % warp_size, word = lane % 4;
  const int first_row = blockIdx.y * CountRows;
  const int column_word = blockIdx.x * block_warps + threadIdx.x / warp_size;
  const int first_column = column_word * count_columns;
  waitForPreviousKernel();
  const int count = scratch.count(task);
  if (first_row >= count || first_column >= task.table_size)
    return;

  int common[row_tiles][column_tiles][4] = {};
  const std::uint32_t* const rows =
      scratch.occupancy + std::size_t(first_row + lane / 4) * task.words + 2 * word;
  const std::uint32_t* columns[column_tiles];
#pragma unroll
  for (int j = 0; j < column_tiles; ++j)
    columns[j] =
        task.table_occupancy +
        std::size_t(min(first_column + 8 * j + lane / 4, task.table_size - 1)) *
            task.words +
        2 * word;
  for (int k = 0; k < task.words; k += 8) {
    std::uint32_t b[column_tiles][2];
#pragma unroll
    for (int j = 0; j < column_tiles; ++j) {
      const uint2 words = *reinterpret_cast<const uint2*>(columns[j] + k);
      b[j][0] = words.x;
      b[j][1] = words.y;
    }
#pragma unroll
    for (int i = 0; i < row_tiles; ++i) {
      const std::uint32_t* const row = rows + std::size_t(16 * i) * task.words + k;
      const uint2 upper = *reinterpret_cast<const uint2*>(row);
      const uint2 lower = *reinterpret_cast<const uint2*>(row + 8 * task.words);
      const std::uint32_t a[4] = {upper.x, lower.x, upper.y, lower.y};
#pragma unroll
      for (int j = 0; j < column_tiles; ++j)
        countCommonBits(a, b[j], common[i][j]);
    }
  }

  // Tensors that overlap enough have at least this part of both numbers of voxels in
  // common. Only pairs that rounding leaves undecided need a division.
  const float part = (1.0f - 1e-5f) * task.min_overlap / (1.0f + task.min_overlap);
  const float min_common = static_cast<float>(task.min_overlap_voxels);
  int column_counts[column_tiles][2];
#pragma unroll
  for (int j = 0; j < column_tiles; ++j)
    for (int c = 0; c < 2; ++c)
      column_counts[j][c] = task.table.entryCount(
          min(first_column + 8 * j + 2 * word + c, task.table_size - 1));
#pragma unroll
  for (int i = 0; i < row_tiles; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 16 * i + 8 * half + lane / 4;
      std::uint32_t bits = 0;
      if (row < count) {
        const int tensor = scratch.first + row;
        const int entries = task.tensors.entryCount(tensor);
        std::uint32_t open = 0;
#pragma unroll
        for (int j = 0; j < column_tiles; ++j)
#pragma unroll
          for (int c = 0; c < 2; ++c) {
            const float both = static_cast<float>(common[i][j][2 * half + c]);
            const float least = part * (entries + column_counts[j][c]);
            const std::uint32_t bit = 1u << (8 * j + 2 * word + c);
            bits |= both >= fmaxf(least, min_common) ? bit : 0;
            open |= both < 1.00003f * least ? bit : 0;
          }
        open &= bits;
        if (open != 0)
#pragma unroll
          for (int j = 0; j < column_tiles; ++j)
#pragma unroll
            for (int c = 0; c < 2; ++c) {
              const std::uint32_t bit = 1u << (8 * j + 2 * word + c);
              if ((open & bit) &&
                  !overlapsEnough(
                      task, common[i][j][2 * half + c], entries, column_counts[j][c]))
                bits &= ~bit;
            }
        if (bits != 0) {
          const TableRange range = tableRange(task, task.tensors.frames[tensor].angle);
          bits &= lowestBits(range.end - first_column) &
                  ~lowestBits(range.begin - first_column);
        }
      }
      bits |= __shfl_xor_sync(all_lanes, bits, 1);
      bits |= __shfl_xor_sync(all_lanes, bits, 2);
      if (word == 0)
        scratch.overlaps[std::size_t(row) * scratch.column_words + column_word] = bits;
    }
}

/** \brief Compares a tensor with those of a chunk of the table that it overlaps. */
__global__ void
__launch_bounds__(correlation_threads)
    correlationKernel(const __grid_constant__ MatchingTask task,
                      const __grid_constant__ Scratch scratch)
{
  constexpr int groups = warp_size / group_lanes;
  extern __shared__ double shared_areas[];
  __shared__ std::uint16_t list[max_chunk_columns];
  __shared__ int listed;
  __shared__ RankedMatch matches[correlation_warps][warp_size];
  const int row = blockIdx.x, chunk = blockIdx.y;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (row >= scratch.count(task))
    return;
  if (threadIdx.x == 0)
    listed = 0;
  __syncthreads();

  // The block's candidates, in any order: the best of them do not depend on it.
  const std::uint32_t* const overlaps =
      scratch.overlaps + std::size_t(row) * scratch.column_words;
  const int words = scratch.chunk_columns / count_columns;
  for (int word = threadIdx.x; word < words; word += correlation_threads) {
    const int row_word = scratch.wordOfChunk(chunk, word);
    std::uint32_t bits = row_word < scratch.column_words ? overlaps[row_word] : 0;
    int place = bits != 0 ? atomicAdd(&listed, __popc(bits)) : 0;
    for (; bits != 0; bits &= bits - 1)
      list[place++] =
          static_cast<std::uint16_t>(word * count_columns + __ffs(bits) - 1);
  }
  __syncthreads();

  RankedMatch* const to =
      scratch.best + (std::size_t(row) * scratch.chunks + chunk) * task.match_count;
  if (listed == 0) {
    if (threadIdx.x < task.match_count)
      to[threadIdx.x] = {0, 0.0f};
    return;
  }
  if (!scratch.areas) {
    spreadAreas(task, scratch.first + row, shared_areas);
    __syncthreads();
  }

  const int entries = task.tensors.entryCount(scratch.first + row);
  BestMatches best(task.match_count);
  for (int first = warp * groups; first < listed; first += correlation_warps * groups) {
    const int i = first + lane / group_lanes;
    const int other = i < listed ? scratch.columnOfChunk(chunk, list[i]) : -1;
    const AreaSums sums =
        scratch.areas
            ? sumInGroup(task, scratch.areas + std::size_t(row) * task.voxels, other)
            : sumInGroup(task, shared_areas, other);
    RankedMatch match = {0, correlation(sums)};
    if (other >= 0 && match.coefficient >= task.min_correlation) {
      const int others = task.table.entryCount(other);
      const float score =
          matchScore(task, match.coefficient, sums.count, entries, others);
      match = rankedMatch(score, match.coefficient, other);
    }
    if (lane % group_lanes != 0)
      match.key = 0;
    best.addAll(match);
  }
  matches[warp][lane] = best.match();
  __syncthreads();
  if (warp != 0)
    return;
  for (int other = 1; other < correlation_warps; ++other)
    best.addAll(matches[other][lane]);
  if (lane < task.match_count)
    to[lane] = best.match();
}

/** \brief Finds the best matches of all chunks; a warp has a tensor. */
__global__ void
__launch_bounds__(block_threads) bestKernel(const __grid_constant__ MatchingTask task,
                                            const __grid_constant__ Scratch scratch)
{
  const int row = blockIdx.x * block_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (row >= scratch.count(task))
    return;
  const int tensor = scratch.first + row;
  BestMatches best(task.match_count);
  const int candidates = scratch.chunks * task.match_count;
  const RankedMatch* const matches = scratch.best + std::size_t(row) * candidates;
  for (int first = 0; first < candidates; first += warp_size)
    best.addAll(first + lane < candidates ? matches[first + lane]
                                          : RankedMatch{0, 0.0f});
  const std::uint32_t* const own = scratch.occupancy + std::size_t(row) * task.words;
  for (int k = 0; k < task.match_count; ++k) {
    TensorMatch match = {-1, 0.0f, 0.0f};
    const RankedMatch ranked = {__shfl_sync(all_lanes, best.match().key, k),
                                __shfl_sync(all_lanes, best.match().coefficient, k)};
    if (ranked.key != 0) {
      const int found = tensorOf(ranked);
      match.tensor = task.wholeNumber(found);
      match.correlation = ranked.coefficient;
      const std::uint32_t* const other =
          task.table_occupancy + std::size_t(found) * task.words;
      int common = 0;
      for (int i = lane; i < task.words; i += warp_size)
        common += __popc(own[i] & other[i]);
      match.overlap = overlapRatio(sumOverWarp(common),
                                   task.tensors.entryCount(tensor),
                                   task.table.entryCount(found));
    }
    if (lane == 0)
      task.matches[std::size_t(tensor) * task.match_count + k] = match;
  }
}

void
matchBatch(const MatchingTask& task, const Scratch& scratch, cudaStream_t stream)
{
  const dim3 block(block_threads);
  const int left = task.max_count - scratch.first;
  const int rows = left < scratch.rows ? left : scratch.rows;
  // The rows that fill up the last tile are cleared as well.
  launchOverlapping("spreadKernel", scratch.rows, block, stream)(
      spreadKernel, task, scratch);
  if (task.table_size > 0) {
    const bool few =
        divideUp(rows, count_rows) * scratch.column_words < enough_count_warps;
    const dim3 tiles(divideUp(scratch.column_words, block_warps),
                     divideUp(rows, few ? few_count_rows : count_rows));
    launchOverlapping("overlapKernel", tiles, block, stream)(
        few ? overlapKernel<few_count_rows> : overlapKernel<count_rows>, task, scratch);
    if (scratch.drops_worse)
      dropWorse(task, scratch, rows, stream);
    launchOverlapping("correlationKernel",
                      dim3(rows, scratch.chunks),
                      correlation_threads,
                      stream,
                      scratch.areas ? 0 : sizeof(double) * task.voxels)(
        correlationKernel, task, scratch);
  }
  launchOverlapping("bestKernel", divideUp(rows, block_warps), block, stream)(
      bestKernel, task, scratch);
}

} // namespace

std::size_t
matchingScratchBytes(const MatchingTask& task)
{
  return Scratch(task, nullptr).bytes;
}

void
match(const MatchingTask& task, cudaStream_t stream)
{
  Scratch scratch(task, task.scratch);
  for (; scratch.first < task.max_count; scratch.first += scratch.rows)
    matchBatch(task, scratch, stream);
}

} // namespace pcl::device::cuda
