// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/utils/workspace.h>

#include <utility>

namespace pcl::gpu {

Workspace::Workspace(const Workspace&) {}

Workspace::Workspace(Workspace&& other) noexcept
: memory_(std::move(other.memory_))
, used_(std::exchange(other.used_, 0))
{}

Workspace&
Workspace::operator=(const Workspace&)
{
  return *this;
}

Workspace&
Workspace::operator=(Workspace&& other) noexcept
{
  memory_ = std::move(other.memory_);
  used_ = std::exchange(other.used_, 0);
  return *this;
}

bool
Workspace::reserve(std::size_t bytes)
{
  used_ = 0;
  const bool fits =
      memory_.sizeBytes() >= bytes && deviceOf(memory_) == currentDevice();
  if (!fits)
    memory_ = DeviceMemory(bytes);
  return !fits;
}

void*
Workspace::takeBytes(std::size_t bytes)
{
  if (bytes > memory_.sizeBytes() - used_)
    PCL_THROW_EXCEPTION(ComputeFailedException,
                        "workspace: a piece of " << bytes
                                                 << " bytes was asked for where only "
                                                 << memory_.sizeBytes() - used_
                                                 << " of the reserved bytes are left");
  void* piece = memory_.ptr<char>() + used_;
  used_ += bytes;
  return piece;
}

} // namespace pcl::gpu
