// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/resources.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device_capacity.h>

#include <algorithm>
#include <thread>

namespace pcl::gpu {

std::vector<Device>
devicesOf(const SceneSpaceResources& resources)
{
  if (resources.devices.empty())
    return {currentDevice()};
  return resources.devices;
}

std::size_t
memoryBudget(const SceneSpaceResources& resources, const Device& device)
{
  return resources.memory > 0 ? resources.memory : freeMemoryOf(device) / 2;
}

int
readingThreads(const SceneSpaceResources& resources)
{
  const int wanted = resources.reading_threads;
  checkArgument(wanted >= 0, "reading threads", wanted, "0 or more");
  const int processors = static_cast<int>(std::thread::hardware_concurrency()),
            devices = static_cast<int>(devicesOf(resources).size());
  return wanted > 0 ? wanted : std::clamp(processors, 1, 8 * devices);
}

std::size_t
paddedPixels(int width, int height)
{
  return (std::size_t(width) + 127) / 128 * 128 * height;
}

std::size_t
arrayMemory(std::size_t bytes)
{
  constexpr std::size_t piece = std::size_t(1) << 21, small_piece = 512;
  const std::size_t size = bytes >= piece / 2 ? piece : small_piece;
  return (bytes + size - 1) / size * size;
}

} // namespace pcl::gpu
