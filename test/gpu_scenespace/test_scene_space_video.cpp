// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/rendered_images.h"
#include "common/rendered_video.h"
#include "effect_videos.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/denoising_effect.h>
#include <pcl/gpu/scenespace/rgbd_recording.h>
#include <pcl/gpu/scenespace/scene_space_video.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace pcl {
namespace gpu {
namespace test {

namespace {

constexpr float noise = 20.0f;

class VideosFromEffects : public DeviceTest {};
class CachedFrames : public DeviceTest {};

RenderedVideoSettings
smallVideo()
{
  RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  settings.frames = 9;
  settings.begin = 4.0f;
  settings.color_noise = noise;
  return settings;
}

RGBDVideo::ConstPtr
sharedVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(smallVideo());
  return video;
}

ScenePreparation
preparation()
{
  ScenePreparation made;
  made.noise = noise;
  return made;
}

std::shared_ptr<DenoisingEffect>
denoising(int reach = 3)
{
  const auto effect = std::make_shared<DenoisingEffect>();
  effect->setReach(reach);
  return effect;
}

/** \brief A video that counts how often its frames are read. */
class CountingVideo : public RGBDVideo {
public:
  explicit CountingVideo(ConstPtr video)
  : video_(std::move(video))
  , reads_(video_->size())
  , failures_(video_->size())
  {}

  int
  size() const override
  {
    return video_->size();
  }

  RGBDView
  view(int number) const override
  {
    return video_->view(number);
  }

  RGBDFrame
  read(int number) const override
  {
    ++reads_[number];
    if (failures_[number]-- > 0)
      PCL_THROW_EXCEPTION(IOException, "frame " << number << " cannot be read now");
    return video_->read(number);
  }

  /** \brief Has reading a frame fail the next time. */
  void
  failOnce(int number)
  {
    failures_[number] = 1;
  }

