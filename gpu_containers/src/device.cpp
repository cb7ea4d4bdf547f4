// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_runtime_calls.h"
#include "thread_device.h"

#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/containers/device_memory.h>

namespace pcl::gpu {

Device
Device::host() noexcept
{
  return Device(runtime::host);
}

Device
Device::cuda(int id)
{
  if (id < 0)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "id is " << id << ": CUDA devices are numbered from 0");
  return Device(id);
}

int
Device::id() const
{
  if (isHost())
    PCL_THROW_EXCEPTION(BadArgumentException, "the host has no CUDA ordinal");
  return place_;
}

std::string
Device::name() const
{
  return isHost() ? std::string("host") : "cuda:" + std::to_string(place_);
}

namespace runtime {
namespace {

thread_local bool host_is_chosen = false;

Device
deviceAt(int place)
{
  return place == host ? Device::host() : Device::cuda(place);
}

} // namespace

bool
hostIsChosen() noexcept
{
  return host_is_chosen;
}

void
chooseHost(bool chosen) noexcept
{
  host_is_chosen = chosen;
}

int
currentPlace()
{
  return host_is_chosen || deviceCount() == 0 ? host : currentDevice();
}

} // namespace runtime

Device
currentDevice()
{
  return runtime::deviceAt(runtime::currentPlace());
}

Device
deviceOf(const void* pointer)
{
  return pointer ? runtime::deviceAt(runtime::placeOf(pointer)) : currentDevice();
}

#if PCL_GPU_SYSTEM_CONTAINERS

// PCL's containers do not know their device, and have no host device.

Device
deviceOf(const DeviceMemory& memory)
{
  return deviceOf(memory.ptr<void>());
}

Device
deviceOf(const DeviceMemory2D& memory)
{
  return deviceOf(memory.ptr<void>());
}

static void
chooseHostDevice()
{
  throw DeviceException("cudaErrorInvalidDevice",
                        "selecting a device",
                        Device::host(),
                        "PCL's own containers know no host device");
}

#else

Device
deviceOf(const DeviceMemory& memory)
{
  return memory.empty() ? currentDevice() : runtime::deviceAt(memory.place_);
}

Device
deviceOf(const DeviceMemory2D& memory)
{
  return memory.empty() ? currentDevice() : runtime::deviceAt(memory.place_);
}

static void
chooseHostDevice()
{
  runtime::chooseHost(true);
}

#endif

ScopedDevice::ScopedDevice(const Device& device)
: former_is_host_(runtime::hostIsChosen())
, former_cuda_id_(runtime::host)
{
  // A change from the host to the host does not call CUDA.
  if (!(former_is_host_ && device.isHost()))
    former_cuda_id_ = runtime::tryCurrentDevice();
  if (device.isHost()) {
    chooseHostDevice();
    return;
  }
  if (former_cuda_id_ != device.id())
    runtime::setDevice(device.id());
  runtime::chooseHost(false);
}

ScopedDevice::~ScopedDevice()
{
  if (former_cuda_id_ != runtime::host &&
      former_cuda_id_ != runtime::tryCurrentDevice())
    runtime::trySetDevice(former_cuda_id_);
  runtime::chooseHost(former_is_host_);
}

} // namespace pcl::gpu
