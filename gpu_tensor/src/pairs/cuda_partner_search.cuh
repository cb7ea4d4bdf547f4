// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "pairs/cuda_pair_tiles.cuh"

#include <cfloat>
#include <cuda_pipeline_primitives.h>
// The memory of a warp that finds the closest partners of the points of a cell.

namespace pcl::device::cuda {

/** \brief A point of the cell and a tile of its window that may have partners of it, in
 * bits: row and column of the tile in the window, number of its copy, and the point's
 * lane. */
struct SearchItem {
  unsigned int bits;

  __device__ static unsigned int
  bitsOf(TilePlace place)
  {
    return static_cast<unsigned int>(place.row) << 16 | place.column << 8;
  }

  __device__ int
  row() const
  {
    return bits >> 16;
  }

  __device__ int
  column() const
  {
    return bits >> 8 & 255;
  }

  __device__ int
  copy() const
  {
    return bits >> 5 & 7;
  }

  __device__ int
  lane() const
  {
    return bits & 31;
  }
};

/** \brief Shared memory of a search. */
struct SearchMemory {
  static constexpr int max_copies = 8; // see SearchItem

  struct TileCopy {
    TilePoints points;
    Float4 unused; ///< so that lanes that read several copies read different banks
  };

  struct alignas(8) ListedTile {
    int number;
    unsigned int place; ///< as in a SearchItem
  };

  /** \brief A point of a tile that may be a partner of one of the cell. */
  struct Candidate {
    unsigned int bits; ///< of a SearchItem, and below them the number in the tile

    __device__ static Candidate
    of(SearchItem item, unsigned int number)
    {
      return {item.bits << 4 | number};
    }

    __device__ SearchItem
    item() const
    {
      return {bits >> 4};
    }

    __device__ int
    number() const
    {
      return bits & (tile_points - 1);
    }
  };

  /** \brief A vector for each lane. Lanes that read each other's read different
   * banks. */
  struct Vectors {
    float x[warp_size], y[warp_size], z[warp_size];

    __device__ void
    set(int lane, const Vector3& v)
    {
      x[lane] = v.x;
      y[lane] = v.y;
      z[lane] = v.z;
    }

    __device__ Vector3
    operator[](int lane) const
    {
      return {x[lane], y[lane], z[lane]};
    }
  };

  struct alignas(16) NewPartner {
    float squared_distance;
    int number;
    int next;   ///< the next one of the same point; -1 if there is none
    int unused; ///< so that all are stored at once
  };

  TileBounds own_bounds[cell_tiles]; ///< of the cell
  TileBounds bounds[warp_size];      ///< of tiles that may have partners
  ListedTile tiles[warp_size];
  TileCopy copies[max_copies];
  Vectors positions, normals; ///< of the lanes' points
  /** \brief Squared distance up to which these look for partners; below 0 if they do
   * not. */
  float farthest[warp_size];
  SearchItem items[2 * warp_size];
  Candidate candidates[3 * warp_size];
  NewPartner partners[warp_size];
  int heads[warp_size]; ///< each point's first new partner; -1 if there is none
};

} // namespace pcl::device::cuda

// Search of a warp for the closest partners of the points of a cell.

