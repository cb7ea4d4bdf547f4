// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/vectors.hpp"
#include "pairs/point_pairs.hpp"

#include <pcl/gpu/utils/internal/device/plane_fit-inl.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

// Clouds are thinned to the mean point of each cell of a grid. The points lie in the
// order of their cells, so that the neighbours in a row of cells follow one another.

namespace pcl::device {

#ifndef __CUDACC__
using HWY_NAMESPACE::fitPlane;
using HWY_NAMESPACE::Moments;
using HWY_NAMESPACE::noMoments;
using HWY_NAMESPACE::PlaneFit;
using HWY_NAMESPACE::WeightedPoint;
#endif

/** \brief Cells around a cloud. Their corners are multiples of their width, as those of
 * pcl::VoxelGrid are. */
struct CellGrid {
  float width;  ///< of a cell, metres
  int first[3]; ///< the least corner, cells
  int size[3];  ///< cells along x, y and z

  PCL_GPU_HOST_DEVICE int
  coordinate(int axis, float position) const
  {
    return static_cast<int>(floorf(position / width)) - first[axis];
  }

  PCL_GPU_HOST_DEVICE std::uint32_t
  cellOf(const Float4& p) const
  {
    const int x = coordinate(0, p.x), y = coordinate(1, p.y), z = coordinate(2, p.z);
    return (static_cast<std::uint32_t>(z) * size[1] + y) * size[0] + x;
  }

  PCL_GPU_HOST_DEVICE int
  rows() const
  {
    return size[1] * size[2];
  }
};

/** \brief Points of which each is alone in its cell, in the order of cells. */
struct PointsInCells {
  CellGrid grid;
  int count;
  const Float4* points;
  const std::uint32_t* cells; ///< of the points
  const int* row_starts;      ///< first point of each row of cells, and \a count
};

/** \brief Returns the first of sorted numbers that is not below a bound. */
PCL_GPU_HOST_DEVICE int
lowerBound(const std::uint32_t* numbers, int begin, int end, std::uint32_t bound)
{
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (numbers[middle] < bound)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/** \brief Cells around a place in each direction that have all points within a radius:
 * means may be rounded out of their cells. */
PCL_GPU_HOST_DEVICE int
cellsWithin(const CellGrid& grid, float radius)
{
  return static_cast<int>(radius / grid.width) + 1;
}

/** \brief Calls visit(number, squared distance) for all points around a place in one
 * layer of cells.
 * \param[in] reach cells that are visited in each direction at least
 * \param[in] dz layer, counted from that of the place: -reach to reach
 */
template <typename Visit>
PCL_GPU_HOST_DEVICE void
visitLayer(
    const PointsInCells& in, const Float4& place, int reach, int dz, const Visit& visit)
{
  const CellGrid& grid = in.grid;
  const int z = grid.coordinate(2, place.z) + dz, row = grid.coordinate(1, place.y);
  if (z < 0 || z >= grid.size[2])
    return;
  const int column = grid.coordinate(0, place.x);
  const int first = column - reach > 0 ? column - reach : 0;
  const int last = column + reach < grid.size[0] ? column + reach : grid.size[0] - 1;
  for (int y = row - reach; y <= row + reach; ++y) {
    if (y < 0 || y >= grid.size[1])
      continue;
    const int r = z * grid.size[1] + y;
    const int begin = in.row_starts[r], end = in.row_starts[r + 1];
    if (begin == end)
      continue;
    const std::uint32_t cells = static_cast<std::uint32_t>(r) * grid.size[0];
    for (int i = lowerBound(in.cells, begin, end, cells + first);
         i < end && in.cells[i] <= cells + last;
         ++i)
      visit(i, squaredDistance(vectorOf(in.points[i]), vectorOf(place)));
  }
}

/** \brief Numbers points, with their cells as keys. */
struct NumberCells {
  CellGrid grid;
  const Float4* points;
  std::uint32_t *keys, *numbers;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    keys[i] = grid.cellOf(points[i]);
    numbers[i] = static_cast<std::uint32_t>(i);
  }
};

/** \brief Points in the order of their cells. */
struct SortedPoints {
  CellGrid grid;
  const Float4* points;
  const std::uint32_t* order;
  std::size_t count;

