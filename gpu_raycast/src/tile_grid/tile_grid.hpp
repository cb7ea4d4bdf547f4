// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/hit_key.hpp"

#include <pcl/gpu/raycast/slab_spacing.h>
#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

// The grid of Patidar and Narayanan (sections 3.1 and 5): the image is cut into tiles,
// and the triangles of each tile are put into slabs by their nearest depth.

namespace pcl::device {

using gpu::SlabSpacing;

struct GridLayout {
  int tile_shift; ///< tiles are 2^tile_shift pixels wide and high
  int tiles_x, tiles_y;
  int slabs;
  SlabSpacing spacing;
};

constexpr int max_slabs = 64;

/** \brief Triangles that touch more tiles are kept in a list of their own, which every
 * tile looks through. */
constexpr int max_tiles_of_triangle = 256;

/** \brief The place of a triangle in the grid. */
struct GridPlace {
  std::uint16_t first_x, first_y, last_x, last_y; ///< tiles; none if first_x > last_x
  float least_z;
};

/** \brief A triangle that touches too many tiles, and the pixels it may touch. */
struct WideTriangle {
  std::uint32_t id;
  PixelRectangle pixels;
};

/** \brief Bits of the nearest and farthest depth at which a triangle of the frame
 * begins; all zero if there is none. */
struct DepthBits {
  std::uint32_t least_inverted; ///< so that both only grow
  std::uint32_t most;
};

/** \brief Turns depths into slabs. */
struct SlabScale {
  float origin, factor;
  int slabs;
  SlabSpacing spacing;
};

/** \brief A number that never decreases with depth, rounding included. */
PCL_GPU_HOST_DEVICE float
slabCoordinate(SlabSpacing spacing, float depth)
{
  switch (spacing) {
  case SlabSpacing::ProjectedDepth:
    return -1.0f / depth;
  case SlabSpacing::Depth:
    return depth;
  default:
    // The bits of a float are a logarithm that is straight between powers of two.
    return static_cast<float>(bitsOf(depth));
  }
}

PCL_GPU_HOST_DEVICE SlabScale
slabScale(const GridLayout& layout, const DepthBits& depths)
{
  SlabScale scale = {0.0f, 0.0f, layout.slabs, layout.spacing};
  if (depths.most > 0) {
    scale.origin = slabCoordinate(layout.spacing, floatOf(~depths.least_inverted));
    const float extent =
        slabCoordinate(layout.spacing, floatOf(depths.most)) - scale.origin;
    if (extent > 0.0f)
      scale.factor = static_cast<float>(layout.slabs) / extent;
  }
  return scale;
}

/** \brief The slab of a depth. It never decreases with depth: a triangle of a later
 * slab than a hit begins behind it. */
PCL_GPU_HOST_DEVICE int
slabOf(const SlabScale& scale, float depth)
{
  if (!(depth > min_depth))
    return 0;
  const float slab =
      (slabCoordinate(scale.spacing, depth) - scale.origin) * scale.factor;
  const float last = static_cast<float>(scale.slabs - 1);
  // Infinity times nothing is not a number; then all is one slab.
  return slab > 0.0f ? static_cast<int>(slab < last ? slab : last) : 0;
}

PCL_GPU_HOST_DEVICE int
tileCount(const GridPlace& place)
{
  return place.first_x > place.last_x
             ? 0
             : (place.last_x - place.first_x + 1) * (place.last_y - place.first_y + 1);
}

/** \brief The tiles that some pixels lie in. */
PCL_GPU_HOST_DEVICE GridPlace
placeOf(const GridLayout& layout, const PixelRectangle& pixels, float least_z)
{
  return {static_cast<std::uint16_t>(pixels.first_x >> layout.tile_shift),
          static_cast<std::uint16_t>(pixels.first_y >> layout.tile_shift),
          static_cast<std::uint16_t>(pixels.last_x >> layout.tile_shift),
          static_cast<std::uint16_t>(pixels.last_y >> layout.tile_shift),
          least_z};
}

constexpr GridPlace no_place = {1, 1, 0, 0, 0.0f};

PCL_GPU_HOST_DEVICE float
leastDepth(const Triangle& triangle)
{
  return minimum(triangle.a.z, minimum(triangle.b.z, triangle.c.z));
}

/** \brief Finds the place of a triangle.
 * \param[out] pixels that the triangle may touch, if it has a place
 * \return no_place if it touches none
 */
PCL_GPU_HOST_DEVICE GridPlace
placeTriangle(const GridLayout& layout,
              const CameraModel& camera,
              const Instance& instance,
              std::uint32_t id,
              PixelRectangle& pixels)
{
  Triangle triangle;
  if (!loadIfExists(instance, id, triangle))
    return no_place;
  pixels = pixelBounds(camera, triangle);
  return pixelCount(pixels) > 0 ? placeOf(layout, pixels, leastDepth(triangle))
                                : no_place;
}

/** \brief The pixels of a tile. */
PCL_GPU_HOST_DEVICE PixelRectangle
pixelsOfTile(const GridLayout& layout,
             const CameraModel& camera,
             int tile_x,
             int tile_y)
{
  const int size = 1 << layout.tile_shift;
  const int first_x = tile_x * size;
  const int first_y = tile_y * size;
  const int last_x = first_x + size - 1;
  const int last_y = first_y + size - 1;
  return {first_x,
          first_y,
          last_x < camera.width ? last_x : camera.width - 1,
          last_y < camera.height ? last_y : camera.height - 1};
}

PCL_GPU_HOST_DEVICE bool
overlap(const PixelRectangle& a, const PixelRectangle& b)
{
  return a.first_x <= b.last_x && b.first_x <= a.last_x && a.first_y <= b.last_y &&
         b.first_y <= a.last_y;
}

/** \brief All pixels of a place's tiles. */
PCL_GPU_HOST_DEVICE PixelRectangle
pixelsOf(const GridLayout& layout, const GridPlace& place)
{
  const int size = 1 << layout.tile_shift;
  return {place.first_x * size,
          place.first_y * size,
          place.last_x * size + size - 1,
          place.last_y * size + size - 1};
}

/** \brief Entries of all tiles that there is room for: two a triangle, and some more
 * for triangles that touch many. A triangle without room becomes a wide one. */
inline std::uint32_t
entryCapacity(std::size_t triangles)
{
  const std::size_t entries = 2 * triangles + (std::size_t(1) << 20);
  return static_cast<std::uint32_t>(entries < 0xffffffffu ? entries : 0xffffffffu);
}

/** \brief An entry of a tile's list. */
struct TileEntry {
  std::uint32_t id;
  float least_z;
};

/** \brief Sums that are zero before a grid is made. */
struct GridSums {
  DepthBits depths;
  std::uint32_t wide_count;
};

/** \brief The grid of one view, in scratch memory. */
struct TileGrid {
  GridLayout layout;
  GridSums* sums;           ///< before the tiles' numbers, so that one fill clears both
  std::uint32_t* tile_ends; ///< counts, then starts, then ends of the tiles' lists
  std::size_t cleared_bytes; ///< of the sums and the tiles' numbers
  GridPlace* places;         ///< one a triangle of the scene
  std::uint32_t first_id;    ///< of the scene's triangles
  TileEntry* entries;        ///< the tiles' lists, one behind the other
  std::uint32_t capacity;    ///< of entries
  WideTriangle* wide;        ///< has room for all triangles, twice

  int
  tiles() const
  {
    return layout.tiles_x * layout.tiles_y;
  }

  PCL_GPU_HOST_DEVICE GridPlace&
  placeOfTriangle(std::uint32_t id) const
  {
    return places[id - first_id];
  }
};

/** \brief Cuts memory into the arrays of a grid.
 * \param[in] first_id of the scene's triangles
 */
inline TileGrid
takeTileGrid(ScratchPieces& pieces,
             const GridLayout& layout,
             std::uint32_t first_id,
             std::size_t triangles)
{
  TileGrid grid{};
  grid.layout = layout;
  grid.first_id = first_id;
  grid.sums = pieces.take<GridSums>(1);
  grid.tile_ends = pieces.take<std::uint32_t>(grid.tiles());
  grid.cleared_bytes = pieces.bytes();
  grid.places = pieces.take<GridPlace>(triangles);
  grid.capacity = entryCapacity(triangles);
  grid.entries = pieces.take<TileEntry>(grid.capacity);
  grid.wide = pieces.take<WideTriangle>(2 * triangles);
  return grid;
}

} // namespace pcl::device
