// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_bins.cuh"
#include "cuda_digit_split.cuh"
#include "cuda_look_back.cuh"
#include "split_driver.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <type_traits>

/** Whether lists that take several passes are split with look-back. */
#ifndef PCL_GPU_SPLIT_LOOK_BACK
#define PCL_GPU_SPLIT_LOOK_BACK 0
#endif

namespace pcl {
namespace device {

namespace {

constexpr int min_digit_bits = 4;
constexpr int max_digit_bits = 8;
DigitLayout
digitsFor(std::uint32_t bins)
{
  DigitLayout digits{};
  int left = std::max(bitsFor(bins), min_digit_bits);
  digits.passes = (left + max_digit_bits - 1) / max_digit_bits;
  for (int pass = 0, next = 0; pass < digits.passes; ++pass) {
    const int passes_left = digits.passes - pass;
    digits.bits[pass] = (left + passes_left - 1) / passes_left;
    digits.shift[pass] = next;
    next += digits.bits[pass];
    left -= digits.bits[pass];
  }
  return digits;
}

dim3
blocksFor(std::size_t threads, int per_block = block_threads)
{
  return dim3(static_cast<unsigned int>((threads + per_block - 1) / per_block));
}

std::size_t
aligned(std::size_t bytes)
{
  return (bytes + 255) / 256 * 256;
}

template <typename Payload>
constexpr std::size_t payload_bytes = has_payload<Payload> ? sizeof(Payload) : 0;

template <int Bits, typename Payload>
std::uint32_t
tilesOf(std::size_t size)
{
  constexpr std::size_t tile = Tile<Bits, Payload>::size;
  return static_cast<std::uint32_t>((size + tile - 1) / tile);
}

/** \brief Calls work with the number of bits as an integral constant. */
template <typename Work>
auto
withBits(int bits, const Work& work)
{
  switch (bits) {
  case 8:
    return work(std::integral_constant<int, 8>());
  case 7:
    return work(std::integral_constant<int, 7>());
  case 6:
    return work(std::integral_constant<int, 6>());
  case 5:
    return work(std::integral_constant<int, 5>());
  default:
    return work(std::integral_constant<int, 4>());
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

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  DigitLayout digits;
  bool looks_back;
  std::size_t place_bytes = 0; ///< of every digit in every tile
  std::size_t scan_bytes = 0;
  std::size_t key_bytes = 0; ///< of a list between two passes
  std::size_t list_bytes = 0;

  explicit Scratch(const SplitTask& task)
  : digits(digitsFor(task.bins))
  , looks_back(PCL_GPU_SPLIT_LOOK_BACK && digits.passes > 1)
  {
    std::size_t places = 0;
    for (int pass = 0; pass < digits.passes; ++pass)
      places = std::max(places, placesOf(pass, task.size));
    if (looks_back) {
      place_bytes = aligned(sizeof(LookBackCounts));
      for (int pass = 0; pass < digits.passes; ++pass)
        place_bytes += aligned(placesOf(pass, task.size) * sizeof(PlacesBehind::State));
      places = task.bins;
    }
    else
      place_bytes = aligned(places * sizeof(std::uint32_t));
    std::uint32_t* const none = nullptr;
    checkCuda(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, none, none, places),
              "asking for the size of a scan");
    scan_bytes = aligned(scan_bytes);
    if (digits.passes > 1) {
      key_bytes = aligned(task.size * sizeof(std::uint32_t));
      list_bytes = key_bytes + aligned(task.size * payload_bytes<Payload>);
    }
  }

  /** \brief Number of digits in all tiles of a pass. */
  std::size_t
  placesOf(int pass, std::size_t size) const
  {
    return withBits(digits.bits[pass], [&](auto bits) {
      return std::size_t(tilesOf<bits.value, Payload>(size)) << bits.value;
    });
  }

  std::size_t
  bytes() const
  {
    return place_bytes + scan_bytes + list_bytes;
  }
};

/** \brief The passes of a list: the last ends in the result, the others in it and in
 * scratch memory by turns. */
template <typename Payload>
class Passes {
public:
  Passes(const SplitTask& task, const Scratch<Payload>& scratch, void* memory)
  : task_(task)
  , digits_(scratch.digits)
  , list_(static_cast<char*>(memory) + scratch.place_bytes + scratch.scan_bytes)
  , key_bytes_(scratch.key_bytes)
  {}

