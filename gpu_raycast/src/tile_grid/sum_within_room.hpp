// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

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

} // namespace pcl::device
