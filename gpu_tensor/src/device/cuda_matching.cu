// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "correlation.hpp"
#include "matching_driver.h"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_launch.cuh>
#include <pcl/gpu/utils/device/scratch_pieces.hpp>

namespace pcl {
namespace device {

namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;

/** \brief Tensors and tensors of the table that a warp counts the overlaps of. */
constexpr int count_rows = 64;
constexpr int count_columns = 32;
/** \brief Tensors of the table that a block compares one tensor with. */
constexpr int chunk_columns = 512;
/** \brief Lanes that compare two tensors. */
constexpr int group_lanes = 8;
/** \brief Grids of up to so many voxels have their areas in shared memory. */
constexpr int max_shared_voxels = 4096;
/** \brief Tensors that are matched at a time, so that scratch memory has an end. */
constexpr int batch_rows = 4096;

struct Scratch {
  int first = 0;            // number of the batch's first tensor
  int rows;                 // room for tensors of a batch, a multiple of count_rows
  int column_words;         // of overlaps, for each tensor
  std::uint32_t* occupancy; // of the tensors
  float* areas;             // of the tensors, of all voxels; null if blocks share them
  std::uint32_t* overlaps;  // one bit for each tensor and tensor of the table
  RankedMatch* best;        // matches of each tensor in each chunk
  int chunks;
  std::size_t bytes;

  Scratch(const MatchingTask& task, void* memory)
  : rows(divideUp(batchSize(task), count_rows) * count_rows)
  , column_words(divideUp(task.table_size, count_columns))
  , chunks(divideUp(task.table_size, chunk_columns))
  {
    ScratchPieces pieces(memory);
    occupancy = pieces.take<std::uint32_t>(std::size_t(rows) * task.words);
    areas = sharesAreas(task) ? nullptr
                              : pieces.take<float>(std::size_t(rows) * task.voxels);
    overlaps = pieces.take<std::uint32_t>(std::size_t(rows) * column_words);
    best = pieces.take<RankedMatch>(std::size_t(rows) * chunks * task.match_count);
    bytes = pieces.bytes();
  }

  static int
  batchSize(const MatchingTask& task)
  {
    return task.max_count < batch_rows ? task.max_count : batch_rows;
  }

  static bool
  sharesAreas(const MatchingTask& task)
  {
    return task.voxels <= max_shared_voxels;
  }

