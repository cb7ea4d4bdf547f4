// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_digit_split.cuh"
#include "cuda_list_split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <cub/device/device_scan.cuh>

namespace pcl::device {

namespace {

constexpr int min_digit_bits = 4;
constexpr int max_digit_bits = 8;
constexpr int max_passes = 3; // for up to 2^22 bins

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

/** \brief Notes the places at which the keys of a sorted list change. */
struct FindChanges {
  const std::uint32_t* keys;
  std::uint32_t size, bins;
  std::uint32_t* ends;
  std::uint32_t* starts;

  __device__ void
  operator()(std::uint32_t i) const
  {
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
};

/** \brief Turns ends into counts, and gives empty bins the place of the next
 * element. */
struct CompleteBins {
  const std::uint32_t* keys;
  std::uint32_t size, bins;
  std::uint32_t* counts;
  std::uint32_t* starts;

  __device__ void
  operator()(std::uint32_t bin) const
  {
    if (bin == bins)
      starts[bin] = size;
    else if (counts[bin] > 0)
      counts[bin] -= starts[bin];
    else
      starts[bin] = numberBelow([&](std::uint32_t i) { return keys[i]; }, size, bin);
  }
};

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

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  Digits digits;
  std::uint32_t* places; ///< of every digit in every tile
  void* scan;
  std::size_t scan_bytes = 0;
  std::uint32_t* keys = nullptr; ///< of a list between two passes
  void* payload = nullptr;       ///< of that list
  std::size_t bytes;

  Scratch(const SplitTask& task, void* memory) : digits(task.bins)
  {
    ScratchPieces pieces(memory);
    std::size_t number = 0;
    for (int pass = 0; pass < digits.passes; ++pass)
      number = std::max(number, withBits(digits.bits[pass], [&](auto bits) {
                          return std::size_t(tilesOf<bits.value, Payload>(task.size))
                                 << bits.value;
                        }));
    places = pieces.take<std::uint32_t>(number);
    std::uint32_t* const none = nullptr;
    checkCuda(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, none, none, number),
              "asking for the size of a scan");
    scan = pieces.take<char>(scan_bytes);
    if (digits.passes > 1) {
      keys = pieces.take<std::uint32_t>(task.size);
      payload = pieces.take<char>(task.size * payload_bytes<Payload>);
    }
    bytes = pieces.bytes();
  }
};

/** \brief Splits by one digit. */
template <int Bits, typename Payload>
void
splitByDigit(DigitPass<Payload> pass,
             void* scan,
             std::size_t scan_bytes,
             cudaStream_t stream)
{
  const dim3 threads(Tile<Bits, Payload>::threads);
  pass.tiles = tilesOf<Bits, Payload>(pass.size);
  launchOverlapping("countDigitsKernel", dim3(pass.tiles), threads, stream)(
      countDigitsKernel<Bits, Payload>, pass);
  checkCuda(cub::DeviceScan::ExclusiveSum(scan,
                                          scan_bytes,
                                          pass.places,
                                          pass.places,
                                          std::size_t(pass.tiles) << Bits,
                                          stream),
            "scanning counts");
  const auto kernel = splitByDigitKernel<Bits, Payload>;
  constexpr int shared_bytes = sizeof(TileMemory<Bits, Payload>);
  checkCuda(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
            "asking for shared memory");
  launchOverlapping(
      "splitByDigitKernel", dim3(pass.tiles), threads, stream, shared_bytes)(kernel,
                                                                             pass);
}

/** \brief Finds the starts of the bins of a sorted list. */
void
findBins(const SplitTask& task, cudaStream_t stream)
{
  const auto size = static_cast<std::uint32_t>(task.size);
  checkCuda(cudaMemsetAsync(
                task.counts, 0, sizeof(std::uint32_t) * std::size_t(task.bins), stream),
            "clearing the bins' counts");
  launchForEach("findChangesKernel",
                task.size + 1,
                FindChanges{task.split_keys, size, task.bins, task.counts, task.starts},
                stream);
  launchForEach(
      "completeBinsKernel",
      std::size_t(task.bins) + 1,
      CompleteBins{task.split_keys, size, task.bins, task.counts, task.starts},
      stream);
}

} // namespace

template <typename Payload>
std::size_t
DigitSplit<Payload>::scratchBytes(const SplitTask& task)
{
  return Scratch<Payload>(task, nullptr).bytes;
}

template <typename Payload>
void
DigitSplit<Payload>::split(const SplitTask& task, cudaStream_t stream)
{
  const Scratch<Payload> scratch(task, task.scratch);
  const int passes = scratch.digits.passes;
  if (task.size == 0)
    return clearBins(task, stream);
  DigitPass<Payload> pass{};
  pass.keys = task.keys;
  pass.payload = static_cast<const Payload*>(task.payload);
  pass.size = static_cast<std::uint32_t>(task.size);
  pass.places = scratch.places;
  pass.bins.bins = task.bins;
  if (passes == 1) {
    pass.bins.counts = task.counts;
    pass.bins.starts = task.starts;
  }
  for (int i = 0; i < passes; ++i) {
    // The last pass must write to the result.
    const bool to_result = (passes - i) % 2 == 1;
    pass.split_keys = to_result ? task.split_keys : scratch.keys;
    pass.split_payload =
        static_cast<Payload*>(to_result ? task.split_payload : scratch.payload);
    pass.shift = scratch.digits.shift[i];
    withBits(scratch.digits.bits[i], [&](auto bits) {
      splitByDigit<bits.value>(pass, scratch.scan, scratch.scan_bytes, stream);
    });
    pass.keys = pass.split_keys;
    pass.payload = pass.split_payload;
  }
  if (passes > 1)
    findBins(task, stream);
}

template struct DigitSplit<NoPayload>;
template struct DigitSplit<std::uint32_t>;
template struct DigitSplit<unsigned long long>;
template struct DigitSplit<uint4>;

} // namespace pcl::device
