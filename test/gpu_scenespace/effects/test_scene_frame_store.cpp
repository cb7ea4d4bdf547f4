// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/noisy_video.h"
#include "testing/video/rendered_images.h"
#include "testing/video/rendered_video.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/scene_frame_store.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

namespace {

class CachedFrames : public DeviceTest {};

std::size_t
frameMemory(int frames, const ScenePreparation& preparation = noisyPreparation())
{
  const PinholeCamera camera = noisyVideo()->view(0).color_camera;
  return frames *
         SceneFrameStore::estimateMemory(camera.width, camera.height, preparation);
}

TEST_P(CachedFrames, AreLoadedOnceWhileThereIsRoom)
{
  SceneFrameStore cache(noisyVideo(), noisyPreparation(), frameMemory(3), 2);
  EXPECT_EQ(cache.getCapacity(), 3);
  const SceneFrame* const first = cache.get(0).frame.get();
  cache.get(1);
  cache.get(2);
  EXPECT_EQ(cache.get(0).frame.get(), first);
  EXPECT_EQ(cache.get(0).frame->getNumber(), 0);
}

TEST_P(CachedFrames, GiveWayByTheirLastUse)
{
  SceneFrameStore cache(noisyVideo(), noisyPreparation(), frameMemory(2), 1);
  const SceneFrame* const first = cache.get(0).frame.get();
  const SceneFrame* const second = cache.get(1).frame.get();
  cache.get(0);
  EXPECT_EQ(cache.get(2).frame.get(), second);
  EXPECT_EQ(cache.get(0).frame.get(), first);
}

TEST_P(CachedFrames, GiveWayInTimeThoughThereIsRoom)
{
  SceneFrameStore store(noisyVideo(), noisyPreparation(), frameMemory(20), 1);
  const SceneFrame* const first = store.get(0).frame.get();
  const auto use = [&](int number) {
    for (const FrameBatch& batch : store.batches({number}))
      EXPECT_EQ(batch.frames.size(), 1u);
  };
  for (int i = 0; i < 10; ++i)
    use(1);
  EXPECT_NE(store.get(2).frame.get(), first);
  for (int i = 0; i < 64; ++i)
    use(1);
  EXPECT_EQ(store.get(3).frame.get(), first);
}

TEST_P(CachedFrames, StayWhileTheyAreHeld)
{
  SceneFrameStore cache(noisyVideo(), noisyPreparation(), frameMemory(2), 1);
  const PreparedFrame first = cache.get(0), second = cache.get(1);
  EXPECT_THROW(cache.get(2), ComputeFailedException);
  EXPECT_EQ(first.frame->getNumber(), 0);
}

TEST_P(CachedFrames, ComeInPartsThatThereIsRoomFor)
{
  SceneFrameStore cache(noisyVideo(), noisyPreparation(), frameMemory(3), 2);
  const PreparedFrame own = cache.get(4);
  std::vector<int> numbers;
  for (const FrameBatch& batch : cache.batches({1, 2, 3, 4, 5, 6})) {
    EXPECT_EQ(batch.first, numbers.size());
    EXPECT_LE(batch.frames.size(), 2u);
    for (const SceneFrame::ConstPtr& frame : batch.frames)
      numbers.push_back(frame->getNumber());
  }
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST_P(CachedFrames, ComeWithTheirWeights)
{
  SceneFrameStore store(noisyVideo(), noisyPreparation(), frameMemory(20), 2);
  const std::vector<float> weights = {0.5f, 0.0f, 2.0f, 3.0f};
  std::vector<float> seen;
  std::vector<std::size_t> sizes;
  for (const FrameBatch& batch :
       store.batches({3, 1, 2, 3}, weights, {}, FrameContent::Whole, 3)) {
    ASSERT_EQ(batch.weights.size(), batch.frames.size());
    ASSERT_EQ(batch.sharpness.size(), batch.frames.size());
    for (std::size_t i = 0; i < batch.frames.size(); ++i) {
      EXPECT_EQ(batch.sharpness[i], store.get(batch.frames[i]->getNumber()).sharpness);
      seen.push_back(batch.weights[i]);
    }
    sizes.push_back(batch.frames.size());
  }
  EXPECT_EQ(seen, weights);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1}));
  for (const FrameBatch& batch : store.batches({0, 1}))
    EXPECT_EQ(batch.weights, (std::vector<float>{1.0f, 1.0f}));
  for (const FrameBatch& batch : store.batches({}))
    ADD_FAILURE() << "a batch of " << batch.frames.size() << " frames";
  expectBadArgument("number of weights is 1", [&] { store.batches({0, 1}, {1.0f}); });
  expectBadArgument("frames of a batch is 0", [&] {
    store.batches({0, 1}, {}, {}, FrameContent::Whole, 0);
  });
}

