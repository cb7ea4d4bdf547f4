// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_bucket_sort.cuh"
#include "cuda_list_split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <algorithm>

namespace pcl::device {

namespace {

/** \brief Constants chosen by measurement. */
struct BucketTuning {
  /** \brief Least number of key bits for which it is worthwhile. */
  static constexpr int min_bits = 9;
  /** \brief Bits of the high digit; more make the runs of a bucket short. */
  static constexpr int preferred_high_bits = 10;
  /** \brief Percentage of the capacity that the average bucket may fill, so that larger
   * ones fit: where two blocks share a multiprocessor, and where one has it alone. */
  static constexpr std::size_t shared_fill = 60;
  static constexpr std::size_t fill = 88;
  /** \brief Least shared memory of a block; with less DigitSplit is faster. */
  static constexpr std::size_t min_shared_bytes = 160 * 1024;
  static constexpr std::size_t min_tile_size = 1024;
};

constexpr std::size_t
divideUp(std::size_t total, std::size_t part)
{
  return (total + part - 1) / part;
}

constexpr std::size_t
roundUp(std::size_t number, std::size_t unit)
{
  return divideUp(number, unit) * unit;
}

/** \brief Properties of the current device that determine sizes. */
struct DeviceLimits {
  /** \brief Upper bound of a kernel's static shared memory. */
  static constexpr std::size_t static_bytes = 1024;

  std::size_t multiprocessors = deviceAttribute(cudaDevAttrMultiProcessorCount);
  std::size_t block_bytes = deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  std::size_t multiprocessor_bytes =
      deviceAttribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  std::size_t reserved_bytes = deviceAttribute(cudaDevAttrReservedSharedMemoryPerBlock);

  /** \brief Returns the elements of a chunk if \a blocks share a multiprocessor. */
  template <typename List>
  std::size_t
  capacity(int blocks, std::uint32_t digits) const
  {
    static_assert(sizeof(ChunkLimits::Scan::TempStorage) <= static_bytes,
                  "they have that");
    using Memory = ChunkMemory<List>;
    const std::size_t bytes =
        std::min(block_bytes, multiprocessor_bytes / blocks - reserved_bytes);
    const std::size_t taken = static_bytes + Memory::tableBytes(digits);
    const std::size_t elements =
        bytes > taken ? (bytes - taken) / Memory::element_bytes : 0;
    const std::size_t most =
        blocks == 1 ? ChunkShape<1>::max_size : ChunkShape<2>::max_size;
    return std::min(most, elements) / ChunkLimits::granularity *
           ChunkLimits::granularity;
  }
};

/** \brief The size of a pass's tiles. */
struct TileSize {
  int blocks; ///< on a multiprocessor
  std::uint32_t size;

  /** \brief Chooses tiles of one size that fill the device a whole number of times. */
  template <typename List>
  static TileSize
  choose(const DeviceLimits& device, std::size_t elements, std::uint32_t digits)
  {
    const std::size_t half = device.capacity<List>(2, digits);
    const bool is_short = elements <= 2 * device.multiprocessors * half;
    const int blocks = half > 0 && is_short ? 2 : 1;
    const std::size_t slots = blocks * device.multiprocessors;
    const std::size_t capacity = device.capacity<List>(blocks, digits);
    const std::size_t rounds =
        std::max<std::size_t>(divideUp(elements, slots * capacity), 1);
    const std::size_t size =
        std::max(divideUp(elements, slots * rounds), BucketTuning::min_tile_size);
    return {blocks,
            static_cast<std::uint32_t>(
                std::min(capacity, roundUp(size, ChunkLimits::unit)))};
  }
};

/** \brief Plan of a split by one digit or two. */
template <typename Payload>
struct Plan {
  using Source = MutableArrays<Payload>;
  using Between = ListBetween<Payload>;

  DeviceLimits device;
  int high_bits;    ///< of the first or only digit
  int low_bits = 0; ///< of the second one
  TileSize tile{};
  std::size_t tiles;

