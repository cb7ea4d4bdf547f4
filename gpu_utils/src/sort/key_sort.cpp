// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/key_sort.h>

namespace pcl::gpu {

std::size_t
sortScratchBytes(const Device& device, std::size_t count, int bits)
{
  return functionFor(device, PCL_GPU_BOTH(sortScratchBytes))(count, bits);
}

const std::uint32_t*
sortByKeys(const Device& device, const device::KeySort& sort, const Stream& stream)
{
  return dispatch(device, PCL_GPU_BOTH(sortByKeys), sort, stream);
}

} // namespace pcl::gpu
