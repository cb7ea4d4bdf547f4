// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_digit_split.cuh"
#include "cuda_list_split.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>
#include <pcl/gpu/utils/internal/device/with_constant.hpp>

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

template <int Bits, typename Payload>
std::uint32_t
tilesOf(std::size_t size)
{
  constexpr std::size_t tile = Tile<Bits, Payload>::size;
  return static_cast<std::uint32_t>((size + tile - 1) / tile);
}

/** \brief The parts of the scratch memory. */
template <typename Payload>
struct Scratch {
  Digits digits;
  std::uint32_t* places; ///< of every digit in every tile
  void* scan;
  std::size_t scan_bytes = 0;
  MutableArrays<Payload> between{}; ///< a list between two passes
  std::size_t bytes;

  Scratch(const SplitTask& task, void* memory) : digits(task.bins.bins)
  {
    ScratchPieces pieces(memory);
    std::size_t number = 0;
    for (int pass = 0; pass < digits.passes; ++pass)
      number =
          std::max(number,
                   withConstant<min_digit_bits, max_digit_bits>(
                       digits.bits[pass], [&](auto bits) {
                         return std::size_t(tilesOf<bits.value, Payload>(task.size))
                                << bits.value;
                       }));
    places = pieces.take<std::uint32_t>(number);
    std::uint32_t* const none = nullptr;
    checkCuda(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, none, none, number),
              "asking for the size of a scan");
    scan = pieces.take<char>(scan_bytes);
    if (digits.passes > 1)
      between = {pieces.take<std::uint32_t>(task.size),
                 pieces.take<Payload>(has_payload<Payload> ? task.size : 0)};
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
  DigitPass<Payload> pass{};
  pass.from = {task.keys, static_cast<const Payload*>(task.payload)};
  pass.size = static_cast<std::uint32_t>(task.size);
  pass.places = scratch.places;
  if (passes == 1)
    pass.bins = task.bins;
  const MutableArrays<Payload> result{task.split_keys,
                                      static_cast<Payload*>(task.split_payload)};
  for (int i = 0; i < passes; ++i) {
    // The last pass must write to the result.
    pass.to = (passes - i) % 2 == 1 ? result : scratch.between;
    pass.shift = scratch.digits.shift[i];
    withConstant<min_digit_bits, max_digit_bits>(
        scratch.digits.bits[i], [&](auto bits) {
          splitByDigit<bits.value>(pass, scratch.scan, scratch.scan_bytes, stream);
        });
    pass.from = pass.to.read();
  }
  if (passes > 1)
    findBins(task, stream);
}

template struct DigitSplit<NoPayload>;
template struct DigitSplit<std::uint32_t>;
template struct DigitSplit<unsigned long long>;
template struct DigitSplit<uint4>;

} // namespace pcl::device
