// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/volumes/convex_hull.hpp"

#include <cmath>

namespace pcl::device {

/** \brief Pixels of a row, both ends included. */
struct RowSegment {
  std::uint16_t row, left, right;
};

/** \brief The pixels of an image that lie in a hull or next to it, row by row:
 * algorithm 4 of Klose et al. 2015.
 *
 * The hull is grown by a margin to all four sides. Rows that it covers no pixel of have
 * no segment.
 */
template <int Capacity>
class HullRows {
public:
  /** \param[in] hull must outlive this; no row is covered by one without points
   * \param[in] margin pixels, above 0; may be larger than the image
   * \param[in] columns,rows of the image
   * \param[in] first_row rows before it are left out
   */
  PCL_GPU_HOST_DEVICE
  HullRows(const ConvexHull<Capacity>& hull,
           double margin,
           int columns,
           int rows,
           int first_row)
  : hull_(hull)
  , margin_(margin)
  , columns_(columns)
  , row_(first_row)
  {
    if (hull.count == 0)
      return;
    const double top = hull.vertex(hull.left, 0).y;
    const double bottom = hull.vertex(hull.left, hull.left.count - 1).y;
    row_ = firstWithin(top - margin, first_row, rows);
    end_ = lastWithin(bottom + margin, rows) + 1;
  }

  /** \brief Moves on to the next segment.
   * \return whether there is one
   */
  PCL_GPU_HOST_DEVICE bool
  next(RowSegment& segment)
  {
    while (row_ < end_) {
      const int row = row_++;
      const double left = -reach(hull_.left, -1.0, row, left_edge_);
      const double right = reach(hull_.right, 1.0, row, right_edge_);
      const int first = firstWithin(left - margin_, 0, columns_);
      const int last = lastWithin(right + margin_, columns_);
      if (first > last)
        continue;
      segment = {static_cast<std::uint16_t>(row),
                 static_cast<std::uint16_t>(first),
                 static_cast<std::uint16_t>(last)};
      return true;
    }
    return false;
  }

  /** \brief Returns whether no segment is left. */
  PCL_GPU_HOST_DEVICE bool
  isAtEnd() const
  {
    return row_ >= end_;
  }

  /** \brief The row to go on from: y_last of the paper, and 1. */
  PCL_GPU_HOST_DEVICE int
  nextRow() const
  {
    return row_;
  }

private:
  /** \brief The first whole number from a bound on, from \a least to \a size. */
  static PCL_GPU_HOST_DEVICE int
  firstWithin(double bound, double least, double size)
  {
    return static_cast<int>(std::fmin(std::fmax(std::ceil(bound), least), size));
  }

  /** \brief The last whole number up to a bound, from -1 to \a size - 1. */
  static PCL_GPU_HOST_DEVICE int
  lastWithin(double bound, double size)
  {
    return static_cast<int>(std::fmax(std::fmin(std::floor(bound), size - 1.0), -1.0));
  }

  /** \brief The column of an edge at y, or of its end that is nearest to it. */
  static PCL_GPU_HOST_DEVICE double
  columnAt(const ImagePoint& from, const ImagePoint& to, double y)
  {
    if (y <= from.y)
      return from.x;
    return y >= to.y ? to.x : from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x);
  }

  /** \brief The outermost column of a side between a margin above a row and one below
   * it.
   * \param[in] side -1 for the left one, 1 for the right one
   * \param[in,out] edge one that ends above the row, 0 at first, moves on with the rows
   */
  PCL_GPU_HOST_DEVICE double
  reach(const EdgeTable<Capacity>& table, double side, int row, int& edge) const
  {
    const double top = row - margin_, bottom = row + margin_;
    while (edge + 2 < table.count && hull_.vertex(table, edge + 1).y < top)
      ++edge;
    const int end = edge + 1 < table.count ? edge + 1 : edge;
    double reached =
        side * columnAt(hull_.vertex(table, edge), hull_.vertex(table, end), top);
    for (int i = edge; i + 1 < table.count && hull_.vertex(table, i).y <= bottom; ++i) {
      const ImagePoint& from = hull_.vertex(table, i);
      const ImagePoint& to = hull_.vertex(table, i + 1);
      const double x = to.y <= bottom ? to.x : columnAt(from, to, bottom);
      reached = std::fmax(reached, side * x);
    }
    return reached;
  }

  const ConvexHull<Capacity>& hull_;
  double margin_;
  int columns_, row_, end_ = 0;
  int left_edge_ = 0, right_edge_ = 0;
};

} // namespace pcl::device
