// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The splits of table 2 of Patidar and Narayanan 2008, on today's devices. Departures
// from the paper: shared memory has atomic operations of its own now, so that nothing
// stands in for them and blocks may be larger than a warp (32 threads there, 256 here);
// the number of blocks follows the device; scans are CUB's.

#include "paper_split.h"

#include "common/cuda_timing.h"

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <stdexcept>

namespace benchmarks {

namespace {

using Numbers = pcl::gpu::DeviceArray<std::uint32_t>;

constexpr int block_threads = 256;

/** \brief Bits of the keys that one level looks at. */
struct Level {
  int shift;
  std::uint32_t bins;

  __host__ __device__ std::uint32_t
  binOf(std::uint32_t key) const
  {
    return key >> shift & (bins - 1);
  }
};

/** \brief The elements of a block: as many as of every other, but for the last ones. */
struct Chunk {
  std::uint32_t begin, end;

  __device__ explicit Chunk(std::uint32_t size)
  {
    const std::uint32_t length = (size + gridDim.x - 1) / gridDim.x;
    begin = min(blockIdx.x * length, size);
    end = min(begin + length, size);
  }
};

__device__ void
movePair(const PairLists& lists,
         std::uint32_t from,
         std::uint32_t key,
         std::uint32_t place)
{
  lists.split_keys[place] = key;
  lists.split_values[place] = lists.values[from];
}

__global__ void
countInGlobalMemory(PairLists lists, std::uint32_t* counts)
{
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lists.size)
    atomicAdd(&counts[lists.keys[i]], 1u);
}

__global__ void
moveByGlobalMemory(PairLists lists, std::uint32_t* places)
{
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lists.size)
    return;
  const std::uint32_t key = lists.keys[i];
  movePair(lists, i, key, atomicAdd(&places[key], 1u));
}

/** \brief Threads whose histograms of 64 bins take the 16 KiB of shared memory that a
 * block had then. */
constexpr int histogram_threads = 64;

__global__ void
__launch_bounds__(histogram_threads)
    countByThreads(PairLists lists, std::uint32_t bins, std::uint32_t* histograms)
{
  __shared__ std::uint32_t counts[max_thread_histogram_bins][histogram_threads];
  const int thread = threadIdx.x;
  for (std::uint32_t bin = 0; bin < bins; ++bin)
    counts[bin][thread] = 0;
  const Chunk chunk(lists.size);
  for (std::uint32_t i = chunk.begin + thread; i < chunk.end; i += histogram_threads)
    ++counts[lists.keys[i]][thread];
  const std::size_t threads = std::size_t(gridDim.x) * histogram_threads;
  for (std::uint32_t bin = 0; bin < bins; ++bin)
    histograms[bin * threads + blockIdx.x * histogram_threads + thread] =
        counts[bin][thread];
}

__global__ void
__launch_bounds__(histogram_threads)
    moveByThreads(PairLists lists, std::uint32_t bins, const std::uint32_t* histograms)
{
  __shared__ std::uint32_t places[max_thread_histogram_bins][histogram_threads];
  const int thread = threadIdx.x;
  const std::size_t threads = std::size_t(gridDim.x) * histogram_threads;
  for (std::uint32_t bin = 0; bin < bins; ++bin)
    places[bin][thread] =
        histograms[bin * threads + blockIdx.x * histogram_threads + thread];
  const Chunk chunk(lists.size);
  for (std::uint32_t i = chunk.begin + thread; i < chunk.end; i += histogram_threads) {
    const std::uint32_t key = lists.keys[i];
    movePair(lists, i, key, places[key][thread]++);
  }
}

