// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "point_pairs.hpp"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/scratch_pieces.hpp>

// How a warp finds the closest partners of the points of a cell.

namespace pcl {
namespace device {
namespace cuda {

static_assert(cell_points == warp_size, "a lane has a point of its cell");

/** \brief The points of a cell; normals are NaN where there is none. */
struct PointCell {
  Float4 normals[cell_points];
  Float4 positions[cell_points];
};

struct PairScratch {
  int columns, rows; // cells
  PointCell* cells;
  CellBounds* bounds;
  int* partners;       // max_partners a pixel
  std::uint8_t* asked; // whether a pixel chooses; null if all do
  PointPair* all;      // pairs that are selected from; null if all are kept
  int* total;          // their number
  std::size_t bytes;

  PairScratch(const PairTask& task, void* memory)
  : columns(divideUp(task.cloud.cols, cell_columns))
  , rows(divideUp(task.cloud.rows, cell_rows))
  {
    const std::size_t pixels = std::size_t(task.cloud.rows) * task.cloud.cols;
    const bool selects = task.selection.count > 0;
    ScratchPieces pieces(memory);
    cells = pieces.take<PointCell>(std::size_t(columns) * rows);
    bounds = pieces.take<CellBounds>(std::size_t(columns) * rows);
    partners = pieces.take<int>(pixels * max_partners);
    asked = task.keypoints ? pieces.take<std::uint8_t>(pixels) : nullptr;
    all = selects ? pieces.take<PointPair>(pixels * max_partners) : nullptr;
    total = pieces.take<int>(1);
    bytes = pieces.bytes();
  }
};

/** \brief Products of 16 points with 8 others, four numbers each, as the lanes of a warp
 * hold them (the layout of mma.m16n8k4): point lane / 4, and that plus 8, with the others
 * lane % 4 * 2 and the next one. */
struct ProductTile {
  float product[4];
};

/** \brief Multiplies and adds; numbers are rounded to 10 bits.
 * \param[in] a number lane % 4 of points lane / 4 and lane / 4 + 8
 * \param[in] b number lane % 4 of the other point lane / 4
 */
__device__ inline ProductTile
multiplyTile(const float (&a)[2], float b)
{
  ProductTile tile;
#if __CUDA_ARCH__ >= 800
  float* const c = tile.product;
  asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
      : "r"(__float_as_uint(a[0])),
        "r"(__float_as_uint(a[1])),
        "r"(__float_as_uint(b)),
        "f"(0.0f));
#else
  const int lane = threadIdx.x % warp_size;
  for (float& product : tile.product)
    product = 0.0f;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 2; ++i) {
      const float own = __shfl_sync(all_lanes, a[i], lane / 4 * 4 + k);
      for (int j = 0; j < 2; ++j)
        tile.product[2 * i + j] +=
            own * __shfl_sync(all_lanes, b, (lane % 4 * 2 + j) * 4 + k);
    }
#endif
  return tile;
}

/** \brief How far products of numbers that are cut off after 10 bits may be off, for each
 * unit of the product of the numbers' lengths. */
constexpr float product_error = 2.1e-3f;

/** \brief Half the points of a cell, as the lanes of a warp hold them for products with
 * others: each lane has a part of two of them. */
class CellPoints {
public:
  static constexpr int rows = 2;
  static constexpr int points = rows * 8;

  /** \param[in] first number of the first point
   * \param[in] centre that positions are taken from
   */
  __device__
  CellPoints(const PointCell& cell,
             int first,
             const Vector3& centre,
             unsigned int asking)
  : cell_(cell)
  , first_(first)
  {
    const int lane = threadIdx.x % warp_size, component = lane % 4;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const int point = pointOf(row);
      const Float4 p = cell.positions[point];
      const Vector3 position = Vector3{p.x, p.y, p.z} - centre;
      const float coordinates[3] = {position.x, position.y, position.z};
      const float* const normal = &cell.normals[point].x;
      // NaN keeps points that do not ask out of all comparisons.
      const bool asks = asking >> point & 1;
      normal_part_[row] = component == 3 ? 0.0f : asks ? normal[component] : NAN;
      position_part_[row] = component == 0   ? coordinates[0]
                            : component == 1 ? coordinates[1]
                            : component == 2 ? coordinates[2]
                                             : 1.0f;
      squared_length_[row] = dot(position, position);
    }
  }

  /** \brief Number in the cell of the point that a row of the lane is of. */
  __device__ int
  pointOf(int row) const
  {
    return first_ + row * 8 + threadIdx.x % warp_size / 4;
  }

