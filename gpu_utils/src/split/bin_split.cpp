// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "split/split.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/bin_split.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <limits>
#include <vector>

namespace pcl::gpu {

void
BinSplit::setNumberOfBins(std::uint32_t bins)
{
  checkArgument(
      bins >= 1 && bins <= max_bins, "number of bins", bins, "1 to 2048 * 2048");
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
  device::SplitTask task{keys.size(),
                         static_cast<std::uint32_t>(all_bins),
                         keys.ptr(),
                         payload.from,
                         payload.bytes,
                         split_keys.ptr(),
                         payload.to,
                         bins.counts.ptr(),
                         bins.starts.ptr(),
                         nullptr};
  const std::size_t scratch_bytes =
      functionFor(device, PCL_GPU_BOTH(splitScratchBytes))(task);
  const std::size_t numbered = segment_starts ? keys.size() : 0;
  workspace_.reserve(Workspace::bytesFor<char>(scratch_bytes) +
                     Workspace::bytesFor<std::uint32_t>(numbered));
  task.scratch = workspace_.take<char>(scratch_bytes);
  if (numbered > 0) {
    auto* const numbers = workspace_.take<std::uint32_t>(numbered);
    const device::SegmentBins segments{keys.ptr(),
                                       keys.size(),
                                       bins_,
                                       segment_starts->ptr(),
                                       segment_starts->size() - 1,
                                       numbers};
    dispatch(device, PCL_GPU_BOTH(numberBins), segments, stream);
    task.keys = numbers;
  }
  dispatch(device, PCL_GPU_BOTH(split), task, stream);
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
  dispatch(device,
           PCL_GPU_BOTH(findElements),
           device::KeyElements{
               key_starts.ptr(), key_starts.size() - 1, keys.size(), elements},
           stream);
  splitBytes(keys,
             nullptr,
             {elements, split_elements.ptr(), sizeof(std::uint32_t)},
             split_keys,
             bins,
             stream);
}

} // namespace pcl::gpu
