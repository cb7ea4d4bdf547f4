// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "point_pairs.hpp"

#include <cstdint>

// What the host does with many numbers at once; the best SIMD target is picked at run time.

namespace pcl {
namespace device {
namespace host {

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

/** \brief Counts the bits that a row of words has in common with others.
 * \param[in] words of a row, a multiple of 8
 * \param[in] numbers of the rows among \a others
 * \param[in] count of numbers
 */
void
countCommonBits(const std::uint32_t* row,
                const std::uint32_t* others,
                int words,
                const int* numbers,
                int count,
                int* common);

/** \brief How many tensors are correlated at once. */
constexpr int overlap_group = 8;

/** \brief OverlapSums of several tensors and a given one. */
struct OverlapGroup {
  double p[overlap_group], q[overlap_group];
  double pp[overlap_group], qq[overlap_group], pq[overlap_group];
};

/** \brief Sums over the voxels that a tensor has in common with each of several others, in the
 * order of their entries.
 * \param[in] areas of the one tensor, overlap_group in a row: in the voxel of the first entry
 * of each of the others, then of the second entry, and so on; 0 where it is empty
 * \param[in] others areas of the others' entries in the same order
 * \param[in] steps rows of both
 * \param[in] count how many of the others there are
 */
void
sumOverlaps(
    const float* areas, const float* others, int steps, int count, OverlapGroup& sums);

} // namespace host
} // namespace device
} // namespace pcl
