// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

#include <cstdint>

namespace pcl::device {

/** \brief A point of an image, pixels. */
struct ImagePoint {
  double x, y;
};

/** \brief The order of rows, in a row that of columns. */
PCL_GPU_HOST_DEVICE bool
isBefore(const ImagePoint& a, const ImagePoint& b)
{
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/** \brief Distance, in units of the way from \a from down to \a to, of a point to the
 * left of it in the image: above 0 for a lesser x. */
PCL_GPU_HOST_DEVICE double
leftOf(const ImagePoint& from, const ImagePoint& to, const ImagePoint& point)
{
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

/** \brief The edges of a hull on one side, as its vertices in the order of rows. */
template <int Capacity>
struct EdgeTable {
  std::uint8_t vertices[Capacity];
  int count;
};

/** \brief The convex hull of a few points by Jarvis's march, with the tables of left
 * and of right edges that section 4.1 of Klose et al. 2015 fills on the way.
 *
 * Both sides are marched from the first point in the order of rows, so that both tables
 * are in this order and the march needs no tipping point, which rounding could hide:
 * each step looks only at points behind the one it stands on. It therefore always ends,
 * with tables from the first to the last point, and misses none by more than a few
 * roundings.
 */
template <int Capacity>
struct ConvexHull {
  static_assert(Capacity <= 256, "tables have bytes");

  ImagePoint points[Capacity]; ///< all of them
  int count = 0;
  EdgeTable<Capacity> left, right;

  PCL_GPU_HOST_DEVICE void
  add(const ImagePoint& point)
  {
    points[count++] = point;
  }

  /** \brief Fills the tables; there must be a point. */
  PCL_GPU_HOST_DEVICE void
  march()
  {
    int first = 0;
    for (int i = 1; i < count; ++i)
      if (isBefore(points[i], points[first]))
        first = i;
    marchSide(first, 1.0, left);
    marchSide(first, -1.0, right);
  }

  PCL_GPU_HOST_DEVICE const ImagePoint&
  vertex(const EdgeTable<Capacity>& table, int number) const
  {
    return points[table.vertices[number]];
  }

private:
  /** \param[in] side 1 for the left one, -1 for the right one */
  PCL_GPU_HOST_DEVICE void
  marchSide(int first, double side, EdgeTable<Capacity>& table)
  {
    table.count = 0;
    for (int vertex = first; vertex >= 0; vertex = outermostAfter(vertex, side))
      table.vertices[table.count++] = static_cast<std::uint8_t>(vertex);
  }

  /** \brief The next vertex of a side, or -1 after the last one. */
  PCL_GPU_HOST_DEVICE int
  outermostAfter(int vertex, double side) const
  {
    int next = -1;
    for (int i = 0; i < count; ++i) {
      if (!isBefore(points[vertex], points[i]))
        continue;
      const double turn =
          next < 0 ? 1.0 : side * leftOf(points[vertex], points[next], points[i]);
      if (turn > 0.0 || (turn == 0.0 && isBefore(points[next], points[i])))
        next = i;
    }
    return next;
  }
};

} // namespace pcl::device
