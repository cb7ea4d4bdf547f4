// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace pcl::gpu::test {

namespace {

constexpr int middle_frame = 15;

std::shared_ptr<InpaintingEffect>
inpainting()
{
  const auto effect = std::make_shared<InpaintingEffect>();
  change(*effect, [&](auto& p) {
    p.reach = 15;
    p.step = 1;
  });
  return effect;
}

RGBDFrame
inpainted(const MaskedVideo& masked,
          const std::shared_ptr<InpaintingEffect>& effect,
          int number)
{
  return SceneSpaceVideo(masked.video, effect, masked.preparation()).read(number);
}

class InpaintedVideos : public DeviceTest {
protected:
  /** \brief The middle frame of maskedBallVideo(), inpainted once for each device. */
  static const RGBDFrame&
  inpaintedMiddle()
  {
    static std::map<std::string, RGBDFrame> frames;
    const auto found = frames.find(GetParam());
    if (found != frames.end())
      return found->second;
    return frames[GetParam()] =
               inpainted(maskedBallVideo(), inpainting(), middle_frame);
  }
};

/** \brief The room of a video without the ball. */
RenderedVideo
emptyRoom(const MaskedVideo& masked)
{
  RenderedVideoSettings settings = masked.settings;
  settings.contents.moving_ball = false;
  return RenderedVideo(settings);
}

TEST_P(InpaintedVideos, ShowWhatLiesBehindObjects)
{
  for (const CameraMotion motion :
       {CameraMotion::Rotation, CameraMotion::Sideways, CameraMotion::Forward}) {
    const MaskedVideo& masked = maskedBallVideo(motion);
    const RGBDFrame result = inpainted(masked, inpainting(), middle_frame);
    const RenderedVideo truth = emptyRoom(masked);
    const Mask& mask = (*masked.masks)[middle_frame];
    const ColorImage color = truth.trueColor(middle_frame);
    EXPECT_LT(psnr(masked.video->read(middle_frame).color, color, mask), 14.0);
    EXPECT_GT(psnr(result.color, color, mask), 25.0)
        << "motion " << static_cast<int>(motion);
    const Image<float> depth = truth.trueDepth(middle_frame);
    std::vector<float> errors;
    for (std::size_t i = 0; i < mask.pixels.size(); ++i)
      if (mask.pixels[i] != 0)
        errors.push_back(std::abs(result.depth.pixels[i] - depth.pixels[i]));
    ASSERT_GT(errors.size(), 50u);
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    EXPECT_LT(errors[errors.size() / 2], 0.01f);
  }
}

TEST_P(InpaintedVideos, KeepPixelsBeyondTheMargin)
{
  const MaskedVideo& masked = maskedBallVideo();
  const RGBDFrame input = masked.video->read(middle_frame);
  const RGBDFrame& result = inpaintedMiddle();
  const Mask& mask = (*masked.masks)[middle_frame];
  for (int row = 0; row < mask.height; ++row)
    for (int column = 0; column < mask.width; ++column) {
      bool is_near = false;
      for (int y = std::max(0, row - 2); y <= std::min(mask.height - 1, row + 2); ++y)
        for (int x = std::max(0, column - 2); x <= std::min(mask.width - 1, column + 2);
             ++x)
          is_near |= mask.pixels[y * mask.width + x] != 0;
      const std::size_t i = std::size_t(row) * mask.width + column;
      if (is_near)
        continue;
      ASSERT_EQ(result.color.pixels[i].rgba, input.color.pixels[i].rgba);
      ASSERT_EQ(result.depth.pixels[i], input.depth.pixels[i]);
    }
}

TEST_P(InpaintedVideos, AreTheInputWithoutMaskOrWithOpaqueObjects)
{
  const MaskedVideo& masked = maskedBallVideo();
  const RGBDFrame input = masked.video->read(middle_frame);
  expectSameFrames(SceneSpaceVideo(masked.video, inpainting()).read(middle_frame),
                   input);
  const auto effect = inpainting();
  change(*effect, [&](auto& p) { p.opacity = 1.0f; });
  expectSameFrames(inpainted(masked, effect, middle_frame), input);
}

TEST_P(InpaintedVideos, BlendObjectsThatAreSeenThrough)
{
  const MaskedVideo& masked = maskedBallVideo();
  const RGBDFrame input = masked.video->read(middle_frame);
  const auto effect = inpainting();
  const RGBDFrame& removed = inpaintedMiddle();
  change(*effect, [&](auto& p) { p.opacity = 0.25f; });
  const RGBDFrame blended = inpainted(masked, effect, middle_frame);
  for (std::size_t i = 0; i < input.color.pixels.size(); ++i)
    ASSERT_NEAR(blended.color.pixels[i].g,
                0.25 * input.color.pixels[i].g + 0.75 * removed.color.pixels[i].g,
                1.0);
}

TEST_P(InpaintedVideos, AreTheSameOnEveryDevice)
{
  const MaskedVideo& masked = maskedBallVideo();
  SceneSpaceResources on_host;
  on_host.devices = {Device::host()};
  const SceneSpaceVideo there(
      masked.video, inpainting(), masked.preparation(), on_host);
  expectSameFrames(inpaintedMiddle(), there.read(middle_frame));
}

TEST_P(InpaintedVideos, AreTheSameWithAnyMemory)
{
  const MaskedVideo& masked = maskedBallVideo();
  const auto effect = inpainting();
  for (const int room : {2, 7}) {
    SceneSpaceResources resources;
    resources.memory = memoryFor(*masked.video, *effect, masked.preparation(), room);
    const SceneSpaceVideo video(masked.video, effect, masked.preparation(), resources);
    expectSameFrames(video.read(middle_frame), inpaintedMiddle());
  }
}

TEST_P(InpaintedVideos, HaveNoSeamsWhereExposuresDiffer)
{
  const MaskedVideo& masked = maskedBallVideo();
  const auto recording = std::make_shared<RGBDRecording>();
  ColorImage truth = emptyRoom(masked).trueColor(middle_frame);
  const auto expose = [](ColorImage& image, int number) {
    const float gain = number == middle_frame ? 0.8f : 0.9f;
    for (RGB& color : image.pixels) {
      color.r = static_cast<std::uint8_t>(gain * color.r);
      color.g = static_cast<std::uint8_t>(gain * color.g);
      color.b = static_cast<std::uint8_t>(gain * color.b);
    }
  };
  for (int i = 0; i < masked.video->size(); ++i) {
    RGBDFrame frame = masked.video->read(i);
    expose(frame.color, i);
    recording->add(frame);
  }
  expose(truth, middle_frame);
  const SceneSpaceVideo video(recording, inpainting(), masked.preparation());
  EXPECT_GT(psnr(video.read(middle_frame).color, truth, (*masked.masks)[middle_frame]),
            25.0);
}

/** \brief Frames of one pose, before a wall that is slanted and coloured evenly. */
RGBDVideo::ConstPtr
wallVideo()
{
  const auto recording = std::make_shared<RGBDRecording>();
  RGBDFrame frame;
  frame.color_camera = frame.depth_camera =
      PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  frame.color.resize(160, 90);
  frame.depth.resize(160, 90);
  for (int i = 0; i < 160 * 90; ++i) {
    const int column = i % 160, row = i / 160;
    frame.color.pixels[i] = {static_cast<std::uint8_t>(40 + column),
                             static_cast<std::uint8_t>(100 + row),
                             static_cast<std::uint8_t>(220 - column)};
    frame.depth.pixels[i] = 1.0f / (0.3f + 0.001f * column);
  }
  for (int i = 0; i < 5; ++i)
    recording->add(frame);
  return recording;
}

TEST_P(InpaintedVideos, AreFilledFromAroundWhereNoFrameSees)
{
  const RGBDVideo::ConstPtr video = wallVideo();
  ScenePreparation preparation;
  const auto isInside = [](int column, int row) {
    return std::hypot(column - 70, row - 40) < 20.0;
  };
  preparation.masks = [&](int) {
    Mask mask;
    mask.resize(160, 90);
    for (int i = 0; i < 160 * 90; ++i)
      mask.pixels[i] = isInside(i % 160, i / 160);
    return mask;
  };
  const RGBDFrame truth = video->read(2);
  const RGBDFrame result = SceneSpaceVideo(video, inpainting(), preparation).read(2);
  for (int i = 0; i < 160 * 90; ++i) {
    ASSERT_NEAR(result.color.pixels[i].r, truth.color.pixels[i].r, 6) << i;
    ASSERT_NEAR(result.color.pixels[i].g, truth.color.pixels[i].g, 6) << i;
    ASSERT_NEAR(result.color.pixels[i].b, truth.color.pixels[i].b, 6) << i;
    ASSERT_NEAR(result.depth.pixels[i], truth.depth.pixels[i], 0.06f) << i;
  }
}

TEST_P(InpaintedVideos, AreBlackWhereNothingIsKnown)
{
  ScenePreparation preparation;
  preparation.masks = [](int) {
    Mask mask;
    mask.resize(160, 90);
    std::fill(mask.pixels.begin(), mask.pixels.end(), std::uint8_t(1));
    return mask;
  };
  const RGBDFrame result =
      SceneSpaceVideo(wallVideo(), inpainting(), preparation).read(2);
  for (int i = 0; i < 160 * 90; ++i) {
    ASSERT_EQ(result.color.pixels[i].rgba, 0xff000000u);
    ASSERT_TRUE(std::isnan(result.depth.pixels[i]));
  }
}

TEST_P(InpaintedVideos, HaveSettingsThatCopiesShare)
{
  InpaintingEffect effect;
  change(effect, [&](auto& p) {
    p.reach = 7;
    p.step = 3;
    p.sigma_rgb = std::numeric_limits<float>::infinity();
    p.sigma_xyz = 0.1f;
    p.sigma_frame = 4.0f;
    p.opacity = 0.5f;
  });
  const std::unique_ptr<SceneSpaceEffect> clone = effect.clone();
  const auto& copy = dynamic_cast<const InpaintingEffect&>(*clone);
  EXPECT_EQ(copy.getParameters().reach, 7);
  EXPECT_EQ(copy.getParameters().step, 3);
  EXPECT_EQ(copy.getParameters().sigma_rgb, std::numeric_limits<float>::infinity());
  EXPECT_EQ(copy.getParameters().sigma_xyz, 0.1f);
  EXPECT_EQ(copy.getParameters().sigma_frame, 4.0f);
  EXPECT_EQ(copy.getParameters().opacity, 0.5f);
}

TEST_P(InpaintedVideos, RejectSettingsThatMakeNoSense)
{
  InpaintingEffect effect;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expectBadArgument("reach is -1",
                    [&] { change(effect, [&](auto& p) { p.reach = -1; }); });
  expectBadArgument("step is 0", [&] { change(effect, [&](auto& p) { p.step = 0; }); });
  expectBadArgument("sigma_rgb is 0",
                    [&] { change(effect, [&](auto& p) { p.sigma_rgb = 0.0f; }); });
  expectBadArgument("sigma_xyz is nan",
                    [&] { change(effect, [&](auto& p) { p.sigma_xyz = nan; }); });
  expectBadArgument("sigma_frame is -1",
                    [&] { change(effect, [&](auto& p) { p.sigma_frame = -1.0f; }); });
  expectBadArgument("opacity is 1.5",
                    [&] { change(effect, [&](auto& p) { p.opacity = 1.5f; }); });
  expectBadArgument("opacity is nan",
                    [&] { change(effect, [&](auto& p) { p.opacity = nan; }); });
  const MaskedVideo& masked = maskedBallVideo();
  const SceneSpaceVideo video(masked.video, inpainting(), masked.preparation());
  EXPECT_THROW(video.read(-1), BadArgumentException);
  EXPECT_THROW(video.read(31), BadArgumentException);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(InpaintedVideos);

} // namespace

} // namespace pcl::gpu::test
