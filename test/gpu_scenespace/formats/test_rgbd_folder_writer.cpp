// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <locale>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int frame_count = 11;

/** \brief A frame with depth of all sizes and some that is missing. */
RGBDFrame
someFrame(int number)
{
  RGBDFrame frame;
  frame.time = 1305031102.175304 + number / 30.0;
  frame.depth_camera = frame.color_camera = {5.1f, 5.2f, 2.3f, 1.4f, 0, 0};
  frame.depth_pose = frame.color_pose = turned(0.3f * number, 0.1f * number);
  frame.depth.resize(6, 4);
  frame.color.resize(6, 4);
  for (int i = 0; i < 24; ++i) {
    frame.depth.pixels[i] = 0.001f + 0.0373f * static_cast<float>(i * i + number);
    frame.color.pixels[i] = pcl::RGB(number, 10 * i, 255 - i);
  }
  frame.depth.pixels[7] = std::numeric_limits<float>::quiet_NaN();
  return frame;
}

/** \brief A video that counts reads, and cannot read one of its frames. */
class CountingVideo : public RGBDRecording {
public:
  RGBDFrame
  read(int number) const override
  {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      readers.insert(std::this_thread::get_id());
    }
    if (number == broken)
      PCL_THROW_EXCEPTION(pcl::IOException, "frame " << number << " is broken");
    ++reads;
    return RGBDRecording::read(number);
  }

  int broken = -1;
  mutable std::atomic<int> reads{0};
  mutable std::mutex mutex;
  mutable std::set<std::thread::id> readers;
};

CountingVideo&
fill(CountingVideo& video)
{
  for (int i = 0; i < frame_count; ++i)
    video.add(someFrame(i));
  return video;
}

void
expectSame(const PinholeCamera& read, const PinholeCamera& written)
{
  EXPECT_EQ(read.fx, written.fx);
  EXPECT_EQ(read.fy, written.fy);
  EXPECT_EQ(read.cx, written.cx);
  EXPECT_EQ(read.cy, written.cy);
  EXPECT_EQ(read.width, written.width);
  EXPECT_EQ(read.height, written.height);
}

void
expectSame(const RGBDFrame& read, const RGBDFrame& written, float unit)
{
  EXPECT_EQ(read.time, written.time);
  expectSame(read.depth_camera, written.depth_camera);
  expectSame(read.color_camera, written.color_camera);
  EXPECT_TRUE(read.depth_pose.isApprox(written.depth_pose, 1e-6f));
  EXPECT_TRUE(read.color_pose.isApprox(written.color_pose, 1e-6f));
  ASSERT_EQ(read.depth.pixels.size(), written.depth.pixels.size());
  for (std::size_t i = 0; i < read.depth.pixels.size(); ++i) {
    const float depth = written.depth.pixels[i];
    if (std::isnan(depth))
      EXPECT_TRUE(std::isnan(read.depth.pixels[i]));
    else
      EXPECT_NEAR(read.depth.pixels[i], depth, 0.5001f * unit + 1e-6f * depth);
  }
  ASSERT_EQ(read.color.pixels.size(), written.color.pixels.size());
  for (std::size_t i = 0; i < read.color.pixels.size(); ++i)
    EXPECT_EQ(read.color.pixels[i].rgba, written.color.pixels[i].rgba);
}

void
expectSame(const RGBDVideo& read, const RGBDVideo& written, float unit)
{
  ASSERT_EQ(read.size(), written.size());
  for (int i = 0; i < read.size(); ++i)
    expectSame(read.read(i), written.read(i), unit);
}

