// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fill_rows.h"

namespace {

__global__ void
fillRowsKernel(pcl::device::PtrStepSz<int> image, pcl::device::PtrSz<int> array)
{
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= image.cols || y >= image.rows)
    return;
  image(y, x) = 100 * y + x;
  const std::size_t i = static_cast<std::size_t>(y) * image.cols + x;
  if (i < array.size)
    array.data[i] = image.ptr(y)[x];
}

} // namespace

void
fillRows(pcl::gpu::PtrStepSz<int> image, pcl::gpu::PtrSz<int> array)
{
  const dim3 block(32, 8);
  const dim3 grid((image.cols + 31) / 32, (image.rows + 7) / 8);
  fillRowsKernel<<<grid, block>>>(image, array);
  cudaDeviceSynchronize();
}

int
pendingCudaError()
{
  return cudaGetLastError();
}

void*
allocatePinned(unsigned bytes)
{
  void* memory = nullptr;
  cudaMallocHost(&memory, bytes);
  return memory;
}

void*
allocateManaged(unsigned bytes)
{
  void* memory = nullptr;
  cudaMallocManaged(&memory, bytes);
  return memory;
}

void
freePinned(void* memory)
{
  cudaFreeHost(memory);
}

void
freeManaged(void* memory)
{
  cudaFree(memory);
}
