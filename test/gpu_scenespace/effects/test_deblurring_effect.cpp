// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/gpu/scenespace/effects/deblurring_effect.h>

namespace pcl::gpu::test {

namespace {

class DeblurredVideos : public DeviceTest {};

RenderedVideoSettings
steadyVideo()
{
  return smallRenderedVideo(11);
}

/** \brief Returns whether a frame of the shared video is blurred: two of three are. */
bool
isBlurred(int number)
{
  return number % 3 != 0;
}

/** \brief A video some frames of which the camera's turning has blurred over 4
 * pixels. */
RGBDVideo::ConstPtr
sharedBlurredVideo()
{
  static const RGBDVideo::ConstPtr video = [] {
    const auto sharp = recorded(steadyVideo());
    const auto mixed = std::make_shared<RGBDRecording>();
    for (int i = 0; i < sharp->size(); ++i) {
      RGBDFrame frame = sharp->read(i);
      if (isBlurred(i)) {
        PictureSum sum;
        for (int k = 0; k < 8; ++k) {
          const float turn = (k - 3.5f) / 8.0f * 4.0f / frame.color_camera.fx;
          Pose pose = frame.color_pose;
          pose.rotate(Eigen::AngleAxisf(turn, Eigen::Vector3f(0.6f, 0.8f, 0.0f)));
          sum.add(frame.color_camera, pose, 2, {});
        }
        frame.color = toColorImage(sum.mean(), frame.color.width, frame.color.height);
      }
      mixed->add(frame);
    }
    return mixed;
  }();
  return video;
}

std::shared_ptr<DeblurringEffect>
deblurring()
{
  const auto effect = std::make_shared<DeblurringEffect>();
  change(*effect, [&](auto& p) { p.reach = 5; });
  return effect;
}

TEST_P(DeblurredVideos, AreSharpWhereTheyWereBlurred)
{
  const SceneSpaceVideo video(sharedBlurredVideo(), deblurring());
  const RenderedVideo truth(steadyVideo());
  for (const int number : {4, 5, 7}) {
    const ColorImage color = truth.trueColor(number);
    EXPECT_GT(psnr(video.read(number).color, color),
              psnr(sharedBlurredVideo()->read(number).color, color) + 2.0)
        << "frame " << number;
  }
}

TEST_P(DeblurredVideos, KeepSharpFrames)
{
  const SceneSpaceVideo video(sharedBlurredVideo(), deblurring());
  for (const int number : {3, 6})
    EXPECT_GT(psnr(video.read(number).color, sharedBlurredVideo()->read(number).color),
              34.0);
}

TEST_P(DeblurredVideos, AreLessSharpIfAllFramesCountAlike)
{
  const auto alike = deblurring();
  change(*alike, [&](auto& p) {
    p.sharpness_power = 0.0f;
    p.own_lead = 1.0f;
  });
  const ColorImage truth = RenderedVideo(steadyVideo()).trueColor(5);
  EXPECT_GT(
      psnr(SceneSpaceVideo(sharedBlurredVideo(), deblurring()).read(5).color, truth),
      psnr(SceneSpaceVideo(sharedBlurredVideo(), alike).read(5).color, truth) + 1.0);
}

TEST_P(DeblurredVideos, AreTheSameWithAnyMemory)
{
  expectSameWithAnyMemory(sharedBlurredVideo(), deblurring(), 4);
}

TEST_P(DeblurredVideos, MayBeOfOneColor)
{
  const auto grey = std::make_shared<RGBDRecording>();
  RGBDFrame frame = sharedBlurredVideo()->read(0);
  std::fill(frame.color.pixels.begin(), frame.color.pixels.end(), RGB(90, 90, 90));
  grey->add(frame);
  grey->add(frame);
  const RGBDFrame result = SceneSpaceVideo(grey, deblurring()).read(1);
  EXPECT_TRUE(std::isinf(psnr(result.color, frame.color)));
}

TEST_P(DeblurredVideos, RejectSettingsThatMakeNoSense)
{
  DeblurringEffect effect;
  expectBadArgument("reach", [&] { change(effect, [&](auto& p) { p.reach = -1; }); });
  expectBadArgument(
      "power", [&] { change(effect, [&](auto& p) { p.sharpness_power = -1.0f; }); });
  expectBadArgument("own lead",
                    [&] { change(effect, [&](auto& p) { p.own_lead = 0.5f; }); });
  expectBadArgument("sigma_rgb",
                    [&] { change(effect, [&](auto& p) { p.sigma_rgb = 0.0f; }); });
  expectBadArgument("sigma_xyz",
                    [&] { change(effect, [&](auto& p) { p.sigma_xyz = 0.0f; }); });
  expectBadArgument("sigma_frame",
                    [&] { change(effect, [&](auto& p) { p.sigma_frame = 0.0f; }); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DeblurredVideos);

} // namespace

} // namespace pcl::gpu::test
