// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/virtual_aperture_effect.h>

#include <limits>

namespace pcl::gpu::test {

namespace {

class VirtualApertures : public DeviceTest {};

constexpr float focus = 2.0f;
constexpr float diameter = 0.12f;

RGBDVideo::ConstPtr
sharedShortVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(smallRenderedVideo(9));
  return video;
}

std::shared_ptr<VirtualApertureEffect>
lens(float aperture, float distance, int samples = 32)
{
  const auto effect = std::make_shared<VirtualApertureEffect>();
  change(*effect, [&](auto& p) {
    p.aperture = aperture;
    p.focus_distance = distance;
    p.lens_samples = samples;
    p.reach = 4;
    p.step = 4;
  });
  return effect;
}

RGBDFrame
taken(const std::shared_ptr<VirtualApertureEffect>& effect)
{
  return SceneSpaceVideo(sharedShortVideo(), effect).read(4);
}

/** \brief Pixels whose circle of confusion is within bounds, pixels. */
Image<std::uint8_t>
blurredBetween(const RGBDFrame& frame, float distance, float least, float most)
{
  Image<std::uint8_t> mask;
  mask.resize(frame.depth.width, frame.depth.height);
  for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
    const float z = frame.depth.pixels[i];
    const float circle =
        diameter * frame.depth_camera.fx * std::abs(1.0f / z - 1.0f / distance);
    mask.pixels[i] = circle >= least && circle < most ? 255 : 0;
  }
  return mask;
}

TEST_P(VirtualApertures, TakeThePicturesOfAThinLens)
{
  const RGBDFrame input = sharedShortVideo()->read(4);
  for (const float distance : {focus, 4.0f}) {
    SCOPED_TRACE("focus at " + std::to_string(distance));
    const RGBDFrame result = taken(lens(diameter, distance));
    const ColorImage truth = renderThinLens(
        input.color_camera, input.color_pose, 0.5f * diameter, distance, 150);
    EXPECT_GT(psnr(result.color, truth), 27.5);
    const auto blurred = blurredBetween(input, distance, 2.0f, 1e9f);
    EXPECT_GT(psnr(result.color, truth, blurred), 27.0);
    EXPECT_GT(psnr(result.color, truth, blurred),
              psnr(input.color, truth, blurred) + 3.0);
    const auto sharp = blurredBetween(input, distance, 0.0f, 0.7f);
    EXPECT_GT(psnr(result.color, truth, sharp), psnr(input.color, truth, sharp) - 0.5);
  }
}

TEST_P(VirtualApertures, OfNoSizeKeepThePicture)
{
  const RGBDFrame input = sharedShortVideo()->read(4);
  const RGBDFrame result = taken(lens(0.0f, focus, 2));
  EXPECT_GT(psnr(result.color, input.color), 40.0);
  EXPECT_EQ(result.depth.pixels, input.depth.pixels);
}

TEST_P(VirtualApertures, AreFocusedOnWhatAPixelShows)
{
  const Image<float> depth = sharedShortVideo()->read(4).depth;
  const auto by_pixel = lens(diameter, 100.0f, 8);
  change(*by_pixel, [&](auto& p) {
    p.focus_column = 80;
    p.focus_row = 60;
  });
  const float there = depth.pixels[60 * depth.width + 80];
  expectSameFrames(taken(by_pixel), taken(lens(diameter, there, 8)));
  change(*by_pixel, [&](auto& p) {
    p.focus_column = 160;
    p.focus_row = 60;
  });
  expectBadArgument("column", [&] { taken(by_pixel); });
}

TEST_P(VirtualApertures, HaveTheFocusOfTheSettingWhereThePixelHasNoDepth)
{
  RGBDFrame frame = sharedShortVideo()->read(4);
  std::fill(frame.depth.pixels.begin(), frame.depth.pixels.end(), std::nanf(""));
  const auto video = std::make_shared<RGBDRecording>();
  video->add(frame);
  const auto effect = lens(diameter, focus, 4);
  change(*effect, [&](auto& p) {
    p.focus_column = 3;
    p.focus_row = 3;
  });
  const RGBDFrame result = SceneSpaceVideo(video, effect).read(0);
  // Without depth at all, there is nothing to blur.
  EXPECT_TRUE(std::isinf(psnr(result.color, frame.color)));
}

TEST_P(VirtualApertures, MakeSpotsOfTheirShape)
{
  const auto hexagon = lens(diameter, focus, 16);
  change(*hexagon, [&](auto& p) {
    p.blades = 6;
    p.turn = 0.2f;
  });
  const RGBDFrame disc = taken(lens(diameter, focus, 16)), polygon = taken(hexagon);
  EXPECT_GT(psnr(disc.color, polygon.color), 30.0);
  EXPECT_FALSE(std::isinf(psnr(disc.color, polygon.color)));
}

TEST_P(VirtualApertures, AreTheSameWithAnyMemory)
{
  expectSameWithAnyMemory(sharedShortVideo(), lens(diameter, focus, 3), 4);
}

TEST_P(VirtualApertures, RejectSettingsThatMakeNoSense)
{
  VirtualApertureEffect effect;
  expectBadArgument("aperture",
                    [&] { change(effect, [&](auto& p) { p.aperture = -0.1f; }); });
  expectBadArgument("focus distance",
                    [&] { change(effect, [&](auto& p) { p.focus_distance = 0.0f; }); });
  expectBadArgument("column", [&] {
    change(effect, [&](auto& p) {
      p.focus_column = -2;
      p.focus_row = 3;
    });
  });
  expectBadArgument("row", [&] {
    change(effect, [&](auto& p) {
      p.focus_column = 4;
      p.focus_row = -1;
    });
  });
  expectBadArgument("blades", [&] { change(effect, [&](auto& p) { p.blades = 2; }); });
  expectBadArgument("turn", [&] {
    change(effect, [&](auto& p) {
      p.blades = 5;
      p.turn = std::numeric_limits<float>::infinity();
    });
  });
  expectBadArgument("samples of the lens",
                    [&] { change(effect, [&](auto& p) { p.lens_samples = 0; }); });
  expectBadArgument("reach", [&] { change(effect, [&](auto& p) { p.reach = -1; }); });
  expectBadArgument("step", [&] { change(effect, [&](auto& p) { p.step = 0; }); });
  expectBadArgument("sigma_xyz",
                    [&] { change(effect, [&](auto& p) { p.sigma_xyz = 0.0f; }); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(VirtualApertures);

} // namespace

} // namespace pcl::gpu::test
