// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <cuda/atomic>

#include <cstddef>

namespace pcl::device {

/** \brief Exchange of element counts between the blocks of a grid, so that they can
 * write their elements one after the other in the blocks' order (decoupled look-back,
 * Merrill and Garland 2016).
 *
 * The memory must be zero before the first run and have no other use between runs.
 * Published numbers carry the number of their run.
 */
class BlockOrder {
public:
  /** \param[in] memory of bytes(blocks)
   * \param[in] blocks of the grid, which has one dimension
   */
  __host__ __device__
  BlockOrder(void* memory, int blocks)
  : runs_(static_cast<unsigned int*>(memory))
  , block_count_(static_cast<unsigned long long*>(memory) + 1)
  , block_end_(block_count_ + blocks)
  {}

  static std::size_t
  bytes(int blocks)
  {
    return sizeof(unsigned long long) * (1 + 2 * static_cast<std::size_t>(blocks));
  }

  /** \brief Returns the number of this run. Must be read before the block publishes
   * anything. */
  __device__ unsigned int
  run() const
  {
    return *runs_ + 1;
  }

  /** \brief Publishes the calling block's number of elements. One thread calls. */
  __device__ void
  publishCount(unsigned int run, unsigned int count) const
  {
    publish(block_count_[blockIdx.x], run, count);
  }

  /** \brief Publishes the end of the calling block's elements. One thread calls. */
  __device__ void
  publishEnd(unsigned int run, unsigned int end) const
  {
    publish(block_end_[blockIdx.x], run, end);
  }

  /** \brief Ends the run. One thread of the last participating block calls, after
   * addCountsBefore(): by then all others have read the number of the run.
   */
  __device__ void
  finish(unsigned int run) const
  {
    *runs_ = run;
  }

  /** \brief Adds the number of elements of all blocks before the calling one to a sum.
   *
   * Goes back over the counts of earlier blocks, many at once, to a block that has
   * published its end. Waits for counts that are not published yet. Blocks start in
   * their order, so the blocks that it waits for are running. All threads of the block
   * must call.
   * \param[in,out] before in shared memory; complete after the next __syncthreads()
   */
  template <int BlockThreads>
  __device__ void
  addCountsBefore(unsigned int run, unsigned int* before) const
  {
    constexpr int loads = 8;
    constexpr int chunk = loads * BlockThreads;
    unsigned int count = 0;
    bool summed = false;
    for (int end = blockIdx.x; end > 0 && !summed; end -= chunk) {
      const int begin = end > chunk ? end - chunk : 0;
      Published counts[loads];
#pragma unroll
      for (int i = 0; i < loads; ++i) {
        const int block = begin + i * BlockThreads + threadIdx.x;
        counts[i] = block < end ? published(block_count_[block]) : Published{run, 0};
      }
      const Published last =
          begin > 0 ? published(block_end_[begin - 1]) : Published{0, 0};
#pragma unroll
      for (int i = 0; i < loads; ++i) {
        while (counts[i].run != run)
          counts[i] = published(block_count_[begin + i * BlockThreads + threadIdx.x]);
        count += counts[i].value;
      }
      // Threads may see it at different times, so the first one decides for all.
      summed = __syncthreads_or(threadIdx.x == 0 && last.run == run);
      if (threadIdx.x == 0 && summed)
        count += last.value;
    }
    count = static_cast<unsigned int>(sumOverWarp(static_cast<int>(count)));
    if (threadIdx.x % warp_size == 0)
      atomicAdd(before, count);
  }

private:
  /** \brief A number that a block publishes for later blocks, valid in one run. */
  struct Published {
    unsigned int run;
    unsigned int value;
  };

  using Word = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  __device__ static void
  publish(unsigned long long& word, unsigned int run, unsigned int value)
  {
    Word(word).store(static_cast<unsigned long long>(run) << 32 | value,
                     ::cuda::memory_order_relaxed);
  }

  __device__ static Published
  published(unsigned long long& word)
  {
    const unsigned long long bits = Word(word).load(::cuda::memory_order_relaxed);
    return {static_cast<unsigned int>(bits >> 32), static_cast<unsigned int>(bits)};
  }

  unsigned int* runs_; ///< number of finished runs
  unsigned long long* block_count_;
  unsigned long long* block_end_; ///< of all blocks before and of the block itself
};

} // namespace pcl::device