TEST(FolderWriter, WritesWhatIsReadAgain)
{
  const TemporaryFolder folder;
  CountingVideo video;
  writeRGBDFolder(fill(video), folder / "new/video");
  expectSame(*openRGBDFolder(folder / "new/video"), video, 0.001f);
  EXPECT_FALSE(std::filesystem::exists(folder / "new/video/color_poses.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder / "new/video/color_intrinsics.txt"));
  EXPECT_TRUE(namesColorCamera(folder / "new/video"));

  RGBDFolderWriterOptions options;
  options.depth_unit = 0.0005f;
  writeRGBDFolder(video, folder / "finer", options);
  expectSame(*openRGBDFolder(folder / "finer"), video, 0.0005f);

  // Depth that is a number of units stays the same.
  const RGBDVideo::ConstPtr first = openRGBDFolder(folder / "new/video");
  writeRGBDFolder(*first, folder / "again");
  const RGBDVideo::ConstPtr again = openRGBDFolder(folder / "again");
  expectSame(*again, *first, 0.0f);
}

/** \brief Writes numbers with commas. */
class CommaPoint : public std::numpunct<char> {
  char
  do_decimal_point() const override
  {
    return ',';
  }
};

TEST(FolderWriter, WritesTheSameInEveryLocale)
{
  const TemporaryFolder folder;
  CountingVideo video;
  fill(video);
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  writeRGBDFolder(video, folder / "");
  std::locale::global(before);
  expectSame(*openRGBDFolder(folder / ""), video, 0.001f);
}

TEST(FolderWriter, KeepsCamerasOfEachFrameAndOfColor)
{
  const TemporaryFolder folder;
  RGBDRecording video;
  for (int i = 0; i < frame_count; ++i) {
    RGBDFrame frame = someFrame(i);
    frame.depth_camera.fx += 0.1f * i;
    frame.color_camera.cx += 0.1f * i;
    frame.color_pose = frame.color_pose * turned(0.01f, 0.025f);
    frame.color.resize(12, 8);
    frame.color.pixels.assign(96, pcl::RGB(i, 2, 3));
    video.add(frame);
  }
  writeRGBDFolder(video, folder / "");
  expectSame(*openRGBDFolder(folder / ""), video, 0.001f);
}

TEST(FolderWriter, WritesDepthThatDoesNotFitAsMissing)
{
  const TemporaryFolder folder;
  RGBDRecording video;
  RGBDFrame frame = someFrame(0);
  const std::vector<float> depths = {
      65.534f, 65.535f, 65.536f, 1e9f, INFINITY, -1.0f, 0.0f, 0.0004f, 0.0006f};
  std::copy(depths.begin(), depths.end(), frame.depth.pixels.begin());
  video.add(frame);
  writeRGBDFolder(video, folder / "");
  const Image<float> depth = openRGBDFolder(folder / "")->read(0).depth;
  EXPECT_FLOAT_EQ(depth.pixels[0], 65.534f);
  for (int i = 1; i < 8; ++i)
    EXPECT_TRUE(std::isnan(depth.pixels[i])) << i;
  EXPECT_FLOAT_EQ(depth.pixels[8], 0.001f);
}

TEST(FolderWriter, GoesOnWhereItHasEnded)
{
  const TemporaryFolder folder;
  CountingVideo video;
  fill(video).broken = 6;
  RGBDFolderWriterOptions options;
  options.resume = true; // also where there is nothing yet
  expectBadFile({"frame 6 is broken"},
                [&] { writeRGBDFolder(video, folder / "", options); });
  EXPECT_EQ(video.reads, 6);
  expectBadFile({"poses.txt", "11 poses"}, [&] { openRGBDFolder(folder / ""); });
  // Of the next frame colour was written, depth was not.
  writeColor(folder, "color/000006.png", 77);
  expectBadFile({"6 depth maps"}, [&] { openRGBDFolder(folder / ""); });
  video.broken = -1;
  writeRGBDFolder(video, folder / "", options);
  EXPECT_EQ(video.reads, frame_count);
  expectSame(*openRGBDFolder(folder / ""), video, 0.001f);
}

TEST(FolderWriter, WritesTheSameOnSeveralThreads)
{
  const TemporaryFolder folder;
  CountingVideo video;
  fill(video);
  for (const int threads : {2, 3, 40}) {
    RGBDFolderWriterOptions options;
    options.threads = threads;
    std::vector<int> done;
    options.progress = [&](int frames_done) { done.push_back(frames_done); };
    video.reads = 0;
    const std::string name = folder / std::to_string(threads);
    writeRGBDFolder(video, name, options);
    EXPECT_EQ(video.reads, frame_count);
    EXPECT_EQ(done, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    expectSame(*openRGBDFolder(name), video, 0.001f);
  }
}

TEST(FolderWriter, UsesNoThreadButTheCallersUnlessTold)
{
  const TemporaryFolder folder;
  CountingVideo video;
  writeRGBDFolder(fill(video), folder / "");
  EXPECT_EQ(video.readers, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(FolderWriter, ThrowsWhatAnyThreadThrowsAndGoesOnLater)
{
  const TemporaryFolder folder;
  CountingVideo video;
  fill(video).broken = 4;
  RGBDFolderWriterOptions options;
  options.threads = 3;
  options.resume = true;
  expectBadFile({"frame 4 is broken"},
                [&] { writeRGBDFolder(video, folder / "", options); });
  const int written = video.reads;
  EXPECT_GE(written, 4);
  EXPECT_LT(written, frame_count);
  int first_done = -1;
  options.progress = [&](int done) { first_done = first_done < 0 ? done : first_done; };
  video.broken = -1;
  writeRGBDFolder(video, folder / "", options);
  EXPECT_EQ(first_done, written);
  EXPECT_EQ(video.reads, frame_count);
  expectSame(*openRGBDFolder(folder / ""), video, 0.001f);
}

TEST(FolderWriter, ThrowsWhatItsCallerThrowsInBetween)
{
  const TemporaryFolder folder;
  CountingVideo video;
  fill(video);
  RGBDFolderWriterOptions options;
  options.threads = 2;
  options.progress = [](int done) {
    if (done >= 3)
      throw std::runtime_error("enough");
  };
  EXPECT_THROW(writeRGBDFolder(video, folder / "", options), std::runtime_error);
  EXPECT_LT(video.reads, frame_count);
}

TEST(FolderWriter, LeavesOtherVideosAlone)
{
  const TemporaryFolder folder;
  CountingVideo video;
  writeRGBDFolder(fill(video), folder / "");
  expectBadFile({folder / "", "has images"},
                [&] { writeRGBDFolder(video, folder / ""); });
  RGBDFolderWriterOptions options;
  options.resume = true;
  video.reads = 0;
  writeRGBDFolder(video, folder / "", options);
  EXPECT_EQ(video.reads, 0);

  RGBDRecording other;
  other.add(someFrame(5));
  expectBadFile({"poses.txt", "not that of this video"},
                [&] { writeRGBDFolder(other, folder / "", options); });
  options.depth_unit = 0.1f;
  expectBadFile({"intrinsics.txt", "not that of this video"},
                [&] { writeRGBDFolder(video, folder / "", options); });
  options.depth_unit = 0.001f;
  std::filesystem::remove(folder / "poses.txt");
  expectBadFile({"poses.txt", "not that of this video"},
                [&] { writeRGBDFolder(video, folder / "", options); });
  EXPECT_EQ(readColorImage(folder / "color/000005.png").pixels[0].r, 5);

  const TemporaryFolder tum;
  tum.write("rgb.txt", "");
  expectBadFile({"rgb.txt", "empty folder"}, [&] { writeRGBDFolder(video, tum / ""); });
}

TEST(FolderWriter, RejectsWhatCannotBeWritten)
{
  const TemporaryFolder folder;
  CountingVideo video;
  expectBadArgument("number of frames is 0",
                    [&] { writeRGBDFolder(video, folder / ""); });
  fill(video);
  RGBDFolderWriterOptions options;
  for (float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()}) {
    options.depth_unit = bad;
    expectBadArgument("depth unit",
                      [&] { writeRGBDFolder(video, folder / "", options); });
  }
  options.depth_unit = 0.001f;
  options.threads = 0;
  expectBadArgument("threads is 0",
                    [&] { writeRGBDFolder(video, folder / "", options); });
  EXPECT_EQ(folder.count(), 0);
  folder.write("file", "");
  expectBadFile({folder / "file", "cannot be created"},
                [&] { writeRGBDFolder(video, folder / "file"); });
}

} // namespace
