// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gathering/host_gathering.cpp"
#include "gathering/gathering.h"

#include <hwy/foreach_target.h>

// foreach_target.h comes first; these are read once for each target.
#include "gathering/projection-inl.h"

#include <algorithm>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Writes the tiles that see samples of the blocks of groups. */
void
boundFrameTiles(const GatheringTask& task, int frame_number)
{
  const FloatTag tag;
  using Number = Lanes<FloatTag>;
  const Frame& frame = task.frames[frame_number];
  const int groups = frame.images.groups();
  alignas(64) float x0[group_blocks], y0[group_blocks], x1[group_blocks],
      y1[group_blocks], columns[group_blocks], rows[group_blocks],
      nearest[group_blocks], farthest[group_blocks];
  for (int group = 0; group < groups; ++group) {
    const DepthRange* const depths = frame.images.block_depths + group * group_blocks;
    for (int i = 0; i < group_blocks; ++i) {
      const BlockPlace place = placeOfBlock(frame.images, group * group_blocks + i);
      columns[i] = static_cast<float>(place.column);
      rows[i] = static_cast<float>(place.row);
      nearest[i] = depths[i].nearest;
      farthest[i] = depths[i].farthest;
    }
    for (std::size_t i = 0; i < group_blocks; i += hn::Lanes(tag)) {
      const RoughTileRange<Number> range = boundTiles<Number>(frame.projection,
                                                              task.view,
                                                              load(tag, columns + i),
                                                              load(tag, rows + i),
                                                              load(tag, nearest + i),
                                                              load(tag, farthest + i));
      store(range.x0, x0 + i);
      store(range.y0, y0 + i);
      store(range.x1, x1 + i);
      store(range.y1, y1 + i);
    }
    TileRange* const blocks =
        task.block_tiles + std::size_t(frame.first_group + group) * group_blocks;
    TileRange all = no_tiles;
    for (int i = 0; i < group_blocks; ++i) {
      blocks[i] = tileRange(x0[i], y0[i], x1[i], y1[i]);
      include(all, blocks[i]);
    }
    if (group % grouped_groups == 0)
      task.range_tiles[frame.first_range + group / grouped_groups] = no_tiles;
    include(task.range_tiles[frame.first_range + group / grouped_groups], all);
    task.group_tiles[frame.first_group + group] = all;
  }
}

void
boundTilesOnTarget(const GatheringTask& task)
{
#pragma omp parallel for schedule(dynamic)
  for (int frame = 0; frame < task.frame_count; ++frame)
    boundFrameTiles(task, frame);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(boundTilesOnTarget);

} // namespace

namespace host {

void
boundDepths(const DepthBoundsTask& task)
{
  const FrameImages& images = task.images;
  const int groups = images.groups();
#pragma omp parallel for schedule(static)
  for (int block = 0; block < groups * group_blocks; ++block) {
    const BlockPlace place = placeOfBlock(images, block);
    DepthRange range = no_depths;
    const int columns = std::min(images.columns, place.column + block_columns);
    const int rows = std::min(images.rows, place.row + block_rows);
    for (int row = place.row; row < rows; ++row)
      for (int column = place.column; column < columns; ++column) {
        const float depth =
            images.depth[std::size_t(row) * images.depth_stride + column];
        if (gpu::isMeasuredDepth(depth))
          range = {std::min(range.nearest, depth), std::max(range.farthest, depth)};
      }
    task.block_depths[block] = range;
  }
}

void
boundTiles(const GatheringTask& task)
{
  HWY_DYNAMIC_DISPATCH(boundTilesOnTarget)(task);
}

} // namespace host

} // namespace pcl::device

#endif
