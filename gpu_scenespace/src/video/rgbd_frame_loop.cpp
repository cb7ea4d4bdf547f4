// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/scenespace/video/rgbd_frame_loop.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <future>
#include <mutex>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Hands out places in a list until there was an error. */
class Places {
public:
  explicit Places(std::size_t count) : count_(count), place_of_error_(count) {}

  bool
  take(std::size_t& place)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (next_ == count_ || error_)
      return false;
    place = next_++;
    return true;
  }

  void
  fail(std::size_t place, std::exception_ptr error)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (place >= place_of_error_)
      return;
    place_of_error_ = place;
    error_ = std::move(error);
  }

  /** \brief Throws the error, if there was one. */
  void
  finish() const
  {
    if (error_)
      std::rethrow_exception(error_);
  }

private:
  std::mutex mutex_;
  std::size_t count_, next_ = 0, place_of_error_;
  std::exception_ptr error_;
};

} // namespace

void
forEachFrame(const RGBDVideo& video,
             const std::vector<int>& numbers,
             int threads,
             const std::function<void(const RGBDFrame& frame, int number)>& work)
{
  checkArgument(threads >= 1, "threads", threads, "1 or more");
  Places places(numbers.size());
  const auto workAll = [&] {
    for (std::size_t place = 0; places.take(place);) {
      try {
        work(video.read(numbers[place]), numbers[place]);
      }
      catch (...) {
        places.fail(place, std::current_exception());
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
  places.finish();
}

} // namespace pcl::gpu