  __device__ OrientedPoint
  point(int row) const
  {
    const Float4 p = cell_.positions[pointOf(row)];
    const Float4 n = cell_.normals[pointOf(row)];
    return {{p.x, p.y, p.z}, {n.x, n.y, n.z}};
  }

  __device__ float
  squaredLength(int row) const
  {
    return squared_length_[row];
  }

  /** \brief Cosines between the normals of the points and of eight others. */
  __device__ ProductTile
  cosines(float other_normal_part) const
  {
    return multiplyTile(normal_part_, other_normal_part);
  }

  /** \brief Squared distances of the points from eight others, less the squared lengths of
   * the former. */
  __device__ ProductTile
  squaredDistances(float other_position_part) const
  {
    return multiplyTile(position_part_, other_position_part);
  }

private:
  const PointCell& cell_;
  int first_;
  float normal_part_[rows];
  float position_part_[rows];
  float squared_length_[rows];
};

/** \brief What a lane hands in to products with other points. */
struct OtherPart {
  float normal, position;

  /** \param[in] point number of the point in its cell */
  __device__
  OtherPart(const PointCell& cell, int point, const Vector3& centre)
  {
    const int component = threadIdx.x % 4;
    const Float4 p = cell.positions[point];
    const Vector3 d = Vector3{p.x, p.y, p.z} - centre;
    normal = (&cell.normals[point].x)[component];
    position = component == 0   ? -2.0f * d.x
               : component == 1 ? -2.0f * d.y
               : component == 2 ? -2.0f * d.z
                                : dot(d, d);
  }
};

/** \brief The search of a warp, whose lanes share half the points of a cell: lane l has
 * points l / 4 and 8 + l / 4 of them, and compares them with a quarter of all.
 *
 * With all points of a cell a warp would do less for each, but some would be busy long after
 * all others. */
class PartnerSearch {
public:
  static constexpr int rows = CellPoints::rows;

  __device__
  PartnerSearch(const PairTask& task,
                const PairScratch& scratch,
                const PairLimits& limits,
                int cell,
                int first_point,
                unsigned int asking)
  : task_(task)
  , scratch_(scratch)
  , limits_(limits)
  , cell_(cell)
  , centre_(0.5f * (scratch.bounds[cell].low + scratch.bounds[cell].high))
  , own_(scratch.cells[cell], first_point, centre_, asking)
  , asking_(asking)
  , squared_radius_(squaredReachFrom(scratch.bounds[cell]))
  {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      partners_[row].clear();
      farthest_[row] = asks(row) ? limits_.max_squared_distance : -1.0f;
    }
  }

  /** \brief Whether any point may find better partners at that distance. */
  __device__ bool
  wants(float squared_gap) const
  {
    bool any = false;
#pragma unroll
    for (int row = 0; row < rows; ++row)
      any = any || squared_gap <= farthest_[row];
    return __any_sync(all_lanes, any);
  }

  /** \brief Looks for partners in another cell. */
  __device__ void
  search(int other)
  {
    const PointCell& cell = scratch_.cells[other];
    unsigned int candidates[rows];
    findCandidates(cell, squaredReachFrom(scratch_.bounds[other]), candidates);
    bool found = false;
#pragma unroll
    for (int row = 0; row < rows; ++row)
      found = addPartners(row, candidates[row], other) || found;
    if (!__any_sync(all_lanes, found))
      return;
      // Four lanes have the same points: the closest third partner that one of them knows.
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      float third =
          fminf(farthest_[row], partners_[row].squared_distance[max_partners - 1]);
      third = fminf(third, __shfl_xor_sync(all_lanes, third, 1));
      farthest_[row] = fminf(third, __shfl_xor_sync(all_lanes, third, 2));
    }
  }

  /** \brief Writes what was found. */
  __device__ void
  write()
  {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      for (int distance = 1; distance < 4; distance *= 2) {
        Partners others;
#pragma unroll
        for (int k = 0; k < max_partners; ++k) {
          others.squared_distance[k] =
              __shfl_xor_sync(all_lanes, partners_[row].squared_distance[k], distance);
          others.point[k] =
              __shfl_xor_sync(all_lanes, partners_[row].point[k], distance);
        }
#pragma unroll
        for (int k = 0; k < max_partners; ++k)
          partners_[row].add(others.squared_distance[k], others.point[k]);
      }
      const int point = own_.pointOf(row);
      const int x = pixelX(cell_, point), y = pixelY(cell_, point);
      if (static_cast<int>(threadIdx.x % 4) != row || x >= task_.cloud.cols ||
          y >= task_.cloud.rows)
        continue;
      int* const to =
          scratch_.partners + (std::size_t(y) * task_.cloud.cols + x) * max_partners;
#pragma unroll
      for (int k = 0; k < max_partners; ++k)
        to[k] = k < task_.pairs_per_point ? partners_[row].point[k] : -1;
    }
  }