/** \brief Algorithm 2, lines 1 and 2. */
__global__ void
__launch_bounds__(block_threads)
    countByBlocks(PairLists lists, Level level, std::uint32_t* histograms)
{
  __shared__ std::uint32_t counts[max_level_bins];
  for (std::uint32_t bin = threadIdx.x; bin < level.bins; bin += block_threads)
    counts[bin] = 0;
  __syncthreads();
  const Chunk chunk(lists.size);
  for (std::uint32_t i = chunk.begin + threadIdx.x; i < chunk.end; i += block_threads)
    atomicAdd(&counts[level.binOf(lists.keys[i])], 1u);
  __syncthreads();
  for (std::uint32_t bin = threadIdx.x; bin < level.bins; bin += block_threads)
    histograms[std::size_t(bin) * gridDim.x + blockIdx.x] = counts[bin];
}

/** \brief Algorithm 2, lines 4 to 7. */
__global__ void
__launch_bounds__(block_threads)
    moveByBlocks(PairLists lists, Level level, const std::uint32_t* histograms)
{
  __shared__ std::uint32_t places[max_level_bins];
  for (std::uint32_t bin = threadIdx.x; bin < level.bins; bin += block_threads)
    places[bin] = histograms[std::size_t(bin) * gridDim.x + blockIdx.x];
  __syncthreads();
  const Chunk chunk(lists.size);
  for (std::uint32_t i = chunk.begin + threadIdx.x; i < chunk.end; i += block_threads) {
    const std::uint32_t key = lists.keys[i];
    movePair(lists, i, key, atomicAdd(&places[level.binOf(key)], 1u));
  }
}

/** \brief The bins' starts from histograms that have been scanned.
 * \param[in] parts histograms that a bin has an entry in
 */
__global__ void
readStarts(const std::uint32_t* histograms,
           std::size_t parts,
           std::uint32_t bins,
           std::uint32_t size,
           std::uint32_t* starts)
{
  const std::uint32_t bin = blockIdx.x * blockDim.x + threadIdx.x;
  if (bin <= bins)
    starts[bin] = bin < bins ? histograms[bin * parts] : size;
}

/** \brief A further level: every block splits a partition of the level before,
 * counting, scanning and moving in one kernel (section 5). */
__global__ void
__launch_bounds__(block_threads) splitPartitions(PairLists lists,
                                                 Level level,
                                                 const std::uint32_t* partition_starts,
                                                 std::uint32_t* starts)
{
  using Scan = cub::BlockScan<std::uint32_t, block_threads>;
  __shared__ std::uint32_t counts[max_level_bins];
  __shared__ typename Scan::TempStorage scan;
  const std::uint32_t begin = partition_starts[blockIdx.x];
  const std::uint32_t end = partition_starts[blockIdx.x + 1];
  for (std::uint32_t bin = threadIdx.x; bin < level.bins; bin += block_threads)
    counts[bin] = 0;
  __syncthreads();
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += block_threads)
    atomicAdd(&counts[level.binOf(lists.keys[i])], 1u);
  __syncthreads();
  std::uint32_t place = begin;
  for (std::uint32_t first = 0; first < level.bins; first += block_threads) {
    const std::uint32_t bin = first + threadIdx.x;
    const std::uint32_t count = bin < level.bins ? counts[bin] : 0;
    std::uint32_t before = 0, all = 0;
    Scan(scan).ExclusiveSum(count, before, all);
    if (bin < level.bins) {
      counts[bin] = place + before;
      starts[std::size_t(blockIdx.x) * level.bins + bin] = place + before;
    }
    place += all;
    __syncthreads();
  }
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += block_threads) {
    const std::uint32_t key = lists.keys[i];
    movePair(lists, i, key, atomicAdd(&counts[level.binOf(key)], 1u));
  }
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    starts[std::size_t(gridDim.x) * level.bins] = end;
}

unsigned int
blocksFor(std::size_t threads)
{
  return static_cast<unsigned int>((threads + block_threads - 1) / block_threads);
}

