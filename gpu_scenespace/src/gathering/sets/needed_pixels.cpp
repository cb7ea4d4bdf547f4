// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sets/needed_pixels.h"

#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"

#include <algorithm>

namespace pcl::gpu {

NeededPixels::NeededPixels(const SceneView& view, const QueryFrustum& frustum)
: view_(view)
, geometry_(viewGeometry(view, frustum))
{}

device::TileArea
NeededPixels::tiles() const
{
  return {0, 0, geometry_.tileColumns(), geometry_.tileRows()};
}

void
NeededPixels::add(const RGBDFrame& frame, const SceneView& taken)
{
  device::Frame entry{};
  entry.images.depth = frame.depth.pixels.data();
  entry.images.depth_stride = frame.depth.width;
  entry.images.columns = frame.depth.width;
  entry.images.rows = frame.depth.height;
  const int groups = entry.images.groups(), across = entry.images.groupsAcross();
  depths_.resize(std::size_t(groups) * device::group_blocks);
  device::host::boundDepths({entry.images, depths_.data()});
  entry.images.block_depths = depths_.data();
  entry.projection = frameProjection(taken.camera, taken.pose, view_);

  device::GatheringTask task{};
  task.frames = &entry;
  task.frame_count = 1;
  task.group_count = task.most_groups = groups;
  task.view = geometry_;
  task.tiles = tiles();
  block_tiles_.resize(depths_.size());
  group_tiles_.resize(groups);
  range_tiles_.resize(entry.images.groupRanges());
  task.block_tiles = block_tiles_.data();
  task.group_tiles = group_tiles_.data();
  task.range_tiles = range_tiles_.data();
  device::host::boundTiles(task);

  const std::size_t tile_count = std::size_t(task.tiles.columns) * task.tiles.rows;
  frames_.push_back({frame.depth.width,
                     frame.depth.height,
                     std::vector<device::TileRange>(tile_count, device::no_tiles)});
  for (std::size_t block = 0; block < block_tiles_.size(); ++block) {
    const device::TileRange& seen = block_tiles_[block];
    const int group = static_cast<int>(block / device::group_blocks);
    const auto x = static_cast<std::int16_t>(group % across),
               y = static_cast<std::int16_t>(group / across);
    for (int row = seen.y0; row <= seen.y1; ++row)
      for (int column = seen.x0; column <= seen.x1; ++column)
        include(frames_.back().boxes[std::size_t(row) * task.tiles.columns + column],
                {x, y, x, y});
  }
}

ImageRegion
NeededPixels::boxOf(std::size_t frame, const device::TileArea& tiles) const
{
  const FrameBoxes& its = frames_[frame];
  device::TileRange box = device::no_tiles;
  for (int row = tiles.y0; row < tiles.y0 + tiles.rows; ++row)
    for (int column = tiles.x0; column < tiles.x0 + tiles.columns; ++column)
      include(box, its.boxes[std::size_t(row) * geometry_.tileColumns() + column]);
  if (device::isEmpty(box))
    return {};
  const int left = box.x0 * device::group_columns, top = box.y0 * device::group_rows;
  return {left,
          top,
          std::min((box.x1 + 1) * device::group_columns, its.columns) - left,
          std::min((box.y1 + 1) * device::group_rows, its.rows) - top};
}

ImageRegion
NeededPixels::smallestPart(std::size_t frame) const
{
  const FrameBoxes& its = frames_[frame];
  return {0,
          0,
          std::min(device::group_columns, its.columns),
          std::min(device::group_rows, its.rows)};
}

} // namespace pcl::gpu
