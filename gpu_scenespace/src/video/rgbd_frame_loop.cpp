// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/shared_work.h"

#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <cstddef>

namespace pcl::gpu {

void
forEachFrame(const RGBDVideo& video,
             const std::vector<int>& numbers,
             int threads,
             const std::function<void(const RGBDFrame& frame, int number)>& work,
             const std::function<bool(int number)>& begin)
{
  checkArgument(threads >= 1, "threads", threads, "1 or more");
  shareWork(threads, numbers.size(), [&](std::size_t, std::size_t i) {
    if (!begin || begin(numbers[i]))
      work(video.read(numbers[i]), numbers[i]);
  });
}

} // namespace pcl::gpu