  PCL_GPU_HOST_DEVICE std::uint32_t
  cell(std::size_t place) const
  {
    return grid.cellOf(points[order[place]]);
  }

  PCL_GPU_HOST_DEVICE bool
  isFirst(std::size_t place) const
  {
    return place == 0 || cell(place) != cell(place - 1);
  }
};

/** \brief Numbers places, with key 0 for those of the first points of cells, 1 for
 * others. */
struct MarkFirsts {
  SortedPoints sorted;
  std::uint32_t *keys, *numbers;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    keys[i] = sorted.isFirst(i) ? 0 : 1;
    numbers[i] = static_cast<std::uint32_t>(i);
  }
};

/** \brief Computes the means of cells. */
struct MeanPoints {
  SortedPoints sorted;
  const std::uint32_t* places; ///< those of the first points of cells, then others
  Float4* means;
  std::uint32_t* cells;
  int* count; ///< receives the number of means

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const std::size_t place = places[i];
    if (!sorted.isFirst(place))
      return;
    const std::uint32_t cell = sorted.cell(place);
    const Vector3 origin = vectorOf(sorted.points[sorted.order[place]]);
    Vector3 sum = {0.0f, 0.0f, 0.0f};
    std::size_t end = place;
    for (; end < sorted.count && sorted.cell(end) == cell; ++end)
      sum = sum + (vectorOf(sorted.points[sorted.order[end]]) - origin);
    const Vector3 mean = origin + (1.0f / static_cast<float>(end - place)) * sum;
    means[i] = {mean.x, mean.y, mean.z, 1.0f};
    cells[i] = cell;
    if (i + 1 == sorted.count || !sorted.isFirst(places[i + 1]))
      *count = static_cast<int>(i) + 1;
  }
};

/** \brief Finds the first points of rows of cells. */
struct StartRows {
  CellGrid grid;
  const std::uint32_t* cells;
  int count;
  int* starts; ///< one more than there are rows

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t row) const
  {
    const auto bound = static_cast<std::uint32_t>(row) * grid.size[0];
    starts[row] = lowerBound(cells, 0, count, bound);
  }
};

/** \brief Fits planes to the neighbours of points. */
struct FitNormals {
  PointsInCells in;
  float radius;    ///< of neighbours, metres
  Float4* normals; ///< facing the origin; NaN without three neighbours

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const Float4 p = in.points[i];
    Moments<double> sum = noMoments<double>();
    const auto addNear = [&](int neighbor, float squared) {
      if (squared > radius * radius)
        return;
      const Vector3 d = vectorOf(in.points[neighbor]) - vectorOf(p);
      add(sum, WeightedPoint<double>{1.0, d.x, d.y, d.z});
    };
    const int reach = cellsWithin(in.grid, radius);
    for (int dz = -reach; dz <= reach; ++dz)
      visitLayer(in, p, reach, dz, addNear);
    // Points of surfaces that are seen very flatly lie on a line. Registration needs
    // them, since they show where an object ends: any normal across the line will do.
    constexpr float noise = 0.0f;
    const PlaneFit<float> fit = fitPlane(sum, noise, -p.x, -p.y, -p.z);
    normals[i] = {fit.x, fit.y, fit.z, 0.0f};
  }
};

/** \brief Takes points and normals in another order, the points about a centre. */
struct ReorderSurface {
  const Float4 *points, *normals;
  const int* order;
  float center[3];
  Float4 *reordered_points, *reordered_normals;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const Float4 p = points[order[i]];
    reordered_points[i] = {p.x - center[0], p.y - center[1], p.z - center[2], 0.0f};
    reordered_normals[i] = normals[order[i]];
  }
};

/** \brief Pairs of points that may have tensors. */
struct PairSearch {
  PointsInCells in;
  const Float4* normals;
  const int* firsts; ///< points that look for partners
  PairLimits limits;
  int reach;          ///< cells up to partners
  float least_cosine; ///< between the normals, more than this
  bool is_oriented;   ///< whether the normals say which side was seen
  Partners* closest;  ///< of each point in each layer of cells

