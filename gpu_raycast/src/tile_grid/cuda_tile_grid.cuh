// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/tile_grid.h"

#include <cuda_runtime_api.h>

// The two halves of casting by the tile grid: making it, and casting a tile's rays.

namespace pcl::device::cuda {

/** \brief Sums that are zero before a grid is made. */
struct GridSums {
  DepthBits depths;
  unsigned int wide_count;
};

/** \brief The grid of one view, in scratch memory. */
struct Grid {
  GridLayout layout;
  GridPlace* places;       ///< one a triangle of the scene
  GridSums* sums;          ///< before the tiles' numbers, so that one fill clears both
  unsigned int* tile_ends; ///< counts, then starts, then ends of the tiles' lists
  TileEntry* entries;      ///< the tiles' lists, one after the other
  TileEntry* sorted;       ///< the same by slab, where a list is long
  unsigned int capacity;   ///< of entries
  WideTriangle* wide;      ///< has room for all triangles, twice
};

/** \brief Makes the grid of one view of a task in its scratch memory; the lists are not
 * sorted by slab yet. */
Grid
makeTileGrid(const CastTask& task, int view, cudaStream_t stream);

/** \brief Parameters of casting the rays of a view. */
struct TileCastParameters {
  Grid grid;
  CameraModel camera;
  Instance first_instance;
  const Instance* instances; ///< on the device
  int instance_count;
  HitKey* keys; ///< null if images are written at once
  PtrStep<float> depth;
  PtrStep<int> triangles;
  int first_row;             ///< of the view in the images
  unsigned long long* tests; ///< null, or counts the tests of a ray and a triangle
};

/** \brief Casts the rays of all tiles of a grid.
 *
 * If tests are counted, algorithm 1 of the paper, with an exact end: each thread casts
 * a ray and tests all triangles of the slabs that it passes. Else the same slabs in the
 * same order, but of the rays only those that a triangle may touch.
 */
void
castTiles(const TileCastParameters& parameters, cudaStream_t stream);

} // namespace pcl::device::cuda
