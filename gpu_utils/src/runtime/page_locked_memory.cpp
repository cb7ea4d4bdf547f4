// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/page_locked_memory.h>

#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>
#endif

#include <cstdlib>
#include <new>

namespace pcl::gpu {

namespace {

std::shared_ptr<void>
allocate(std::size_t bytes)
{
#if PCL_GPU_HAVE_CUDA
  if (currentDevice().isCuda()) {
    void* memory = nullptr;
    device::checkCuda(cudaMallocHost(&memory, bytes), "allocating page-locked memory");
    return {memory, [](void* locked) { cudaFreeHost(locked); }};
  }
#endif
  void* const memory = std::malloc(bytes);
  if (!memory)
    throw std::bad_alloc();
  return {memory, [](void* unlocked) { std::free(unlocked); }};
}

} // namespace

void
PageLockedMemory::reserve(std::size_t bytes)
{
  if (bytes <= bytes_)
    return;
  memory_.reset();
  bytes_ = 0;
  memory_ = allocate(bytes);
  bytes_ = bytes;
}

} // namespace pcl::gpu
