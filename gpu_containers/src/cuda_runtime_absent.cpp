// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_runtime_calls.h"

#include <pcl/gpu/containers/device_exception.h>

namespace pcl::gpu::runtime {
namespace {

[[noreturn]] void
fail(const char* action, int id)
{
  const Device device = id < 0 ? Device::host() : Device::cuda(id);
  throw DeviceException(
      "cudaErrorNoDevice", action, device, "this library was built without CUDA");
}

} // namespace

int
deviceCount()
{
  return 0;
}

int
currentDevice()
{
  fail("asking for the current CUDA device", host);
}

int
tryCurrentDevice() noexcept
{
  return host;
}

void
setDevice(int id)
{
  fail("selecting a CUDA device", id);
}

void
trySetDevice(int) noexcept
{}

int
placeOf(const void*)
{
  return host;
}

void*
allocate(std::size_t, int id)
{
  fail("allocating memory", id);
}

void*
allocateRows(int, int, int id, std::size_t&)
{
  fail("allocating memory", id);
}

void
free(void*, int) noexcept
{}

void
copy(const Rows& to, const Rows&, std::size_t, std::size_t)
{
  fail("copying memory", to.place);
}

DeviceFacts
facts(int id)
{
  fail("asking for the properties of a CUDA device", id);
}

int
driverVersion()
{
  return 0;
}

int
runtimeVersion()
{
  return 0;
}

} // namespace pcl::gpu::runtime
