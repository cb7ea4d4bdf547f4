// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/noisy_video.h"
#include "testing/video/rendered_images.h"
#include "testing/video/rendered_video.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <string>
#include <thread>

namespace pcl::gpu::test {

namespace {

std::shared_ptr<DenoisingEffect>
denoising(int reach = 3)
{
  const auto effect = std::make_shared<DenoisingEffect>();
  change(*effect, [&](auto& p) { p.reach = reach; });
  return effect;
}

class VideosFromEffects : public DeviceTest {
protected:
  /** \brief The frames of noisyVideo() that one device makes with all memory, made once
   * for each device. */
  static const std::vector<RGBDFrame>&
  denoisedFrames()
  {
    static std::map<std::string, std::vector<RGBDFrame>> frames_of_devices;
    std::vector<RGBDFrame>& frames = frames_of_devices[GetParam()];
    if (frames.empty()) {
      const SceneSpaceVideo video(noisyVideo(), denoising(), noisyPreparation());
      for (int i = 0; i < video.size(); ++i)
        frames.push_back(video.read(i));
    }
    return frames;
  }
};

/** \brief A video that counts the reads of its frames. */
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

  /** \brief Makes the next reading of a frame fail. */
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
memoryForNoisy(const SceneSpaceEffect& effect, int frames)
{
  return test::memoryFor(*noisyVideo(), effect, noisyPreparation(), frames);
}

TEST_P(VideosFromEffects, AreTheSameWithAnyMemory)
{
  const auto effect = denoising();
  for (const int room : {2, 3, 5}) {
    SceneSpaceResources resources;
    resources.memory = memoryForNoisy(*effect, room);
    const SceneSpaceVideo with_little(
        noisyVideo(), effect, noisyPreparation(), resources);
    for (const int number : {0, 4, 5, 8, 1})
      expectSameFrames(with_little.read(number), denoisedFrames()[number]);
  }
}

TEST_P(VideosFromEffects, AreTheSameOnSeveralDevices)
{
  SceneSpaceResources resources;
  resources.devices = test::sharingDevices();
  const SceneSpaceVideo video(noisyVideo(), denoising(), noisyPreparation(), resources);
  for (int i = 0; i < video.size(); ++i)
    expectSameFrames(video.read(i), denoisedFrames()[i]);
}

TEST_P(VideosFromEffects, ReadFramesOnceForAllDevices)
{
  const auto counting = std::make_shared<CountingVideo>(noisyVideo());
  SceneSpaceResources resources;
  resources.devices = test::sharingDevices();
  const SceneSpaceVideo video(counting, denoising(), noisyPreparation(), resources);
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
  const ScenePreparation preparation; // without guides, which take long
  SceneSpaceResources resources;
  resources.memory = test::memoryFor(*noisyVideo(), *effect, preparation, 2);
  for (const bool has_host_memory : {true, false}) {
    const auto counting = std::make_shared<CountingVideo>(noisyVideo());
    if (!has_host_memory)
      resources.host_memory = 0;
    const SceneSpaceVideo video(counting, effect, preparation, resources);
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
  const auto counting = std::make_shared<CountingVideo>(noisyVideo());
  counting->failOnce(4);
  const SceneSpaceVideo video(counting, denoising(), noisyPreparation());
  EXPECT_THROW(video.read(4), IOException);
  expectSameFrames(video.read(4), denoisedFrames()[4]);
}

TEST_P(VideosFromEffects, CanBeReadBySeveralThreads)
{
  const SceneSpaceVideo video(noisyVideo(), denoising(), noisyPreparation());
  std::vector<RGBDFrame> frames(video.size());
  std::vector<std::thread> threads;
  for (int i = 0; i < video.size(); ++i)
    threads.emplace_back([&, i] { frames[i] = video.read(i); });
  for (std::thread& thread : threads)
    thread.join();
  for (int i = 0; i < video.size(); ++i)
    expectSameFrames(frames[i], denoisedFrames()[i]);
}

TEST_P(VideosFromEffects, KeepNamesTimesAndCameras)
{
  const SceneSpaceVideo video(noisyVideo(), denoising(), noisyPreparation());
  ASSERT_EQ(video.size(), noisyVideo()->size());
  const RGBDView expected = noisyVideo()->view(3);
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
  const SceneSpaceVideo video(noisyVideo(), denoising(), noisyPreparation());
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
    SceneSpaceVideo(noisyVideo(), effect, noisyPreparation(), resources);
  });
  resources.memory = memoryForNoisy(*effect, 1);
  expectBadArgument("memory for frames", [&] {
    SceneSpaceVideo(noisyVideo(), effect, noisyPreparation(), resources);
  });
}

TEST_P(VideosFromEffects, RejectWhatIsMissing)
{
  expectBadArgument("video is null", [&] { SceneSpaceVideo(nullptr, denoising()); });
  expectBadArgument("effect is null", [&] { SceneSpaceVideo(noisyVideo(), nullptr); });
}

TEST_P(VideosFromEffects, SayWhichFrameHasDepthOfAnotherCamera)
{
  const auto recording = std::make_shared<RGBDRecording>();
  RGBDFrame frame = noisyVideo()->read(0);
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
  RenderedVideoSettings settings = noisyVideoSettings();
  settings.frames = 25;
  for (const CameraMotion motion :
       {CameraMotion::Sideways, CameraMotion::Rotation, CameraMotion::Forward}) {
    settings.motion = motion;
    const RGBDVideo::ConstPtr video = recorded(settings);
    const SceneSpaceVideo denoised(video, denoising(12), noisyPreparation());
    const double decibels =
        gain(RenderedVideo(settings), video->read(12), denoised.read(12).color, 12);
    EXPECT_GT(decibels, 10.0);
  }
}

TEST_P(VideosFromEffects, HaveLittleOfTheNoiseWhereThereIsNoDepth)
{
  RenderedVideoSettings settings = noisyVideoSettings();
  settings.frames = 25;
  settings.depth_dropout = 0.3f;
  const RGBDVideo::ConstPtr video = recorded(settings);
  const SceneSpaceVideo denoised(video, denoising(12), noisyPreparation());
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
  RenderedVideoSettings settings = noisyVideoSettings();
  settings.depth_noise = 0.003f;
  const RGBDVideo::ConstPtr video = recorded(settings);
  const SceneSpaceVideo denoised(video, denoising(4), noisyPreparation());
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

} // namespace

} // namespace pcl::gpu::test