/** \brief Blocks that the device can keep running, no more than there is work for. */
unsigned int
residentBlocks(int of_multiprocessor, std::size_t size, std::size_t least_elements)
{
  int device = 0, multiprocessors = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
      "asking for the number of multiprocessors");
  const std::size_t useful = (size + least_elements - 1) / least_elements;
  return static_cast<unsigned int>(std::max<std::size_t>(
      1, std::min<std::size_t>(multiprocessors * of_multiprocessor, useful)));
}

void
checkKernel(const char* doing)
{
  checkCuda(cudaGetLastError(), doing);
}

/** \brief An exclusive scan in place, with its memory. */
class ScannedNumbers {
public:
  explicit ScannedNumbers(std::size_t size) : numbers_(size)
  {
    std::size_t bytes = 0;
    checkCuda(cub::DeviceScan::ExclusiveSum(
                  nullptr, bytes, numbers_.ptr(), numbers_.ptr(), size),
              "asking for the size of a scan");
    memory_.create(bytes);
  }

  std::uint32_t*
  ptr()
  {
    return numbers_.ptr();
  }

  void
  scan(cudaStream_t stream)
  {
    std::size_t bytes = memory_.size();
    checkCuda(cub::DeviceScan::ExclusiveSum(memory_.ptr(),
                                            bytes,
                                            numbers_.ptr(),
                                            numbers_.ptr(),
                                            numbers_.size(),
                                            stream),
              "scanning");
  }

private:
  Numbers numbers_;
  pcl::gpu::DeviceArray<char> memory_;
};

class AtomicSplit final : public PaperSplit {
public:
  AtomicSplit(const PairLists& lists, std::uint32_t bins)
  : PaperSplit(lists, bins)
  , places_(bins)
  {}

  void
  run(cudaStream_t stream) override
  {
    checkCuda(cudaMemsetAsync(
                  places_.ptr(), 0, sizeof(std::uint32_t) * std::size_t(bins_), stream),
              "clearing counts");
    const unsigned int blocks = blocksFor(lists_.size);
    countInGlobalMemory<<<blocks, block_threads, 0, stream>>>(lists_, places_.ptr());
    checkKernel("counting");
    places_.scan(stream);
    readStarts<<<blocksFor(bins_ + std::size_t(1)), block_threads, 0, stream>>>(
        places_.ptr(), 1, bins_, lists_.size, starts_.ptr());
    checkKernel("reading starts");
    moveByGlobalMemory<<<blocks, block_threads, 0, stream>>>(lists_, places_.ptr());
    checkKernel("moving");
  }

private:
  ScannedNumbers places_;
};

class ThreadHistogramSplit final : public PaperSplit {
public:
  ThreadHistogramSplit(const PairLists& lists, std::uint32_t bins)
  : PaperSplit(lists, bins)
  , blocks_(residentBlocks(12, lists.size, 16 * histogram_threads))
  , histograms_(std::size_t(bins) * blocks_ * histogram_threads)
  {}

  void
  run(cudaStream_t stream) override
  {
    countByThreads<<<blocks_, histogram_threads, 0, stream>>>(
        lists_, bins_, histograms_.ptr());
    checkKernel("counting");
    histograms_.scan(stream);
    readStarts<<<1, block_threads, 0, stream>>>(histograms_.ptr(),
                                                std::size_t(blocks_) *
                                                    histogram_threads,
                                                bins_,
                                                lists_.size,
                                                starts_.ptr());
    checkKernel("reading starts");
    moveByThreads<<<blocks_, histogram_threads, 0, stream>>>(
        lists_, bins_, histograms_.ptr());
    checkKernel("moving");
  }

private:
  unsigned int blocks_;
  ScannedNumbers histograms_;
};