TEST_P(CachedFrames, MayBeLeftInTheMiddle)
{
  SceneFrameStore store(noisyVideo(), noisyPreparation(), frameMemory(2), 1);
  for (const FrameBatch& batch : store.batches({0, 1, 2, 3})) {
    EXPECT_EQ(batch.frames[0]->getNumber(), 0);
    break;
  }
  const PreparedFrame first = store.get(5), second = store.get(6);
  EXPECT_EQ(second.frame->getNumber(), 6);
}

TEST_P(CachedFrames, OfObjectsAreThoseWithMasks)
{
  ScenePreparation masked = noisyPreparation();
  masked.masks = [](int number) {
    Image<std::uint8_t> mask;
    if (number == 2) {
      mask.resize(160, 90);
      std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t(1));
    }
    return mask;
  };
  SceneFrameStore store(noisyVideo(), masked, frameMemory(3, masked), 2);
  std::vector<int> numbers;
  for (const FrameBatch& batch :
       store.batches({0, 1, 2, 3}, {}, {}, FrameContent::Objects))
    for (const SceneFrame::ConstPtr& frame : batch.frames)
      numbers.push_back(frame->getNumber());
  EXPECT_EQ(numbers, std::vector<int>{2});
}

TEST_P(CachedFrames, AreSplitByTheirMasks)
{
  ScenePreparation masked = noisyPreparation();
  masked.mask_margin = 0;
  const auto isInside = [](int column) { return column >= 40 && column < 90; };
  masked.masks = [&](int number) {
    Image<std::uint8_t> mask;
    if (number == 1)
      return mask;
    mask.resize(160, 90);
    for (std::size_t i = 0; i < mask.pixels.size(); ++i)
      mask.pixels[i] = isInside(i % 160);
    return mask;
  };
  SceneFrameStore cache(noisyVideo(), masked, frameMemory(20), 2);
  const PreparedFrame frame = cache.get(0);
  std::vector<float> whole, background, objects;
  int columns = 0;
  frame.frame->getDepth().download(whole, columns);
  frame.background->getDepth().download(background, columns);
  frame.objects->getDepth().download(objects, columns);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const int column = i % 160;
    const bool is_edge = column == 40 || column == 89;
    ASSERT_EQ(std::isnan(background[i]), isInside(column)) << "pixel " << i;
    ASSERT_EQ(std::isnan(objects[i]), !isInside(column) || is_edge) << "pixel " << i;
    if (!is_edge) {
      const float kept = isInside(column) ? objects[i] : background[i];
      ASSERT_EQ(kept, whole[i]) << "pixel " << i;
    }
  }
  const PreparedFrame without = cache.get(1);
  EXPECT_EQ(without.background, without.frame);
  EXPECT_EQ(without.objects, nullptr);
  EXPECT_TRUE(without.mask.empty());
}

