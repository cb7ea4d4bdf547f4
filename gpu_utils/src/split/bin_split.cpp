// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "split/split.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/bin_split.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Returns whether elements of a payload can be moved as words.
 * \param[in] bytes of one element
 */
bool
isOfWords(const void* from, const void* to, std::size_t bytes)
{
  const auto isAligned = [bytes](const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
  };
  return bytes == 0 || ((bytes == 4 || bytes == 8 || bytes == 16) && isAligned(from) &&
                        isAligned(to));
}

/** \brief Calls a functor for all elements of a list. */
template <typename Functor>
void
forEachElement(const Device& device,
               std::size_t size,
               const Functor& functor,
               const Stream& stream)
{
  const std::size_t rows = (size + device::list_columns - 1) / device::list_columns;
  parallelFor2D(device, device::list_columns, static_cast<int>(rows), functor, stream);
}

} // namespace

void
BinSplit::setNumberOfBins(std::uint32_t bins)
{
  checkBetween("number of bins", bins, 1u, max_bins, "1 to 2048 * 2048");
  bins_ = bins;
}

void
BinSplit::checkOutputs(std::initializer_list<const DeviceMemory*> inputs,
                       std::initializer_list<const DeviceMemory*> outputs,
                       const SplitBins& bins)
{
  std::vector<const DeviceMemory*> all(inputs);
  all.insert(all.end(), outputs);
  all.insert(all.end(), {&bins.counts, &bins.starts});
  for (std::size_t i = inputs.size(); i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      checkArgument(all[i]->empty() || all[i]->ptr<char>() != all[j]->ptr<char>(),
                    "memory of an output",
                    j < inputs.size() ? "an input's" : "another output's",
                    "memory of its own");
}

BinSplit::Payload
BinSplit::preparePayload(const DeviceArray<std::uint32_t>& keys,
                         const DeviceMemory& payload,
                         std::size_t element_bytes,
                         DeviceMemory& split_payload)
{
  const std::size_t bytes = payload.sizeBytes();
  checkArgument(bytes == keys.size() * element_bytes,
                "size of the payload",
                bytes / element_bytes,
                "as many elements as keys");
  checkDevice("payload", payload, "keys", deviceOf(keys));
  const Device device = deviceOf(keys);
  const ScopedDevice scope(device);
  if (bytes == 0)
    split_payload.release();
  else if (split_payload.sizeBytes() != bytes || deviceOf(split_payload) != device)
    split_payload = DeviceMemory(bytes);
  return {payload.ptr<char>(), split_payload.ptr<char>(), element_bytes};
}

void
BinSplit::split(const DeviceArray<std::uint32_t>& keys,
                DeviceArray<std::uint32_t>& split_keys,
                SplitBins& bins,
                const Stream& stream)
{
  checkOutputs({&keys}, {&split_keys}, bins);
  splitBytes(keys, nullptr, {nullptr, nullptr, 0}, split_keys, bins, stream);
}

void
BinSplit::splitBytes(const DeviceArray<std::uint32_t>& keys,
                     const DeviceArray<std::uint32_t>* segment_starts,
                     const Payload& payload,
                     DeviceArray<std::uint32_t>& split_keys,
                     SplitBins& bins,
                     const Stream& stream)
{
  checkArgument(keys.size() <= std::numeric_limits<std::int32_t>::max(),
                "number of elements",
                keys.size(),
                "fewer than 2^31");
  std::size_t all_bins = bins_;
  if (segment_starts) {
    checkDevice("segment starts", *segment_starts, "keys", deviceOf(keys));
    checkArgument(segment_starts->size() > 0,
                  "number of segment starts",
                  segment_starts->size(),
                  "one more than there are segments");
    all_bins *= segment_starts->size() - 1;
    checkArgument(all_bins <= max_bins,
                  "number of segments times bins",
                  all_bins,
                  "no more than 2048 * 2048");
  }

  // An empty list of keys lives nowhere.
  const Device device = keys.empty() ? currentDevice() : deviceOf(keys);
  const ScopedDevice scope(device);
  createOn(device, split_keys, keys.size());
  createOn(device, bins.counts, all_bins);
  createOn(device, bins.starts, all_bins + 1);
  device::SplitTask task{
      keys.size(),
      keys.ptr(),
      payload.from,
      payload.bytes,
      split_keys.ptr(),
      payload.to,
      {static_cast<std::uint32_t>(all_bins), bins.counts.ptr(), bins.starts.ptr()},
      nullptr};
  // Other payloads are fetched when the elements' order is known.
  const bool is_of_words = isOfWords(payload.from, payload.to, payload.bytes);
  if (!is_of_words)
    task.payload_bytes = sizeof(std::uint32_t);
  const std::size_t scratch_bytes =
      functionFor(device, PCL_GPU_BOTH(splitScratchBytes))(task);
  const std::size_t numbered = segment_starts ? keys.size() : 0;
  const std::size_t ordered = is_of_words ? 0 : keys.size();
  char* scratch;
  std::uint32_t *numbers, *elements, *order;
  takePieces(workspace_,
             Piece(scratch, scratch_bytes),
             Piece(numbers, numbered),
             Piece(elements, ordered),
             Piece(order, ordered));
  task.scratch = scratch;
  if (numbered > 0) {
    const device::SegmentBins segments{keys.ptr(),
                                       keys.size(),
                                       bins_,
                                       segment_starts->ptr(),
                                       segment_starts->size() - 1,
                                       numbers};
    dispatch(device, PCL_GPU_BOTH(numberBins), segments, stream);
    task.keys = numbers;
  }
  if (!is_of_words) {
    forEachElement(device, ordered, device::CountUp{ordered, elements}, stream);
    task.payload = elements;
    task.split_payload = order;
  }
  dispatch(device, PCL_GPU_BOTH(split), task, stream);
  if (!is_of_words)
    forEachElement(device,
                   ordered,
                   device::Gather{ordered,
                                  order,
                                  static_cast<const char*>(payload.from),
                                  payload.bytes,
                                  static_cast<char*>(payload.to)},
                   stream);
}

void
BinSplit::multiSplit(const DeviceArray<std::uint32_t>& key_starts,
                     const DeviceArray<std::uint32_t>& keys,
                     DeviceArray<std::uint32_t>& split_keys,
                     DeviceArray<std::uint32_t>& split_elements,
                     SplitBins& bins,
                     const Stream& stream)
{
  checkArgument(key_starts.size() > 0,
                "number of key starts",
                key_starts.size(),
                "one more than there are elements");
  checkDevice("keys", keys, "key starts", deviceOf(key_starts));
  checkOutputs({&key_starts, &keys}, {&split_keys, &split_elements}, bins);
  const Device device = deviceOf(key_starts);
  const ScopedDevice scope(device);
  element_memory_.reserve(Workspace::bytesFor<std::uint32_t>(keys.size()));
  auto* const elements = element_memory_.take<std::uint32_t>(keys.size());
  createOn(device, split_elements, keys.size());
  const device::SegmentBins key_elements{
      nullptr, keys.size(), 1, key_starts.ptr(), key_starts.size() - 1, elements};
  dispatch(device, PCL_GPU_BOTH(numberBins), key_elements, stream);
  splitBytes(keys,
             nullptr,
             {elements, split_elements.ptr(), sizeof(std::uint32_t)},
             split_keys,
             bins,
             stream);
}

} // namespace pcl::gpu
