// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_pair_tiles.cuh"

// How a warp finds the closest partners of the points of a tile.

namespace pcl {
namespace device {
namespace cuda {

/** \brief What a search keeps in shared memory. */
struct PartnerLists {
  /** \brief The most candidates that wait to be looked at exactly. */
  static constexpr int queue_size = 2 * warp_size;

  /** \brief Squared distances, and below them numbers of points, the closest first. */
  unsigned long long partners[tile_points][max_partners];
  unsigned int queue[queue_size];
};

/** \brief The search of a warp, whose lanes share the points of a tile: lane l has points
 * l / 4 and 8 + l / 4, and compares them with a quarter of all others.
 *
 * Tensor cores find which points are nearly partners. As only few lanes find any in the same
 * tile, these wait in a queue until there is one for every lane.
 */
class PartnerSearch {
public:
  static constexpr int rows = 2;

  __device__
  PartnerSearch(const PairTask& task,
                const PairScratch& scratch,
                const PairLimits& limits,
                int tile,
                PartnerLists& lists)
  : task_(task)
  , scratch_(scratch)
  , limits_(limits)
  , tile_(tile)
  , tile_x_(tile % scratch.columns)
  , tile_y_(tile / scratch.columns)
  , lists_(lists)
  {
    const int lane = threadIdx.x % warp_size, component = lane % 4;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const int x = pixelX(pointOf(row)), y = pixelY(pointOf(row));
      OrientedPoint point = missingPoint();
      if (x < task.cloud.cols && y < task.cloud.rows)
        point = orientedPoint(task.cloud.ptr(y)[x], task.normals.ptr(y)[x]);
      const Vector3& p = point.position;
      const Vector3& n = point.normal;
      // The fourth number of a position is 1, that of a normal 0.
      position_part_[row] = component == 0   ? p.x
                            : component == 1 ? p.y
                            : component == 2 ? p.z
                                             : 1.0f;
      normal_part_[row] = component == 0   ? n.x
                          : component == 1 ? n.y
                          : component == 2 ? n.z
                                           : 0.0f;
      const bool asks =
          isThere(point) &&
          (!scratch.asked || scratch.asked[std::size_t(y) * task.cloud.cols + x]);
      farthest_[row] = asks ? limits.max_squared_distance : -1.0f;
    }
    for (int i = lane; i < tile_points * max_partners; i += warp_size)
      (&lists.partners[0][0])[i] = no_partner;
    __syncwarp();
  }

  /** \brief Looks for partners in a shell about every point.
   * \param[in] inner squared distance that partners are farther away than
   * \param[in] outer squared distance that they are no farther away than
   * \param[in] inverse_columns one over the columns of tiles in the window
   */
  __device__ void
  searchShell(float inner, float outer, float min_angle, float inverse_columns)
  {
    const int lane = threadIdx.x % warp_size;
    const int reach = divideUp(task_.window_radius, tile_size);
    const int columns = 2 * reach + 1;
    inner_ = inner;
    outer_ = outer;
    updateFarthest();
    const float least = fmaxf(inner, limits_.min_squared_distance);
    const TileBounds own = scratch_.tiles.bounds(tile_);
    const int first_tile = tile_ - reach * (scratch_.columns + 1);
    for (int first = 0; first < columns * columns; first += warp_size) {
      const int i = first + lane;
      const int row =
          static_cast<int>((static_cast<float>(i) + 0.5f) * inverse_columns);
      const int column = i - row * columns;
      const int x = tile_x_ - reach + column, y = tile_y_ - reach + row;
      float gap = INFINITY, margin = 0.0f;
      if (row < columns && x >= 0 && x < scratch_.columns && y >= 0 &&
          y < scratch_.rows) {
        const TileBounds other =
            scratch_.tiles.bounds(first_tile + row * scratch_.columns + column);
        if (tilesMayBePaired(own, other, least, min_angle))
          gap = squaredGap(own, other);
        margin = distanceMargin(other, outer);
      }
      const int place = row << 8 | column;
      unsigned int lanes = __ballot_sync(all_lanes, gap <= farthest_of_all_);
      while (lanes != 0) {
        const int from = __ffs(lanes) - 1;
        lanes &= lanes - 1;
        const int other = __shfl_sync(all_lanes, place, from);
        const unsigned int candidates =
            findCandidates(first_tile + (other >> 8) * scratch_.columns + (other & 255),
                           __shfl_sync(all_lanes, margin, from));
        if (queueCandidates(candidates, other))
          lanes &= __ballot_sync(all_lanes, gap <= farthest_of_all_);
      }
    }
    takeCandidates(queued_);
  }

