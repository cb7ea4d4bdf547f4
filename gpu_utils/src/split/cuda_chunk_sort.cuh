// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_split_lists.cuh"

#include <cub/block/block_scan.cuh>

// A block sorts a piece of a list by a digit of up to 11 bits, within shared memory.
// Every warp counts the digits of its share in a table of its own, which gives each of
// its elements a rank among those of its digit. The tables become places, and ranks are
// added to them. Elements themselves do not move: their new order is a list of numbers.

namespace pcl::device {

/** \brief Returns whether blocks of an architecture can have 160 KiB of shared memory.
 *
 * Kernels of chunks are empty for others, because they take minutes to compile.
 * \param[in] architecture as in __CUDA_ARCH__
 */
__host__ __device__ constexpr bool
hasLargeBlocks(int architecture)
{
  return architecture == 800 || architecture == 870 ||
         (architecture >= 900 && architecture < 1200);
}

#if defined(__CUDA_ARCH__)
constexpr bool has_large_blocks = hasLargeBlocks(__CUDA_ARCH__);
#else
constexpr bool has_large_blocks = true;
#endif

/** \brief Constants of all chunks. */
struct ChunkLimits {
  static constexpr int threads = 512;
  static constexpr int warps = threads / warp_size;
  /** \brief Elements that a lane processes together. */
  static constexpr int batch = 4;
  static constexpr int unit = batch * warp_size; ///< elements of a warp
  static constexpr int max_digit_bits = 11;
  static constexpr int max_digits = 1 << max_digit_bits;
  /** \brief Digits of a thread. */
  static constexpr int thread_digits = max_digits / threads;
  /** \brief Divisor of all capacities. */
  static constexpr std::size_t granularity = 512;

  using Scan = cub::BlockScan<std::uint32_t, threads, cub::BLOCK_SCAN_WARP_SCANS>;
};

/** \brief The shape of a block that sorts a chunk.
 * \tparam Blocks number of blocks that share a multiprocessor
 */
template <int Blocks>
struct ChunkShape : ChunkLimits {
  static constexpr int blocks = Blocks;
  /** \brief Batches of a lane: their ranks stay in registers. */
  static constexpr int batches = 10 / blocks;
  static constexpr std::size_t max_size = std::size_t(batches) * unit * warps;
  static_assert(max_size < 65536, "places in a chunk have 16 bits");
};

/** \brief Returns the counts in a row of a table: at least those of one thread. */
constexpr std::uint32_t
tableWidth(std::uint32_t digits)
{
  return digits > ChunkLimits::thread_digits ? digits : ChunkLimits::thread_digits;
}

/** \brief Returns a number that all lanes of the warp have, so that the compiler sees
 * that they take the same branches. */
__device__ inline std::uint32_t
uniform(std::uint32_t number)
{
  return __shfl_sync(all_lanes, number, 0);
}

/** \brief Shared memory of chunks of such elements. */
template <typename List>
struct ChunkMemory {
  static constexpr std::size_t element_bytes =
      List::element_bytes + sizeof(std::uint16_t);

  /** \brief Returns the bytes beside the elements. */
  static constexpr std::size_t
  tableBytes(std::uint32_t digits)
  {
    return tableWidth(digits) *
           (sizeof(std::uint16_t) * ChunkLimits::warps + sizeof(std::uint32_t));
  }

  static constexpr std::size_t
  bytes(std::size_t capacity, std::uint32_t digits)
  {
    return tableBytes(digits) + capacity * element_bytes;
  }
};

/** \brief A chunk in shared memory.
 * \tparam KeyDigit functor that returns the digit of a key
 */
template <typename List, typename KeyDigit, typename Shape>
struct Chunk {
  static constexpr std::uint32_t thread_digits = Shape::thread_digits;

