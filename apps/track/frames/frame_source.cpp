// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_source.h"

#include "frame_files.h"
#include "simulated_frames.h"

namespace pcl::gpu::apps {

std::unique_ptr<FrameSource>
openFrames(const TrackOptions& options)
{
  if (options.simulate.empty())
    return std::make_unique<FrameFiles>(options);
  return std::make_unique<SimulatedFrames>(options);
}

} // namespace pcl::gpu::apps
