// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "point_pairs.hpp"

#include <cstdint>

// What finding pairs on the host does with many points at once; the best SIMD target is
// picked at run time.

namespace pcl::device::host {

/** \brief The points of a cell, number by number; normals are NaN where there is none. */
struct PointCell {
  float x[cell_points], y[cell_points], z[cell_points];
  float normal_x[cell_points], normal_y[cell_points], normal_z[cell_points];

  OrientedPoint
  operator[](int i) const
  {
    return {{x[i], y[i], z[i]}, {normal_x[i], normal_y[i], normal_z[i]}};
  }
};

/** \brief Finds which points of a cell may be paired with each point of another one.
 * \param[in] farthest squared distance up to which a point looks for partners; negative if
 * it looks for none
 * \param[out] partners for every point of \a cell one bit for each of \a other
 */
void
findPartners(const PointCell& cell,
             const PointCell& other,
             const PairLimits& limits,
             const float* farthest,
             std::uint32_t* partners);

} // namespace pcl::device::host