private:
  __device__ bool
  asks(int row) const
  {
    return asking_ >> own_.pointOf(row) & 1;
  }

  __device__ int
  pixelX(int cell, int point) const
  {
    return cell % scratch_.columns * cell_columns + point % cell_columns;
  }

  __device__ int
  pixelY(int cell, int point) const
  {
    return cell / scratch_.columns * cell_rows + point / cell_columns;
  }

  /** \brief The squared distance of the cell's centre from the farthest point of a box. */
  __device__ float
  squaredReachFrom(const CellBounds& bounds) const
  {
    const Vector3 d = {fmaxf(bounds.high.x - centre_.x, centre_.x - bounds.low.x),
                       fmaxf(bounds.high.y - centre_.y, centre_.y - bounds.low.y),
                       fmaxf(bounds.high.z - centre_.z, centre_.z - bounds.low.z)};
    return dot(d, d);
  }

  /** \brief Finds all points of a cell that may be partners, and some that only nearly
   * may be.
   * \param[in] squared_reach of the cell from this one's centre
   * \param[out] candidates of every row; bit 2 i + j is point 8 i + lane % 4 * 2 + j
   */
  __device__ void
  findCandidates(const PointCell& cell,
                 float squared_reach,
                 unsigned int (&candidates)[rows]) const
  {
    const float margin =
        product_error * (squared_reach + 2.0f * sqrtf(squared_reach * squared_radius_));
    const float max_cosine = limits_.max_cosine + product_error;
    float least[rows], most[rows];
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const float length = own_.squaredLength(row);
      least[row] = limits_.min_squared_distance - length - margin;
      most[row] = farthest_[row] - length + margin;
      candidates[row] = 0;
    }
    const int lane = threadIdx.x % warp_size;
#pragma unroll
    for (int i = 0; i < cell_points / 8; ++i) {
      const OtherPart other(cell, 8 * i + lane / 4, centre_);
      const ProductTile cosine = own_.cosines(other.normal);
      const ProductTile distance = own_.squaredDistances(other.position);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int row = k / 2;
        if (cosine.product[k] <= max_cosine && distance.product[k] >= least[row] &&
            distance.product[k] <= most[row])
          candidates[row] |= 1u << (2 * i + k % 2);
      }
    }
  }

  /** \brief Adds those candidates that may be partners.
   * \return whether there was one
   */
  __device__ bool
  addPartners(int row, unsigned int candidates, int other)
  {
    if (candidates == 0)
      return false;
    const PointCell& cell = scratch_.cells[other];
    const OrientedPoint point = own_.point(row);
    const int x = pixelX(cell_, own_.pointOf(row));
    const int y = pixelY(cell_, own_.pointOf(row));
    bool found = false;
    for (; candidates != 0; candidates &= candidates - 1) {
      const int bit = __ffs(candidates) - 1;
      const int j = bit / 2 * 8 + threadIdx.x % 4 * 2 + bit % 2;
      const Float4 p = cell.positions[j];
      const Float4 n = cell.normals[j];
      const OrientedPoint partner = {{p.x, p.y, p.z}, {n.x, n.y, n.z}};
      const float distance = squaredDistance(point.position, partner.position);
      const int partner_x = pixelX(other, j), partner_y = pixelY(other, j);
      if (mayBePaired(point, partner, distance, limits_) &&
          abs(partner_x - x) <= task_.window_radius &&
          abs(partner_y - y) <= task_.window_radius) {
        partners_[row].add(distance, partner_y * task_.cloud.cols + partner_x);
        found = true;
      }
    }
    return found;
  }

  const PairTask& task_;
  const PairScratch& scratch_;
  PairLimits limits_;
  int cell_;
  Vector3 centre_;
  CellPoints own_;
  unsigned int asking_; // bit i: point i of the cell
  float squared_radius_;
  Partners partners_[rows];
  float farthest_[rows]; // squared distance beyond which no partner is of interest
};

} // namespace cuda
} // namespace device
} // namespace pcl
