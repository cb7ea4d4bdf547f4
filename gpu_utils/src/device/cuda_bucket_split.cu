// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_bucket_sort.cuh"
#include "cuda_list_split.h"

#include <algorithm>

namespace pcl {
namespace device {

namespace {

/** \brief What was chosen by measurement. */
struct BucketTuning {
  /** \brief Bits of the keys from which on it is worth while. */
  static constexpr int min_bits = 12;
  /** \brief More bits of the high digit make the runs of a bucket short. */
  static constexpr int preferred_high_bits = 10;
  /** \brief Percentage of a bucket's capacity that the average bucket may have where two
   * blocks share a multiprocessor, so that others find room, and where one has it. */
  static constexpr std::size_t shared_fill = 60;
  static constexpr std::size_t fill = 88;
  /** \brief Devices that give a block less are better off with DigitSplit. */
  static constexpr std::size_t min_shared_bytes = 160 * 1024;
  static constexpr std::size_t min_tile_size = 1024;
};

int
attribute(cudaDeviceAttr which)
{
  int device = 0, value = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(cudaDeviceGetAttribute(&value, which, device),
            "asking for a device's attribute");
  return value;
}

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

/** \brief The current device, as far as the choice of sizes depends on it. */
struct DeviceLimits {
  /** \brief What kernels have beside what they ask for, or less. */
  static constexpr std::size_t static_bytes = 1024;

  std::size_t multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  std::size_t block_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  std::size_t multiprocessor_bytes =
      attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  std::size_t reserved_bytes = attribute(cudaDevAttrReservedSharedMemoryPerBlock);

  /** \brief The elements of a chunk where so many blocks share a multiprocessor. */
  template <typename List>
  std::size_t
  capacity(int blocks, std::uint32_t digits) const
  {
    static_assert(sizeof(ChunkScan::TempStorage) <= static_bytes, "they have that");
    const std::size_t bytes =
        std::min(block_bytes, multiprocessor_bytes / blocks - reserved_bytes);
    const std::size_t taken = static_bytes + Chunk<List>::tableBytes(digits);
    const std::size_t elements =
        bytes > taken ? (bytes - taken) / Chunk<List>::element_bytes : 0;
    return std::min(ChunkShape::max_size, elements) / ChunkShape::granularity *
           ChunkShape::granularity;
  }
};

template <typename List>
std::size_t
sharedBytes(std::size_t capacity, std::uint32_t digits)
{
  return Chunk<List>::tableBytes(digits) + capacity * Chunk<List>::element_bytes;
}

/** \brief The size of a pass's tiles. */
struct TileSize {
  int blocks; ///< on a multiprocessor
  std::uint32_t size;

  /** \brief Fills the device a whole number of times with tiles of one size. */
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
                std::min(capacity, roundUp(size, ChunkShape::unit)))};
  }
};

/** \brief How a list is split, and the parts of the scratch memory. */
template <typename Payload>
struct Plan {
  using Source = MutableArrays<Payload>;
  using Between = ListBetween<Payload>;

  DeviceLimits device;
  int high_bits; ///< of the first pass's digit
  int low_bits;
  TileSize tile{};
  std::size_t tiles;
  int bucket_blocks; ///< on a multiprocessor
  std::uint32_t bucket_capacity;
  std::size_t max_large; ///< buckets that are too large for a block
  std::uint32_t large_tile_size;
  std::size_t max_large_tiles;

  std::size_t table_bytes, count_bytes, start_bytes, section_bytes, list_bytes;

