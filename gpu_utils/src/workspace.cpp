// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/workspace.h>

namespace pcl {
namespace gpu {

void
Workspace::reserve(std::size_t bytes)
{
  if (memory_.sizeBytes() < bytes || deviceOf(memory_) != currentDevice())
    memory_ = DeviceMemory(bytes);
  used_ = 0;
}

void*
Workspace::takeBytes(std::size_t bytes)
{
  if (bytes > memory_.sizeBytes() - used_)
    PCL_THROW_EXCEPTION(ComputeFailedException,
                        "workspace: a piece of " << bytes << " bytes was taken where "
                                                 << memory_.sizeBytes() - used_
                                                 << " of the reserved ones are left");
  void* piece = memory_.ptr<char>() + used_;
  used_ += bytes;
  return piece;
}

} // namespace gpu
} // namespace pcl
