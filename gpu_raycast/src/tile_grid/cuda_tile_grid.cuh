// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/tile_grid.h"

#include <cuda_runtime_api.h>

// The two halves of casting by the tile grid: making it, and casting a tile's rays.

namespace pcl::device::cuda {

/** \brief The grid of one view, and memory for sorting. */
struct Grid : TileGrid {
  TileEntry* sorted; ///< entries by slab, where a list is long
};

/** \brief Makes the grid of one view of a task in its scratch memory; the lists are not
 * sorted by slab yet. */
Grid
makeTileGrid(const CastTask& task, int view, cudaStream_t stream);

/** \brief Parameters of casting the rays of a view. */
struct TileCastParameters {
  CastTask task; ///< without keys images are written at once
  int view;
  CameraModel camera; ///< of the view
  Instance first_instance;
  Grid grid;
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