  DigitPass<Payload>
  get(int pass) const
  {
    const List to = listAfter(pass);
    const List from = pass > 0 ? listAfter(pass - 1) : List{nullptr, nullptr};
    DigitPass<Payload> result{};
    result.keys = pass > 0 ? from.keys : task_.keys;
    result.payload =
        pass > 0 ? from.payload : static_cast<const Payload*>(task_.payload);
    result.split_keys = to.keys;
    result.split_payload = to.payload;
    result.size = static_cast<std::uint32_t>(task_.size);
    result.shift = digits_.shift[pass];
    return result;
  }

private:
  struct List {
    std::uint32_t* keys;
    Payload* payload;
  };

  List
  listAfter(int pass) const
  {
    if ((digits_.passes - pass) % 2 == 1)
      return {task_.split_keys, static_cast<Payload*>(task_.split_payload)};
    return {reinterpret_cast<std::uint32_t*>(list_),
            reinterpret_cast<Payload*>(list_ + key_bytes_)};
  }

  const SplitTask& task_;
  const DigitLayout& digits_;
  char* list_;
  std::size_t key_bytes_;
};

template <int Bits, typename Payload, typename Places>
void
moveByDigit(const DigitPass<Payload>& pass, const Places& places, cudaStream_t stream)
{
  const auto kernel = splitByDigitKernel<Bits, Payload, Places>;
  constexpr int shared_bytes = sizeof(TileMemory<Bits, Payload>);
  checkCuda(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
            "asking for shared memory");
  launchOverlapping("splitByDigitKernel",
                    kernel,
                    dim3(tilesOf<Bits, Payload>(pass.size)),
                    dim3(Tile<Bits, Payload>::threads),
                    shared_bytes,
                    stream,
                    pass,
                    places);
}

/** \brief Splits by one digit: counts, scans, moves.
 * \return where the tiles' digits went
 */
template <int Bits, typename Payload>
ScannedPlaces
splitByDigit(const DigitPass<Payload>& pass,
             std::uint32_t* places,
             void* scan,
             std::size_t scan_bytes,
             cudaStream_t stream)
{
  const ScannedPlaces scanned{tilesOf<Bits, Payload>(pass.size), places};
  launchOverlapping("countDigitsKernel",
                    countDigitsKernel<Bits, Payload>,
                    dim3(scanned.tiles),
                    dim3(Tile<Bits, Payload>::threads),
                    0,
                    stream,
                    pass,
                    scanned);
  checkCuda(
      cub::DeviceScan::ExclusiveSum(
          scan, scan_bytes, places, places, std::size_t(scanned.tiles) << Bits, stream),
      "scanning counts");
  moveByDigit<Bits>(pass, scanned, stream);
  return scanned;
}

/** \brief Splits by one digit after the other, the lowest first. */
template <typename Payload>
void
splitWithScans(const SplitTask& task,
               const Scratch<Payload>& scratch,
               void* memory,
               cudaStream_t stream)
{
  const Passes<Payload> passes(task, scratch, memory);
  ScannedPlaces scanned{};
  for (int pass = 0; pass < scratch.digits.passes; ++pass)
    scanned = withBits(scratch.digits.bits[pass], [&](auto bits) {
      return splitByDigit<bits.value>(passes.get(pass),
                                      static_cast<std::uint32_t*>(memory),
                                      static_cast<char*>(memory) + scratch.place_bytes,
                                      scratch.scan_bytes,
                                      stream);
    });
  const auto size = static_cast<std::uint32_t>(task.size);
  if (scratch.digits.passes == 1)
    launchOverlapping("readBinsKernel",
                      readBinsKernel,
                      blocksFor(std::size_t(task.bins) + 1),
                      dim3(block_threads),
                      0,
                      stream,
                      scanned.places,
                      scanned.tiles,
                      1u << scratch.digits.bits[0],
                      size,
                      task.bins,
                      task.counts,
                      task.starts);
  else
    findBins(task, stream);
}

/** \brief The same with one reading of the keys for all digits' counts; the last pass, whose
 * tiles lie in the keys' order, counts the bins. */
template <typename Payload>
void
splitWithLookBack(const SplitTask& task,
                  const Scratch<Payload>& scratch,
                  void* memory,
                  cudaStream_t stream)
{
  constexpr int threads = 256, items = 16, blocks_per_multiprocessor = 4;
  int device = 0, multiprocessors = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
      "asking for the number of multiprocessors");
  checkCuda(cudaMemsetAsync(memory, 0, scratch.place_bytes, stream),
            "clearing scratch memory");
  checkCuda(cudaMemsetAsync(
                task.counts, 0, sizeof(std::uint32_t) * std::size_t(task.bins), stream),
            "clearing the bins' counts");
  auto* const counts = static_cast<LookBackCounts*>(memory);
  const std::size_t tiles = (task.size + threads * items - 1) / (threads * items);
  const std::size_t blocks = std::min<std::size_t>(
      tiles, std::size_t(multiprocessors) * blocks_per_multiprocessor);
  launchOverlapping("countAllDigitsKernel",
                    countAllDigitsKernel<threads, items>,
                    dim3(static_cast<unsigned int>(blocks)),
                    dim3(threads),
                    0,
                    stream,
                    task.keys,
                    static_cast<std::uint32_t>(task.size),
                    scratch.digits,
                    counts,
                    task.starts + task.bins);
  const Passes<Payload> passes(task, scratch, memory);
  char* states = static_cast<char*>(memory) + aligned(sizeof(LookBackCounts));
  for (int i = 0; i < scratch.digits.passes; ++i) {
    DigitPass<Payload> pass = passes.get(i);
    if (i == scratch.digits.passes - 1) {
      pass.bin_counts = task.counts;
      pass.bins = task.bins;
    }
    const PlacesBehind places{counts->starts[i],
                              reinterpret_cast<PlacesBehind::State*>(states),
                              &counts->tickets[i]};
    withBits(scratch.digits.bits[i],
             [&](auto bits) { moveByDigit<bits.value>(pass, places, stream); });
    states += aligned(scratch.placesOf(i, task.size) * sizeof(PlacesBehind::State));
  }
  std::size_t scan_bytes = scratch.scan_bytes;
  checkCuda(
      cub::DeviceScan::ExclusiveSum(static_cast<char*>(memory) + scratch.place_bytes,
                                    scan_bytes,
                                    task.counts,
                                    task.starts,
                                    std::size_t(task.bins),
                                    stream),
      "scanning the bins' counts");
}

/** \brief Splits a list, and finds its bins. */
template <typename Payload>
void
splitList(const SplitTask& task, void* memory, cudaStream_t stream)
{
  if (task.size == 0) {
    const std::size_t bytes = sizeof(std::uint32_t) * std::size_t(task.bins);
    checkCuda(cudaMemsetAsync(task.counts, 0, bytes, stream), "clearing counts");
    checkCuda(cudaMemsetAsync(task.starts, 0, bytes + sizeof(std::uint32_t), stream),
              "clearing starts");
    return;
  }
  const Scratch<Payload> scratch(task);
  if (scratch.looks_back)
    splitWithLookBack(task, scratch, memory, stream);
  else
    splitWithScans(task, scratch, memory, stream);
}

/** \brief Payloads of other sizes are fetched when the elements' order is known. */
void
splitByOrder(const SplitTask& task, void* memory, cudaStream_t stream)
{
  auto* const elements = reinterpret_cast<std::uint32_t*>(
      static_cast<char*>(memory) + Scratch<std::uint32_t>(task).bytes());
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
  splitList<std::uint32_t>(order_task, memory, stream);
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
      return Scratch<NoPayload>(task).bytes();
    case 4:
      return Scratch<std::uint32_t>(task).bytes();
    case 8:
      return Scratch<unsigned long long>(task).bytes();
    case 16:
      return Scratch<uint4>(task).bytes();
    default:
      return Scratch<std::uint32_t>(task).bytes() +
             2 * aligned(task.size * sizeof(std::uint32_t));
    }
  }

  void
  split(const SplitTask& task, void* scratch, Queue queue) const override
  {
    switch (wordBytes(task)) {
    case 0:
      splitList<NoPayload>(task, scratch, queue);
      break;
    case 4:
      splitList<std::uint32_t>(task, scratch, queue);
      break;
    case 8:
      splitList<unsigned long long>(task, scratch, queue);
      break;
    case 16:
      splitList<uint4>(task, scratch, queue);
      break;
    default:
      splitByOrder(task, scratch, queue);
    }
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