  bool may_have_window = false;
  std::uint32_t second_digits = 0; ///< at most
  int bucket_blocks = 1;           ///< on a multiprocessor
  std::uint32_t bucket_capacity = 0, window_capacity = 0;
  std::size_t max_large = 0; ///< buckets that are too large for a block
  std::uint32_t large_tile_size = 0;
  std::size_t max_large_tiles = 0;

  explicit Plan(const SplitTask& task)
  {
    const int bits = bitsFor(task.bins.bins);
    if (bits <= ChunkLimits::max_digit_bits)
      high_bits = bits;
    else
      chooseBuckets(task, bits);
    tile = TileSize::choose<Source>(device, task.size, highDigits());
    tiles = divideUp(task.size, tile.size);
    if (hasOneDigit())
      return;
    // Not where the wider tables would leave little room.
    may_have_window = high_bits > 1 && low_bits < ChunkLimits::max_digit_bits &&
                      2 * bucketCapacity(bucket_blocks, 2 * lowDigits()) >=
                          bucketCapacity(bucket_blocks, lowDigits());
    second_digits = may_have_window ? 2 * lowDigits() : lowDigits();
    bucket_capacity = bucketCapacity(bucket_blocks, lowDigits());
    window_capacity = bucketCapacity(bucket_blocks, second_digits);
    large_tile_size = bucketCapacity(1, second_digits);
    max_large = std::min<std::size_t>(highDigits(), task.size / (window_capacity + 1));
    max_large_tiles = task.size / large_tile_size + max_large;
  }

  bool
  hasOneDigit() const
  {
    return low_bits == 0;
  }

  std::uint32_t
  highDigits() const
  {
    return 1u << high_bits;
  }

  std::uint32_t
  lowDigits() const
  {
    return 1u << low_bits;
  }

  /** \brief Returns the shared memory of a block that splits a bucket. */
  std::size_t
  bucketBytes() const
  {
    using Memory = ChunkMemory<Between>;
    return std::max(Memory::bytes(bucket_capacity, lowDigits()),
                    Memory::bytes(window_capacity, second_digits));
  }

private:
  std::uint32_t
  bucketCapacity(int blocks, std::uint32_t digits) const
  {
    return static_cast<std::uint32_t>(device.capacity<Between>(blocks, digits));
  }

  /** \brief Chooses the fewest bits whose buckets fit into blocks. */
  void
  chooseBuckets(const SplitTask& task, int bits)
  {
    const int most = std::min(ChunkLimits::max_digit_bits, bits - 1);
    const int fewest = std::max(bits - ChunkLimits::max_digit_bits, 1);
    const auto fit = [&](int high, int blocks, std::size_t fill) {
      const int low = bits - high;
      const std::size_t buckets = ((task.bins.bins - 1) >> low) + 1;
      return task.size * 100 <= buckets * bucketCapacity(blocks, 1u << low) * fill;
    };
    const auto take = [&](int high, int blocks) {
      high_bits = high;
      low_bits = bits - high;
      bucket_blocks = blocks;
    };
    const int preferred =
        std::max(std::min(BucketTuning::preferred_high_bits, most), fewest);
    for (int high = fewest; high <= preferred; ++high)
      if (fit(high, 2, BucketTuning::shared_fill))
        return take(high, 2);
    for (int high = fewest; high <= most; ++high)
      if (fit(high, 1, BucketTuning::fill))
        return take(high, 1);
    // Most buckets will be too large, so two passes split the list.
    take(std::max(fewest, (bits + 1) / 2), 1);
  }
};

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  std::uint32_t* table;
  std::uint32_t* digit_counts;
  std::uint32_t* digit_starts;
  std::uint32_t* scanned;
  KeySpread* spread = nullptr;
  std::uint32_t* tile_is_ordered = nullptr;
  SectionList large{};
  ListBetween<Payload> between{};
  std::size_t bytes;

