// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "grid_clipping.hpp"
#include "mesh_cells.hpp"

#include <cstdint>

// What the host does with many triangles of a grid at once: the arithmetic of
// grid_clipping.hpp and mesh_cells.hpp, operation by operation, so that areas are the same.

namespace pcl::device::host {

/** \brief An organized mesh, coordinate by coordinate, with a margin of zeros that fills its
 * last cells. */
struct MeshPlanes {
  float *x, *y, *z; ///< of points; 0 where there is none
  /** \brief Of quads: bit 0 for the upper triangle, 1 for the lower one, 3 if cut to the
   * right. Both bits for quads that are not cut. */
  std::uint8_t* triangles;
  int stride; ///< from row to row
  int rows;

  /** \brief The planes from one quad on. */
  MeshPlanes
  at(int column, int row) const
  {
    const std::size_t place = static_cast<std::size_t>(row) * stride + column;
    return {x + place, y + place, z + place, triangles + place, stride, rows - row};
  }
};

/** \brief The box around the triangles of a cell.
 * \param[in] cell the planes from its first quad on
 */
TriangleBounds
boundsOfCell(const MeshPlanes& cell);

/** \brief What addWithinVoxel() finds of the quads of a cell. */
struct CellVoxels {
  std::int32_t voxels[mesh_cell_size]; ///< or outside_of_grid, or has_to_be_cut
  float areas[mesh_cell_size];         ///< of both triangles
};

void
findVoxels(const MeshPlanes& cell,
           const GridTransform& grid,
           int grid_size,
           CellVoxels& result);

/** \brief Triangles that may have to be cut. */
struct TriangleBatch {
  static constexpr int size = 128;
  float corners[9][size]; ///< x, y, z of a, b, c
  int count = 0;
};

/** \brief Triangles of a grid with coordinates that are counted from a voxel near each. There is
 * room for the parts of a batch that was cut, and whole registers behind them. */
struct LocalTriangles {
  static constexpr int size = 3 * TriangleBatch::size + 32;
  float corners[9][size]; ///< x, y, z of a, b, c
  float base[3][size];
  float area[size];
  int count = 0;
};

/** \brief Takes the triangles of a batch into a grid. */
void
makeLocal(const TriangleBatch& batch,
          const GridTransform& grid,
          LocalTriangles& triangles);

/** \brief Single precision will not do for a triangle. */
constexpr int has_to_be_exact = -3;

/** \brief The areas of triangles that no plane cuts, or one does. */
struct CutAreas {
  /** \brief outside_of_grid for none; the first one has_to_be_cut where there are more planes,
   * or has_to_be_exact. */
  std::int32_t voxels[2][LocalTriangles::size];
  float areas[2][LocalTriangles::size];
};

/** \brief Finds the areas of triangles.
 * \param[in] are_whole whether they may have to be exact, which no part of a cut one has to
 */
void
cutOnce(const LocalTriangles& triangles,
        int grid_size,
        bool are_whole,
        CutAreas& result);

/** \brief Cuts each triangle by one plane into three, as cutTriangle() does.
 * \param[in] triangles at most a batch, which more than one plane cut
 */
void
cutInThree(const LocalTriangles& triangles, int grid_size, LocalTriangles& parts);

} // namespace pcl::device::host
