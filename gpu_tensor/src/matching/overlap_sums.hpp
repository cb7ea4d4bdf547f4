// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

namespace pcl::device {

/** \brief Sums over the voxels that neither of two tensors has empty. */
template <typename Number>
struct OverlapSums {
  int count = 0;
  Number p = 0, q = 0, pp = 0, qq = 0, pq = 0;

  /** \brief Adds to all sums but the count; nothing if both areas are 0. */
  PCL_GPU_HOST_DEVICE void
  addAreas(Number a, Number b)
  {
    p += a;
    q += b;
    pp += a * a;
    qq += b * b;
    pq += a * b;
  }
};

/** \brief Sums of areas, and of those of coarse tensors. */
using AreaSums = OverlapSums<double>;
using CoarseSums = OverlapSums<unsigned int>;

} // namespace pcl::device
