// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/host_volume_passes.h"
#include "gathering/volumes/volume_passes.hpp"
#include "gathering/volumes/volumes.h"

#include <algorithm>

namespace pcl::device::host {

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

void
testSegments(const VolumeTask& task)
{
  boundFrames(task);
  passSegments(task, for_each_pixel);
}

} // namespace pcl::device::host
