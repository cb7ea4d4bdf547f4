// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "pairs/cuda_pair_tiles.cuh"

// The memory of a warp that finds the closest partners of the points of a cell.

namespace pcl::device::cuda {

/** \brief A point of the cell and a tile of its window that may have partners of it, in bits:
 * row and column of the tile in the window, which copy of it, and the point's lane. */
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

  /** \brief A vector for each lane. Lanes that read each other's read different banks. */
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
  /** \brief Up to which squared distance these look for partners; below 0 if they do not. */
  float farthest[warp_size];
  SearchItem items[2 * warp_size];
  Candidate candidates[3 * warp_size];
  NewPartner partners[warp_size];
  int heads[warp_size]; ///< each point's first new partner; -1 if there is none
};

} // namespace pcl::device::cuda
