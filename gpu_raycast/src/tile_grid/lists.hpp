// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

// Lists that lie one behind the other, in memory that has room for so many entries.

namespace pcl::device {

/** \brief A sum of numbers that is no more than there is room for. */
struct SumWithinRoom {
  std::uint32_t room;

  PCL_GPU_HOST_DEVICE std::uint32_t
  operator()(std::uint32_t a, std::uint32_t b) const
  {
    return b < room - (a < room ? a : room) ? a + b : room;
  }
};

/** \brief The entries of a list. */
struct ListRange {
  std::uint32_t first, end;
};

/** \brief Returns the entries of a list that there is room for.
 * \param[in] ends of the lists
 * \param[in] number of the list
 */
PCL_GPU_HOST_DEVICE ListRange
listOf(const std::uint32_t* ends, std::uint32_t number, std::uint32_t room)
{
  const std::uint32_t first = number > 0 ? ends[number - 1] : 0u;
  const std::uint32_t end = ends[number];
  return {first < room ? first : room, end < room ? end : room};
}

} // namespace pcl::device