  /** \brief Has those points search no more that found all their partners.
   * \return whether any point goes on
   */
  __device__ bool
  goesOn()
  {
    bool any = false;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const bool asks = farthest_[row] >= 0.0f && lastPartner(row) == no_partner;
      farthest_[row] = asks ? limits_.max_squared_distance : -1.0f;
      any = any || asks;
    }
    return __any_sync(all_lanes, any);
  }

  /** \brief Writes what was found. */
  __device__ void
  write() const
  {
    const int point = threadIdx.x % warp_size;
    const int x = pixelX(point), y = pixelY(point);
    if (point >= tile_points || x >= task_.cloud.cols || y >= task_.cloud.rows)
      return;
    int* const to =
        scratch_.partners + (std::size_t(y) * task_.cloud.cols + x) * max_partners;
#pragma unroll
    for (int k = 0; k < max_partners; ++k)
      to[k] = static_cast<int>(lists_.partners[point][k]);
  }

private:
  /** \brief At no distance, number -1. */
  static constexpr unsigned long long no_partner = ~0ull;

  /** \brief Number in the tile of the point that a row of the lane is of. */
  __device__ static int
  pointOf(int row)
  {
    return row * 8 + threadIdx.x % warp_size / 4;
  }

  __device__ int
  pixelX(int point) const
  {
    return tile_x_ * tile_size + point % tile_size;
  }

  __device__ int
  pixelY(int point) const
  {
    return tile_y_ * tile_size + point / tile_size;
  }

  __device__ unsigned long long
  lastPartner(int row) const
  {
    return lists_.partners[pointOf(row)][task_.pairs_per_point - 1];
  }

  /** \brief Derives from the partners found which squared distances are of interest. */
  __device__ void
  updateFarthest()
  {
    const float least = fmaxf(inner_, limits_.min_squared_distance);
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const unsigned long long last = lastPartner(row);
      if (last != no_partner)
        farthest_[row] = fminf(farthest_[row],
                               __uint_as_float(static_cast<unsigned int>(last >> 32)));
      farthest_[row] = fminf(farthest_[row], outer_);
      // Finite, for sums; and rounding of sums must not matter.
      const float most = fminf(farthest_[row], 1e30f);
      middle_[row] = 0.5f * (least + most);
      half_width_[row] =
          most >= 0.0f ? 0.5f * (most - least) + 1e-6f * most : -INFINITY;
    }
    farthest_of_all_ = fmaxf(farthest_[0], farthest_[1]);
    for (int distance = 4; distance < warp_size; distance *= 2)
      farthest_of_all_ = fmaxf(farthest_of_all_,
                               __shfl_xor_sync(all_lanes, farthest_of_all_, distance));
  }