  KeyDigit digit;
  std::uint32_t width; ///< of the tables
  std::uint32_t warp;  ///< the thread's
  std::uint32_t size = 0;
  List elements;
  std::uint16_t* order; ///< the elements' numbers
  /** \brief For every warp the digits' counts, then the places of the next elements. */
  std::uint16_t* table;
  /** \brief Start or offset of the places of every digit's elements. */
  std::uint32_t* digit_places;
  /** \brief Digit (upper half) and rank within the warp (lower half) of the lane's
   * elements. */
  std::uint32_t ranks[Shape::batches][Shape::batch];

  /** \param[in] capacity a multiple of \a unit */
  __device__
  Chunk(char* memory, std::uint32_t capacity, const KeyDigit& chunk_digit)
  : digit(chunk_digit)
  , width(tableWidth(chunk_digit.digits()))
  , warp(uniform(threadIdx.x / warp_size))
  {
    digit_places = reinterpret_cast<std::uint32_t*>(memory);
    table = reinterpret_cast<std::uint16_t*>(digit_places + width);
    order = table + width * Shape::warps;
    elements = List::in(order + capacity, capacity);
  }

  /** \brief Returns the first digit of the thread. */
  static __device__ std::uint32_t
  firstDigit()
  {
    return threadIdx.x * thread_digits;
  }

  /** \brief Returns the elements of a warp, in whole batches. Few elements go to few
   * warps, since each further warp needs a table. */
  __device__ std::uint32_t
  shareOfWarp() const
  {
    const std::uint32_t units =
        (size + Shape::warps * Shape::unit - 1) / (Shape::warps * Shape::unit);
    return max(units, 2u) * Shape::unit;
  }

  /** \brief Returns the number of warps that have elements. */
  __device__ std::uint32_t
  warpsWithShare() const
  {
    const std::uint32_t share = shareOfWarp();
    return (size + share - 1) / share;
  }

  /** \brief Calls work with the number of every batch of the warp and its first
   * element. */
  template <typename Work>
  __device__ void
  forOwnBatches(const Work& work) const
  {
    const std::uint32_t share = shareOfWarp();
    const std::uint32_t begin = warp * share;
    const std::uint32_t end = min(begin + share, size);
#pragma unroll
    for (int batch = 0; batch < Shape::batches; ++batch)
      if (begin + batch * Shape::unit < end)
        work(batch, begin + batch * Shape::unit);
  }

  /** \brief Copies elements from global memory, and ranks them.
   *
   * Keys behind the end, in the last batch, get the last digit and come last.
   * \param[in] meanwhile work to do while they are copied
   */
  template <typename Meanwhile>
  __device__ void
  load(const typename List::Read& from,
       std::uint32_t first,
       std::uint32_t number,
       const Meanwhile& meanwhile)
  {
    size = uniform(number);
    const std::uint32_t lane = threadIdx.x % warp_size;
    const bool in_fours = List::canFetchFours(from, first);
    const std::uint32_t share = shareOfWarp();
    const std::uint32_t end = min((warp + 1) * share, size);
    for (std::uint32_t begin = warp * share; begin < end; begin += Shape::unit) {
      if (in_fours && begin + Shape::unit <= size) {
        elements.fetchFour(begin + 4 * lane, from, first + begin + 4 * lane);
        continue;
      }
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i) {
        const std::uint32_t element = begin + i * warp_size + lane;
        if (element < size)
          elements.fetch(element, from, first + element);
        else
          elements.setKey(element, digit.padding());
      }
    }
    __pipeline_commit();
    auto* const counts =
        reinterpret_cast<std::uint32_t*>(table + warp * width); // two in a word
    for (std::uint32_t i = lane; i < width / 2; i += warp_size)
      counts[i] = 0;
    meanwhile();
    __pipeline_wait_prior(0);
    __syncwarp();
    if (digit.digits() <= 1u << 4)
      rankElements<4>();
    else if (digit.digits() <= 1u << 5)
      rankElements<5>();
    else if (digit.digits() <= 1u << 6)
      rankElements<6>();
    else if (digit.digits() <= 1u << 9)
      rankElements<9>();
    else if (digit.digits() <= 1u << 10)
      rankElements<10>();
    else
      rankElements<Shape::max_digit_bits>();
  }

