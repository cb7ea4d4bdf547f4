// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/device_capacity.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>

#include <cuda_runtime_api.h>
#endif

#include <fstream>
#include <string>

#include <unistd.h>

namespace pcl::gpu {

namespace {

std::size_t
freeMemoryOfHost()
{
  // Unlike sysconf(), this also counts memory that caches files.
  std::ifstream info("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  while (info >> name) {
    if (name == "MemAvailable:" && info >> kilobytes)
      return kilobytes * 1024;
    info.ignore(256, '\n');
  }
  return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

} // namespace

std::size_t
freeMemoryOf(const Device& device)
{
  if (device.isHost())
    return freeMemoryOfHost();
#if PCL_GPU_HAVE_CUDA
  const ScopedDevice scope(device);
  std::size_t bytes_free = 0, bytes_total = 0;
  device::checkCuda(cudaMemGetInfo(&bytes_free, &bytes_total),
                    "asking for free memory");
  return bytes_free;
#else
  throwBuiltWithoutCuda(device);
#endif
}

} // namespace pcl::gpu
