// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid/light_grid_lists.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief The grid of a light to make; see hasGrid(). */
struct LightGridTask {
  ShadingScene scene;
  int light;    ///< its number in the scene
  void* memory; ///< lightGridBytes(); the grid stays there
  LightGridCounts*
      counts; ///< on the host, for CUDA page-locked; written when it is made
};

/** \brief The grid that makeLightGrid() has left in memory. */
inline LightGridLists
lightGridIn(void* memory, std::size_t triangles)
{
  ScratchPieces pieces(memory);
  return takeLightGrid(pieces, triangles, 0);
}

namespace host {

/** \brief Returns the bytes of a grid's memory. */
std::size_t
lightGridBytes(std::size_t triangles);

void
makeLightGrid(const LightGridTask& task);

} // namespace host

namespace cuda {

std::size_t
lightGridBytes(std::size_t triangles);

void
makeLightGrid(const LightGridTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