  std::vector<int>
  reads() const
  {
    return {reads_.begin(), reads_.end()};
  }

private:
  ConstPtr video_;
  mutable std::vector<std::atomic<int>> reads_, failures_;
};

/** \brief Memory that an effect takes, and room for some frames. */
std::size_t
memoryFor(const SceneSpaceEffect& effect, int frames)
{
  return test::memoryFor(*sharedVideo(), effect, preparation(), frames);
}

TEST_P(VideosFromEffects, AreTheSameWithAnyMemory)
{
  const auto effect = denoising();
  const SceneSpaceVideo with_all(sharedVideo(), effect, preparation());
  for (const int room : {2, 3, 5}) {
    SceneSpaceResources resources;
    resources.memory = memoryFor(*effect, room);
    const SceneSpaceVideo with_little(sharedVideo(), effect, preparation(), resources);
    for (const int number : {0, 4, 5, 8, 1})
      expectSameFrames(with_little.read(number), with_all.read(number));
  }
}

TEST_P(VideosFromEffects, AreTheSameOnSeveralDevices)
{
  const auto effect = denoising();
  const SceneSpaceVideo with_one(sharedVideo(), effect, preparation());
  SceneSpaceResources resources;
  resources.devices = test::sharingDevices();
  const SceneSpaceVideo with_some(sharedVideo(), effect, preparation(), resources);
  for (int i = 0; i < with_one.size(); ++i)
    expectSameFrames(with_some.read(i), with_one.read(i));
}

TEST_P(VideosFromEffects, ReadFramesOnceForAllDevices)
{
  const auto counting = std::make_shared<CountingVideo>(sharedVideo());
  SceneSpaceResources resources;
  resources.devices = test::sharingDevices();
  const SceneSpaceVideo video(counting, denoising(), preparation(), resources);
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k)
    threads.emplace_back([&, k] {
      for (int i = k; i < video.size(); i += 3)
        video.read(i);
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(counting->reads(), std::vector<int>(video.size(), 1));
}

TEST_P(VideosFromEffects, ReadFramesOnceWithLittleMemoryOfTheDevice)
{
  const auto effect = denoising();
  SceneSpaceResources resources;
  resources.memory = memoryFor(*effect, 2);
  for (const bool has_host_memory : {true, false}) {
    const auto counting = std::make_shared<CountingVideo>(sharedVideo());
    if (!has_host_memory)
      resources.host_memory = 0;
    const SceneSpaceVideo video(counting, effect, preparation(), resources);
    for (int i = 0; i < video.size(); ++i)
      video.read(i);
    const std::vector<int> reads = counting->reads();
    if (has_host_memory)
      EXPECT_EQ(reads, std::vector<int>(video.size(), 1));
    else
      EXPECT_GT(*std::min_element(reads.begin(), reads.end()), 1);
  }
}

TEST_P(VideosFromEffects, ReadFramesAgainThatCouldNotBeRead)
{
  const auto counting = std::make_shared<CountingVideo>(sharedVideo());
  counting->failOnce(4);
  const SceneSpaceVideo video(counting, denoising(), preparation());
  EXPECT_THROW(video.read(4), IOException);
  expectSameFrames(video.read(4),
                   SceneSpaceVideo(sharedVideo(), denoising(), preparation()).read(4));
}

TEST_P(VideosFromEffects, CanBeReadBySeveralThreads)
{
  const auto effect = denoising();
  const SceneSpaceVideo video(sharedVideo(), effect, preparation());
  std::vector<RGBDFrame> frames(video.size());
  std::vector<std::thread> threads;
  for (int i = 0; i < video.size(); ++i)
    threads.emplace_back([&, i] { frames[i] = video.read(i); });
  for (std::thread& thread : threads)
    thread.join();
  for (int i = 0; i < video.size(); ++i)
    expectSameFrames(frames[i],
                     SceneSpaceVideo(sharedVideo(), effect, preparation()).read(i));
}

TEST_P(VideosFromEffects, KeepNamesTimesAndCameras)
{
  const SceneSpaceVideo video(sharedVideo(), denoising(), preparation());
  ASSERT_EQ(video.size(), sharedVideo()->size());
  const RGBDView expected = sharedVideo()->view(3);
  const RGBDFrame frame = video.read(3);
  for (const RGBDView& view : {video.view(3), static_cast<const RGBDView&>(frame)}) {
    EXPECT_EQ(view.name, expected.name);
    EXPECT_EQ(view.time, expected.time);
    EXPECT_EQ(view.color_camera.fx, expected.color_camera.fx);
    EXPECT_EQ(view.depth_pose.matrix(), expected.color_pose.matrix());
  }
}

TEST_P(VideosFromEffects, TellFramesThatThereAreNot)
{
  const SceneSpaceVideo video(sharedVideo(), denoising(), preparation());
  EXPECT_THROW(video.read(-1), BadArgumentException);
  EXPECT_THROW(video.read(9), BadArgumentException);
  EXPECT_THROW(video.view(9), BadArgumentException);
}

TEST_P(VideosFromEffects, WantMemoryForTheEffectAndTwoFrames)
{
  const auto effect = denoising();
  SceneSpaceResources resources;
  resources.memory = 1000;
  expectBadArgument("memory", [&] {
    SceneSpaceVideo(sharedVideo(), effect, preparation(), resources);
  });
  resources.memory = memoryFor(*effect, 1);
  expectBadArgument("memory for frames", [&] {
    SceneSpaceVideo(sharedVideo(), effect, preparation(), resources);
  });
}

TEST_P(VideosFromEffects, RejectWhatIsMissing)
{
  expectBadArgument("video is null", [&] { SceneSpaceVideo(nullptr, denoising()); });
  expectBadArgument("effect is null", [&] { SceneSpaceVideo(sharedVideo(), nullptr); });
}

TEST_P(VideosFromEffects, SayWhichFrameHasDepthOfAnotherCamera)
{
  const auto recording = std::make_shared<RGBDRecording>();
  RGBDFrame frame = sharedVideo()->read(0);
  frame.name = "crooked";
  frame.depth_pose.translation().x() += 0.1f;
  recording->add(frame);
  const SceneSpaceVideo video(recording, denoising());
  expectBadArgument("crooked", [&] { video.read(0); });
}

/** \brief Decibels above the noisy frame. */
double
gain(const RenderedVideo& truth,
     const RGBDFrame& noisy,
     const ColorImage& result,
     int i)
{
  const ColorImage color = truth.trueColor(i);
  return psnr(result, color) - psnr(noisy.color, color);
}

TEST_P(VideosFromEffects, HaveLittleOfTheNoise)
{
  RenderedVideoSettings settings = smallVideo();
  settings.frames = 25;
  for (const CameraMotion motion :
       {CameraMotion::Sideways, CameraMotion::Rotation, CameraMotion::Forward}) {
    settings.motion = motion;
    const RGBDVideo::ConstPtr video = recorded(settings);
    const SceneSpaceVideo denoised(video, denoising(12), preparation());
    const double decibels =
        gain(RenderedVideo(settings), video->read(12), denoised.read(12).color, 12);
    EXPECT_GT(decibels, 10.0);
  }
}

TEST_P(VideosFromEffects, HaveLittleOfTheNoiseWhereThereIsNoDepth)
{
  RenderedVideoSettings settings = smallVideo();
  settings.frames = 25;
  settings.depth_dropout = 0.3f;
  const RGBDVideo::ConstPtr video = recorded(settings);
  const SceneSpaceVideo denoised(video, denoising(12), preparation());
  const RGBDFrame noisy = video->read(12), result = denoised.read(12);
  Image<std::uint8_t> mask;
  mask.resize(noisy.depth.width, noisy.depth.height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i)
    mask.pixels[i] = std::isnan(noisy.depth.pixels[i]) ? 255 : 0;
  const ColorImage truth = RenderedVideo(settings).trueColor(12);
  EXPECT_GT(psnr(result.color, truth, mask) - psnr(noisy.color, truth, mask), 9.0);
}

TEST_P(VideosFromEffects, HaveDepthWithLessNoise)
{
  RenderedVideoSettings settings = smallVideo();
  settings.depth_noise = 0.003f;
  const RGBDVideo::ConstPtr video = recorded(settings);
  const SceneSpaceVideo denoised(video, denoising(4), preparation());
  const Image<float> truth = RenderedVideo(settings).trueDepth(4);
  const auto medianError = [&](const Image<float>& depth) {
    std::vector<float> errors;
    for (std::size_t i = 0; i < depth.pixels.size(); ++i)
      if (std::isfinite(truth.pixels[i]) && std::isfinite(depth.pixels[i]))
        errors.push_back(std::abs(depth.pixels[i] - truth.pixels[i]));
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    return errors[errors.size() / 2];
  };
  EXPECT_LT(medianError(denoised.read(4).depth),
            0.7f * medianError(video->read(4).depth));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(VideosFromEffects);

std::size_t
frameMemory(int frames)
{
  const PinholeCamera camera = sharedVideo()->view(0).color_camera;
  return frames *
         SceneFrameCache::estimateMemory(camera.width, camera.height, preparation());
}

TEST_P(CachedFrames, AreLoadedOnceWhileThereIsRoom)
{
  SceneFrameCache cache(sharedVideo(), preparation(), frameMemory(3), 2);
  EXPECT_EQ(cache.getCapacity(), 3);
  const SceneFrame* const first = cache.get(0).frame.get();
  cache.get(1);
  cache.get(2);
  EXPECT_EQ(cache.get(0).frame.get(), first);
  EXPECT_EQ(cache.get(0).frame->getNumber(), 0);
}

TEST_P(CachedFrames, GiveWayByTheirLastUse)
{
  SceneFrameCache cache(sharedVideo(), preparation(), frameMemory(2), 1);
  const SceneFrame* const first = cache.get(0).frame.get();
  const SceneFrame* const second = cache.get(1).frame.get();
  cache.get(0);
  EXPECT_EQ(cache.get(2).frame.get(), second);
  EXPECT_EQ(cache.get(0).frame.get(), first);
}

TEST_P(CachedFrames, StayWhileTheyAreHeld)
{
  SceneFrameCache cache(sharedVideo(), preparation(), frameMemory(2), 1);
  const PreparedFrame first = cache.get(0), second = cache.get(1);
  EXPECT_THROW(cache.get(2), ComputeFailedException);
  EXPECT_EQ(first.frame->getNumber(), 0);
}

TEST_P(CachedFrames, ComeInPartsThatThereIsRoomFor)
{
  SceneFrameCache cache(sharedVideo(), preparation(), frameMemory(3), 2);
  const PreparedFrame own = cache.get(4);
  std::vector<int> numbers;
  cache.forEachPart({1, 2, 3, 4, 5, 6},
                    [&](const std::vector<PreparedFrame>& frames, std::size_t first) {
                      EXPECT_EQ(first, numbers.size());
                      EXPECT_LE(frames.size(), 2u);
                      for (const PreparedFrame& frame : frames)
                        numbers.push_back(frame.frame->getNumber());
                    });
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST_P(CachedFrames, AreSplitByTheirMasks)
{
  ScenePreparation masked = preparation();
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
  SceneFrameCache cache(sharedVideo(), masked, frameMemory(20), 2);
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
  ScenePreparation masked = preparation();
  masked.mask_margin = 3;
  masked.masks = [](int) {
    Image<std::uint8_t> mask;
    mask.resize(160, 90);
    std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t(0));
    mask.pixels[160 * 40 + 70] = mask.pixels[160 * 1 + 159] = 7;
    return mask;
  };
  SceneFrameCache cache(sharedVideo(), masked, frameMemory(20), 2);
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
  ScenePreparation masked = preparation();
  masked.masks = [](int) {
    Image<std::uint8_t> mask;
    mask.resize(3, 3);
    return mask;
  };
  SceneFrameCache cache(sharedVideo(), masked, frameMemory(20), 2);
  expectBadArgument("mask of 3x3", [&] { cache.get(0); });
}

TEST_P(CachedFrames, TellHowSharpTheyAre)
{
  const auto recording = std::make_shared<RGBDRecording>();
  for (const int slope : {0, 1, 4}) {
    RGBDFrame frame = sharedVideo()->read(0);
    for (int row = 0; row < frame.color.height; ++row)
      for (int column = 0; column < frame.color.width; ++column) {
        const auto level = static_cast<std::uint8_t>(slope * (column % 2 + row % 2));
        frame.color.pixels[row * frame.color.width + column] = {level, level, level};
      }
    recording->add(frame);
  }
  SceneFrameCache cache(recording, {}, frameMemory(5), 1);
  EXPECT_EQ(cache.get(0).sharpness, 0.0f);
  EXPECT_NEAR(cache.get(1).sharpness, std::sqrt(2.0f), 1e-4f);
  EXPECT_NEAR(cache.get(2).sharpness, 4.0f * std::sqrt(2.0f), 1e-4f);
}

TEST_P(CachedFrames, HaveDepthEverywhereUnlessItIsNotToBeFilled)
{
  RenderedVideoSettings settings = smallVideo();
  settings.depth_dropout = 0.3f;
  settings.frames = 1;
  const RGBDVideo::ConstPtr video = recorded(settings);
  ScenePreparation plain;
  const auto missing = [&] {
    SceneFrameCache cache(video, plain, frameMemory(5), 1);
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
    SceneFrameCache(nullptr, preparation(), frameMemory(5), 1);
  });
  expectBadArgument("reading threads", [&] {
    SceneFrameCache(sharedVideo(), preparation(), frameMemory(5), 0);
  });
  expectBadArgument("memory for frames", [&] {
    SceneFrameCache(sharedVideo(), preparation(), frameMemory(1), 1);
  });
  ScenePreparation bad;
  bad.noise = -1.0f;
  expectBadArgument("noise",
                    [&] { SceneFrameCache(sharedVideo(), bad, frameMemory(5), 1); });
  bad = preparation();
  bad.mask_margin = -1;
  expectBadArgument("margin of masks is -1",
                    [&] { SceneFrameCache(sharedVideo(), bad, frameMemory(5), 1); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CachedFrames);

} // namespace

} // namespace test
} // namespace gpu
} // namespace pcl
