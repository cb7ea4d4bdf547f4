// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/parallel_for.hpp>

struct CUstream_st;

namespace pcl::device {

/** \brief Gives drivers of the host their executor. */
struct MakeHostExecutor {
  HostExecutor
  operator()(CUstream_st*) const
  {
    return {};
  }
};

#ifdef __CUDACC__
/** \brief Gives drivers of CUDA devices the executor of a queue. */
struct MakeCudaExecutor {
  CudaExecutor
  operator()(CUstream_st* queue) const
  {
    return {queue};
  }
};
#endif

} // namespace pcl::device
