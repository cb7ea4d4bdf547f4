// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/exact_cell.hpp"
#include "gathering/gathering.h"
#include "gathering/projection-inl.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

namespace pcl::device {

static_assert(tile_columns == warp_size, "a warp has whole rows");

constexpr int frames_at_once = 8;
static_assert(block_pixels == warp_size && group_blocks == warp_size &&
                  grouped_groups == warp_size,
              "a lane has a pixel of a block, a block of a group, or a group");

/** \brief Shared memory of a block of threads.
 * \tparam Footprint pixels, or 0 for any
 * \tparam ChunkBlocks blocks whose samples are sorted at a time
 * \tparam StripRows pixels of a column of the tile that a thread has
 * \tparam Made the consumer's form of a sample
 */
template <int Footprint, int ChunkBlocks, int StripRows, typename Made>
struct TileMemory {
  static constexpr int warps = tile_rows / StripRows;
  static constexpr int threads = warps * warp_size;
  static_assert(frames_at_once <= warps && warps <= warp_size,
                "a warp lists the blocks of a frame, a lane adds up a warp's samples");

  static constexpr int border = (Footprint == 0 ? max_footprint : Footprint) - 1;
  static constexpr int cell_count = (tile_columns + border) * (tile_rows + border);
  static constexpr int chunk_samples = ChunkBlocks * block_pixels;
  static constexpr int max_listed = ChunkBlocks + group_blocks;

  Made samples[chunk_samples];  ///< by slots
  Frame frames[frames_at_once]; ///< one for each warp to list the blocks of
  unsigned int blocks[frames_at_once]
                     [max_listed]; ///< row << 16 | column of those listed
  int listed[frames_at_once];
  int next_group[frames_at_once]; ///< the first whose blocks are not listed yet
  /** \brief The cell of each slot, and the number of the cell's samples before its
   * own. */
  unsigned int cells[chunk_samples];
  /** \brief Numbers of samples of cells, then where they begin in the order, bytes; for
   * this chunk or the next. One behind the last has their end. */
  unsigned int starts[2][cell_count + 1];
  /** \brief First slots whose cells take double precision, then all samples by cells:
   * bytes. */
  std::uint16_t order[chunk_samples];
  int warp_counts[warps];
};

/** \brief A whole number; beyond 2^22 one that is as far away. */
__device__ inline int
wholeNumber(float number)
{
  constexpr float shifter = 12582912.0f; // 1.5 * 2^23
  return __float_as_int(number + shifter) - __float_as_int(shifter);
}

/** \brief The samples that a tile sees, chunk by chunk; a block of threads for each
 * tile.
 *
 * Blocks of a frame are listed in ascending order, as the host does. The pixels of a
 * chunk are put in slots, counted by cells and sorted by them, and then by slots, so
 * that their order does not depend on which thread came first.
 */
template <int Footprint, int ChunkBlocks, int StripRows, typename Made>
class TileSampler {
public:
  using Memory = TileMemory<Footprint, ChunkBlocks, StripRows, Made>;
  static constexpr int threads = Memory::threads;

  const int lane, warp; ///< of this thread

  __device__
  TileSampler(const GatheringTask& task, Memory& memory, int tile_x, int tile_y)
  : lane(threadIdx.x % warp_size)
  , warp(threadIdx.x / warp_size)
  , task_(task)
  , memory_(memory)
  , tile_x_(tile_x)
  , tile_y_(tile_y)
  , first_column_(tile_x * tile_columns - task.view.cellsBefore())
  , first_row_(tile_y * tile_rows - task.view.cellsBefore())
  , thread_(threadIdx.x)
  {}

  __device__ int
  footprint() const
  {
    return Footprint == 0 ? task_.view.footprint : Footprint;
  }

  /** \brief Columns of cells. */
  __device__ int
  cellColumns() const
  {
    return tile_columns + footprint() - 1;
  }

  /** \brief Rows of cells. */
  __device__ int
  cellRows() const
  {
    return tile_rows + footprint() - 1;
  }