  /** \brief Tensors of the batch. */
  __device__ int
  count(const MatchingTask& task) const
  {
    return min(*task.count, task.max_count) - first;
  }
};

__device__ int
entryCount(const TensorView& tensors, int tensor)
{
  return static_cast<int>(tensors.start(tensor + 1) - tensors.start(tensor));
}

__global__ void
binKernel(const TensorFrame* frames, int count, AngleBins bins, std::uint32_t* bin)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    bin[i] = static_cast<std::uint32_t>(binOf(frames[i].angle, bins));
}

/** \brief Copies tensors to their places in a table; a warp has a tensor. */
__global__ void
gatherKernel(const __grid_constant__ TableTask task)
{
  const int i = blockIdx.x * block_warps + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (i >= task.count)
    return;
  const std::uint32_t from = task.places[i];
  if (lane == 0) {
    task.frames[i] = task.from.frames[from];
    task.labels[i] = task.from_labels[from];
  }
  const std::uint32_t begin = task.from.start(from), to = task.starts[i];
  const std::uint32_t count = task.from.start(from + 1) - begin;
  std::uint32_t* const bits = task.occupancy + std::size_t(i) * task.words;
  for (std::uint32_t k = lane; k < count; k += warp_size) {
    const std::uint16_t voxel = task.from.voxels[begin + k];
    task.voxels[to + k] = voxel;
    task.areas[to + k] = task.from.areas[begin + k];
    atomicOr(bits + voxel / 32, 1u << (voxel % 32));
  }
}

/** \brief Writes the areas of a tensor's voxels that are not empty; all threads call. */
__device__ void
spreadAreas(const MatchingTask& task, int tensor, float* areas)
{
  for (int i = threadIdx.x; i < task.voxels; i += blockDim.x)
    areas[i] = 0.0f;
  __syncthreads();
  const std::uint32_t end = task.tensors.start(tensor + 1);
  for (std::uint32_t i = task.tensors.start(tensor) + threadIdx.x; i < end;
       i += blockDim.x)
    areas[task.tensors.voxels[i]] = task.tensors.areas[i];
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
  const std::uint32_t end = task.tensors.start(tensor + 1);
  for (std::uint32_t i = task.tensors.start(tensor) + threadIdx.x; i < end;
       i += blockDim.x)
    atomicOr(bits + task.tensors.voxels[i] / 32, 1u << (task.tensors.voxels[i] % 32));
  if (scratch.areas)
    spreadAreas(task, tensor, scratch.areas + std::size_t(row) * task.voxels);
}

/** \brief Adds the numbers of bits that 16 rows of 256 bits have in common with 8 others,
 * as the lanes of a warp hold them (the layout of mma.m16n8k256).
 * \param[in] a words lane % 4 of rows lane / 4 and lane / 4 + 8, then words lane % 4 + 4
 * \param[in] b words lane % 4 and lane % 4 + 4 of the other row lane / 4
 * \param[in,out] common rows lane / 4 and that plus 8 with others lane % 4 * 2 and the next
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

/** \brief Finds which tensors overlap enough: 64 tensors with 32 of the table a warp. */
__global__ void
__launch_bounds__(block_threads)
    overlapKernel(const __grid_constant__ MatchingTask task,
                  const __grid_constant__ Scratch scratch)
{
  constexpr int row_tiles = count_rows / 16, column_tiles = count_columns / 8;
  const int lane = threadIdx.x % warp_size, word = lane % 4;
  const int first_row = blockIdx.y * count_rows;
  const int column_word = blockIdx.x * block_warps + threadIdx.x / warp_size;
  const int first_column = column_word * count_columns;
  waitForPreviousKernel();
  const int count = scratch.count(task);
  if (first_row >= count || first_column >= task.table_size)
    return;

  int common[row_tiles][column_tiles][4] = {};
  const std::uint32_t* const rows =
      scratch.occupancy + std::size_t(first_row + lane / 4) * task.words + word;
  const std::uint32_t* columns[column_tiles];
#pragma unroll
  for (int j = 0; j < column_tiles; ++j)
    columns[j] =
        task.table_occupancy +
        std::size_t(min(first_column + 8 * j + lane / 4, task.table_size - 1)) *
            task.words +
        word;
  for (int k = 0; k < task.words; k += 8) {
    std::uint32_t b[column_tiles][2];
#pragma unroll
    for (int j = 0; j < column_tiles; ++j) {
      b[j][0] = columns[j][k];
      b[j][1] = columns[j][k + 4];
    }
#pragma unroll
    for (int i = 0; i < row_tiles; ++i) {
      const std::uint32_t* const row = rows + std::size_t(16 * i) * task.words + k;
      const std::uint32_t a[4] = {
          row[0], row[8 * task.words], row[4], row[8 * task.words + 4]};
#pragma unroll
      for (int j = 0; j < column_tiles; ++j)
        countCommonBits(a, b[j], common[i][j]);
    }
  }

  int column_counts[column_tiles][2];
#pragma unroll
  for (int j = 0; j < column_tiles; ++j)
    for (int c = 0; c < 2; ++c)
      column_counts[j][c] = entryCount(
          task.table, min(first_column + 8 * j + 2 * word + c, task.table_size - 1));
#pragma unroll
  for (int i = 0; i < row_tiles; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 16 * i + 8 * half + lane / 4;
      std::uint32_t bits = 0;
      if (row < count) {
        const int tensor = scratch.first + row;
        const int entries = entryCount(task.tensors, tensor);
        const TableRange range = tableRange(task, task.tensors.frames[tensor].angle);
#pragma unroll
        for (int j = 0; j < column_tiles; ++j)
#pragma unroll
          for (int c = 0; c < 2; ++c) {
            const int bit = 8 * j + 2 * word + c;
            const bool overlaps =
                first_column + bit >= range.begin && first_column + bit < range.end &&
                overlapsEnough(
                    task, common[i][j][2 * half + c], entries, column_counts[j][c]);
            bits |= (overlaps ? 1u : 0u) << bit;
          }
      }
      bits |= __shfl_xor_sync(all_lanes, bits, 1);
      bits |= __shfl_xor_sync(all_lanes, bits, 2);
      if (word == 0)
        scratch.overlaps[std::size_t(row) * scratch.column_words + column_word] = bits;
    }
}

/** \brief The best matches that a warp has seen, lane i the one at place i. */
class BestMatches {
public:
  __device__ explicit BestMatches(int count) : count_(count) {}