class SharedMemorySplit final : public PaperSplit {
public:
  SharedMemorySplit(const PairLists& lists, std::uint32_t bins, int levels)
  : PaperSplit(lists, bins)
  , levels_(levels)
  , blocks_(residentBlocks(8, lists.size, 8 * block_threads))
  , histograms_(std::size_t(levelOf(0).bins) * blocks_)
  {
    if (levels > 1) {
      keys_.create(lists.size);
      values_.create(lists.size);
      partition_starts_[0].create(bins);
      partition_starts_[1].create(bins);
    }
  }

  void
  run(cudaStream_t stream) override
  {
    Level level = levelOf(0);
    PairLists lists = listsOf(0);
    std::uint32_t* starts = startsOf(0);
    countByBlocks<<<blocks_, block_threads, 0, stream>>>(
        lists, level, histograms_.ptr());
    checkKernel("counting");
    histograms_.scan(stream);
    readStarts<<<blocksFor(level.bins + 1), block_threads, 0, stream>>>(
        histograms_.ptr(), blocks_, level.bins, lists.size, starts);
    checkKernel("reading starts");
    moveByBlocks<<<blocks_, block_threads, 0, stream>>>(
        lists, level, histograms_.ptr());
    checkKernel("moving");
    std::uint32_t partitions = level.bins;
    for (int further = 1; further < levels_; ++further) {
      const std::uint32_t* const partition_starts = starts;
      level = levelOf(further);
      starts = startsOf(further);
      splitPartitions<<<partitions, block_threads, 0, stream>>>(
          listsOf(further), level, partition_starts, starts);
      checkKernel("splitting partitions");
      partitions *= level.bins;
    }
  }

private:
  /** \brief The key's bits are shared out evenly, the first level takes those that
   * remain over. */
  Level
  levelOf(int number) const
  {
    int bits = 0;
    while ((1u << bits) < bins_)
      ++bits;
    int shift = bits;
    int own_bits = 0;
    for (int level = 0; level <= number; ++level) {
      const int levels_left = levels_ - level;
      own_bits = (shift + levels_left - 1) / levels_left;
      shift -= own_bits;
    }
    if ((1u << own_bits) > max_level_bins)
      throw std::invalid_argument("too many bins for so few levels");
    return {shift, 1u << own_bits};
  }

  /** \brief Levels go to and fro, so that the last ends in the result. */
  PairLists
  listsOf(int level)
  {
    PairLists lists = lists_;
    if ((levels_ - level) % 2 == 0) {
      lists.split_keys = keys_.ptr();
      lists.split_values = values_.ptr();
    }
    if (level > 0) {
      const PairLists before = listsOf(level - 1);
      lists.keys = before.split_keys;
      lists.values = before.split_values;
    }
    return lists;
  }

  std::uint32_t*
  startsOf(int level)
  {
    return level == levels_ - 1 ? starts_.ptr() : partition_starts_[level].ptr();
  }

  int levels_;
  unsigned int blocks_;
  ScannedNumbers histograms_;
  Numbers keys_, values_;
  Numbers partition_starts_[2];
};

} // namespace

PaperSplit::PaperSplit(const PairLists& lists, std::uint32_t bins)
: lists_(lists)
, bins_(bins)
, starts_(std::size_t(bins) + 1)
{}

const std::uint32_t*
PaperSplit::starts() const
{
  return starts_.ptr();
}

std::unique_ptr<PaperSplit>
makeAtomicSplit(const PairLists& lists, std::uint32_t bins)
{
  return std::make_unique<AtomicSplit>(lists, bins);
}

std::unique_ptr<PaperSplit>
makeThreadHistogramSplit(const PairLists& lists, std::uint32_t bins)
{
  if (bins > max_thread_histogram_bins)
    throw std::invalid_argument("too many bins for a histogram a thread");
  return std::make_unique<ThreadHistogramSplit>(lists, bins);
}

std::unique_ptr<PaperSplit>
makeSharedMemorySplit(const PairLists& lists, std::uint32_t bins, int levels)
{
  return std::make_unique<SharedMemorySplit>(lists, bins, levels);
}

} // namespace benchmarks
