// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/rgbd_frame_stream.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A video of frames whose number is their time, and that cannot read one of
 * them. */
class NumberedVideo : public RGBDVideo {
public:
  explicit NumberedVideo(int size, int broken = -1) : size_(size), broken_(broken) {}

  int
  size() const override
  {
    return size_;
  }

  RGBDView
  view(int number) const override
  {
    RGBDView view;
    view.time = number;
    return view;
  }

  RGBDFrame
  read(int number) const override
  {
    if (number == broken_)
      PCL_THROW_EXCEPTION(pcl::IOException, "frame " << number << " is broken");
    ++reads;
    RGBDFrame frame;
    frame.time = number;
    return frame;
  }

  mutable std::atomic<int> reads{0};

private:
  int size_, broken_;
};

std::vector<int>
numbers(RGBDFrameStream& stream)
{
  std::vector<int> read;
  RGBDFrame frame;
  while (stream.next(frame))
    read.push_back(static_cast<int>(frame.time));
  return read;
}

TEST(FrameStream, HasAllFramesInTheirOrder)
{
  const auto video = std::make_shared<NumberedVideo>(50);
  for (int ahead : {1, 2, 7, 100}) {
    RGBDFrameStream stream(video, 3, 45, ahead);
    const std::vector<int> read = numbers(stream);
    ASSERT_EQ(read.size(), 42u);
    for (int i = 0; i < 42; ++i)
      EXPECT_EQ(read[i], 3 + i);
    RGBDFrame frame;
    EXPECT_FALSE(stream.next(frame));
  }
}

TEST(FrameStream, OfNoFramesEndsAtOnce)
{
  RGBDFrameStream stream(std::make_shared<NumberedVideo>(5), 5, 5);
  RGBDFrame frame;
  EXPECT_FALSE(stream.next(frame));
}

TEST(FrameStream, ReadsOnlySomeFramesAhead)
{
  const auto video = std::make_shared<NumberedVideo>(50);
  RGBDFrameStream stream(video, 0, 50, 3);
  for (int taken = 0; taken < 5; ++taken) {
    // Reading stops by itself; were it to go on, it would within this time.
    for (int i = 0; i < 1000 && video->reads < taken + 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(video->reads, taken + 3);
    RGBDFrame frame;
    ASSERT_TRUE(stream.next(frame));
  }
}

TEST(FrameStream, MayBeLeftEarly)
{
  const auto video = std::make_shared<NumberedVideo>(1000000);
  {
    RGBDFrameStream stream(video, 0, 1000000);
    RGBDFrame frame;
    ASSERT_TRUE(stream.next(frame));
  }
  EXPECT_LT(video->reads, 1000);
}

TEST(FrameStream, ThrowsAtTheFrameThatCannotBeRead)
{
  RGBDFrameStream stream(std::make_shared<NumberedVideo>(10, 4), 0, 10, 8);
  RGBDFrame frame;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(stream.next(frame));
    EXPECT_EQ(frame.time, i);
  }
  EXPECT_THROW(stream.next(frame), pcl::IOException);
  EXPECT_FALSE(stream.next(frame));
}

TEST(FrameStream, RejectsFramesThatThereAreNot)
{
  const auto video = std::make_shared<NumberedVideo>(10);
  expectBadArgument("video is null", [] { RGBDFrameStream(nullptr, 0, 0); });
  expectBadArgument("first frame is -1", [&] { RGBDFrameStream(video, -1, 5); });
  expectBadArgument("first frame is 11", [&] { RGBDFrameStream(video, 11, 11); });
  expectBadArgument("successor is 11", [&] { RGBDFrameStream(video, 0, 11); });
  expectBadArgument("successor is 3", [&] { RGBDFrameStream(video, 4, 3); });
  expectBadArgument("ahead is 0", [&] { RGBDFrameStream(video, 0, 5, 0); });
}

} // namespace
