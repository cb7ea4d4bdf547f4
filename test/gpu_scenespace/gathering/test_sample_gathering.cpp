// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/naive_sets.h"
#include "testing/paper_gathering/paper_gathering.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace pcl::gpu::test {

namespace {

class SampleSetsOfRigs : public DeviceTest {};

std::vector<std::vector<SceneSample>>
gathered(const RandomRig& rig, const QueryFrustum& frustum, int capacity = 500)
{
  SampleGathering gathering;
  change(gathering, [&](auto& p) {
    p.volume = QueryVolume::frustum(frustum);
    p.max_samples = capacity;
  });
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  return downloadedSets(sets);
}

/** \brief Expects the sets of brute force, and returns the number of samples. */
std::size_t
expectNaiveSets(unsigned int seed,
                const RigSettings& settings,
                const QueryFrustum& frustum)
{
  SCOPED_TRACE("seed " + std::to_string(seed));
  const RandomRig rig(seed, settings);
  const auto expected = naiveSets(rig, frustum);
  std::size_t most = 1;
  for (const std::vector<SceneSample>& set : expected)
    most = std::max(most, set.size());
  const auto sets = gathered(rig, frustum, static_cast<int>(most));
  EXPECT_EQ(sets.size(), expected.size());
  std::size_t samples = 0, wrong = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    wrong += comparable(sets[i]) != comparable(expected[i]);
    samples += sets[i].size();
  }
  EXPECT_EQ(wrong, 0u) << "of " << sets.size() << " sets differ";
  return samples;
}

TEST_P(SampleSetsOfRigs, EqualBruteForceInDoublePrecision)
{
  for (unsigned int seed = 1; seed <= 20; ++seed)
    EXPECT_GT(expectNaiveSets(seed, {}, {}), 10000u);
}

TEST_P(SampleSetsOfRigs, EqualBruteForceForCamerasThatMoveForwardPastPoints)
{
  RigSettings settings;
  settings.motion = RigMotion::Forward;
  std::size_t samples = 0;
  for (unsigned int seed = 1; seed <= 20; ++seed)
    samples += expectNaiveSets(seed, settings, {});
  EXPECT_GT(samples, 500000u);
}

TEST_P(SampleSetsOfRigs, EqualBruteForceForCamerasAnywhereInTheScene)
{
  RigSettings settings;
  settings.motion = RigMotion::Wild;
  settings.frames = 20;
  std::size_t samples = 0;
  for (unsigned int seed = 1; seed <= 20; ++seed)
    samples += expectNaiveSets(seed, settings, {});
  EXPECT_GT(samples, 100000u);
}

TEST_P(SampleSetsOfRigs, EqualBruteForceForEveryWidthOfTheFrustum)
{
  for (int width = 1; width <= QueryFrustum::max_width; ++width) {
    QueryFrustum frustum;
    frustum.width = width;
    expectNaiveSets(100 + width, {}, frustum);
  }
}

TEST_P(SampleSetsOfRigs, EqualBruteForceBetweenTwoDepths)
{
  QueryFrustum frustum;
  frustum.near_depth = 1.01f;
  frustum.far_depth = 2.2f;
  for (unsigned int seed = 1; seed <= 5; ++seed)
    EXPECT_GT(expectNaiveSets(seed, {}, frustum), 1000u);
}

TEST_P(SampleSetsOfRigs, EqualBruteForceForOutputsOfAnySize)
{
  for (const int size : {1, 2, 31, 32, 33, 63, 64, 65}) {
    RigSettings settings;
    settings.output_width = size;
    settings.output_height = 97 - size;
    expectNaiveSets(size, settings, {});
  }
}

TEST_P(SampleSetsOfRigs, EqualBruteForceForFramesOfAnySize)
{
  for (const int size : {1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 65}) {
    RigSettings settings;
    settings.width = size;
    settings.height = 70 - size;
    expectNaiveSets(size, settings, {});
  }
}

TEST_P(SampleSetsOfRigs, EqualBruteForceWhereManyChunksFallOnATile)
{
  RigSettings settings;
  settings.width = 200;
  settings.height = 150;
  settings.output_width = 33;
  settings.output_height = 20;
  EXPECT_GT(expectNaiveSets(1, settings, {}), 100000u);
}

