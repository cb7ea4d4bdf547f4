// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl::device::cuda {

template <typename Functor>
void
parallelFor2D(int columns, int rows, const Functor& functor, cudaStream_t stream)
{
  device::parallelFor2D(CudaExecutor{stream}, columns, rows, functor);
}

} // namespace pcl::device::cuda

/** \brief Compiles the loop that gpu::parallelFor2D() runs with a functor on a CUDA
 * device. Use it outside of all namespaces. */
#define PCL_GPU_INSTANTIATE_LOOP(Functor)                                              \
  template void pcl::device::cuda::parallelFor2D<Functor>(                             \
      int, int, const Functor&, cudaStream_t)