namespace pcl::device::cuda {

/** \brief The search of a warp; each lane has a point of a cell.
 *
 * The lanes list the tiles that may have partners of any of their points, the nearest
 * first. Each lane then selects the tiles that may have partners of its own point. Such
 * points and tiles wait until there is one of each for every lane, which then compares
 * the point with all points of the tile. Points that may be partners wait until every
 * lane has one.
 */
class PartnerSearch {
public:
  /** \param[in] cell column and row of its first tile
   * \param[in,out] memory of the warp
   */
  __device__
  PartnerSearch(const PairTask& task,
                const PairScratch& scratch,
                int2 cell,
                SearchMemory& memory)
  : task_(task)
  , scratch_(scratch)
  , memory_(memory)
  , lane_(threadIdx.x % warp_size)
  , tile_x_(cell.x)
  , tile_y_(cell.y)
  {
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower_lanes_));
    const PairLimits limits = pairLimits(task);
    min_squared_distance_ = limits.min_squared_distance;
    max_cosine_ = limits.max_cosine;
    const int x = pixelX(lane_), y = pixelY(lane_);
    OrientedPoint point = missingPoint();
    if (isInside(x, y))
      point = orientedPoint(task.cloud.ptr(y)[x], task.normals.ptr(y)[x]);
    const bool asks =
        isThere(point) && (!scratch.asked || scratch.asked[pixelNumber(x, y)]);
    const float farthest = asks ? limits.max_squared_distance : -1.0f;
    farthest_ = withMargin(farthest);
    position_ = point.position;
    normal_ = point.normal;
    memory.positions.set(lane_, point.position);
    memory.normals.set(lane_, point.normal);
    memory.farthest[lane_] = farthest;
    memory.heads[lane_] = -1;
    if (lane_ < cell_tiles)
      memory.own_bounds[lane_] =
          scratch.bounds[tile_y_ * scratch.columns + tile_x_ + lane_];
    __syncwarp();
  }

  /** \brief Finds all partners.
   * \param[in] min_angle between normals, or less, radians
   */
  __device__ void
  run(float min_angle)
  {
    const int count = scratch_.window.count();
    int begin = 0;            // the first of the window's tiles that may be listed next
    int listed = 0, next = 0; // their number, and the first that was not looked at
    for (bool last = false; !last;) {
      if (next == listed) {
        // Numbers that are not negative are in the order of their bits, and after
        // others.
        const float farthest = __int_as_float(maxOverWarp(__float_as_int(farthest_)));
        last = begin >= count || farthest < 0.0f;
        if (!last) {
          listed = listTiles(begin, count, farthest, min_angle);
          begin += warp_size;
          next = 0;
        }
      }
      while (next < listed) {
        const bool queued = queueItems(next);
        ++next;
        if (queued && isFull())
          break;
      }
      if (isFull() || (last && items_ > 0))
        takeItems(min(items_, warp_size));
    }
    if (candidates_ > 0)
      takeCandidates(candidates_);
  }

  /** \brief Returns a measure of the work. */
  __device__ int
  work() const
  {
    return comparisons_;
  }

  /** \brief Writes the partners. */
  __device__ void
  write() const
  {
    const int x = pixelX(lane_), y = pixelY(lane_);
    if (isInside(x, y))
      scratch_.partners[pixelNumber(x, y)] =
          choosePartners(closest_, task_.pairs_per_point);
  }

