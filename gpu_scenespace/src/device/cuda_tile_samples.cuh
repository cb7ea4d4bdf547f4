// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "exact_cell.hpp"
#include "projection-inl.h"
#include "sample_math.hpp"

#include <pcl/gpu/utils/device/cuda_block.cuh>

namespace pcl {
namespace device {

constexpr int tile_threads = 256;
constexpr int tile_warps = tile_threads / warp_size;
constexpr int blocks_per_warp = chunk_blocks / tile_warps;
constexpr int groups_per_thread = 4;
static_assert(block_pixels == warp_size && group_blocks == warp_size,
              "a lane has a pixel of a block, or a block of a group");

/** \brief Shared memory of a block of threads.
 * \tparam Footprint pixels, or 0 for any
 */
template <int Footprint>
struct TileMemory {
  static constexpr int side =
      tile_size + (Footprint == 0 ? max_footprint : Footprint) - 1;
  static constexpr int ring = 512; ///< more than may wait and be appended

  float4
      samples[chunk_samples]; ///< by slots; what is in them is the consumer's business
  std::uint16_t order[chunk_samples];
  std::uint16_t arrivals[chunk_samples];
  int starts[side * side + 1]; ///< of cells in the order
  int blocks[ring];            ///< that may be seen by the tile and wait
  int groups[groups_per_thread * tile_threads];
  int warp_counts[tile_warps];
};

/** \brief The samples that a tile sees, chunk by chunk; a block of threads for each tile.
 *
 * Blocks of a frame are listed in ascending order, as the host does. The pixels of a chunk
 * are put in slots, counted by cells and sorted by them, and then by slots, so that their
 * order does not depend on which thread came first.
 */
template <int Footprint>
class TileSampler {
public:
  using Memory = TileMemory<Footprint>;

  __device__
  TileSampler(const GatheringTask& task, Memory& memory, int tile_x, int tile_y)
  : task_(task)
  , memory_(memory)
  , tile_x_(tile_x)
  , tile_y_(tile_y)
  , first_column_(tile_x * tile_size - task.view.cellsBefore())
  , first_row_(tile_y * tile_size - task.view.cellsBefore())
  , thread_(threadIdx.x)
  , lane_(threadIdx.x % warp_size)
  , warp_(threadIdx.x / warp_size)
  {}

  __device__ int
  footprint() const
  {
    return Footprint == 0 ? task_.view.footprint : Footprint;
  }

  /** \brief Cells along a side of the tile. */
  __device__ int
  cells() const
  {
    return tile_size + footprint() - 1;
  }

  /** \brief Place of a cell's first sample in the order. */
  __device__ int
  start(int cell) const
  {
    return memory_.starts[cell];
  }

  /** \brief What the consumer made of the sample at a place in the order. */
  __device__ float4
  sample(int place) const
  {
    return memory_.samples[memory_.order[place]];
  }

  template <typename Consumer>
  __device__ void
  gather(Consumer& consumer)
  {
    for (int i = 0; i < task_.frame_count; ++i) {
      const Frame& frame = task_.frames[i];
      const TileRange* const groups = task_.group_tiles + frame.first_group;
      const int group_count = frame.images.groups();
      consumer.beginFrame(frame);
      int head = 0, waiting = 0;
      for (int first = 0; first < group_count;
           first += groups_per_thread * tile_threads) {
        const int listed = listGroups(groups, first, group_count);
        for (int k = 0; k < listed; k += tile_warps) {
          waiting += listBlocks(frame, k, listed, head + waiting);
          while (waiting >= chunk_blocks) {
            addChunk(frame, head, chunk_blocks, consumer);
            head += chunk_blocks;
            waiting -= chunk_blocks;
          }
        }
      }
      if (waiting > 0)
        addChunk(frame, head, waiting, consumer);
    }
  }

private:
  /** \brief How many things threads before this one have.
   * \param[in] count things of this thread
   * \param[out] total of all threads; all may go on before the next barrier
   */
  __device__ int
  countBefore(int count, int& total)
  {
    const int inclusive = inclusiveSumOverWarp(count, lane_);
    if (lane_ == warp_size - 1)
      memory_.warp_counts[warp_] = inclusive;
    __syncthreads();
    int before = inclusive - count;
    total = 0;
#pragma unroll
    for (int i = 0; i < tile_warps; ++i) {
      const int warp_count = memory_.warp_counts[i];
      before += i < warp_ ? warp_count : 0;
      total += warp_count;
    }
    return before;
  }

  /** \brief Lists groups that the tile may see, of as many as threads look at in one go. */
  __device__ int
  listGroups(const TileRange* groups, int first, int group_count)
  {
    const int mine = first + groups_per_thread * thread_;
    unsigned int seen = 0;
#pragma unroll
    for (int k = 0; k < groups_per_thread; ++k)
      if (mine + k < group_count && contains(groups[mine + k], tile_x_, tile_y_))
        seen |= 1u << k;
    int total;
    int place = countBefore(__popc(seen), total);
#pragma unroll
    for (int k = 0; k < groups_per_thread; ++k)
      if (seen >> k & 1)
        memory_.groups[place++] = mine + k;
    __syncthreads();
    return total;
  }