  /** \brief Place of a cell's first sample in the order. */
  __device__ int
  start(int cell) const
  {
    return startOffset(cell) / order_bytes;
  }

  /** \brief Returns the same in bytes. */
  __device__ unsigned int
  startOffset(int cell) const
  {
    return memory_.starts[parity_][cell];
  }

  static constexpr unsigned int order_bytes = sizeof(std::uint16_t); ///< of a place

  /** \brief Offset of the sample at a place in the order: of its slot.
   * \param[in] place bytes
   */
  __device__ unsigned int
  sampleOffset(unsigned int place) const
  {
    return *atOffset<std::uint16_t>(memory_.order, place);
  }

  /** \brief The consumer's form of the sample at an offset. */
  __device__ const Made&
  made(unsigned int offset) const
  {
    return *atOffset<Made>(memory_.samples, offset);
  }

  template <typename Consumer>
  __device__ void
  gather(Consumer& consumer)
  {
    clearStarts(parity_);
    for (int first = 0; first < task_.frame_count; first += frames_at_once) {
      frames_here_ = min(frames_at_once, task_.frame_count - first);
      loadFrames(task_.frames + first);
      if (warp < frames_here_)
        listBlocks(warp, 0);
      __syncthreads();
      for (int i = 0; i < frames_here_; ++i) {
        const Frame& frame = memory_.frames[i];
        consumer.beginFrame(frame);
        const int group_count = frame.images.groups();
        while (true) {
          const int listed = memory_.listed[i];
          const bool is_all = memory_.next_group[i] >= group_count;
          int chunk = 0;
          while (listed - chunk >= ChunkBlocks || (is_all && chunk < listed)) {
            const int count = min(ChunkBlocks, listed - chunk);
            sortChunk(i, chunk, count, consumer);
            consumer.add(frame, *this);
            __syncthreads();
            parity_ = 1 - parity_;
            chunk += count;
          }
          if (is_all)
            break;
          listMore(i, listed - chunk, chunk);
        }
      }
    }
  }

private:
  static constexpr unsigned int sample_bytes = sizeof(Made);
  static_assert(Memory::chunk_samples * sample_bytes <= 1u << 16, "they are 16 bits");

  template <typename T>
  __device__ static const T*
  atOffset(const T* memory, unsigned int bytes)
  {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(memory) + bytes);
  }

  static constexpr unsigned int none = ~0u;
  static constexpr unsigned int cell_limit = 4096; ///< more than a tile's cells
  static_assert(Memory::cell_count < cell_limit, "cells are packed");

  /** \brief Brings frames' numbers to where all threads read them. */
  __device__ void
  loadFrames(const Frame* frames)
  {
    static_assert(sizeof(Frame) % sizeof(int) == 0, "they are copied by words");
    const int words = frames_here_ * static_cast<int>(sizeof(Frame) / sizeof(int));
    __syncthreads();
    for (int i = thread_; i < words; i += threads)
      reinterpret_cast<int*>(memory_.frames)[i] =
          reinterpret_cast<const int*>(frames)[i];
    if (thread_ < frames_at_once)
      memory_.next_group[thread_] = 0;
    __syncthreads();
  }

  /** \brief Lists blocks that the tile may see, as many as there is room for; by one
   * warp.
   * \param[in] number of the frame among those at hand
   * \param[in] kept number of its blocks that are listed already
   */
  __device__ void
  listBlocks(int number, int kept)
  {
    const Frame& frame = memory_.frames[number];
    const TileRange* const ranges = task_.range_tiles + frame.first_range;
    const TileRange* const groups = task_.group_tiles + frame.first_group;
    const int group_count = frame.images.groups(),
              range_count = frame.images.groupRanges();
    const int first_group = memory_.next_group[number];
    int listed = kept;
    for (int range = first_group / grouped_groups; range < range_count;
         range += warp_size) {
      const int mine = range + lane;
      unsigned int seen_ranges = __ballot_sync(
          all_lanes, mine < range_count && contains(ranges[mine], tile_x_, tile_y_));
      while (seen_ranges != 0) {
        // Loads of several overlap.
        constexpr int at_once = 4;
        int group[at_once];
        unsigned int seen[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
          const bool is_there = seen_ranges != 0;
          group[k] = (range + __ffs(seen_ranges) - 1) * grouped_groups;
          seen_ranges &= seen_ranges - 1;
          const int its = group[k] + lane;
          const bool is_seen = is_there && its >= first_group && its < group_count &&
                               contains(groups[its], tile_x_, tile_y_);
          seen[k] = __ballot_sync(all_lanes, is_seen);
        }
#pragma unroll
        for (int k = 0; k < at_once; ++k)
          while (seen[k] != 0) {
            const int next_group = listGroups(frame, group[k], seen[k], number, listed);
            if (next_group != no_group) {
              endList(number, listed, next_group);
              return;
            }
          }
      }
    }
    endList(number, listed, group_count);
  }