  /** \brief Turns the warps' counts into places.
   * \param[out] begins starts of the thread's digits in the chunk
   */
  __device__ void
  scanCounts(typename Shape::Scan::TempStorage& scan,
             std::uint32_t (&begins)[thread_digits])
  {
    // No sum has more than 16 bits, so two are added at once.
    constexpr int words = thread_digits / 2;
    const bool has_digits = firstDigit() < width;
    const std::uint32_t warps = warpsWithShare();
    auto* const counts = reinterpret_cast<std::uint32_t*>(table + firstDigit());
    __syncthreads();
    std::uint32_t sums[words] = {};
    if (has_digits)
      for (std::uint32_t w = 0; w < warps; ++w)
#pragma unroll
        for (int word = 0; word < words; ++word)
          sums[word] += counts[w * (width / 2) + word];
#pragma unroll
    for (int word = 0; word < words; ++word) {
      begins[2 * word] = sums[word] & 0xffffu;
      begins[2 * word + 1] = sums[word] >> 16;
    }
    typename Shape::Scan(scan).ExclusiveSum(begins, begins);
    if (!has_digits)
      return;
#pragma unroll
    for (int word = 0; word < words; ++word) {
      std::uint32_t places = begins[2 * word] | begins[2 * word + 1] << 16;
      for (std::uint32_t w = 0; w < warps; ++w) {
        std::uint32_t& entry = counts[w * (width / 2) + word];
        const std::uint32_t count = entry;
        entry = places;
        places += count;
      }
    }
  }

  /** \brief Finds the elements' order. Call scanCounts() and a barrier before, a
   * barrier after. */
  __device__ void
  findOrder() const
  {
    const std::uint16_t* const places = table + warp * width;
    forOwnBatches([&](int batch, std::uint32_t first) {
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i) {
        const std::uint32_t rank = ranks[batch][i];
        order[places[rank >> 16] + (rank & 0xffffu)] =
            static_cast<std::uint16_t>(first + i * warp_size + threadIdx.x % warp_size);
      }
    });
  }

  /** \brief Calls work with every place in the new order and the element that belongs
   * there. */
  template <typename Work>
  __device__ void
  forAllInOrder(const Work& work) const
  {
    using Payload = typename List::PayloadType;
    const auto list = elements.read();
    for (std::uint32_t first = threadIdx.x; first < size;
         first += Shape::batch * Shape::threads) {
      Element<Payload> batch[Shape::batch];
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i)
        if (first + i * Shape::threads < size)
          batch[i] = list.get(order[first + i * Shape::threads]);
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i)
        if (first + i * Shape::threads < size)
          work(first + i * Shape::threads, batch[i]);
    }
  }

private:
  template <int Bits>
  __device__ void
  rankElements()
  {
    const unsigned int lanes_before = (1u << threadIdx.x % warp_size) - 1;
    const auto list = elements.read();
    std::uint16_t* const counts = table + warp * width;
    forOwnBatches([&](int batch, std::uint32_t first) {
      std::uint32_t digits[Shape::batch];
      unsigned int lanes[Shape::batch];
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i)
        digits[i] = list.key(first + i * warp_size + threadIdx.x % warp_size);
      digit.inSimplestForm([&](const auto& form) {
#pragma unroll
        for (int i = 0; i < Shape::batch; ++i)
          digits[i] = form.of(digits[i]);
      });
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i)
        lanes[i] = lanesWithDigit<Bits>(digits[i]);
#pragma unroll
      for (int i = 0; i < Shape::batch; ++i) {
        const std::uint32_t count = counts[digits[i]];
        const std::uint32_t before = __popc(lanes[i] & lanes_before);
        __syncwarp();
        if (before == 0)
          counts[digits[i]] = static_cast<std::uint16_t>(count + __popc(lanes[i]));
        __syncwarp();
        ranks[batch][i] = digits[i] << 16 | (count + before);
      }
    });
  }
};

} // namespace pcl::device
