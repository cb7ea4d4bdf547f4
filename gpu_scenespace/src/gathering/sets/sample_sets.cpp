// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sets/sample_store.h"

#include <pcl/gpu/scenespace/gathering/sample_sets.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

namespace pcl::gpu {

namespace {

/** \brief Whole groups of samples. */
std::size_t
paddedCapacity(int capacity)
{
  constexpr std::size_t group = SampleSets::group_size;
  return (capacity + group - 1) / group * group;
}

template <typename T>
T
downloadOne(const DeviceArray<T>& array, std::size_t place)
{
  T value{};
  DeviceArray<T>(const_cast<T*>(array.ptr()) + place, 1).download(&value);
  return value;
}

} // namespace

void
SampleSets::create(const ImageRegion& region, int capacity)
{
  checkAtLeast("first column", region.column, 0);
  checkAtLeast("first row", region.row, 0);
  checkAtLeast("columns of sample sets", region.columns, 1);
  checkAtLeast("rows of sample sets", region.rows, 1);
  checkAtLeast("samples a pixel", capacity, 1);
  const Device device = currentDevice();
  const std::size_t pixels = std::size_t(region.columns) * region.rows,
                    samples = pixels * paddedCapacity(capacity);
  createOn(device, counts_, pixels);
  createOn(device, positions_, samples);
  createOn(device, depths_, samples);
  createOn(device, colors_, samples);
  createOn(device, frame_high_bytes_, samples);
  region_ = region;
  capacity_ = capacity;
}

std::size_t
SampleSets::estimateMemory(std::size_t pixels, int capacity)
{
  return pixels * (paddedCapacity(capacity) * sample_bytes + sizeof(std::uint32_t));
}

std::size_t
SampleSets::place(std::size_t pixel, std::size_t number) const
{
  return sampleStore(*this).place(pixel, static_cast<std::uint32_t>(number));
}

std::vector<SceneSample>
SampleSets::download(int column, int row) const
{
  const device::SampleStore store = sampleStore(*this);
  checkArgument(
      store.hasPixel(column, region_.row), "column", column, "one of the sets'");
  checkArgument(store.hasPixel(column, row), "row", row, "one of the sets'");
  const ScopedDevice scope(deviceOf(counts_));
  const std::size_t pixel = store.pixel(column, row);
  std::vector<SceneSample> samples(downloadOne(counts_, pixel) & ~is_full);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t at = place(pixel, i);
    SceneSample& sample = samples[i];
    const std::uint32_t position = downloadOne(positions_, at);
    const std::uint32_t color = downloadOne(colors_, at);
    sample.column = position & 0xffff;
    sample.row = position >> 16;
    sample.depth = downloadOne(depths_, at);
    sample.blue = static_cast<std::uint8_t>(color);
    sample.green = static_cast<std::uint8_t>(color >> 8);
    sample.red = static_cast<std::uint8_t>(color >> 16);
    sample.frame =
        static_cast<int>(color >> 24 | downloadOne(frame_high_bytes_, at) << 8);
  }
  return samples;
}

} // namespace pcl::gpu
