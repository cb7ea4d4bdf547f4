// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_digit_split.cuh"
#include "split_driver.h"

#include <algorithm>

namespace pcl {
namespace device {

namespace {

constexpr int min_digit_bits = 4;
constexpr int max_digit_bits = 8;
constexpr int max_passes = 3; // for up to 2^22 bins
constexpr int block_threads = 256;
constexpr int histogram_items = 16;

/** \brief The digits of a list's keys, the lowest first. */
struct Digits {
  int passes;
  int bits[max_passes];
  int shift[max_passes];

  explicit Digits(std::uint32_t bins)
  {
    int left = std::max(bitsFor(bins), min_digit_bits);
    passes = (left + max_digit_bits - 1) / max_digit_bits;
    for (int pass = 0, next = 0; pass < passes; ++pass) {
      bits[pass] = (left + passes - pass - 1) / (passes - pass);
      shift[pass] = next;
      next += bits[pass];
      left -= bits[pass];
    }
  }
};

/** \brief What is kept from run to run. */
struct State {
  unsigned int passes;                                ///< see DigitPass
  unsigned int ticket;                                ///< see isLastBlock()
  std::uint32_t digit_counts[max_passes][max_digits]; ///< zero between runs
  std::uint32_t digit_starts[max_passes][max_digits];
};

unsigned long long*
tileStates(void* state)
{
  return reinterpret_cast<unsigned long long*>(static_cast<State*>(state) + 1);
}

dim3
blocksFor(std::size_t threads, int per_block = block_threads)
{
  return dim3(static_cast<unsigned int>((threads + per_block - 1) / per_block));
}

/** \brief Counts the digits of all passes, and finds where their bins begin.
 *
 * In a split of one pass these are the list's bins.
 */
__global__ void
__launch_bounds__(block_threads) countDigitsKernel(const std::uint32_t* keys,
                                                   std::uint32_t size,
                                                   Digits digits,
                                                   State* state,
                                                   std::uint32_t bins,
                                                   std::uint32_t* counts,
                                                   std::uint32_t* starts)
{
  using BlockScan = cub::BlockScan<std::uint32_t, block_threads>;
  __shared__ typename BlockScan::TempStorage scan;
  __shared__ std::uint32_t block_counts[max_passes][max_digits];
  waitForPreviousKernel();
  const int thread = threadIdx.x;
  for (int pass = 0; pass < digits.passes; ++pass)
    block_counts[pass][thread] = 0;
  __syncthreads();
  const std::uint32_t stride = gridDim.x * block_threads * histogram_items;
  for (std::uint32_t begin = blockIdx.x * block_threads * histogram_items; begin < size;
       begin += stride) {
    std::uint32_t own[histogram_items];
#pragma unroll
    for (int i = 0; i < histogram_items; ++i) {
      const std::uint32_t element = begin + i * block_threads + thread;
      own[i] = element < size ? keys[element] : 0;
    }
#pragma unroll
    for (int i = 0; i < histogram_items; ++i)
      if (begin + i * block_threads + thread < size)
        for (int pass = 0; pass < digits.passes; ++pass)
          atomicAdd(&block_counts[pass][own[i] >> digits.shift[pass] &
                                        ((1u << digits.bits[pass]) - 1)],
                    1u);
  }
  __syncthreads();
  for (int pass = 0; pass < digits.passes; ++pass)
    if (block_counts[pass][thread] != 0)
      atomicAdd(&state->digit_counts[pass][thread], block_counts[pass][thread]);
  __threadfence();
  __syncthreads();
  if (!isLastBlock(&state->ticket))
    return;

  for (int pass = 0; pass < digits.passes; ++pass) {
    const std::uint32_t count = atomicExch(&state->digit_counts[pass][thread], 0u);
    std::uint32_t start;
    __syncthreads();
    BlockScan(scan).ExclusiveSum(count, start);
    state->digit_starts[pass][thread] = start;
    if (digits.passes == 1 && thread < bins) {
      counts[thread] = count;
      starts[thread] = start;
      if (thread == bins - 1)
        starts[bins] = start + count;
    }
  }
}

/** \brief Notes where the keys of a list in its order change. */
__global__ void
__launch_bounds__(block_threads) findChangesKernel(const std::uint32_t* keys,
                                                   std::uint32_t size,
                                                   std::uint32_t bins,
                                                   std::uint32_t* ends,
                                                   std::uint32_t* starts)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i > size)
    return;
  const std::uint32_t none = bins;
  const std::uint32_t before = i > 0 ? min(keys[i - 1], none) : none;
  const std::uint32_t behind = i < size ? min(keys[i], none) : none;
  if (before == behind)
    return;
  if (before < bins)
    ends[before] = i;
  if (behind < bins)
    starts[behind] = i;
}

/** \brief Turns ends into counts, and gives empty bins the place of the next element. */
__global__ void
__launch_bounds__(block_threads) completeBinsKernel(const std::uint32_t* keys,
                                                    std::uint32_t size,
                                                    std::uint32_t bins,
                                                    std::uint32_t* counts,
                                                    std::uint32_t* starts)
{
  waitForPreviousKernel();
  const std::uint32_t bin = blockIdx.x * block_threads + threadIdx.x;
  if (bin > bins)
    return;
  if (bin == bins) {
    starts[bin] = size;
    return;
  }
  if (counts[bin] > 0) {
    counts[bin] -= starts[bin];
    return;
  }
  std::uint32_t begin = 0, end = size;
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (keys[middle] < bin)
      begin = middle + 1;
    else
      end = middle;
  }
  starts[bin] = begin;
}

