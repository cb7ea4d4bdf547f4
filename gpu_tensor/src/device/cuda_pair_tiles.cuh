// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "point_pairs.hpp"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/scratch_pieces.hpp>

// Tiles of points: what can be told of all their points at once, and tensor cores' products.

namespace pcl {
namespace device {
namespace cuda {

/** \brief Rows and columns of pixels of a tile. */
constexpr int tile_size = 4;
constexpr int tile_points = tile_size * tile_size;

/** \brief The points of a tile as other points are compared with. */
struct TilePoints {
  Float4 normals[tile_points]; ///< the fourth number is 0
  Float4 offsets[tile_points]; ///< -2 e and |e|^2, e the offset from the tile's centre;
                               ///< NaN where there is no point
};

/** \brief The space that the points of a tile take, and their normals' directions. */
struct TileBounds {
  Float4 low, high; ///< low > high if there is no point
  Float4 axis;      ///< and half the opening of a cone that holds all normals
};

/** \brief All tiles of a cloud. */
struct PointTiles {
  TilePoints* points;
  Float4* centres; ///< the fourth number is 0
  Float4* lows;
  Float4* highs;
  Float4* axes;

  __device__ TileBounds
  bounds(int tile) const
  {
    return {lows[tile], highs[tile], axes[tile]};
  }
};

struct PairScratch {
  int columns, rows; // tiles
  PointTiles tiles;
  int* partners;       // max_partners a pixel
  std::uint8_t* asked; // whether a pixel chooses; null if all do
  PointPair* all;      // pairs that are selected from; null if all are kept
  int* total;          // their number
  std::size_t bytes;

  PairScratch(const PairTask& task, void* memory)
  : columns(divideUp(task.cloud.cols, tile_size))
  , rows(divideUp(task.cloud.rows, tile_size))
  {
    const std::size_t pixels = std::size_t(task.cloud.rows) * task.cloud.cols;
    const std::size_t count = std::size_t(columns) * rows;
    const bool selects = task.selection.count > 0;
    ScratchPieces pieces(memory);
    tiles.points = pieces.take<TilePoints>(count);
    tiles.centres = pieces.take<Float4>(count);
    tiles.lows = pieces.take<Float4>(count);
    tiles.highs = pieces.take<Float4>(count);
    tiles.axes = pieces.take<Float4>(count);
    partners = pieces.take<int>(pixels * max_partners);
    asked = task.keypoints ? pieces.take<std::uint8_t>(pixels) : nullptr;
    all = selects ? pieces.take<PointPair>(pixels * max_partners) : nullptr;
    total = pieces.take<int>(1);
    bytes = pieces.bytes();
  }
};

/** \brief Numbers for 16 points with 8 others each, as the lanes of a warp hold them (the
 * layout of mma.m16n8k4): point lane / 4, and that plus 8, with the others lane % 4 * 2 and
 * the next one. */
struct ProductTile {
  float number[4];
};

/** \brief Adds products of points' four numbers each, which are cut off after 10 bits.
 * \param[in] a number lane % 4 of points lane / 4 and lane / 4 + 8
 * \param[in] b number lane % 4 of the other point lane / 4
 */
__device__ inline ProductTile
addProducts(const ProductTile& sum, const float (&a)[2], float b)
{
  ProductTile tile = sum;
  float* const c = tile.number;
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(__float_as_uint(a[0])),
        "r"(__float_as_uint(a[1])),
        "r"(__float_as_uint(b)));
#else
  const int lane = threadIdx.x % warp_size;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 2; ++i) {
      const float own = __shfl_sync(all_lanes, a[i], lane / 4 * 4 + k);
      for (int j = 0; j < 2; ++j)
        c[2 * i + j] += own * __shfl_sync(all_lanes, b, (lane % 4 * 2 + j) * 4 + k);
    }
#endif
  return tile;
}

/** \brief How far products of numbers that are cut off after 10 bits may be off, for each
 * unit of the product of the numbers' lengths. */
constexpr float product_error = 2.1e-3f;

/** \brief How far sums of products may be off points' squared distances from those of a
 * tile, when offsets are taken from its centre.
 * \param[in] most squared distance of interest: farther points' sums may be off by more
 */
__device__ inline float
distanceMargin(const TileBounds& other, float most)
{
  const Vector3 d = {other.high.x - other.low.x,
                     other.high.y - other.low.y,
                     other.high.z - other.low.z};
  // A point is no farther from the centre than the distance and the tile's radius.
  const float squared_diameter = dot(d, d);
  return product_error *
         (most + squared_diameter + 2.0f * sqrtf(most * squared_diameter));
}

/** \brief The square of the least distance between points of two tiles, or less. */
__device__ inline float
squaredGap(const TileBounds& a, const TileBounds& b)
{
  const auto gap = [](float low, float high, float other_low, float other_high) {
    return fmaxf(0.0f, fmaxf(other_low - high, low - other_high));
  };
  const Vector3 d = {gap(a.low.x, a.high.x, b.low.x, b.high.x),
                     gap(a.low.y, a.high.y, b.low.y, b.high.y),
                     gap(a.low.z, a.high.z, b.low.z, b.high.z)};
  // Rounding must not make it more than the distance of points.
  return 0.999999f * dot(d, d);
}

/** \brief Whether any point of one tile may be paired with any of another one, unless they
 * are too far apart.
 * \param[in] least squared distance between them
 */
__device__ inline bool
tilesMayBePaired(const TileBounds& a, const TileBounds& b, float least, float min_angle)
{
  const Vector3 reach = {fmaxf(b.high.x - a.low.x, a.high.x - b.low.x),
                         fmaxf(b.high.y - a.low.y, a.high.y - b.low.y),
                         fmaxf(b.high.z - a.low.z, a.high.z - b.low.z)};
  const float cosine = a.axis.x * b.axis.x + a.axis.y * b.axis.y + a.axis.z * b.axis.z;
  const float angle = min_angle - (a.axis.w + b.axis.w);
  // Rounding must not leave out what just may be paired.
  return 1.000001f * dot(reach, reach) >= least &&
         (angle <= 0.0f || cosine <= __cosf(angle) + 2e-6f);
}

} // namespace cuda
} // namespace device
} // namespace pcl