  explicit Plan(const SplitTask& task)
  {
    chooseBuckets(task);
    tile = TileSize::choose<Source>(device, task.size, highDigits());
    tiles = divideUp(task.size, tile.size);
    bucket_capacity = static_cast<std::uint32_t>(
        device.capacity<Between>(bucket_blocks, lowDigits()));
    large_tile_size =
        static_cast<std::uint32_t>(device.capacity<Between>(1, lowDigits()));
    max_large = std::min<std::size_t>(highDigits(), task.size / (bucket_capacity + 1));
    max_large_tiles = task.size / large_tile_size + max_large;
    const std::size_t entries =
        std::max(tiles * highDigits(), max_large_tiles * lowDigits());
    const std::size_t rows =
        std::max<std::size_t>(highDigits(), max_large * lowDigits());
    start_bytes = aligned((highDigits() + 1) * sizeof(std::uint32_t));
    section_bytes = aligned(sizeof(SectionTotals)) + max_large * sizeof(Section);
    section_bytes = aligned(section_bytes);
    list_bytes = aligned(roundUp(task.size, 4) * Between::element_bytes);
    table_bytes = aligned(entries * sizeof(std::uint32_t));
    count_bytes = aligned(rows * sizeof(std::uint32_t));
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

  std::size_t
  bytes() const
  {
    return table_bytes + count_bytes + start_bytes + section_bytes + list_bytes;
  }

private:
  /** \brief Takes the fewest bits whose buckets fit into blocks. */
  void
  chooseBuckets(const SplitTask& task)
  {
    const int bits = bitsFor(task.bins);
    const int most = std::min(ChunkShape::max_digit_bits, bits - 1);
    const int fewest = std::max(bits - ChunkShape::max_digit_bits, 1);
    const auto fit = [&](int high, int blocks, std::size_t fill) {
      const int low = bits - high;
      const std::size_t buckets = ((task.bins - 1) >> low) + 1;
      return task.size * 100 <=
             buckets * device.capacity<Between>(blocks, 1u << low) * fill;
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
    // Most buckets will be too large, so that two passes do it.
    take(std::max(fewest, (bits + 1) / 2), 1);
  }
};

/** \brief Gives a kernel all the shared memory there is: what it takes differs from call to
 * call, and another thread's call must not take it away. */
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

/** \brief Launches the kernels of a pass.
 * \param[in] max_tiles, max_rows what there is at most
 */
template <typename From, typename To>
void
launchPass(const TilePass& pass,
           const typename From::Read& from,
           const To& to,
           const BinsOutput& bins,
           std::size_t max_tiles,
           std::size_t max_rows,
           int blocks,
           bool whole,
           const DeviceLimits& device,
           cudaStream_t stream)
{
  const std::size_t resident_counts = 4 * device.multiprocessors;
  launchOverlapping("countTilesKernel",
                    countTilesKernel<From>,
                    grid(whole ? max_tiles : std::min(max_tiles, resident_counts)),
                    dim3(count_threads),
                    0,
                    stream,
                    pass,
                    from);
  const std::size_t row_blocks = divideUp(max_rows, count_threads / warp_size);
  launchOverlapping("scanTilesKernel",
                    scanTilesKernel<count_threads>,
                    grid(std::min(row_blocks, resident_counts)),
                    dim3(count_threads),
                    0,
                    stream,
                    pass);
  const std::size_t resident = blocks * device.multiprocessors;
  const std::size_t shared_bytes = sharedBytes<From>(pass.tile_size, pass.digits());
  const auto kernel = moveTilesKernel<From, To>;
  allowSharedMemory(kernel, device);
  launchOverlapping("moveTilesKernel",
                    kernel,
                    grid(whole ? max_tiles : std::min(max_tiles, resident)),
                    dim3(ChunkShape::threads),
                    shared_bytes,
                    stream,
                    pass,
                    from,
                    to,
                    static_cast<std::uint32_t>(resident),
                    bins);
}

} // namespace

template <typename Payload>
bool
BucketSplit<Payload>::suits(std::uint32_t bins)
{
  return bitsFor(bins) >= BucketTuning::min_bits &&
         attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >=
             static_cast<int>(BucketTuning::min_shared_bytes);
}

template <typename Payload>
std::size_t
BucketSplit<Payload>::scratchBytes(const SplitTask& task)
{
  return Plan<Payload>(task).bytes();
}

template <typename Payload>
void
BucketSplit<Payload>::split(const SplitTask& task, void* scratch, cudaStream_t stream)
{
  using Source = MutableArrays<Payload>;
  using Between = ListBetween<Payload>;
  if (task.size == 0) {
    // Nothing is in any bin, and every bin starts at 0.
    checkCuda(
        cudaMemsetAsync(
            task.counts, 0, sizeof(std::uint32_t) * std::size_t(task.bins), stream),
        "clearing the bins' counts");
    checkCuda(cudaMemsetAsync(task.starts,
                              0,
                              sizeof(std::uint32_t) * (std::size_t(task.bins) + 1),
                              stream),
              "clearing the bins' starts");
    return;
  }
  const Plan<Payload> plan(task);
  char* const table = static_cast<char*>(scratch);
  char* const counts = table + plan.table_bytes;
  char* const starts = counts + plan.count_bytes;
  char* const sections = starts + plan.start_bytes;
  char* const list = sections + plan.section_bytes;
  const auto size = static_cast<std::uint32_t>(task.size);
  const BinsOutput bins{task.bins, task.counts, task.starts};
  const Arrays<Payload> source{task.keys, static_cast<const Payload*>(task.payload)};
  const Source result{task.split_keys, static_cast<Payload*>(task.split_payload)};

  TilePass pass{};
  pass.sections.whole = {0, size, 0, static_cast<std::uint32_t>(plan.tiles), 0};
  pass.digit = {plan.low_bits, plan.highDigits() - 1};
  pass.tile_size = plan.tile.size;
  pass.table = reinterpret_cast<std::uint32_t*>(table);
  pass.digit_counts = reinterpret_cast<std::uint32_t*>(counts);
  const Between between = Between::in(list, (task.size + 3) / 4 * 4);
  launchPass<Source>(pass,
                     source,
                     between,
                     {task.bins, nullptr, nullptr},
                     plan.tiles,
                     plan.highDigits(),
                     plan.tile.blocks,
                     true,
                     plan.device,
                     stream);

  Buckets buckets{};
  buckets.number = plan.highDigits();
  buckets.capacity = plan.bucket_capacity;
  buckets.sizes = pass.digit_counts;
  buckets.starts = reinterpret_cast<std::uint32_t*>(starts);
  buckets.large_totals = reinterpret_cast<SectionTotals*>(sections);
  buckets.large = reinterpret_cast<Section*>(sections + aligned(sizeof(SectionTotals)));
  buckets.large_tile_size = plan.large_tile_size;
  buckets.low_bits = plan.low_bits;
  launchOverlapping("planBucketsKernel",
                    planBucketsKernel<>,
                    dim3(1),
                    dim3(ChunkShape::threads),
                    0,
                    stream,
                    buckets,
                    bins);

  const std::size_t shared_bytes =
      sharedBytes<Between>(plan.bucket_capacity, plan.lowDigits());
  const auto kernel = sortBucketsKernel<Between, Source>;
  allowSharedMemory(kernel, plan.device);
  const std::size_t resident = plan.bucket_blocks * plan.device.multiprocessors;
  launchOverlapping("sortBucketsKernel",
                    kernel,
                    dim3(buckets.number),
                    dim3(ChunkShape::threads),
                    shared_bytes,
                    stream,
                    buckets,
                    between.read(),
                    result,
                    static_cast<std::uint32_t>(resident),
                    bins);

  if (plan.max_large == 0)
    return;
  pass.sections.list = buckets.large;
  pass.sections.totals = buckets.large_totals;
  pass.digit = {0, plan.lowDigits() - 1};
  pass.tile_size = plan.large_tile_size;
  launchPass<Between>(pass,
                      between.read(),
                      result,
                      bins,
                      plan.max_large_tiles,
                      plan.max_large * plan.lowDigits(),
                      1,
                      false,
                      plan.device,
                      stream);
}

template struct BucketSplit<NoPayload>;
template struct BucketSplit<std::uint32_t>;
template struct BucketSplit<unsigned long long>;
template struct BucketSplit<uint4>;

} // namespace device
} // namespace pcl
