// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/tensor_view.h"
#include "matching/coefficient_bounds.hpp"

#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace pcl::gpu {

void
TensorTableParameters::validate() const
{
  checkBetween(
      "width of a bin", bin_width, 0.001f, device::pi, "radians from 0.001 to pi");
}

int
TensorTable::getOccupancyWords(int grid_size)
{
  // In rows of 256 bits.
  return (grid_size * grid_size * grid_size + 255) / 256 * 8;
}

void
TensorTable::build(const TensorSet& tensors,
                   const DeviceArray<int>& labels,
                   const Stream& stream)
{
  const Device device = deviceOf(tensors.frames);
  const ScopedDevice scope(device);
  checkTensorsDevice(tensors, device);
  checkDevice("labels", labels, "tensors", device);
  // The size has to be known here; everything else is queued.
  stream.synchronize();
  std::vector<int> count{0};
  if (!tensors.count.empty())
    tensors.count.download(count);
  const std::size_t size = static_cast<std::size_t>(count.at(0));
  checkArgument(labels.size() >= size,
                "number of labels",
                labels.size(),
                "as many as there are tensors");
  std::vector<std::uint32_t> starts(size + 1, 0);
  if (size > 0)
    tensors.starts.download(starts.data(), 0, size + 1);
  checkArgument(
      starts.back() <= tensors.areas.size(),
      "number of entries there is room for",
      tensors.areas.size(),
      "as many as the tensors have; see TensorExtractionParameters::max_entries");

  // New memory: the input, or a copy of this table, may use the old memory.
  TensorTable made;
  const device::AngleBins bins = angleBins(parameters_.bin_width);
  BinSplit split;
  split.setNumberOfBins(static_cast<std::uint32_t>(bins.count));
  DeviceArray<std::uint32_t> keys, places, split_keys;
  createOn(device, keys, size);
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0u);
  places.upload(numbers.data(), size);
  parallelFor2D(device,
                static_cast<int>(size),
                1,
                device::FindBin{tensors.frames.ptr(), bins, keys.ptr()},
                stream);
  split.split(keys, places, split_keys, made.former_places_, made.bins_, stream);
  stream.synchronize();
  made.former_places_.download(numbers);

  std::vector<std::uint32_t> new_starts(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i)
    new_starts[i + 1] = new_starts[i] + (starts[numbers[i] + 1] - starts[numbers[i]]);
  made.parameters_ = parameters_;
  made.used_bin_width_ = parameters_.bin_width;
  const int words = getOccupancyWords(tensors.grid_size);
  const int voxels = tensors.grid_size * tensors.grid_size * tensors.grid_size;
  made.tensors_.grid_size = tensors.grid_size;
  made.tensors_.count.upload(count);
  made.tensors_.starts.upload(new_starts);
  createOn(device, made.tensors_.frames, size);
  createOn(device, made.tensors_.voxels, starts.back());
  createOn(device, made.tensors_.areas, starts.back());
  createOn(device, made.labels_, size);
  createOn(device, made.occupancy_, size * words);
  // Tensors that are frames only have no voxels.
  if (voxels > 0 && voxels <= device::max_coarse_voxels)
    createOn(device,
             made.coarse_,
             functionFor(device, PCL_GPU_BOTH(coarseTableBytes))(made.size(),
                                                                 starts.back()));
  device::TableTask task{};
  task.from = viewOf(tensors);
  task.count = made.size();
  task.places = made.former_places_.ptr();
  task.frames = made.tensors_.frames.ptr();
  task.from_labels = labels.ptr();
  task.labels = made.labels_.ptr();
  task.starts = made.tensors_.starts.ptr();
  task.voxels = made.tensors_.voxels.ptr();
  task.areas = made.tensors_.areas.ptr();
  task.entries = starts.back();
  task.words = words;
  task.occupancy = made.occupancy_.ptr();
  task.coarse = made.coarse_.empty() ? nullptr : made.coarse_.ptr();
  if (size > 0)
    dispatch(device, PCL_GPU_BOTH(gatherTensors), task, stream);
  stream.synchronize();
  made.whole_frames_ = made.tensors_.frames;
  made.whole_labels_ = made.labels_;
  *this = made;
}

} // namespace pcl::gpu