/** \brief The last of the numbers before \a end that is no larger than \a value. */
__device__ std::uint32_t
lastNotAbove(const std::uint32_t* numbers, std::uint32_t end, std::uint32_t value)
{
  std::uint32_t begin = 0;
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (numbers[middle] <= value)
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

__global__ void
__launch_bounds__(block_threads) numberBinsKernel(const std::uint32_t* keys,
                                                  std::uint32_t size,
                                                  std::uint32_t bins,
                                                  const std::uint32_t* segment_starts,
                                                  std::uint32_t segments,
                                                  std::uint32_t* numbered)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < size)
    numbered[i] = lastNotAbove(segment_starts, segments, i) * bins + keys[i];
}

__global__ void
__launch_bounds__(block_threads) findElementsKernel(const std::uint32_t* key_starts,
                                                    std::uint32_t elements,
                                                    std::uint32_t keys,
                                                    std::uint32_t* element_of_key)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < keys)
    element_of_key[i] = lastNotAbove(key_starts, elements, i);
}

/** \brief Fetches payloads of any size. */
__global__ void
__launch_bounds__(block_threads) gatherKernel(const std::uint32_t* order,
                                              std::uint32_t size,
                                              const char* from,
                                              std::size_t bytes,
                                              char* to)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= size)
    return;
  const char* const element = from + order[i] * bytes;
  for (std::size_t byte = 0; byte < bytes; ++byte)
    to[i * bytes + byte] = element[byte];
}

__global__ void
__launch_bounds__(block_threads)
    countUpKernel(std::uint32_t* numbers, std::uint32_t size)
{
  waitForPreviousKernel();
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < size)
    numbers[i] = i;
}

