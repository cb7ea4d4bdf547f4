// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_table.h>

namespace pcl_gpu_python {

/** \brief A table that Python holds. Tables never change their arrays: they make new
 * ones. */
struct HeldTable : pcl::gpu::TensorTable {
  pcl::gpu::Stream stream; ///< on which it was made
};

} // namespace pcl_gpu_python