  /** \brief Appends blocks that the tile may see of one listed group for each warp. */
  __device__ int
  listBlocks(const Frame& frame, int first_listed, int listed, int end)
  {
    int block = 0;
    bool is_seen = false;
    if (first_listed + warp_ < listed) {
      block = memory_.groups[first_listed + warp_] * group_blocks + lane_;
      is_seen = contains(
          task_.block_tiles[static_cast<std::size_t>(frame.first_group) * group_blocks +
                            block],
          tile_x_,
          tile_y_);
    }
    int total;
    const int place = countBefore(is_seen, total);
    if (is_seen)
      memory_.blocks[(end + place) % Memory::ring] = block;
    __syncthreads();
    return total;
  }

  /** \brief Sorts the samples of waiting blocks and has them added. */
  template <typename Consumer>
  __device__ void
  addChunk(const Frame& frame, int head, int count, Consumer& consumer)
  {
    const int all_cells = cells() * cells();
    for (int i = thread_; i <= all_cells; i += tile_threads)
      memory_.starts[i] = 0;
    __syncthreads();
    int cell[blocks_per_warp], arrival[blocks_per_warp];
#pragma unroll
    for (int k = 0; k < blocks_per_warp; ++k) {
      const int number = k * tile_warps + warp_;
      cell[k] = no_cell;
      if (number < count)
        cell[k] = project<Consumer>(
            frame, memory_.blocks[(head + number) % Memory::ring], slotOf(k));
      if (cell[k] != no_cell)
        arrival[k] = atomicAdd(&memory_.starts[cell[k]], 1);
    }
    __syncthreads();
    makeStarts(all_cells + 1);
#pragma unroll
    for (int k = 0; k < blocks_per_warp; ++k)
      if (cell[k] != no_cell)
        memory_.arrivals[memory_.starts[cell[k]] + arrival[k]] = slotOf(k);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < blocks_per_warp; ++k)
      if (cell[k] != no_cell)
        memory_.order[placeInCell(cell[k], slotOf(k))] = slotOf(k);
    __syncthreads();
    consumer.add(frame, *this);
    __syncthreads();
  }

  __device__ int
  slotOf(int k) const
  {
    return (k * tile_warps + warp_) * warp_size + lane_;
  }

  /** \brief Puts a pixel's sample into its slot.
   * \return its cell, or no_cell
   */
  template <typename Consumer>
  __device__ int
  project(const Frame& frame, int block, int slot)
  {
    const FrameImages& images = frame.images;
    const BlockPlace place = placeOfBlock(block, images.groupsAcross());
    const int column = place.column + lane_ % block_columns;
    const int row = place.row + lane_ / block_columns;
    if (column >= images.columns || row >= images.rows)
      return no_cell;
    const float depth =
        images.depth[static_cast<std::size_t>(row) * images.depth_stride + column];
    const PackedColor color =
        images.color[static_cast<std::size_t>(row) * images.color_stride + column];
    if (!isDepth(depth))
      return no_cell;
    const ScenePoint<float> point = pointOf(
        frame.projection, static_cast<float>(column), static_cast<float>(row), depth);
    const auto rough = roughCell(frame.projection, task_.view, point, depth);
    int cell = no_cell;
    if (rough.is_doubt) {
      const Cell exact = exactCell(
          frame.projection, task_.view, column, row, depth, task_.view.footprint);
      if (exact.column != no_cell)
        cell = cellNumber(exact.column - first_column_, exact.row - first_row_);
    }
    else if (rough.is_seen)
      // Numbers beyond those of int are the nearest of these.
      cell = cellNumber(__float2int_rn(rough.column) - first_column_,
                        __float2int_rn(rough.row) - first_row_);
    if (cell != no_cell)
      memory_.samples[slot] = Consumer::makeSample(point, column, row, depth, color);
    return cell;
  }

  __device__ int
  cellNumber(int column, int row) const
  {
    const unsigned int side = cells();
    const bool is_inside = static_cast<unsigned int>(column) < side &&
                           static_cast<unsigned int>(row) < side;
    return is_inside ? row * static_cast<int>(side) + column : no_cell;
  }

  /** \brief Turns numbers of samples into places of the first ones. */
  __device__ void
  makeStarts(int count)
  {
    const int mine = divideUp(count, tile_threads);
    const int begin = min(mine * thread_, count), end = min(begin + mine, count);
    int sum = 0;
    for (int i = begin; i < end; ++i)
      sum += memory_.starts[i];
    int total;
    int place = countBefore(sum, total);
    for (int i = begin; i < end; ++i) {
      const int samples = memory_.starts[i];
      memory_.starts[i] = place;
      place += samples;
    }
    __syncthreads();
  }

  /** \brief The place of a slot in the order, which follows slots within a cell. */
  __device__ int
  placeInCell(int cell, int slot) const
  {
    const int begin = memory_.starts[cell], end = memory_.starts[cell + 1];
    int place = begin;
    for (int i = begin; i < end; ++i)
      place += memory_.arrivals[i] < slot;
    return place;
  }

  const GatheringTask& task_;
  Memory& memory_;
  int tile_x_, tile_y_, first_column_, first_row_, thread_, lane_, warp_;
};

} // namespace device
} // namespace pcl