/** \brief With these cameras u is x + 1/2 without any error. */
TEST_P(SampleSetsOfRigs, HaveWhatLiesOnTheFarEdgeOfAFootprintAndNotOnTheNearOne)
{
  RandomRig rig(1, {});
  rig.frames.resize(1);
  RGBDFrame& frame = rig.frames[0];
  const int width = frame.color.width, height = frame.color.height;
  frame.color_camera = frame.depth_camera = {64.0f, 64.0f, 0.0f, 0.0f, width, height};
  frame.color_pose = frame.depth_pose = Pose::Identity();
  std::fill(frame.depth.pixels.begin(), frame.depth.pixels.end(), 2.0f);
  rig.view.camera = {64.0f, 64.0f, 0.5f, 0.5f, width, height};
  rig.view.pose = Pose::Identity();
  QueryFrustum frustum;
  frustum.width = 1;
  const auto sets = gathered(rig, frustum);
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const std::vector<SceneSample>& set = sets[std::size_t(row) * width + column];
      ASSERT_EQ(set.size(), 1u);
      EXPECT_EQ(set[0].column, column);
      EXPECT_EQ(set[0].row, row);
    }
}

TEST_P(SampleSetsOfRigs, AreInTheOrderOfTheirFrames)
{
  const RandomRig rig(1, {});
  for (const std::vector<SceneSample>& set : gathered(rig, {}))
    EXPECT_TRUE(
        std::is_sorted(set.begin(), set.end(), [](const auto& a, const auto& b) {
          return a.frame < b.frame;
        }));
}

TEST_P(SampleSetsOfRigs, OfPixelsWithoutDepthAreEmpty)
{
  RigSettings settings;
  settings.missing = 1.0f;
  for (const std::vector<SceneSample>& set : gathered(RandomRig(1, settings), {}))
    EXPECT_TRUE(set.empty());
}

TEST_P(SampleSetsOfRigs, KeepWholeFramesUpToTheFirstWithoutRoom)
{
  constexpr std::size_t capacity = 17;
  const RandomRig rig(3, {});
  const auto sets = gathered(rig, {}, capacity);
  const auto all = naiveSets(rig, {});
  for (std::size_t i = 0; i < sets.size(); ++i)
    ASSERT_EQ(comparable(sets[i]), comparable(wholeFrames(all[i], capacity)))
        << "pixel " << i;
}

TEST_P(SampleSetsOfRigs, SayWhetherSamplesWereLeftOut)
{
  const RandomRig rig(3, {});
  const auto all = naiveSets(rig, {});
  SampleGathering gathering;
  change(gathering, [&](auto& p) { p.max_samples = 17; });
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  std::vector<std::uint32_t> counts;
  sets.getCounts().download(counts);
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_EQ((counts[i] & SampleSets::is_full) != 0, all[i].size() > 17)
        << "pixel " << i;
}

TEST_P(SampleSetsOfRigs, OfOnePixelCanBeDownloaded)
{
  const RandomRig rig(3, {});
  SampleGathering gathering;
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  const auto all = naiveSets(rig, {});
  EXPECT_EQ(comparable(sets.download(40, 20)), comparable(all[20 * 70 + 40]));
  expectBadArgument("column", [&] { sets.download(70, 0); });
  expectBadArgument("row", [&] { sets.download(0, -1); });
}

/** \brief The sets of an output, made region by region. */
std::vector<std::vector<SceneSample>>
gatheredInRegions(const RandomRig& rig,
                  PaperGathering& gathering,
                  int columns,
                  int rows)
{
  const PinholeCamera& output = rig.view.camera;
  const auto frames = rig.upload();
  std::vector<std::vector<SceneSample>> all(std::size_t(output.width) * output.height);
  SampleSets sets;
  for (int row = 0; row < output.height; row += rows)
    for (int column = 0; column < output.width; column += columns) {
      change(gathering, [&](auto& p) {
        p.region = {column,
                    row,
                    std::min(columns, output.width - column),
                    std::min(rows, output.height - row)};
      });
      gathering.gather(frames, rig.view, sets);
      const ImageRegion& region = sets.getRegion();
      const auto some = downloadedSets(sets);
      for (std::size_t i = 0; i < some.size(); ++i)
        all[(region.row + i / region.columns) * output.width + region.column +
            i % region.columns] = some[i];
    }
  return all;
}

