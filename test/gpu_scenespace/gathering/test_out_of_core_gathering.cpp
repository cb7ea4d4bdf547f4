// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/naive_sets.h"
#include "testing/paper_gathering/paper_gathering.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/gathering/out_of_core_gathering.h>
#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <stdexcept>

namespace pcl::gpu::test {

namespace {

class SetsOutOfCore : public DeviceTest {};

using Sets = std::vector<std::vector<SceneSample>>;

/** \brief A rig of several groups of blocks and tiles. */
RandomRig
largeRig(RigMotion motion, float zoom = 1.0f)
{
  RigSettings settings;
  settings.motion = motion;
  settings.frames = 6;
  settings.width = 203;
  settings.height = 118;
  settings.output_width = 150;
  settings.output_height = 131;
  settings.zoom = zoom;
  return {7, settings};
}

RGBDVideo::ConstPtr
videoOf(const RandomRig& rig)
{
  const auto video = std::make_shared<RGBDRecording>();
  for (const RGBDFrame& frame : rig.frames)
    video->add(frame);
  return video;
}

std::vector<int>
allFrames(const RandomRig& rig)
{
  std::vector<int> numbers(rig.frames.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/** \brief Gathers the sets of all pixels of a rig's output. */
Sets
gatheredOutOfCore(const RandomRig& rig,
                  const SceneSpaceResources& resources,
                  OutOfCoreStatistics& statistics)
{
  const PinholeCamera& output = rig.view.camera;
  Sets all(std::size_t(output.width) * output.height);
  std::vector<int> visits(all.size(), 0);
  std::mutex mutex;
  OutOfCoreGathering gathering(videoOf(rig), resources);
  change(gathering, [&](auto& p) { p.max_samples = 200; });
  statistics =
      gathering.gather(allFrames(rig),
                       rig.view,
                       [&](const SampleSets& sets, const auto&, const Stream& stream) {
                         stream.synchronize();
                         const auto some = downloadedSets(sets);
                         const ImageRegion& region = sets.getRegion();
                         const std::lock_guard<std::mutex> lock(mutex);
                         for (std::size_t i = 0; i < some.size(); ++i) {
                           const std::size_t pixel =
                               (region.row + i / region.columns) * output.width +
                               region.column + i % region.columns;
                           all[pixel] = some[i];
                           ++visits[pixel];
                         }
                       });
  EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
  return all;
}

/** \brief The sets of a rig's output, all at once. */
Sets
gatheredAtOnce(const RandomRig& rig)
{
  SampleGathering gathering;
  change(gathering, [&](auto& p) { p.max_samples = 200; });
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  return downloadedSets(sets);
}

void
expectSameSamples(const Sets& actual, const Sets& expected)
{
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t pixel = 0; pixel < actual.size(); ++pixel) {
    ASSERT_EQ(actual[pixel].size(), expected[pixel].size()) << "pixel " << pixel;
    for (std::size_t k = 0; k < actual[pixel].size(); ++k)
      ASSERT_EQ(comparable(actual[pixel][k]), comparable(expected[pixel][k]))
          << "pixel " << pixel << ", sample " << k;
  }
}

TEST_P(SetsOutOfCore, AreThoseOfAllFramesAtOnceInTheSameOrder)
{
  for (const RigMotion motion :
       {RigMotion::Small, RigMotion::Forward, RigMotion::Wild}) {
    const RandomRig rig = largeRig(motion);
    const Sets expected = gatheredAtOnce(rig);
    OutOfCoreStatistics whole;
    expectSameSamples(gatheredOutOfCore(rig, {}, whole), expected);
    EXPECT_EQ(whole.regions, 1);
    for (const int part : {2, 5}) {
      SceneSpaceResources resources;
      resources.memory = whole.memory / part;
      OutOfCoreStatistics statistics;
      expectSameSamples(gatheredOutOfCore(rig, resources, statistics), expected);
      EXPECT_GT(statistics.regions, part / 2);
      EXPECT_LE(statistics.memory, resources.memory);
    }
  }
}

TEST_P(SetsOutOfCore, AreThoseOfTheNaiveAlgorithm)
{
  const RandomRig rig = largeRig(RigMotion::Forward);
  SceneSpaceResources resources;
  resources.memory = std::size_t(40) << 20;
  OutOfCoreStatistics statistics;
  const Sets sets = gatheredOutOfCore(rig, resources, statistics),
             expected = naiveSets(rig, {});
  EXPECT_GT(statistics.regions, 1);
  for (std::size_t pixel = 0; pixel < sets.size(); ++pixel)
    ASSERT_EQ(comparable(sets[pixel]), comparable(wholeFrames(expected[pixel], 200)))
        << "pixel " << pixel;
}

TEST_P(SetsOutOfCore, AreTheSameOnSeveralDevicesWithFramesReadAnew)
{
  const RandomRig rig = largeRig(RigMotion::Wild);
  SceneSpaceResources resources;
  resources.devices = test::sharingDevices();
  resources.memory = std::size_t(30) << 20;
  resources.host_memory = 0;
  OutOfCoreStatistics statistics;
  const Sets sets = gatheredOutOfCore(rig, resources, statistics);
  EXPECT_GT(statistics.regions, 3);
  expectSameSamples(sets, gatheredAtOnce(rig));
}

TEST_P(SetsOutOfCore, TakeOnlyThePixelsThatTheOutputSees)
{
  const RandomRig all = largeRig(RigMotion::Small),
                  middle = largeRig(RigMotion::Small, 4.0f);
  OutOfCoreStatistics statistics;
  gatheredOutOfCore(all, {}, statistics);
  const std::size_t of_all = statistics.uploaded_bytes;
  EXPECT_LE(of_all, 1.01 * 6 * 203 * 118 * 8);
  expectSameSamples(gatheredOutOfCore(middle, {}, statistics), gatheredAtOnce(middle));
  // A quarter as wide and as high, and up to 31 pixels more on each side.
  EXPECT_LT(statistics.uploaded_bytes, 0.4 * of_all);
}

TEST_P(SetsOutOfCore, AreEmptyWhereNoFrameSeesAnything)
{
  RandomRig rig = largeRig(RigMotion::Small);
  rig.view.pose.rotate(Eigen::AngleAxisf(3.14159f, Eigen::Vector3f::UnitY()));
  OutOfCoreStatistics statistics;
  for (const auto& set : gatheredOutOfCore(rig, {}, statistics))
    ASSERT_TRUE(set.empty());
  EXPECT_EQ(statistics.uploaded_bytes, std::size_t(32) * 32 * 8);
}

TEST_P(SetsOutOfCore, MakeTheSamePictureAsARunningSum)
{
  RandomRig rig = largeRig(RigMotion::Small);
  rig.view.camera = rig.frames[2].color_camera;
  rig.view.pose = rig.frames[2].color_pose;
  rig.view.time = 2.0f;
  const auto frames = rig.upload();
  SceneSpaceDenoising denoising;
  change(denoising, [&](auto& p) { p.sigma_rgb = 100.0f; });
  DeviceArray2D<RGB> at_once, in_parts;
  denoising.compute(*frames[2], frames, at_once);
  SceneSpaceResources resources;
  resources.memory = std::size_t(30) << 20;
  OutOfCoreGathering gathering(videoOf(rig), resources);
  const OutOfCoreStatistics statistics = gathering.gather(
      allFrames(rig),
      rig.view,
      [&](const SampleSets& sets, const auto& parts, const Stream& stream) {
        denoising.compute(*frames[2], parts, sets, in_parts, stream);
      });
  EXPECT_GT(statistics.regions, 1);
  std::vector<RGB> expected, actual;
  int columns = 0;
  at_once.download(expected, columns);
  in_parts.download(actual, columns);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    ASSERT_EQ(actual[i].rgba, expected[i].rgba) << "pixel " << i;
}

TEST_P(SetsOutOfCore, CanBeGatheredAfterWorkThatFailed)
{
  const RandomRig rig = largeRig(RigMotion::Small);
  SceneSpaceResources resources;
  resources.devices = {currentDevice(), Device::host()};
  resources.memory = std::size_t(30) << 20;
  OutOfCoreGathering gathering(videoOf(rig), resources);
  const auto fail = [](const auto&...) { throw std::runtime_error("no more"); };
  EXPECT_THROW(gathering.gather(allFrames(rig), rig.view, fail), std::runtime_error);
  int regions = 0;
  std::mutex mutex;
  const auto count = [&](const auto&...) {
    const std::lock_guard<std::mutex> lock(mutex);
    ++regions;
  };
  EXPECT_EQ(gathering.gather(allFrames(rig), rig.view, count).regions, regions);
  EXPECT_GT(regions, 1);
}

TEST_P(SetsOutOfCore, RejectWhatMakesNoSense)
{
  const RandomRig rig = largeRig(RigMotion::Small);
  const auto nothing = [](const auto&...) {};
  expectBadArgument("video", [] { OutOfCoreGathering(nullptr); });
  OutOfCoreGathering gathering(videoOf(rig));
  expectBadArgument("number of frames",
                    [&] { gathering.gather({}, rig.view, nothing); });
  expectBadArgument("number of a frame", [&] {
    gathering.gather({0, 6}, rig.view, nothing);
  });
  expectBadArgument("focal length",
                    [&] { gathering.gather({0}, SceneView(), nothing); });
  expectBadArgument("samples a pixel",
                    [&] { change(gathering, [&](auto& p) { p.max_samples = 0; }); });
  SceneSpaceResources little;
  little.memory = 100000;
  expectBadArgument("memory", [&] {
    OutOfCoreGathering(videoOf(rig), little).gather({0, 1}, rig.view, nothing);
  });
}

class PartsOfFrames : public DeviceTest {};

/** \brief Part of an image, on the current device. */
template <typename T>
DeviceArray2D<T>
partOf(const Image<T>& image, const ImageRegion& region)
{
  std::vector<T> pixels;
  for (int row = region.row; row < region.row + region.rows; ++row) {
    const auto first = image.pixels.begin() + row * image.width + region.column;
    pixels.insert(pixels.end(), first, first + region.columns);
  }
  DeviceArray2D<T> part;
  part.upload(pixels, region.columns);
  return part;
}

TEST_P(PartsOfFrames, HaveTheSamplesOfFramesWithoutDepthElsewhere)
{
  RandomRig rig = largeRig(RigMotion::Forward);
  std::vector<SceneFrame::ConstPtr> parts;
  for (std::size_t i = 0; i < rig.frames.size(); ++i) {
    const int column = 32 * (i % 4), row = 32 * (i % 3);
    const ImageRegion region{column, row, 203 - column, 40};
    RGBDFrame& frame = rig.frames[i];
    const auto part = std::make_shared<SceneFrame>();
    part->set(partOf(frame.color, region),
              partOf(frame.depth, region),
              frame.color_camera,
              frame.color_pose,
              static_cast<int>(i),
              region);
    EXPECT_EQ(part->isWhole(), false);
    parts.push_back(part);
    for (int y = 0; y < frame.depth.height; ++y)
      for (int x = 0; x < frame.depth.width; ++x)
        if (x < column || y < row || y >= row + 40)
          frame.depth.pixels[y * frame.depth.width + x] = 0.0f;
  }
  SampleGathering gathering;
  SampleSets sets;
  gathering.gather(parts, rig.view, sets);
  const Sets actual = downloadedSets(sets), expected = naiveSets(rig, {});
  for (std::size_t pixel = 0; pixel < actual.size(); ++pixel)
    ASSERT_EQ(comparable(actual[pixel]), comparable(wholeFrames(expected[pixel], 1024)))
        << "pixel " << pixel;
}

TEST_P(PartsOfFrames, BeginWhereBlocksDoAndLieInTheFrame)
{
  const RandomRig rig = largeRig(RigMotion::Small);
  const RGBDFrame& frame = rig.frames[0];
  SceneFrame part;
  const auto set = [&](const ImageRegion& region, const ImageRegion& images) {
    part.set(partOf(frame.color, images),
             partOf(frame.depth, images),
             frame.color_camera,
             frame.color_pose,
             0,
             region);
  };
  const ImageRegion some{0, 0, 40, 20};
  expectBadArgument("columns of a part", [&] { set({16, 0, 40, 20}, some); });
  expectBadArgument("columns of a part", [&] { set({192, 0, 40, 20}, some); });
  expectBadArgument("rows of a part", [&] { set({0, 96, 40, 23}, some); });
  expectBadArgument("rows of a part", [&] { set({0, -32, 40, 20}, some); });
  expectBadArgument("size of a part", [&] { set({0, 0, 41, 20}, some); });
  set({160, 96, 40, 20}, some);
  EXPECT_EQ(part.getRegion().column, 160);
  EXPECT_EQ(part.getView().camera.width, 203);
}

TEST_P(PartsOfFrames, AreNotForOtherAlgorithmsNorForReferences)
{
  const RandomRig rig = largeRig(RigMotion::Small);
  const RGBDFrame& frame = rig.frames[0];
  const ImageRegion region{32, 64, 40, 20};
  const auto part = std::make_shared<SceneFrame>();
  part->set(partOf(frame.color, region),
            partOf(frame.depth, region),
            frame.color_camera,
            frame.color_pose,
            0,
            region);
  PaperGathering gathering;
  gathering.setAlgorithm(GatheringAlgorithm::ConvexBounds);
  SampleSets sets;
  expectBadArgument("frame", [&] { gathering.gather({part}, rig.view, sets); });
  DeviceArray2D<RGB> color;
  expectBadArgument("the reference",
                    [&] { SceneSpaceDenoising().compute(*part, {part}, color); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SetsOutOfCore);
PCL_GPU_INSTANTIATE_DEVICE_TESTS(PartsOfFrames);

} // namespace

} // namespace pcl::gpu::test