  /** \brief Keeps a match if it is one of the best; all lanes call with the same one. */
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

/** \brief Sums over a tensor and one of the table, the same in all of a group of lanes.
 * \param[in] areas of the tensor, of all voxels
 * \param[in] other number in the table; -1 for none
 */
__device__ OverlapSums
sumInGroup(const MatchingTask& task, const float* areas, int other)
{
  const int lane = threadIdx.x % group_lanes;
  OverlapSums sums;
  if (other >= 0) {
    const std::uint32_t end = task.table.start(other + 1);
#pragma unroll 4
    for (std::uint32_t i = task.table.start(other) + lane; i < end; i += group_lanes) {
      const float area = areas[task.table.voxels[i]];
      if (area > 0.0f)
        sums.add(area, task.table.areas[i]);
    }
  }
#pragma unroll
  for (int distance = 1; distance < group_lanes; distance *= 2) {
    sums.count += __shfl_xor_sync(all_lanes, sums.count, distance);
    sums.p += __shfl_xor_sync(all_lanes, sums.p, distance);
    sums.q += __shfl_xor_sync(all_lanes, sums.q, distance);
    sums.pp += __shfl_xor_sync(all_lanes, sums.pp, distance);
    sums.qq += __shfl_xor_sync(all_lanes, sums.qq, distance);
    sums.pq += __shfl_xor_sync(all_lanes, sums.pq, distance);
  }
  return sums;
}

/** \brief Compares a tensor with those of a chunk of the table that it overlaps. */
__global__ void
__launch_bounds__(block_threads)
    correlationKernel(const __grid_constant__ MatchingTask task,
                      const __grid_constant__ Scratch scratch)
{
  constexpr int groups = warp_size / group_lanes;
  extern __shared__ float shared_areas[];
  __shared__ std::uint16_t list[chunk_columns];
  __shared__ int listed;
  __shared__ RankedMatch matches[block_warps][warp_size];
  const int row = blockIdx.x, chunk = blockIdx.y;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  waitForPreviousKernel();
  if (row >= scratch.count(task))
    return;
  if (threadIdx.x == 0)
    listed = 0;
  const float* areas = scratch.areas + std::size_t(row) * task.voxels;
  if (!scratch.areas) {
    spreadAreas(task, scratch.first + row, shared_areas);
    areas = shared_areas;
  }
  __syncthreads();

  // The block's candidates, in any order: the best of them do not depend on it.
  const int first_column = chunk * chunk_columns;
  if (threadIdx.x < chunk_columns / count_columns) {
    const int word = first_column / count_columns + threadIdx.x;
    std::uint32_t bits =
        word < scratch.column_words
            ? scratch.overlaps[std::size_t(row) * scratch.column_words + word]
            : 0;
    int place = atomicAdd(&listed, __popc(bits));
    for (; bits != 0; bits &= bits - 1)
      list[place++] =
          static_cast<std::uint16_t>(threadIdx.x * count_columns + __ffs(bits) - 1);
  }
  __syncthreads();

  const int entries = entryCount(task.tensors, scratch.first + row);
  BestMatches best(task.match_count);
  for (int first = warp * groups; first < listed; first += block_warps * groups) {
    const int i = first + lane / group_lanes;
    const int other = i < listed ? first_column + list[i] : -1;
    const OverlapSums sums = sumInGroup(task, areas, other);
    RankedMatch match = {0, correlation(sums)};
    if (other >= 0 && match.coefficient >= task.min_correlation) {
      const int others = entryCount(task.table, other);
      const float score =
          matchScore(task, match.coefficient, sums.count, entries, others);
      match = rankedMatch(score, match.coefficient, other);
    }
    for (unsigned int some = __ballot_sync(all_lanes, match.key != 0); some != 0;) {
      const int group = (__ffs(some) - 1) / group_lanes;
      best.add({__shfl_sync(all_lanes, match.key, group * group_lanes),
                __shfl_sync(all_lanes, match.coefficient, group * group_lanes)});
      some &= ~(((1u << group_lanes) - 1) << (group * group_lanes));
    }
  }
  matches[warp][lane] = best.match();
  __syncthreads();
  if (warp != 0)
    return;
  for (int other = 1; other < block_warps; ++other)
    for (int k = 0; k < task.match_count && matches[other][k].key != 0; ++k)
      best.add(matches[other][k]);
  if (lane < task.match_count)
    scratch
        .best[(std::size_t(row) * scratch.chunks + chunk) * task.match_count + lane] =
        best.match();
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
  const RankedMatch* const matches =
      scratch.best + std::size_t(row) * scratch.chunks * task.match_count;
  for (int chunk = 0; chunk < scratch.chunks; ++chunk)
    for (int k = 0; k < task.match_count; ++k) {
      const RankedMatch match = matches[chunk * task.match_count + k];
      if (match.key == 0)
        break;
      best.add(match);
    }
  if (lane >= task.match_count)
    return;
  TensorMatch match = {-1, 0.0f, 0.0f};
  if (best.match().key != 0) {
    match.tensor = tensorOf(best.match());
    match.correlation = best.match().coefficient;
    const std::uint32_t* const own = scratch.occupancy + std::size_t(row) * task.words;
    const std::uint32_t* const other =
        task.table_occupancy + std::size_t(match.tensor) * task.words;
    int common = 0;
    for (int i = 0; i < task.words; ++i)
      common += __popc(own[i] & other[i]);
    match.overlap = overlapRatio(
        common, entryCount(task.tensors, tensor), entryCount(task.table, match.tensor));
  }
  task.matches[std::size_t(tensor) * task.match_count + lane] = match;
}

class CudaMatchingDriver : public MatchingDriver {
public:
  void
  findBins(const TensorFrame* frames,
           int count,
           const AngleBins& bins,
           std::uint32_t* bin,
           Queue queue) const override
  {
    binKernel<<<divideUp(count, block_threads), block_threads, 0, queue>>>(
        frames, count, bins, bin);
    checkLaunch("binKernel");
  }

