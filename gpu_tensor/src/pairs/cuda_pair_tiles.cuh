// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "pairs/point_pairs.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

// Tiles of points, and bounds of all their points.

namespace pcl::device::cuda {

/** \brief Rows and columns of pixels of a tile; a cell has two tiles side by side. */
constexpr int tile_size = 4;
constexpr int tile_points = tile_size * tile_size;
constexpr int cell_tiles = cell_columns / tile_size;
static_assert(cell_rows == tile_size && cell_columns % tile_size == 0,
              "a cell is a row of tiles");

/** \brief The points of a tile, row by row. */
struct TilePoints {
  Float4 positions[tile_points];   ///< and the normal's x: NaN if there is no point
  Float4 normals[tile_points / 2]; ///< y and z of two points' normals

  /** \brief Stores two points next to each other. */
  __device__ void
  setTwo(int two, const OrientedPoint& a, const OrientedPoint& b)
  {
    const Vector3 &p = a.position, &q = b.position;
    positions[2 * two] = {p.x, p.y, p.z, a.normal.x};
    positions[2 * two + 1] = {q.x, q.y, q.z, b.normal.x};
    normals[two] = {a.normal.y, a.normal.z, b.normal.y, b.normal.z};
  }

  __device__ void
  getTwo(int two, OrientedPoint& a, OrientedPoint& b) const
  {
    const Float4 p = positions[2 * two], q = positions[2 * two + 1], n = normals[two];
    a = {{p.x, p.y, p.z}, {p.w, n.x, n.y}};
    b = {{q.x, q.y, q.z}, {q.w, n.z, n.w}};
  }
};

/** \brief Bounds of the points of a tile, and of their normals' directions. */
struct alignas(16) TileBounds {
  Vector3 centre;   ///< of a box that holds all points
  float max_cosine; ///< of the axis with normals that may be paired with any of its own
  Vector3 extents;  ///< half the box's edges; NaN if there is no point
  float angle;      ///< half the opening of a cone that holds all normals, radians
  Vector3 axis;     ///< of that cone
  float too_near;   ///< closer to the centre no point has partners; squared
};

/** \brief A tile in the window of a cell: column and row, from the first one. */
struct TilePlace {
  std::uint8_t column, row;
};

/** \brief The tiles that the windows of a cell's points reach. */
struct TileWindow {
  int reach; ///< tiles to the left and right of the cell's, above and below

  __host__ __device__ int
  columns() const
  {
    return 2 * reach + cell_tiles;
  }

  __host__ __device__ int
  count() const
  {
    return columns() * (2 * reach + 1);
  }

  __device__ TilePlace
  operator[](int i) const
  {
    return {static_cast<std::uint8_t>(i % columns()),
            static_cast<std::uint8_t>(i / columns())};
  }

  /** \brief Four times the squared distance of a tile from the cell, in tiles. */
  __device__ int
  squaredDistance(TilePlace place) const
  {
    const int x = 2 * (place.column - reach) - (cell_tiles - 1);
    const int y = 2 * (place.row - reach);
    return x * x + y * y;
  }
};

struct PairScratch {
  int columns, rows; // tiles, of whole cells
  TileWindow window;
  TilePoints* points;
  TileBounds* bounds;
  TilePlace* places; // of the window's tiles, the nearest first
  int2* cells;       // first tiles of cells, in the order in which they are searched
  ChosenPartners* partners; // of every pixel
  std::uint8_t* asked;      // whether a pixel chooses; null if all do
  PointPair* all;           // pairs that are selected from; null if all are kept
  int* total;               // their number
  std::size_t bytes;

  __host__ __device__ int
  cellColumns() const
  {
    return columns / cell_tiles;
  }

  __host__ __device__ int
  cellCount() const
  {
    return cellColumns() * rows;
  }

  PairScratch(const PairTask& task, void* memory)
  : columns(divideUp(task.cloud.cols, cell_columns) * cell_tiles)
  , rows(divideUp(task.cloud.rows, cell_rows))
  , window{divideUp(task.window_radius, tile_size)}
  {
    const std::size_t pixels = std::size_t(task.cloud.rows) * task.cloud.cols;
    const std::size_t tiles = std::size_t(columns) * rows;
    ScratchPieces pieces(memory);
    points = pieces.take<TilePoints>(tiles);
    bounds = pieces.take<TileBounds>(tiles);
    places = pieces.take<TilePlace>(window.count());
    cells = pieces.take<int2>(cellCount());
    partners = pieces.take<ChosenPartners>(pixels);
    asked = task.keypoints ? pieces.take<std::uint8_t>(pixels) : nullptr;
    all = task.keepsAll() ? nullptr : pieces.take<PointPair>(pixels * max_partners);
    total = pieces.take<int>(1);
    bytes = pieces.bytes();
  }
};

/** \brief Upper bound of the relative rounding error of lengths, squared distances and
 * cosines. Bounds that leave points out keep this margin. */
constexpr float rounding_margin = 2e-6f;

/** \brief Returns a product that is rounded differently than on the host. */
__device__ inline float
fusedDot(const Vector3& a, const Vector3& b)
{
  return fmaf(a.z, b.z, fmaf(a.y, b.y, a.x * b.x));
}

/** \brief Returns the distance of a point from a box along each axis.
 * \param[in] offset of the point from the box's centre
 * \param[in] extents half the box's edges
 */
__device__ inline Vector3
gapToBox(const Vector3& offset, const Vector3& extents)
{
  return {fmaxf(fabsf(offset.x) - extents.x, 0.0f),
          fmaxf(fabsf(offset.y) - extents.y, 0.0f),
          fmaxf(fabsf(offset.z) - extents.z, 0.0f)};
}

/** \brief Returns whether any points of two tiles may be paired.
 * \param[in] nearest,farthest squared distances of interest, with a margin for rounding
 * \param[in] min_angle between normals, or less, radians
 */
__device__ inline bool
tilesMayBePaired(const TileBounds& a,
                 const TileBounds& b,
                 float nearest,
                 float farthest,
                 float min_angle)
{
  const Vector3 offset = b.centre - a.centre, extents = a.extents + b.extents;
  const Vector3 near = gapToBox(offset, extents);
  const Vector3 far = {fabsf(offset.x) + extents.x,
                       fabsf(offset.y) + extents.y,
                       fabsf(offset.z) + extents.z};
  const float angle = min_angle - (a.angle + b.angle);
  // The second is false if a tile has no point.
  return fusedDot(near, near) <= farthest && fusedDot(far, far) >= nearest &&
         (angle <= 0.0f || fusedDot(a.axis, b.axis) <= __cosf(angle) + rounding_margin);
}

/** \brief Returns whether a point may be paired with any of a tile.
 * \param[in] farthest squared distance of interest, with a margin for rounding
 */
__device__ inline bool
mayBePairedWithTile(const OrientedPoint& point, const TileBounds& tile, float farthest)
{
  const Vector3 offset = point.position - tile.centre;
  const Vector3 near = gapToBox(offset, tile.extents);
  // Without a branch, so that no lane leaves early.
  return (fusedDot(near, near) <= farthest) &
         (fusedDot(offset, offset) >= tile.too_near) &
         (fusedDot(point.normal, tile.axis) <= tile.max_cosine);
}

} // namespace pcl::device::cuda
