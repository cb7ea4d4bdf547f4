// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/sum_within_room.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cub/device/device_scan.cuh>

#include <cstddef>

namespace pcl::device::cuda {

/** \brief Turns the lengths of lists into where they begin, one behind the other; those for
 * which there is no room begin at its end.
 * \param[in] memory null to find out how much is needed
 */
inline void
findListStarts(void* memory,
               std::size_t& bytes,
               std::uint32_t* lists,
               std::size_t count,
               std::uint32_t room,
               cudaStream_t stream)
{
  checkCuda(cub::DeviceScan::ExclusiveScan(
                memory, bytes, lists, lists, SumWithinRoom{room}, 0u, count, stream),
            "adding up the lengths of lists");
}

} // namespace pcl::device::cuda
