// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/rgbd_frame_stream.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace pcl::gpu {

class RGBDFrameStream::Implementation {
public:
  Implementation(RGBDVideo::ConstPtr video, int begin, int end, std::size_t ahead)
  : video_(std::move(video))
  , ahead_(ahead)
  , thread_([=] { readAll(begin, end); })
  {}

  ~Implementation()
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  bool
  next(RGBDFrame& frame)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !frames_.empty() || done_; });
    if (frames_.empty()) {
      if (error_)
        std::rethrow_exception(std::exchange(error_, nullptr));
      return false;
    }
    frame = std::move(frames_.front());
    frames_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return true;
  }

private:
  void
  readAll(int begin, int end)
  {
    std::exception_ptr error;
    try {
      for (int i = begin; i < end && waitForRoom(); ++i)
        put(video_->read(i));
    }
    catch (...) {
      error = std::current_exception();
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      error_ = error;
      done_ = true;
    }
    changed_.notify_all();
  }

  /** \return whether to go on */
  bool
  waitForRoom()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return frames_.size() < ahead_ || stop_; });
    return !stop_;
  }

  void
  put(RGBDFrame&& frame)
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      frames_.push_back(std::move(frame));
    }
    changed_.notify_all();
  }

  const RGBDVideo::ConstPtr video_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<RGBDFrame> frames_;
  std::exception_ptr error_;
  bool done_ = false, stop_ = false;
  std::thread thread_; // last: it uses all others
};

RGBDFrameStream::RGBDFrameStream(RGBDVideo::ConstPtr video,
                                 int begin,
                                 int end,
                                 int ahead)
{
  checkFrameRange(video, begin, end);
  checkArgument(ahead >= 1, "frames read ahead", ahead, "1 or more");
  implementation_ =
      std::make_unique<Implementation>(std::move(video), begin, end, ahead);
}

RGBDFrameStream::~RGBDFrameStream() = default;

bool
RGBDFrameStream::next(RGBDFrame& frame)
{
  return implementation_->next(frame);
}

} // namespace pcl::gpu