private:
  __device__ int
  pixelX(int lane) const
  {
    return tile_x_ * tile_size + lane % cell_columns;
  }

  __device__ int
  pixelY(int lane) const
  {
    return tile_y_ * tile_size + lane / cell_columns;
  }

  __device__ bool
  isInside(int x, int y) const
  {
    return x < task_.cloud.cols && y < task_.cloud.rows;
  }

  __device__ std::size_t
  pixelNumber(int x, int y) const
  {
    return std::size_t(y) * task_.cloud.cols + x;
  }

  /** \brief Returns the distance of a place in the window from the cell, in tiles. */
  __device__ int
  fromCell(int column_or_row) const
  {
    return column_or_row - scratch_.window.reach;
  }

  /** \brief The number of lanes below the calling one among some. */
  __device__ int
  lanesBefore(unsigned int lanes) const
  {
    return __popc(lanes & lower_lanes_);
  }

  /** \brief The least squared distance of partners, with a margin for rounding. */
  __device__ float
  nearest() const
  {
    return min_squared_distance_ * (1.0f - rounding_margin);
  }

  /** \brief The largest squared distance of partners, with a margin for rounding. */
  __device__ static float
  withMargin(float farthest)
  {
    return farthest * (1.0f + rounding_margin);
  }

  /** \brief Lists those of 32 tiles of the window that may have partners.
   * \param[in] begin the first of them, in the order of places
   * \param[in] count of the window's tiles
   * \param[in] farthest squared distance of interest of all points, with a margin
   * \return the number of listed tiles
   */
  __device__ int
  listTiles(int begin, int count, float farthest, float min_angle)
  {
    const TilePlace place = scratch_.places[min(begin + lane_, count - 1)];
    const int x = tile_x_ + fromCell(place.column), y = tile_y_ + fromCell(place.row);
    const int tile = y * scratch_.columns + x;
    bool listed = false;
    if (begin + lane_ < count && x >= 0 && x < scratch_.columns && y >= 0 &&
        y < scratch_.rows) {
      const TileBounds other = scratch_.bounds[tile];
      for (int i = 0; i < cell_tiles; ++i)
        listed =
            listed || tilesMayBePaired(
                          memory_.own_bounds[i], other, nearest(), farthest, min_angle);
    }
    const unsigned int lanes = __ballot_sync(all_lanes, listed);
    __syncwarp(); // the former list has been read
    if (listed) {
      const int i = lanesBefore(lanes);
      memory_.bounds[i] = scratch_.bounds[tile];
      memory_.tiles[i] = {tile, SearchItem::bitsOf(place)};
    }
    __syncwarp();
    return __popc(lanes);
  }

  /** \brief Queues the points that may have partners in a listed tile.
   * \return whether there are any
   */
  __device__ bool
  queueItems(int listed)
  {
    const bool wanted =
        mayBePairedWithTile({position_, normal_}, memory_.bounds[listed], farthest_);
    const unsigned int lanes = __ballot_sync(all_lanes, wanted);
    if (lanes == 0)
      return false;
    const SearchMemory::ListedTile tile = memory_.tiles[listed];
    const unsigned int copy = copyTile(tile.number);
    if (wanted)
      memory_.items[items_ + lanesBefore(lanes)] = {tile.place | copy << 5 | lane_};
    items_ += __popc(lanes);
    return true;
  }

  /** \brief Begins to copy the points of a tile to shared memory.
   * \return the number of the copy
   */
  __device__ unsigned int
  copyTile(int tile)
  {
    constexpr int part = 16; // bytes
    static_assert(sizeof(TilePoints) % part == 0 &&
                      sizeof(TilePoints) <= part * warp_size,
                  "a lane copies a part");
    const unsigned int copy = next_copy_;
    next_copy_ = (copy + 1) % SearchMemory::max_copies;
    ++copies_;
    const int byte = part * lane_;
    if (byte < static_cast<int>(sizeof(TilePoints)))
      __pipeline_memcpy_async(
          reinterpret_cast<char*>(&memory_.copies[copy].points) + byte,
          reinterpret_cast<const char*>(scratch_.points + tile) + byte,
          part);
    return copy;
  }

  /** \brief Returns whether waiting items must be taken before more can be queued. */
  __device__ bool
  isFull() const
  {
    return items_ >= warp_size || copies_ == SearchMemory::max_copies;
  }

  /** \brief Compares the first points that wait with their tiles. */
  __device__ void
  takeItems(int count)
  {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    const SearchItem item = memory_.items[min(lane_, count - 1)];
    const SearchItem later = memory_.items[warp_size + lane_];
    __syncwarp();
    items_ -= count;
    ++comparisons_;
    if (lane_ < items_)
      memory_.items[lane_] = later;
    copies_ = items_ > 0 ? 1 : 0; // items that still wait are of the last tile

    const int own = item.lane();
    const unsigned int found =
        compare({memory_.positions[own], memory_.normals[own]},
                memory_.copies[item.copy()].points,
                fromCell(item.column()) * tile_size - own % cell_columns,
                fromCell(item.row()) * tile_size - own / cell_columns,
                lane_ < count ? memory_.farthest[own] : -1.0f);
    __syncwarp(); // copies may be overwritten
    queueCandidates(item, found);
  }

  /** \brief Queues the points that were found for the lane's item, two at a time.
   * \param[in] found in bits
   */
  __device__ void
  queueCandidates(SearchItem item, unsigned int found)
  {
    unsigned int lanes = __ballot_sync(all_lanes, found != 0);
    while (lanes != 0) {
      const unsigned int first = lastBit(found);
      const unsigned int rest = without(first, found);
      const unsigned int second = lastBit(rest);
      const unsigned int lanes_with_rest = __ballot_sync(all_lanes, rest != 0);
      SearchMemory::Candidate* const to = memory_.candidates + candidates_;
      if (found != 0)
        to[lanesBefore(lanes)] = SearchMemory::Candidate::of(item, first);
      if (rest != 0)
        to[__popc(lanes) + lanesBefore(lanes_with_rest)] =
            SearchMemory::Candidate::of(item, second);
      candidates_ += __popc(lanes) + __popc(lanes_with_rest);
      found = without(second, rest);
      lanes = __ballot_sync(all_lanes, found != 0);
      while (candidates_ >= warp_size)
        takeCandidates(warp_size);
    }
  }

  /** \brief Returns bits without one of them. */
  __device__ static unsigned int
  without(unsigned int number, unsigned int bits)
  {
    return bits & ~(1u << number % 32);
  }

  /** \brief The number of the highest bit that is set; any if there is none. */
  __device__ static unsigned int
  lastBit(unsigned int bits)
  {
    unsigned int number;
    asm("bfind.u32 %0, %1;" : "=r"(number) : "r"(bits));
    return number;
  }

  /** \brief Finds which points of a tile may be paired with a point and are among the
   * closest that may, or nearly so.
   * \param[in] x,y columns and rows from the point's pixel to the tile's first
   * \param[in] farthest squared distance beyond which no partner is of interest
   * \return a bit for each
   */
  __device__ unsigned int
  compare(const OrientedPoint& point,
          const TilePoints& tile,
          int x,
          int y,
          float farthest) const
  {
    // Distances are rounded differently than in squaredDistance(), hence the margins.
    const int radius = task_.window_radius;
    const auto isInWindow = [radius](int offset) {
      return static_cast<unsigned int>(offset + radius) <= 2 * radius;
    };
    bool inside[tile_size]; // columns
#pragma unroll
    for (int i = 0; i < tile_size; ++i)
      inside[i] = isInWindow(x + i);
    const float min_distance = this->nearest();
    // The closest of each of four groups, which run across rows and columns, bound the
    // distance of the third closest.
    static_assert(max_partners == 3, "see above");
    float distances[tile_points], nearest[tile_size];
#pragma unroll
    for (int two = 0; two < tile_points / 2; ++two) {
      // In rows that are not inside, no angle is enough.
      const float max_cosine =
          isInWindow(y + 2 * two / tile_size) ? max_cosine_ : -INFINITY;
      OrientedPoint others[2];
      tile.getTwo(two, others[0], others[1]);
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const int i = 2 * two + k, column = i % tile_size, row = i / tile_size;
        const Vector3 offset = point.position - others[k].position;
        const float distance = fusedDot(offset, offset);
        const bool pair = inside[column] & (distance >= min_distance) &
                          (dot(point.normal, others[k].normal) <= max_cosine);
        distances[i] = pair ? distance : INFINITY;
        float& of_group = nearest[(column + row) % tile_size];
        of_group = row == 0 ? distances[i] : fminf(of_group, distances[i]);
      }
    }
    const float first =
        fminf(fminf(nearest[0], nearest[1]), fminf(nearest[2], nearest[3]));
    const float third =
        fmaxf(fminf(fmaxf(nearest[0], nearest[1]), fmaxf(nearest[2], nearest[3])),
              fmaxf(fminf(nearest[0], nearest[1]), fminf(nearest[2], nearest[3])));
    // One that may be too close is no partner, so that there may be no third one.
    const float bound = first >= withMargin(min_squared_distance_) ? third : INFINITY;
    const float most = fminf(withMargin(fminf(farthest, bound)), FLT_MAX);
    // Distances beyond it leave a sign bit, which is shifted into two numbers.
    constexpr int half = tile_points / 2;
    unsigned int beyond[2] = {};
