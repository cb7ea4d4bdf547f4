// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/errors.h"
#include "scenespace/module.h"

#include <chrono>
#include <exception>
#include <future>
#include <stdexcept>

namespace pcl_gpu_python {

std::shared_ptr<void>
ownerOf(nb::object object)
{
  return {new nb::object(std::move(object)), [](nb::object* held) {
            const nb::gil_scoped_acquire acquire;
            delete held;
          }};
}

void
Watch::check() const
{
  if (stopped_)
    throw std::runtime_error("interrupted");
}

void
runWatched(const Progress& progress,
           int total,
           const std::function<void(Watch& watch)>& work)
{
  constexpr std::chrono::milliseconds interval(20);
  Watch watch;
  std::exception_ptr error;
  std::future<void> task;
  const pcl::gpu::Device device = pcl::gpu::currentDevice();
  {
    const nb::gil_scoped_release release;
    task = std::async(std::launch::async, [&] {
      const pcl::gpu::ScopedDevice scope(device);
      work(watch);
    });
    for (int told = -1;;) {
      const bool ended = task.wait_for(interval) == std::future_status::ready;
      const int done = watch.done_;
      const nb::gil_scoped_acquire acquire;
      try {
        while (!error && progress && told < done) {
          told = told < 0 ? watch.first_.load() : told + 1;
          progress(told, total);
        }
        if (!error)
          checkSignals();
      }
      catch (...) {
        error = std::current_exception();
        watch.stopped_ = true;
      }
      if (ended)
        break;
    }
  }
  if (error)
    std::rethrow_exception(error);
  task.get();
}

} // namespace pcl_gpu_python
