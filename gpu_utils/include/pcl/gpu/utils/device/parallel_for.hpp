// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>

#if defined(__CUDACC__)
#include <pcl/gpu/utils/device/cuda_check.h>

#include <cuda_runtime_api.h>
#endif

namespace pcl::device {

/** \brief Executor of loops on the host, by OpenMP's threads. */
struct HostExecutor {};

/** \brief Calls functor(x, y) for every pixel. Calls must not depend on one another.
 *
 * Both executors compile the same functor, so an element-wise algorithm is written
 * once.
 */
template <typename Functor>
void
parallelFor2D(const HostExecutor&, int columns, int rows, const Functor& functor)
{
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      functor(x, y);
}

/** \brief Calls functor(i) for the elements of a list, of which a row of the loop has
 * \a columns. */
template <typename Functor>
struct ElementLoop {
  Functor functor;
  std::size_t count;
  int columns;

  PCL_GPU_HOST_DEVICE void
  operator()(int x, int y) const
  {
    const std::size_t i = static_cast<std::size_t>(y) * columns + x;
    if (i < count)
      functor(i);
  }
};

#if defined(__CUDACC__)

/** \brief Executor of loops on the current CUDA device: queues them on a stream. */
struct CudaExecutor {
  cudaStream_t stream;
};

template <typename Functor>
__global__ void
parallelFor2DKernel(int columns, int rows, Functor functor)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows)
    functor(x, y);
}

template <typename Functor>
void
parallelFor2D(const CudaExecutor& executor,
              int columns,
              int rows,
              const Functor& functor)
{
  if (columns <= 0 || rows <= 0)
    return;
  const dim3 block(32, 8);
  const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  parallelFor2DKernel<<<grid, block, 0, executor.stream>>>(columns, rows, functor);
  checkLaunch("parallelFor2D");
}

#endif

} // namespace pcl::device