#pragma unroll
    for (int i = half - 1; i >= 0; --i)
      for (int k = 0; k < 2; ++k)
        beyond[k] = __funnelshift_l(
            __float_as_uint(most - distances[k * half + i]), beyond[k], 1);
    return ~(beyond[0] | beyond[1] << half) & 0xffffu;
  }

  /** \brief Adds the last candidates that are partners to the partners of their points.
   * The angle was compared exactly, the distance with margins. */
  __device__ void
  takeCandidates(int count)
  {
    __syncwarp();
    candidates_ -= count;
    if (lane_ < count) {
      const SearchMemory::Candidate candidate = memory_.candidates[candidates_ + lane_];
      const SearchItem item = candidate.item();
      const int tile_x = tile_x_ + fromCell(item.column());
      const int tile_y = tile_y_ + fromCell(item.row());
      const int x = tile_x * tile_size + candidate.number() % tile_size;
      const int y = tile_y * tile_size + candidate.number() / tile_size;
      const Float4 q = scratch_.points[tile_y * scratch_.columns + tile_x]
                           .positions[candidate.number()];
      const float distance =
          squaredDistance(memory_.positions[item.lane()], Vector3{q.x, q.y, q.z});
      if (distance <= memory_.farthest[item.lane()] &&
          distance >= min_squared_distance_)
        memory_.partners[lane_] = {distance,
                                   y * task_.cloud.cols + x,
                                   atomicExch(&memory_.heads[item.lane()], lane_),
                                   0};
    }
    __syncwarp();
    addPartners();
    __syncwarp();
  }

  /** \brief Adds its new partners to the closest of the lane's point. */
  __device__ void
  addPartners()
  {
    int i = memory_.heads[lane_];
    if (i < 0)
      return;
    memory_.heads[lane_] = -1;
    while (i >= 0) {
      const SearchMemory::NewPartner partner = memory_.partners[i];
      closest_.add(partner.squared_distance, partner.number);
      i = partner.next;
    }
    if (closest_.farthest() < INFINITY) {
      memory_.farthest[lane_] = closest_.farthest();
      farthest_ = withMargin(closest_.farthest());
    }
  }

  const PairTask& task_;
  const PairScratch& scratch_;
  SearchMemory& memory_;
  float min_squared_distance_, max_cosine_;
  int lane_, tile_x_, tile_y_; // the tile is the cell's first
  unsigned int lower_lanes_;   // in bits
  Vector3 position_, normal_;  // of the lane's point
  Partners closest_;
  float farthest_; // squared; beyond it no partner is of interest, with a margin
  int items_ = 0, candidates_ = 0;
  unsigned int copies_ = 0, next_copy_ = 0;
  int comparisons_ = 0; // of all lanes' points with their tiles
};

} // namespace pcl::device::cuda