TEST_P(CachedFrames, HaveMarginsAroundTheirMasks)
{
  ScenePreparation masked = noisyPreparation();
  masked.mask_margin = 3;
  masked.masks = [](int) {
    Image<std::uint8_t> mask;
    mask.resize(160, 90);
    std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t(0));
    mask.pixels[160 * 40 + 70] = mask.pixels[160 * 1 + 159] = 7;
    return mask;
  };
  SceneFrameStore cache(noisyVideo(), masked, frameMemory(20), 2);
  const PreparedFrame frame = cache.get(0);
  std::vector<std::uint8_t> mask;
  std::vector<float> background, objects;
  int columns = 0;
  frame.mask.download(mask, columns);
  frame.background->getDepth().download(background, columns);
  frame.objects->getDepth().download(objects, columns);
  for (int i = 0; i < 160 * 90; ++i) {
    const double distance = std::min(std::hypot(i % 160 - 70, i / 160 - 40),
                                     std::hypot(i % 160 - 159, i / 160 - 1));
    const int expected = distance == 0.0 ? 254 : distance <= 3.0 ? 1 : 0;
    ASSERT_EQ(mask[i], expected) << "pixel " << i;
    ASSERT_EQ(std::isnan(background[i]), expected != 0) << "pixel " << i;
    ASSERT_TRUE(std::isnan(objects[i])) << "pixel " << i;
  }
}

TEST_P(CachedFrames, RejectMasksOfAnotherSize)
{
  ScenePreparation masked = noisyPreparation();
  masked.masks = [](int) {
    Image<std::uint8_t> mask;
    mask.resize(3, 3);
    return mask;
  };
  SceneFrameStore cache(noisyVideo(), masked, frameMemory(20), 2);
  expectBadArgument("mask of 3x3", [&] { cache.get(0); });
}

TEST_P(CachedFrames, TellHowSharpTheyAre)
{
  const auto recording = std::make_shared<RGBDRecording>();
  for (const int slope : {0, 1, 4}) {
    RGBDFrame frame = noisyVideo()->read(0);
    for (int row = 0; row < frame.color.height; ++row)
      for (int column = 0; column < frame.color.width; ++column) {
        const auto level = static_cast<std::uint8_t>(slope * (column % 2 + row % 2));
        frame.color.pixels[row * frame.color.width + column] = {level, level, level};
      }
    recording->add(frame);
  }
  SceneFrameStore cache(recording, {}, frameMemory(5), 1);
  EXPECT_EQ(cache.get(0).sharpness, 0.0f);
  EXPECT_NEAR(cache.get(1).sharpness, std::sqrt(2.0f), 1e-4f);
  EXPECT_NEAR(cache.get(2).sharpness, 4.0f * std::sqrt(2.0f), 1e-4f);
}

TEST_P(CachedFrames, HaveDepthEverywhereUnlessItIsNotToBeFilled)
{
  RenderedVideoSettings settings = noisyVideoSettings();
  settings.depth_dropout = 0.3f;
  settings.frames = 1;
  const RGBDVideo::ConstPtr video = recorded(settings);
  ScenePreparation plain;
  const auto missing = [&] {
    SceneFrameStore cache(video, plain, frameMemory(5), 1);
    std::vector<float> depth;
    int columns = 0;
    cache.get(0).frame->getDepth().download(depth, columns);
    return std::count_if(
        depth.begin(), depth.end(), [](float z) { return std::isnan(z); });
  };
  EXPECT_EQ(missing(), 0);
  plain.fill_depth = false;
  EXPECT_GT(missing(), 160 * 90 / 5);
}

TEST_P(CachedFrames, RejectSettingsThatMakeNoSense)
{
  expectBadArgument("video is null", [&] {
    SceneFrameStore(nullptr, noisyPreparation(), frameMemory(5), 1);
  });
  expectBadArgument("reading threads", [&] {
    SceneFrameStore(noisyVideo(), noisyPreparation(), frameMemory(5), 0);
  });
  expectBadArgument("memory for frames", [&] {
    SceneFrameStore(noisyVideo(), noisyPreparation(), frameMemory(1), 1);
  });
  ScenePreparation bad;
  bad.noise = -1.0f;
  expectBadArgument("noise",
                    [&] { SceneFrameStore(noisyVideo(), bad, frameMemory(5), 1); });
  bad = noisyPreparation();
  bad.mask_margin = -1;
  expectBadArgument("margin of masks is -1",
                    [&] { SceneFrameStore(noisyVideo(), bad, frameMemory(5), 1); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CachedFrames);

} // namespace

} // namespace pcl::gpu::test