  /** \brief Finds all points of a tile that may be partners, and some that only nearly
   * may be.
   * \param[in] margin how far squared distances may be off
   * \return bit 4 i + 2 row + j is point 8 i + lane % 4 * 2 + j, for a row
   */
  __device__ unsigned int
  findCandidates(int other, float margin) const
  {
    const int lane = threadIdx.x % warp_size;
    const TilePoints& points = scratch_.tiles.points[other];
    const float* const normals = &points.normals[0].x + lane;
    const float* const offsets = &points.offsets[0].x + lane;
    const float centre = (&scratch_.tiles.centres[other].x)[lane % 4];
    float position[rows], square[rows], half_width[rows];
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      position[row] = position_part_[row] - centre;
      square[row] = position[row] * position[row];
      half_width[row] = half_width_[row] + margin;
    }
    const float one = lane % 4 < 3 ? 1.0f : 0.0f;
    const ProductTile none = {{0.0f, 0.0f, 0.0f, 0.0f}};
    const ProductTile lengths = addProducts(
        {{-middle_[0], -middle_[0], -middle_[1], -middle_[1]}}, square, one);
    const float max_cosine = limits_.max_cosine + product_error;
    unsigned int candidates = 0;
#pragma unroll
    for (int i = 0; i < tile_points / 8; ++i) {
      const ProductTile cosine =
          addProducts(none, normal_part_, normals[warp_size * i]);
      const ProductTile distance =
          addProducts(lengths, position, offsets[warp_size * i]);
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (cosine.number[k] <= max_cosine &&
            fabsf(distance.number[k]) <= half_width[k / 2])
          candidates |= 1u << (4 * i + k);
    }
    return candidates;
  }

  /** \brief Has candidates wait; looks at some if there are enough.
   * \param[in] place row and column in the window of the tile that they are in
   * \return whether it looked at some
   */
  __device__ bool
  queueCandidates(unsigned int candidates, int place)
  {
    const int lane = threadIdx.x % warp_size;
    bool took = false;
    unsigned int lanes;
    while ((lanes = __ballot_sync(all_lanes, candidates != 0)) != 0) {
      if (candidates != 0) {
        const int bit = __ffs(candidates) - 1;
        const int other = bit / 4 * 8 + lane % 4 * 2 + bit % 2;
        lists_.queue[queued_ + __popc(lanes & ((1u << lane) - 1))] =
            place << 8 | other << 4 | pointOf(bit / 2 % 2);
        candidates &= candidates - 1;
      }
      queued_ += __popc(lanes);
      if (queued_ >= warp_size) {
        takeCandidates(warp_size);
        took = true;
      }
    }
    return took;
  }

  /** \brief Takes candidates off the queue's end and adds those that are partners. */
  __device__ void
  takeCandidates(int count)
  {
    const int lane = threadIdx.x % warp_size;
    queued_ -= count;
    __syncwarp();
    if (lane < count)
      addCandidate(lists_.queue[queued_ + lane]);
    __syncwarp();
    updateFarthest();
  }

  /** \brief Adds a point to the partners of another if they may be paired. */
  __device__ void
  addCandidate(unsigned int candidate)
  {
    const int reach = divideUp(task_.window_radius, tile_size);
    const int own = candidate & 15, other = candidate >> 4 & 15;
    const int own_x = pixelX(own), own_y = pixelY(own);
    const int x =
        pixelX(other) + (static_cast<int>(candidate >> 8 & 255) - reach) * tile_size;
    const int y =
        pixelY(other) + (static_cast<int>(candidate >> 16) - reach) * tile_size;
    const Float4 p = task_.cloud.ptr(own_y)[own_x], q = task_.cloud.ptr(y)[x];
    const Float4 n = task_.normals.ptr(own_y)[own_x], m = task_.normals.ptr(y)[x];
    const OrientedPoint point = {{p.x, p.y, p.z}, {n.x, n.y, n.z}};
    const OrientedPoint partner = {{q.x, q.y, q.z}, {m.x, m.y, m.z}};
    const float distance = squaredDistance(point.position, partner.position);
    if (!(mayBePaired(point, partner, distance, limits_) && distance > inner_ &&
          distance <= outer_ && abs(x - own_x) <= task_.window_radius &&
          abs(y - own_y) <= task_.window_radius))
      return;
    auto key = static_cast<unsigned long long>(__float_as_uint(distance)) << 32 |
               static_cast<unsigned int>(y * task_.cloud.cols + x);
    // What a list holds only gets less: whoever comes first, the least remain in order.
    for (int k = 0; k < task_.pairs_per_point; ++k) {
      unsigned long long& place = lists_.partners[own][k];
      if (key < *const_cast<volatile unsigned long long*>(&place))
        key = max(key, atomicMin(&place, key));
    }
  }

  const PairTask& task_;
  const PairScratch& scratch_;
  PairLimits limits_;
  int tile_, tile_x_, tile_y_;
  PartnerLists& lists_;
  int queued_ = 0;
  float position_part_[rows], normal_part_[rows];
  float inner_ = -1.0f, outer_ = INFINITY;
  float farthest_[rows]; // squared distance beyond which no partner is of interest
  float farthest_of_all_;
  float middle_[rows], half_width_[rows]; // of the squared distances of interest
};

} // namespace cuda
} // namespace device
} // namespace pcl