  Scratch(const Plan<Payload>& plan, std::size_t size, void* memory)
  {
    ScratchPieces parts(memory);
    const std::size_t digits = plan.highDigits();
    table = parts.take<std::uint32_t>(
        std::max(plan.tiles * digits, plan.max_large_tiles * plan.second_digits));
    digit_counts = parts.take<std::uint32_t>(
        std::max(digits, plan.max_large * plan.second_digits));
    digit_starts = parts.take<std::uint32_t>(digits + 1);
    scanned = parts.take<std::uint32_t>(1);
    if (!plan.hasOneDigit()) {
      spread = parts.take<KeySpread>(1);
      tile_is_ordered = parts.take<std::uint32_t>(plan.tiles);
      large = {parts.take<Section>(plan.max_large), parts.take<SectionTotals>(1)};
      using Between = ListBetween<Payload>;
      const std::size_t capacity = roundUp(size, 4);
      between =
          Between::in(parts.take<char>(capacity * Between::element_bytes), capacity);
    }
    bytes = parts.bytes();
  }
};

/** \brief Allows a kernel all shared memory. Calls need different amounts, and a call
 * must not lower the limit of another thread's call. */
template <typename Kernel>
void
allowSharedMemory(Kernel kernel, const DeviceLimits& device)
{
  checkCuda(cudaFuncSetAttribute(
                kernel,
                cudaFuncAttributeMaxDynamicSharedMemorySize,
                static_cast<int>(device.block_bytes - DeviceLimits::static_bytes)),
            "asking for shared memory");
  checkCuda(cudaFuncSetAttribute(kernel,
                                 cudaFuncAttributePreferredSharedMemoryCarveout,
                                 cudaSharedmemCarveoutMaxShared),
            "asking for shared memory");
}

dim3
grid(std::size_t blocks)
{
  return dim3(static_cast<unsigned int>(blocks));
}

/** \brief Numbers of tiles and sections of a pass; upper bounds if only the device
 * knows the sections. */
struct PassSize {
  std::size_t tiles;
  std::size_t sections;
  int blocks; ///< on a multiprocessor
};

/** \brief Launches the kernels of a pass.
 * \param[in] when_counted step after the digits of a whole list are counted; null for
 * sections
 */
template <typename From, typename To, typename PassDigit, typename AndThen>
void
launchPass(const TilePass<PassDigit>& pass,
           const PassSize& size,
           const typename From::Read& from,
           const To& to,
           const AndThen& when_counted,
           const BinsOutput& bins,
           const DeviceLimits& device,
           cudaStream_t stream)
{
  // Every tile of a whole list gets a block.
  const auto blocks = [&](std::size_t resident) {
    return grid(pass.sections.large.list ? std::min(size.tiles, resident) : size.tiles);
  };
  launchOverlapping("countTilesKernel",
                    blocks(4 * device.multiprocessors),
                    dim3(count_threads),
                    stream)(countTilesKernel<From, PassDigit>, pass, from);
  const std::size_t columns = size.sections * divideUp(pass.digits, scan_group);
  launchOverlapping("scanTilesKernel",
                    grid(std::min(columns, device.multiprocessors)),
                    dim3(ChunkLimits::threads),
                    stream)(scanTilesKernel<PassDigit, AndThen>, pass, when_counted);
  const std::size_t resident = size.blocks * device.multiprocessors;
  const auto kernel = size.blocks == 1
                          ? moveTilesKernel<From, To, PassDigit, ChunkShape<1>>
                          : moveTilesKernel<From, To, PassDigit, ChunkShape<2>>;
  allowSharedMemory(kernel, device);
  launchOverlapping("moveTilesKernel",
                    blocks(resident),
                    dim3(ChunkLimits::threads),
                    stream,
                    ChunkMemory<From>::bytes(pass.tile_size, pass.digits))(
      kernel, pass, from, to, static_cast<std::uint32_t>(resident), bins);
}

} // namespace