TEST_P(SampleSetsOfRigs, AreTheSameInTilesOfAnySize)
{
  const RandomRig rig(6, {});
  const auto expected = naiveSets(rig, {});
  for (const GatheringAlgorithm algorithm : {GatheringAlgorithm::Projection,
                                             GatheringAlgorithm::Naive,
                                             GatheringAlgorithm::ConvexBounds,
                                             GatheringAlgorithm::ProducerConsumer})
    for (const auto& size :
         {std::pair<int, int>{32, 16}, {13, 37}, {70, 5}, {41, 41}}) {
      PaperGathering gathering;
      gathering.setAlgorithm(algorithm);
      const auto sets = gatheredInRegions(rig, gathering, size.first, size.second);
      for (std::size_t i = 0; i < sets.size(); ++i)
        ASSERT_EQ(comparable(sets[i]), comparable(expected[i]))
            << "pixel " << i << ", tiles of " << size.first << "x" << size.second;
    }
}

TEST_P(SampleSetsOfRigs, OfATileTellThatTheyAre)
{
  const RandomRig rig(3, {});
  SampleGathering gathering;
  change(gathering, [&](auto& p) { p.region = {10, 20, 40, 9}; });
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  EXPECT_EQ(sets.getColumns(), 40);
  EXPECT_EQ(sets.getRows(), 9);
  const auto all = naiveSets(rig, {});
  EXPECT_EQ(comparable(sets.download(49, 28)), comparable(all[28 * 70 + 49]));
  expectBadArgument("column", [&] { sets.download(50, 28); });
  expectBadArgument("row", [&] { sets.download(10, 19); });
}

TEST_P(SampleSetsOfRigs, WantRegionsOfTheOutput)
{
  const RandomRig rig(3, {});
  SampleGathering gathering;
  SampleSets sets;
  expectBadArgument("first column", [&] {
    change(gathering, [&](auto& p) { p.region = {-1, 0, 5, 5}; });
  });
  expectBadArgument("rows of the region", [&] {
    change(gathering, [&](auto& p) { p.region = {0, 0, 5, 0}; });
  });
  change(gathering, [&](auto& p) { p.region = {60, 0, 11, 5}; });
  expectBadArgument("last column of the region",
                    [&] { gathering.gather(rig.upload(), rig.view, sets); });
  change(gathering, [&](auto& p) { p.region = {60, 30, 10, 8}; });
  expectBadArgument("last row of the region",
                    [&] { gathering.gather(rig.upload(), rig.view, sets); });
}

TEST_P(SampleSetsOfRigs, TakeAsMuchMemoryAsTheyTell)
{
  const RandomRig rig(3, {});
  SampleGathering gathering;
  change(gathering, [&](auto& p) {
    p.max_samples = 30;
    p.region = {0, 0, 20, 10};
  });
  SampleSets sets;
  gathering.gather(rig.upload(), rig.view, sets);
  const std::size_t bytes = sets.getCounts().size() * 4 +
                            sets.getPositions().size() * 4 +
                            sets.getDepths().size() * 4 + sets.getColors().size() * 4 +
                            sets.getFrameHighBytes().size();
  EXPECT_EQ(SampleSets::estimateMemory(200, 30), bytes);
  EXPECT_GT(gathering.estimateMemory(5, 61, 43, rig.view), bytes);
}

TEST_P(SampleSetsOfRigs, AreTheSameEveryTime)
{
  const RandomRig rig(5, {});
  const auto once = gathered(rig, {}), again = gathered(rig, {});
  for (std::size_t i = 0; i < once.size(); ++i) {
    ASSERT_EQ(once[i].size(), again[i].size());
    for (std::size_t k = 0; k < once[i].size(); ++k)
      ASSERT_EQ(comparable(once[i][k]), comparable(again[i][k]));
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SampleSetsOfRigs);

} // namespace

} // namespace pcl::gpu::test