  void
  gatherTensors(const TableTask& task, Queue queue) const override
  {
    checkCuda(
        cudaMemsetAsync(
            task.occupancy, 0, sizeof(std::uint32_t) * task.count * task.words, queue),
        "clearing occupancy");
    gatherKernel<<<divideUp(task.count, block_warps), block_threads, 0, queue>>>(task);
    checkLaunch("gatherKernel");
  }

  std::size_t
  matchingScratchBytes(const MatchingTask& task) const override
  {
    return Scratch(task, nullptr).bytes;
  }

  void
  match(const MatchingTask& task, void* memory, Queue queue) const override
  {
    Scratch scratch(task, memory);
    for (; scratch.first < task.max_count; scratch.first += scratch.rows)
      matchBatch(task, scratch, queue);
  }

private:
  static void
  matchBatch(const MatchingTask& task, const Scratch& scratch, Queue queue)
  {
    const dim3 block(block_threads);
    const int left = task.max_count - scratch.first;
    const int rows = left < scratch.rows ? left : scratch.rows;
    // The rows that fill up the last tile are cleared as well.
    launchOverlapping("spreadKernel",
                      spreadKernel,
                      dim3(scratch.rows),
                      block,
                      0,
                      queue,
                      task,
                      scratch);
    if (task.table_size > 0) {
      const dim3 tiles(divideUp(scratch.column_words, block_warps),
                       divideUp(rows, count_rows));
      launchOverlapping(
          "overlapKernel", overlapKernel, tiles, block, 0, queue, task, scratch);
      launchOverlapping("correlationKernel",
                        correlationKernel,
                        dim3(rows, scratch.chunks),
                        block,
                        scratch.areas ? 0 : sizeof(float) * task.voxels,
                        queue,
                        task,
                        scratch);
    }
    launchOverlapping("bestKernel",
                      bestKernel,
                      dim3(divideUp(rows, block_warps)),
                      block,
                      0,
                      queue,
                      task,
                      scratch);
  }
};

} // namespace

const MatchingDriver&
cudaMatchingDriver()
{
  static const CudaMatchingDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