  PCL_GPU_HOST_DEVICE int
  layers() const
  {
    return 2 * reach + 1;
  }

  PCL_GPU_HOST_DEVICE float
  cosineOf(int first, int other) const
  {
    return dot(vectorOf(normals[first]), vectorOf(normals[other]));
  }
};

/** \brief Finds the closest partners of points in each layer. */
struct FindPartners {
  PairSearch search;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const int first = search.firsts[i / search.layers()];
    const int dz = static_cast<int>(i % search.layers()) - search.reach;
    Partners closest;
    const auto offer = [&](int other, float squared) {
      if (squared < search.limits.min_squared_distance ||
          squared > search.limits.max_squared_distance)
        return;
      const float cosine = search.cosineOf(first, other);
      const float used = search.is_oriented ? cosine : fabsf(cosine);
      // Without a normal neither is true.
      if (used < search.limits.max_cosine && used > search.least_cosine)
        closest.add(squared, other);
    };
    visitLayer(search.in, search.in.points[first], search.reach, dz, offer);
    search.closest[i] = closest;
  }
};

/** \brief Chooses the closest partners of all layers. */
struct ChoosePartners {
  PairSearch search;
  /** \brief Partners of each point, -1 for none; those whose normal is to be reversed
   * are counted on from the number of points. */
  ChosenPartners* chosen;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    constexpr int most = 2;
    Partners closest;
    for (int layer = 0; layer < search.layers(); ++layer) {
      const Partners& of_layer = search.closest[i * search.layers() + layer];
      for (int k = 0; k < most && of_layer.point[k] >= 0; ++k)
        closest.add(of_layer.squared_distance[k], of_layer.point[k]);
    }
    chosen[i] = choosePartners(closest, most);
    for (int& other : chosen[i].point)
      if (other >= 0 && !search.is_oriented &&
          search.cosineOf(search.firsts[i], other) < 0.0f)
        other += search.in.count;
  }
};

/** \brief Copies the points of a surface to its elements, with their normals and once
 * more with reversed ones. */
struct CopyBothSides {
  const Float4 *points, *normals;
  int count;
  Float4 *vertices, *vertex_normals;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const Float4 n = normals[i];
    vertices[i] = vertices[count + i] = points[i];
    vertex_normals[i] = n;
    vertex_normals[count + i] = {-n.x, -n.y, -n.z, 0.0f};
  }
};

/** \brief Adds small triangles about points to the elements of a surface. */
struct AddTriangles {
  const Float4 *points, *normals;
  const int* used; ///< numbers of the points
  float radius;    ///< of a triangle, metres
  int first_vertex;
  Float4 *vertices, *vertex_normals;
  int* triangles;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    const Float4 normal = normals[used[i]];
    const Vector3 point = vectorOf(points[used[i]]), n = vectorOf(normal);
    // The axis that is farthest from the normal is never parallel to it.
    const bool is_x = fabsf(n.x) < fabsf(n.y) && fabsf(n.x) < fabsf(n.z);
    const bool is_y = !is_x && fabsf(n.y) < fabsf(n.z);
    const Vector3 across =
        cross(n, {is_x ? 1.0f : 0.0f, is_y ? 1.0f : 0.0f, is_x || is_y ? 0.0f : 1.0f});
    const Vector3 u = (1.0f / sqrtf(dot(across, across))) * across;
    const Vector3 v = cross(n, u);
    // The same corners for either side.
    constexpr float cosines[3] = {0.0f, -0.866025404f, 0.866025404f};
    constexpr float sines[3] = {1.0f, -0.5f, -0.5f};
    for (int k = 0; k < 3; ++k) {
      const Vector3 corner = point + radius * (cosines[k] * u + sines[k] * v);
      const std::size_t number = 3 * i + k;
      triangles[number] = first_vertex + static_cast<int>(number);
      vertices[first_vertex + number] = {corner.x, corner.y, corner.z, 1.0f};
      vertex_normals[first_vertex + number] = normal;
    }
  }
};

} // namespace pcl::device