template <typename Payload>
bool
BucketSplit<Payload>::suits(std::uint32_t bins)
{
  if (bitsFor(bins) < BucketTuning::min_bits ||
      deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) <
          static_cast<int>(BucketTuning::min_shared_bytes))
    return false;
  // The device may run what was compiled for an older architecture.
  cudaFuncAttributes compiled{};
  checkCuda(cudaFuncGetAttributes(&compiled,
                                  countTilesKernel<MutableArrays<Payload>, OnlyDigit>),
            "asking for a kernel's architecture");
  return hasLargeBlocks(10 * compiled.ptxVersion);
}

template <typename Payload>
std::size_t
BucketSplit<Payload>::scratchBytes(const SplitTask& task)
{
  return Scratch<Payload>(Plan<Payload>(task), task.size, nullptr).bytes;
}

template <typename Payload>
void
BucketSplit<Payload>::split(const SplitTask& task, cudaStream_t stream)
{
  using Source = MutableArrays<Payload>;
  using Between = ListBetween<Payload>;
  const Plan<Payload> plan(task);
  const Scratch<Payload> scratch(plan, task.size, task.scratch);
  const Arrays<Payload> source{task.keys, static_cast<const Payload*>(task.payload)};
  const Source result{task.split_keys, static_cast<Payload*>(task.split_payload)};
  const BinsOutput& bins = task.bins;
  Sections sections{};
  sections.whole.size = static_cast<std::uint32_t>(task.size);
  sections.whole.tiles = static_cast<std::uint32_t>(plan.tiles);
  const PassSize pass_size{plan.tiles, 1, plan.tile.blocks};
  const auto passBy = [&](auto digit, std::uint32_t digits, std::uint32_t tile_size) {
    return TilePass<decltype(digit)>{sections,
                                     digit,
                                     digits,
                                     tile_size,
                                     scratch.table,
                                     scratch.digit_counts,
                                     scratch.digit_starts,
                                     scratch.scanned};
  };
  const std::uint32_t digits = plan.highDigits();
  if (plan.hasOneDigit()) {
    launchPass<Source>(passBy(OnlyDigit{{0, 0, digits - 1}}, digits, plan.tile.size),
                       pass_size,
                       source,
                       result,
                       SetBins{bins},
                       bins,
                       plan.device,
                       stream);
    return;
  }

  Buckets buckets{};
  buckets.number = digits;
  buckets.capacity = plan.bucket_capacity;
  buckets.window_capacity = plan.window_capacity;
  buckets.spread = scratch.spread;
  buckets.starts = scratch.digit_starts;
  buckets.large = scratch.large;
  buckets.large_tile_size = plan.large_tile_size;
  const FirstDigit first{{plan.low_bits, digits - 1, 0, 0},
                         plan.may_have_window,
                         scratch.spread,
                         scratch.tile_is_ordered};
  launchPass<Source>(passBy(first, digits, plan.tile.size),
                     pass_size,
                     source,
                     ToEither<Between, Source>{scratch.between, result},
                     PlanBuckets{buckets, bins},
                     bins,
                     plan.device,
                     stream);

  const auto sort = plan.bucket_blocks == 1
                        ? sortBucketsKernel<Between, Source, ChunkShape<1>>
                        : sortBucketsKernel<Between, Source, ChunkShape<2>>;
  allowSharedMemory(sort, plan.device);
  launchOverlapping("sortBucketsKernel",
                    dim3(buckets.number),
                    dim3(ChunkLimits::threads),
                    stream,
                    plan.bucketBytes())(
      sort,
      buckets,
      scratch.between.read(),
      result,
      static_cast<std::uint32_t>(plan.bucket_blocks * plan.device.multiprocessors),
      bins);

  if (plan.max_large == 0)
    return;
  sections.large = scratch.large;
  const SecondDigit second{scratch.spread};
  launchPass<Between>(passBy(second, plan.second_digits, plan.large_tile_size),
                      {plan.max_large_tiles, plan.max_large, 1},
                      scratch.between.read(),
                      result,
                      nullptr,
                      bins,
                      plan.device,
                      stream);
}

} // namespace pcl::device