  static constexpr int no_group = -1;

  /** \brief Lists blocks of a few groups.
   * \param[in] first the group of the lowest bit
   * \param[in,out] groups a bit for each group to list
   * \param[in,out] listed number of blocks that are listed
   * \return the group that there was no room for, or no_group
   */
  __device__ int
  listGroups(
      const Frame& frame, int first, unsigned int& groups, int number, int& listed)
  {
    constexpr int at_once = 2; // so that their loads overlap
    const TileRange* const blocks =
        task_.block_tiles + static_cast<std::size_t>(frame.first_group) * group_blocks;
    int group[at_once];
    bool is_seen[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      group[k] = groups == 0 ? no_group : first + __ffs(groups) - 1;
      groups &= groups - 1;
      is_seen[k] = group[k] != no_group &&
                   contains(blocks[group[k] * group_blocks + lane], tile_x_, tile_y_);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (group[k] == no_group)
        break;
      if (listed > Memory::max_listed - group_blocks)
        return group[k];
      const unsigned int seen = __ballot_sync(all_lanes, is_seen[k]);
      if (is_seen[k]) {
        const BlockPlace place =
            placeOfBlock(frame.images, group[k] * group_blocks + lane);
        memory_.blocks[number][listed + lanesBefore(seen, lane)] =
            static_cast<unsigned int>(place.row) << 16 | place.column;
      }
      listed += __popc(seen);
    }
    return no_group;
  }

  __device__ void
  endList(int number, int listed, int next_group)
  {
    __syncwarp();
    if (lane == 0) {
      memory_.listed[number] = listed;
      memory_.next_group[number] = next_group;
    }
  }

  /** \brief Lists more blocks behind those that are left, all threads together. A list
   * without room has a chunk at least, and behind it no thread reads the list.
   * \param[in] kept,first number of blocks that are left, and the first of them
   */
  __device__ void
  listMore(int number, int kept, int first)
  {
    if (warp == 0) {
      for (int i = lane; i < kept; i += warp_size)
        memory_.blocks[number][i] = memory_.blocks[number][first + i];
      __syncwarp();
      listBlocks(number, kept);
    }
    __syncthreads();
  }

  /** \brief Sorts the samples of some listed blocks. */
  template <typename Consumer>
  __device__ void
  sortChunk(int number, int first, int count, Consumer& consumer)
  {
    const Frame& frame = memory_.frames[number];
    const unsigned int* const blocks = memory_.blocks[number] + first;
    project(frame, blocks, count, consumer);
    __syncthreads();
    makeStarts();
    const int slots = count * block_pixels;
    for (int slot = thread_; slot < slots; slot += threads) {
      const unsigned int cell = memory_.cells[slot];
      if (cell != none)
        memory_.order[start(cell % cell_limit) + cell / cell_limit] =
            slot * sample_bytes;
    }
    __syncthreads();
    sortCells();
    clearStarts(1 - parity_);
    if (first == 0 && number + 1 < frames_here_)
      prefetch(number + 1);
    __syncthreads();
  }

