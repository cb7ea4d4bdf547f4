// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/volume_passes.hpp"
#include "gathering/volumes/volumes.h"

#include <algorithm>

namespace pcl::device {

namespace {

const auto for_each_pixel = [](const char*, int columns, int rows, const auto& pass) {
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      pass(column, row);
};

void
boundFrames(const VolumeTask& task)
{
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < task.frame_count; ++i) {
    const FrameImages& images = task.frames[i].frame.images;
    DepthRange depths = no_depths;
    for (int block = 0; block < images.groups() * group_blocks; ++block) {
      const DepthRange& of_block = images.block_depths[block];
      depths = {std::min(depths.nearest, of_block.nearest),
                std::max(depths.farthest, of_block.farthest)};
    }
    task.extents[i] = frameExtent(task.frames[i], depths);
  }
}

} // namespace

namespace host {

void
testAllPixels(const VolumeTask& task)
{
  passOverFrames<TestAllPixels>("testAllPixels", task, for_each_pixel);
}

void
testHulls(const VolumeTask& task)
{
  boundFrames(task);
  passOverFrames<TestHulls>("testHulls", task, for_each_pixel);
}

void
testSegments(const VolumeTask& task)
{
  boundFrames(task);
  passSegments(task, for_each_pixel);
}

} // namespace host

} // namespace pcl::device
