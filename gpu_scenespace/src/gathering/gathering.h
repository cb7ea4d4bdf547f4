// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <pcl/gpu/utils/internal/key_sort.h>

// The first part of gathering, the same for all uses of the samples: it bounds the
// depths of blocks of pixels, and finds which tiles of the output may see samples of a
// block.

namespace pcl::device {

/** \brief Frames to gather samples from, in this order. All arrays live on the
 * device. */
struct GatheringTask {
  const Frame* frames;
  int frame_count;
  int most_groups;        ///< of a frame
  TileRange* group_tiles; ///< scratch: tiles that may see samples of a group
  TileRange* block_tiles; ///< scratch: group_blocks as many
  /** \brief Scratch: the same of grouped_groups groups in a row of a frame, from
   * frame.first_range on. */
  TileRange* range_tiles;
  ViewGeometry view;
  TileArea tiles;    ///< of the output, which are gathered for
  KeySort tile_sort; ///< scratch: CUDA sorts tiles by descending cost, for load balance
};

/** \brief Bits of a tile's cost: of the number of blocks that it may see, at most. */
constexpr int cost_bits = 24;

/** \brief Nearest and farthest depths of all blocks of an image. */
struct DepthBoundsTask {
  FrameImages images;
  DepthRange* block_depths;
};

namespace host {

void
boundDepths(const DepthBoundsTask& task);

/** \brief Writes which tiles may see samples of the groups and blocks of frames. */
void
boundTiles(const GatheringTask& task);

} // namespace host

namespace cuda {

void
boundDepths(const DepthBoundsTask& task, CUstream_st* stream);

/** \brief Writes which tiles may see samples of the groups and blocks of frames.
 * \return the numbers of the tiles, those that see most first
 */
const std::uint32_t*
boundTiles(const GatheringTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
