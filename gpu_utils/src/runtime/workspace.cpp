// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>

namespace pcl::gpu {

bool
Workspace::reserve(std::size_t bytes)
{
  DeviceMemory& memory = run_.value.memory;
  run_.value.used = 0;
  const bool fits = memory.sizeBytes() >= bytes && deviceOf(memory) == currentDevice();
  if (!fits)
    memory = DeviceMemory(bytes);
  return !fits;
}

void*
Workspace::takeBytes(std::size_t bytes)
{
  auto& [memory, used] = run_.value;
  // A workspace whose memory was moved away has none left.
  const std::size_t left = memory.sizeBytes() - std::min(used, memory.sizeBytes());
  if (bytes > left)
    PCL_THROW_EXCEPTION(ComputeFailedException,
                        "workspace: a piece of "
                            << bytes << " bytes was asked for where only " << left
                            << " of the reserved bytes are left");
  void* piece = memory.ptr<char>() + used;
  used += bytes;
  return piece;
}

} // namespace pcl::gpu