std::size_t
aligned(std::size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

template <typename Payload>
constexpr std::size_t payload_bytes = has_payload<Payload> ? sizeof(Payload) : 0;

template <typename Payload>
std::size_t
tilesOf(std::size_t size)
{
  constexpr std::size_t tile = split_items<Payload> * split_threads;
  return (size + tile - 1) / tile;
}

/** \brief Room for a list between two passes. */
template <typename Payload>
std::size_t
listBytes(const SplitTask& task)
{
  if (Digits(task.bins).passes == 1)
    return 0;
  return aligned(task.size * sizeof(std::uint32_t)) +
         aligned(task.size * payload_bytes<Payload>);
}

template <typename Payload>
std::size_t
stateBytes(const SplitTask& task)
{
  return sizeof(State) +
         tilesOf<Payload>(task.size) * max_digits * sizeof(unsigned long long);
}

template <typename Payload, int Bits>
void
launchPass(const DigitPass<Payload>& pass, cudaStream_t stream)
{
  constexpr std::size_t tile = split_items<Payload> * split_threads;
  constexpr std::size_t bytes = std::max(
      {tile * sizeof(std::uint32_t),
       tile * payload_bytes<Payload>,
       split_warps * sizeof(std::uint32_t) << Bits,
       sizeof(typename cub::BlockScan<std::uint32_t, split_threads>::TempStorage)});
  launchOverlapping("splitByDigitKernel",
                    splitByDigitKernel<Bits, Payload>,
                    dim3(static_cast<unsigned int>(tilesOf<Payload>(pass.size))),
                    dim3(split_threads),
                    bytes,
                    stream,
                    pass);
}

template <typename Payload>
void
launchPass(const DigitPass<Payload>& pass, int bits, cudaStream_t stream)
{
  switch (bits) {
  case 8:
    return launchPass<Payload, 8>(pass, stream);
  case 7:
    return launchPass<Payload, 7>(pass, stream);
  case 6:
    return launchPass<Payload, 6>(pass, stream);
  case 5:
    return launchPass<Payload, 5>(pass, stream);
  default:
    return launchPass<Payload, 4>(pass, stream);
  }
}

/** \brief Splits by one digit after the other, the lowest first. */
template <typename Payload>
void
splitList(const SplitTask& task, void* scratch, void* state_memory, cudaStream_t stream)
{
  const Digits digits(task.bins);
  const auto size = static_cast<std::uint32_t>(task.size);
  State* const state = static_cast<State*>(state_memory);
  constexpr std::size_t histogram_tile = block_threads * histogram_items;
  constexpr std::size_t max_histogram_blocks = 132 * 8;
  launchOverlapping(
      "countDigitsKernel",
      countDigitsKernel,
      dim3(static_cast<unsigned int>(std::clamp<std::size_t>(
          (task.size + histogram_tile - 1) / histogram_tile, 1, max_histogram_blocks))),
      dim3(block_threads),
      0,
      stream,
      task.keys,
      size,
      digits,
      state,
      task.bins,
      task.counts,
      task.starts);
  if (size == 0)
    return;

  auto* const other_keys = static_cast<std::uint32_t*>(scratch);
  auto* const other_payload = reinterpret_cast<Payload*>(
      static_cast<char*>(scratch) + aligned(task.size * sizeof(std::uint32_t)));
  DigitPass<Payload> pass{};
  pass.keys = task.keys;
  pass.payload = static_cast<const Payload*>(task.payload);
  pass.size = size;
  pass.passes = &state->passes;
  pass.tile_states = tileStates(state_memory);
  for (int i = 0; i < digits.passes; ++i) {
    // The last pass has to end in the result.
    const bool to_result = (digits.passes - i) % 2 == 1;
    pass.split_keys = to_result ? task.split_keys : other_keys;
    pass.split_payload =
        to_result ? static_cast<Payload*>(task.split_payload) : other_payload;
    pass.shift = digits.shift[i];
    pass.digit_starts = state->digit_starts[i];
    launchPass(pass, digits.bits[i], stream);
    pass.keys = pass.split_keys;
    pass.payload = pass.split_payload;
  }
}

/** \brief Finds where the bins of a list in their order begin. */
void
findBins(const SplitTask& task, cudaStream_t stream)
{
  const auto size = static_cast<std::uint32_t>(task.size);
  checkCuda(cudaMemsetAsync(
                task.counts, 0, sizeof(std::uint32_t) * std::size_t(task.bins), stream),
            "clearing the bins' counts");
  launchOverlapping("findChangesKernel",
                    findChangesKernel,
                    blocksFor(task.size + 1),
                    dim3(block_threads),
                    0,
                    stream,
                    task.split_keys,
                    size,
                    task.bins,
                    task.counts,
                    task.starts);
  launchOverlapping("completeBinsKernel",
                    completeBinsKernel,
                    blocksFor(std::size_t(task.bins) + 1),
                    dim3(block_threads),
                    0,
                    stream,
                    task.split_keys,
                    size,
                    task.bins,
                    task.counts,
                    task.starts);
}

/** \brief Payloads of other sizes are fetched when the elements' order is known. */
void
splitByOrder(const SplitTask& task, void* scratch, void* state, cudaStream_t stream)
{
  auto* const elements = reinterpret_cast<std::uint32_t*>(
      static_cast<char*>(scratch) + listBytes<std::uint32_t>(task));
  std::uint32_t* const order =
      elements + aligned(task.size * sizeof(std::uint32_t)) / sizeof(std::uint32_t);
  const auto size = static_cast<std::uint32_t>(task.size);
  if (size > 0)
    launchOverlapping("countUpKernel",
                      countUpKernel,
                      blocksFor(size),
                      dim3(block_threads),
                      0,
                      stream,
                      elements,
                      size);
  SplitTask order_task = task;
  order_task.payload = elements;
  order_task.split_payload = order;
  splitList<std::uint32_t>(order_task, scratch, state, stream);
  if (size > 0)
    launchOverlapping("gatherKernel",
                      gatherKernel,
                      blocksFor(size),
                      dim3(block_threads),
                      0,
                      stream,
                      order,
                      size,
                      static_cast<const char*>(task.payload),
                      task.payload_bytes,
                      static_cast<char*>(task.split_payload));
}

class CudaSplitDriver final : public SplitDriver {
public:
  std::size_t
  scratchBytes(const SplitTask& task) const override
  {
    switch (wordBytes(task)) {
    case 0:
      return listBytes<NoPayload>(task);
    case 4:
      return listBytes<std::uint32_t>(task);
    case 8:
      return listBytes<unsigned long long>(task);
    case 16:
      return listBytes<uint4>(task);
    default:
      return listBytes<std::uint32_t>(task) +
             2 * aligned(task.size * sizeof(std::uint32_t));
    }
  }

  std::size_t
  stateBytes(const SplitTask& task) const override
  {
    // Of the payload with the smallest tiles: the same for all.
    return device::stateBytes<uint4>(task);
  }

  void
  clear(void* memory, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, 0, bytes, queue), "clearing memory");
  }

  void
  split(const SplitTask& task, void* scratch, void* state, Queue queue) const override
  {
    switch (wordBytes(task)) {
    case 0:
      splitList<NoPayload>(task, scratch, state, queue);
      break;
    case 4:
      splitList<std::uint32_t>(task, scratch, state, queue);
      break;
    case 8:
      splitList<unsigned long long>(task, scratch, state, queue);
      break;
    case 16:
      splitList<uint4>(task, scratch, state, queue);
      break;
    default:
      splitByOrder(task, scratch, state, queue);
    }
    if (Digits(task.bins).passes > 1)
      findBins(task, queue);
  }

  void
  numberBins(const std::uint32_t* keys,
             std::size_t size,
             std::uint32_t bins,
             const std::uint32_t* segment_starts,
             std::size_t segments,
             std::uint32_t* numbered,
             Queue queue) const override
  {
    launchOverlapping("numberBinsKernel",
                      numberBinsKernel,
                      blocksFor(size),
                      dim3(block_threads),
                      0,
                      queue,
                      keys,
                      static_cast<std::uint32_t>(size),
                      bins,
                      segment_starts,
                      static_cast<std::uint32_t>(segments),
                      numbered);
  }

  void
  findElements(const std::uint32_t* key_starts,
               std::size_t elements,
               std::size_t keys,
               std::uint32_t* element_of_key,
               Queue queue) const override
  {
    if (keys == 0)
      return;
    launchOverlapping("findElementsKernel",
                      findElementsKernel,
                      blocksFor(keys),
                      dim3(block_threads),
                      0,
                      queue,
                      key_starts,
                      static_cast<std::uint32_t>(elements),
                      static_cast<std::uint32_t>(keys),
                      element_of_key);
  }
};

} // namespace

const SplitDriver&
cudaSplitDriver()
{
  static const CudaSplitDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
