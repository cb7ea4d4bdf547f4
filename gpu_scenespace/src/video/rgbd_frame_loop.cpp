// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>

namespace pcl::gpu {

void
forEachFrame(const RGBDVideo& video,
             const std::vector<int>& numbers,
             int threads,
             const std::function<void(const RGBDFrame& frame, int number)>& work)
{
  checkArgument(threads >= 1, "threads", threads, "1 or more");
  std::vector<std::exception_ptr> errors(numbers.size());
  std::atomic<std::size_t> next{0};
  const auto workAll = [&] {
    for (std::size_t i = next++; i < numbers.size(); i = next++) {
      try {
        work(video.read(numbers[i]), numbers[i]);
      }
      catch (...) {
        errors[i] = std::current_exception();
        next = numbers.size();
      }
    }
  };
  const int others =
      static_cast<int>(std::min<std::size_t>(threads, numbers.size())) - 1;
  {
    std::vector<std::future<void>> running; // waits for them at its end
    for (int i = 0; i < others; ++i)
      running.push_back(std::async(std::launch::async, workAll));
    workAll();
  }
  for (const std::exception_ptr& error : errors)
    if (error)
      std::rethrow_exception(error);
}

} // namespace pcl::gpu