  /** \brief Prefetches the pixels of a frame's first chunk while others are
   * processed. */
  __device__ void
  prefetch(int number) const
  {
    const FrameImages& images = memory_.frames[number].images;
    const int blocks = min(memory_.listed[number], ChunkBlocks);
    for (int i = thread_; i < blocks * block_rows * 2; i += threads) {
      const unsigned int place = memory_.blocks[number][i / (2 * block_rows)];
      const int column = place & 0xffff, row = (place >> 16) + i / 2 % block_rows;
      const void* memory = images.depth + row * images.depth_stride + column;
      if (i % 2 == 1)
        memory = images.color + row * images.color_stride + column;
      if (row < images.rows)
        asm volatile("prefetch.global.L1 [%0];" ::"l"(memory));
    }
  }

  __device__ void
  clearStarts(int parity)
  {
    for (int i = thread_; i < Memory::cell_count; i += threads)
      memory_.starts[parity][i] = 0;
  }

  /** \brief Puts the samples of blocks into their slots, and counts them by cells. */
  template <typename Consumer>
  __device__ void
  project(const Frame& frame, const unsigned int* blocks, int count, Consumer& consumer)
  {
    constexpr int at_once = 2; // so that they share numbers and their loads overlap
    const FrameImages images = frame.images;
    int doubts = 0;
#pragma unroll 1
    for (int first = warp; first < count; first += at_once * Memory::warps) {
      Pixel pixels[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        pixels[k] = loadPixel(
            images, blocks, first + k * Memory::warps, count, Consumer::is_guided);
      ProjectedPixel projected[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        projected[k] = projectPixel(frame, pixels[k]);
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const int number = first + k * Memory::warps;
        if (number >= count)
          break;
        const int slot = number * block_pixels + lane;
        storePixel(slot, pixels[k], projected[k], consumer);
        const bool is_doubt = projected[k].is_doubt;
        const unsigned int doubtful = __ballot_sync(all_lanes, is_doubt);
        if (doubtful == 0)
          continue;
        if (is_doubt)
          doubtfulSlots()[doubts + lanesBefore(doubtful, lane)] = slot;
        doubts += __popc(doubtful);
      }
    }
    settleDoubts(frame, blocks, doubts);
  }

  struct Pixel {
    unsigned int place; ///< row << 16 | column
    float depth;
    PackedColor color, guide;
  };

  struct ProjectedPixel {
    ScenePoint<float> point;
    int column, row; ///< of its cell
    bool is_seen, is_doubt;
  };

  /** \brief This lane's pixel of a block; without depth if there is none.
   * \param[in] number,count of the block, and of all there are, 1 or more
   */
  __device__ Pixel
  loadPixel(const FrameImages& images,
            const unsigned int* blocks,
            int number,
            int count,
            bool is_guided) const
  {
    const unsigned int lane_place = lane / block_columns << 16 | lane % block_columns;
    Pixel pixel = {blocks[min(number, count - 1)] + lane_place, 0.0f, 0, 0};
    const int column = pixel.place & 0xffff, row = pixel.place >> 16;
    if (column < images.columns && row < images.rows) {
      pixel.depth = images.depth[row * images.depth_stride + column];
      pixel.color = images.color[row * images.color_stride + column];
      if (is_guided)
        pixel.guide = images.guide[row * images.guide_stride + column];
    }
    return pixel;
  }

  /** \brief Slots of the warp whose cells take double precision: in memory that nothing
   * else is in yet, with room for all its slots. */
  __device__ std::uint16_t*
  doubtfulSlots()
  {
    return memory_.order + warp * (Memory::chunk_samples / Memory::warps);
  }

  /** \brief Finds the cells that single precision could not decide, all lanes
   * together. */
  __device__ void
  settleDoubts(const Frame& frame, const unsigned int* blocks, int count)
  {
    __syncwarp();
    for (int i = lane; i < count; i += warp_size) {
      const int slot = doubtfulSlots()[i], in_block = slot % block_pixels;
      const unsigned int block = blocks[slot / block_pixels];
      const int column = (block & 0xffff) + in_block % block_columns;
      const int row = (block >> 16) + in_block / block_columns;
      const float depth = frame.images.depth[row * frame.images.depth_stride + column];
      const Cell cell =
          exactCell(frame.projection, task_.view, column, row, depth, footprint());
      if (cell.column != no_cell)
        memory_.cells[slot] = arrivalAt(cell.column, cell.row);
    }
  }

  __device__ ProjectedPixel
  projectPixel(const Frame& frame, const Pixel& pixel) const
  {
    const ScenePoint<float> point = pointOf(frame.projection,
                                            static_cast<float>(pixel.place & 0xffff),
                                            static_cast<float>(pixel.place >> 16),
                                            pixel.depth);
    const auto rough = roughCell(frame.projection, task_.view, point, pixel.depth);
    const bool is_there = gpu::isMeasuredDepth(pixel.depth),
               is_doubt = is_there && rough.is_doubt;
    return {point,
            wholeNumber(rough.column),
            wholeNumber(rough.row),
            is_there && rough.is_seen && !is_doubt,
            is_doubt};
  }

  /** \brief Puts a pixel's sample into its slot, unless the tile does not see it. */
  template <typename Consumer>
  __device__ void
  storePixel(int slot,
             const Pixel& pixel,
             const ProjectedPixel& projected,
             Consumer& consumer)
  {
    unsigned int arrival = none;
    if (projected.is_seen)
      arrival = arrivalAt(projected.column, projected.row);
    if (projected.is_doubt || arrival != none)
      memory_.samples[slot] = consumer.makeSample(
          slot, projected.point, pixel.place, pixel.depth, pixel.color, pixel.guide);
    memory_.cells[slot] = arrival;
  }

  /** \brief Counts a sample of a cell. Returns the entry of its slot. */
  __device__ unsigned int
  arrivalAt(int column, int row)
  {
    const unsigned int columns = cellColumns(), rows = cellRows();
    const unsigned int x = column - first_column_, y = row - first_row_;
    if (x >= columns || y >= rows)
      return none;
    const unsigned int cell = y * columns + x;
    return atomicAdd(&memory_.starts[parity_][cell], 1u) * cell_limit + cell;
  }

  /** \brief The sum of the counts of threads before this one. */
  __device__ int
  countBefore(int count)
  {
    const int inclusive = inclusiveSumOverWarp(count, lane);
    if (lane == warp_size - 1)
      memory_.warp_counts[warp] = inclusive;
    __syncthreads();
    const int earlier = lane < warp ? memory_.warp_counts[lane] : 0;
    return sumOverWarp(earlier) + inclusive - count;
  }

  /** \brief Turns numbers of samples into places of the first ones. */
  __device__ void
  makeStarts()
  {
    constexpr int mine = Memory::cell_count / threads + 1; // with one behind them
    unsigned int* const starts = memory_.starts[parity_];
    unsigned int counts[mine];
    int sum = 0;
#pragma unroll
    for (int i = 0; i < mine; ++i) {
      const int cell = mine * thread_ + i;
      counts[i] = cell < Memory::cell_count ? starts[cell] : 0;
      sum += counts[i];
    }
    unsigned int place = countBefore(sum);
#pragma unroll
    for (int i = 0; i < mine; ++i) {
      const int cell = mine * thread_ + i;
      if (cell <= Memory::cell_count)
        starts[cell] = place * order_bytes;
      place += counts[i];
    }
    __syncthreads();
  }

  /** \brief Sorts the samples of each cell by slots: they lie in the order as they
   * came. They are few. */
  __device__ void
  sortCells()
  {
    for (int cell = thread_; cell < cellColumns() * cellRows(); cell += threads) {
      const int begin = start(cell), end = start(cell + 1);
      for (int i = begin + 1; i < end; ++i) {
        const std::uint16_t sample = memory_.order[i];
        int place = i;
        for (; place > begin && memory_.order[place - 1] > sample; --place)
          memory_.order[place] = memory_.order[place - 1];
        memory_.order[place] = sample;
      }
    }
  }

  const GatheringTask& task_;
  Memory& memory_;
  int tile_x_, tile_y_, first_column_, first_row_, thread_;
  int frames_here_ = 0;
  int parity_ = 0; ///< of the chunk
};

} // namespace pcl::device
