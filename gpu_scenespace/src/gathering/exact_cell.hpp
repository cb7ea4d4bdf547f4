// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <cmath>

namespace pcl::device {

/** \brief A pixel of the output; its column is no_cell if there is none. */
struct Cell {
  int column, row;
};

/** \brief The cell that an input pixel falls on, in double precision, which decides
 * which samples a pixel has.
 *
 * Pixel p sees a sample if its projection (u, v) has p - l/2 < u - tolerance <= p +
 * l/2, alike for v, and its depth lies in the view's range. Half-open, so that
 * footprints of whole pixels tile the plane; the tolerance lets points on the edges of
 * footprints, where those of a camera's own pixels may lie, fall to the same side in
 * spite of rounding. All operations are rounded one by one, and so alike everywhere.
 * \param[in] depth of the pixel, a depth
 * \param[in] limit cells beyond -limit and the image's size plus limit count as none
 */
PCL_GPU_HOST_DEVICE Cell
exactCell(const FrameProjection& frame,
          const ViewGeometry& view,
          int column,
          int row,
          float depth,
          int limit)
{
  const double d = depth, x = column * d, y = row * d;
  const auto& m = frame.to_image;
  const double z = m[2][0] * x + m[2][1] * y + m[2][2] * d + m[2][3];
  if (!(z > 0.0 && z >= view.near_depth && z <= view.far_depth))
    return {no_cell, no_cell};
  const double u = (m[0][0] * x + m[0][1] * y + m[0][2] * d + m[0][3]) / z;
  const double v = (m[1][0] * x + m[1][1] * y + m[1][2] * d + m[1][3]) / z;
  const double offset = view.cellOffset() + cell_tolerance;
  const double cell_u = std::ceil(u - offset), cell_v = std::ceil(v - offset);
  const bool is_near = cell_u >= -limit && cell_u < view.columns + limit &&
                       cell_v >= -limit && cell_v < view.rows + limit;
  if (!is_near)
    return {no_cell, no_cell};
  return {static_cast<int>(cell_u), static_cast<int>(cell_v)};
}

} // namespace pcl::device
