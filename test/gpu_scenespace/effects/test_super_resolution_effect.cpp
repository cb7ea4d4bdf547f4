// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_scenespace/effects/low_video.h"
#include "testing/video/rendered_images.h"
#include "testing/video/rendered_video.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu::test {

namespace {

constexpr int output = 6; ///< of 13 frames

class EnlargedVideos : public DeviceTest {};

const LowVideo&
sharedLowVideo()
{
  static const LowVideo video = lowVideo({});
  return video;
}

/** \brief Decibels above Lanczos's filter. */
double
gain(const LowVideo& low, const SuperResolutionEffect& effect, float noise = 0.0f)
{
  ScenePreparation preparation;
  preparation.noise = noise;
  const SceneSpaceVideo video(
      low.video, SceneSpaceEffect::ConstPtr(effect.clone()), preparation);
  const ColorImage simple =
      enlarged(low.video->read(output).color, effect.getParameters().scale);
  return psnr(video.read(output).color, low.truths[output]) -
         psnr(simple, low.truths[output]);
}

/** \brief Makes an effect trust poses and depth. */
void
expectExact(SuperResolutionEffect& effect)
{
  change(effect, [&](auto& p) {
    p.step = 1.0f;
    p.sigma_residual = infinity;
    p.sigma_frame_error = infinity;
    p.sigma_smooth = 0.0f;
  });
}

void
expectSame(const RGBDFrame& a, const RGBDFrame& b)
{
  ASSERT_EQ(a.color.pixels.size(), b.color.pixels.size());
  for (std::size_t i = 0; i < a.color.pixels.size(); ++i) {
    ASSERT_EQ(a.color.pixels[i].rgba, b.color.pixels[i].rgba) << "pixel " << i;
    ASSERT_TRUE(a.depth.pixels[i] == b.depth.pixels[i] ||
                (std::isnan(a.depth.pixels[i]) && std::isnan(b.depth.pixels[i])))
        << "pixel " << i;
  }
}

TEST_P(EnlargedVideos, AreBetterThanLanczosFilterMakesThem)
{
  struct Case {
    CameraMotion motion;
    double robust, exact; ///< decibels, at least
  };
  for (const Case& expected : {Case{CameraMotion::Sideways, 0.3, 0.4},
                               Case{CameraMotion::Rotation, 0.9, 1.6}}) {
    VideoSettings settings;
    settings.motion = expected.motion;
    const LowVideo low = lowVideo(settings);
    SuperResolutionEffect effect;
    EXPECT_GT(gain(low, effect), expected.robust);
    expectExact(effect);
    EXPECT_GT(gain(low, effect), expected.exact);
  }
}

TEST_P(EnlargedVideos, AreBetterWithOtherScalesToo)
{
  for (const int scale : {3, 4}) {
    VideoSettings settings;
    settings.scale = scale;
    settings.width = 60 * scale;
    settings.height = 36 * scale;
    SuperResolutionEffect effect;
    expectExact(effect);
    change(effect, [&](auto& p) { p.scale = scale; });
    EXPECT_GT(gain(lowVideo(settings), effect), 0.2) << "scale " << scale;
  }
}

TEST_P(EnlargedVideos, UseFramesThatHaveNoise)
{
  VideoSettings settings;
  settings.motion = CameraMotion::Rotation;
  settings.color_noise = 4.0f;
  const LowVideo low = lowVideo(settings);
  const SuperResolutionEffect effect;
  EXPECT_GT(gain(low, effect, settings.color_noise), gain(low, effect) + 0.1);
}

TEST_P(EnlargedVideos, AreLanczosFilterWithoutIterationsAndOwnSteps)
{
  for (const int scale : {2, 3, 4}) {
    SuperResolutionEffect effect;
    change(effect, [&](auto& p) {
      p.scale = scale;
      p.filter = EnlargementFilter::Lanczos;
      p.iterations = 0;
      p.own_steps_before = 0;
      p.own_steps_behind = 0;
    });
    const SceneSpaceVideo video(sharedLowVideo().video,
                                SceneSpaceEffect::ConstPtr(effect.clone()));
    const ColorImage expected =
        enlarged(sharedLowVideo().video->read(output).color, scale);
    const ColorImage result = video.read(output).color;
    ASSERT_EQ(result.pixels.size(), expected.pixels.size());
    for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
      // Halves may be rounded either way.
      ASSERT_NEAR(result.pixels[i].r, expected.pixels[i].r, 1) << "pixel " << i;
      ASSERT_NEAR(result.pixels[i].g, expected.pixels[i].g, 1) << "pixel " << i;
      ASSERT_NEAR(result.pixels[i].b, expected.pixels[i].b, 1) << "pixel " << i;
    }
    EXPECT_GT(psnr(result, expected), 70.0);
  }
}

TEST_P(EnlargedVideos, HaveThePixelsMeans)
{
  SuperResolutionEffect effect;
  change(effect, [&](auto& p) {
    p.iterations = 0;
    p.own_steps_before = 30;
    p.own_steps_behind = 0;
  });
  const SceneSpaceVideo video(sharedLowVideo().video,
                              SceneSpaceEffect::ConstPtr(effect.clone()));
  const ColorImage own = sharedLowVideo().video->read(output).color;
  EXPECT_GT(psnr(reduced(video.read(output).color, 2), own), 50.0);
}

TEST_P(EnlargedVideos, KeepOneColor)
{
  const RGBDVideo::ConstPtr input =
      wall(40, 30, [](int, int) { return RGB(11, 222, 77); });
  for (const int scale : {2, 3, 4}) {
    const auto effect = std::make_shared<SuperResolutionEffect>();
    change(*effect, [&](auto& p) { p.scale = scale; });
    const ColorImage color = SceneSpaceVideo(input, effect).read(1).color;
    for (const RGB& pixel : color.pixels)
      ASSERT_EQ(pixel.rgba, RGB(11, 222, 77).rgba);
  }
}

TEST_P(EnlargedVideos, KeepSlopes)
{
  const RGBDVideo::ConstPtr input = wall(40, 30, [](int u, int v) {
    return RGB(4 * u + 8, 4 * v + 8, static_cast<std::uint8_t>(2 * u + 2 * v + 8));
  });
  const auto effect = std::make_shared<SuperResolutionEffect>();
  const ColorImage color = SceneSpaceVideo(input, effect).read(1).color;
  constexpr int border = 24; // edges are seen from it, step by step
  for (int y = border; y < color.height - border; ++y)
    for (int x = border; x < color.width - border; ++x) {
      const RGB& pixel = color.pixels[y * color.width + x];
      ASSERT_NEAR(pixel.r, 2 * x + 7, 1);
      ASSERT_NEAR(pixel.g, 2 * y + 7, 1);
      ASSERT_NEAR(pixel.b, x + y + 7, 1);
    }
}

TEST_P(EnlargedVideos, AreTheSameWithAnyMemory)
{
  const auto effect = std::make_shared<SuperResolutionEffect>();
  change(*effect, [&](auto& p) {
    p.reach = 5;
    p.iterations = 2;
  });
  const SceneSpaceVideo with_all(sharedLowVideo().video, effect);
  for (const int room : {2, 5}) {
    SceneSpaceResources resources;
    const SceneView view = effect->view(*sharedLowVideo().video, 0);
    resources.memory = effect->workingMemory(view).bytes(view) +
                       room * SceneFrameStore::estimateMemory(80, 45, {}) + 1;
    const SceneSpaceVideo with_little(sharedLowVideo().video, effect, {}, resources);
    for (const int number : {0, 9})
      expectSame(with_little.read(number), with_all.read(number));
  }
}

TEST_P(EnlargedVideos, AreTheSameOnTheHost)
{
  const auto effect = std::make_shared<SuperResolutionEffect>();
  const SceneSpaceVideo video(sharedLowVideo().video, effect);
  SceneSpaceResources resources;
  resources.devices = {Device::host()};
  const SceneSpaceVideo on_host(sharedLowVideo().video, effect, {}, resources);
  expectSame(video.read(output), on_host.read(output));
}

TEST_P(EnlargedVideos, HaveEnlargedCameras)
{
  const auto effect = std::make_shared<SuperResolutionEffect>();
  change(*effect, [&](auto& p) { p.scale = 3; });
  const SceneSpaceVideo video(sharedLowVideo().video, effect);
  const RGBDView input = sharedLowVideo().video->view(2), view = video.view(2);
  EXPECT_EQ(view.color_camera.fx, 3.0f * input.color_camera.fx);
  EXPECT_EQ(view.color_camera.fy, 3.0f * input.color_camera.fy);
  EXPECT_EQ(view.color_camera.width, 240);
  EXPECT_EQ(view.color_camera.height, 135);
  // The picture's left edge and its right one stay where they are.
  EXPECT_FLOAT_EQ((-0.5f - view.color_camera.cx) / view.color_camera.fx,
                  (-0.5f - input.color_camera.cx) / input.color_camera.fx);
  EXPECT_FLOAT_EQ((239.5f - view.color_camera.cx) / view.color_camera.fx,
                  (79.5f - input.color_camera.cx) / input.color_camera.fx);
  EXPECT_EQ(view.depth_pose.matrix(), input.color_pose.matrix());
  EXPECT_EQ(video.read(2).color.width, 240);
}

TEST_P(EnlargedVideos, HaveDepthWithLessNoise)
{
  VideoSettings settings;
  settings.depth_noise = 0.003f;
  const LowVideo low = lowVideo(settings);
  const auto effect = std::make_shared<SuperResolutionEffect>();
  expectExact(*effect);
  const auto medianError = [&](const Image<float>& depth) {
    std::vector<float> errors;
    const Image<float>& truth = low.depths[output];
    for (std::size_t i = 0; i < depth.pixels.size(); ++i)
      if (std::isfinite(truth.pixels[i]) && std::isfinite(depth.pixels[i]))
        errors.push_back(std::abs(depth.pixels[i] - truth.pixels[i]));
    std::nth_element(errors.begin(), errors.begin() + errors.size() / 2, errors.end());
    return errors[errors.size() / 2];
  };
  const Image<float> result = SceneSpaceVideo(low.video, effect).read(output).depth;
  change(*effect, [&](auto& p) { p.iterations = 0; }); // the frame's own, enlarged
  const Image<float> own = SceneSpaceVideo(low.video, effect).read(output).depth;
  EXPECT_EQ(own.pixels[own.width * 51 + 33],
            low.video->read(output).depth.pixels[80 * 25 + 16]);
  EXPECT_LT(medianError(result), 0.85f * medianError(own));
}

TEST_P(EnlargedVideos, HaveNoDepthWhereTheFrameHasNone)
{
  const auto recording = std::make_shared<RGBDRecording>();
  for (int i = 0; i < 5; ++i) {
    RGBDFrame frame = sharedLowVideo().video->read(i);
    for (int k = 0; k < 80 * 10; ++k)
      frame.depth.pixels[k] = k % 3 == 0   ? std::numeric_limits<float>::quiet_NaN()
                              : k % 3 == 1 ? 0.0f
                                           : infinity;
    recording->add(frame);
  }
  ScenePreparation preparation;
  preparation.fill_depth = false;
  const auto effect = std::make_shared<SuperResolutionEffect>();
  const RGBDFrame result = SceneSpaceVideo(recording, effect, preparation).read(2);
  for (int k = 0; k < 160 * 20; ++k)
    ASSERT_TRUE(std::isnan(result.depth.pixels[k])) << "pixel " << k;
  EXPECT_EQ(result.color.pixels.size(), 160u * 90u);
}

TEST_P(EnlargedVideos, NeverSeeFramesThatShowSomethingElse)
{
  const auto recording = std::make_shared<RGBDRecording>();
  for (int i = 0; i < 5; ++i) {
    RGBDFrame frame = sharedLowVideo().video->read(i);
    if (i != 2)
      for (RGB& pixel : frame.color.pixels)
        pixel = RGB(255 - pixel.r, 255 - pixel.g, 255 - pixel.b);
    recording->add(frame);
  }
  const auto effect = std::make_shared<SuperResolutionEffect>();
  const ColorImage among_others = SceneSpaceVideo(recording, effect).read(2).color;
  change(*effect, [&](auto& p) { p.reach = 0; });
  const ColorImage alone = SceneSpaceVideo(recording, effect).read(2).color;
  EXPECT_GT(psnr(among_others, alone), 50.0);
}

TEST_P(EnlargedVideos, AreMadeFromFramesOfOneSize)
{
  const auto recording = std::make_shared<RGBDRecording>();
  recording->add(sharedLowVideo().video->read(0));
  recording->add(wall(40, 30, [](int, int) { return RGB(1, 2, 3); })->read(0));
  const SceneSpaceVideo video(recording, std::make_shared<SuperResolutionEffect>());
  expectBadArgument("frame of another size", [&] { video.read(0); });
}

TEST_P(EnlargedVideos, HaveTheVarianceOfTheirInput)
{
  ScenePreparation preparation;
  preparation.noise = 3.0f;
  SceneFrameStore cache(sharedLowVideo().video, preparation, std::size_t(1) << 24, 1);
  SuperResolutionEffect effect;
  change(effect, [&](auto& p) { p.reach = 1; });
  SceneImage image;
  effect.compute(cache, 1, image);
  std::vector<float> variance;
  int columns = 0;
  image.variance.download(variance, columns);
  EXPECT_EQ(columns, 160);
  EXPECT_EQ(*std::min_element(variance.begin(), variance.end()), 9.0f);
  EXPECT_EQ(*std::max_element(variance.begin(), variance.end()), 9.0f);
}

TEST_P(EnlargedVideos, AreClonedWithAllSettings)
{
  SuperResolutionEffect effect;
  change(effect, [&](auto& p) {
    p.scale = 3;
    p.filter = EnlargementFilter::Lanczos;
    p.reach = 4;
    p.iterations = 5;
    p.step = 0.9f;
    p.own_steps_before = 6;
    p.own_steps_behind = 7;
    p.sigma_residual = 8.0f;
    p.sigma_xyz = infinity;
    p.sigma_pixel = 0.7f;
    p.sigma_frame_error = 9.0f;
    p.sigma_smooth = 3.0f;
  });
  const std::unique_ptr<SceneSpaceEffect> clone = effect.clone();
  const auto& copy = dynamic_cast<const SuperResolutionEffect&>(*clone);
  EXPECT_EQ(copy.getParameters().scale, 3);
  EXPECT_EQ(copy.getParameters().filter, EnlargementFilter::Lanczos);
  EXPECT_EQ(copy.getParameters().reach, 4);
  EXPECT_EQ(copy.getParameters().iterations, 5);
  EXPECT_EQ(copy.getParameters().step, 0.9f);
  EXPECT_EQ(copy.getParameters().own_steps_before, 6);
  EXPECT_EQ(copy.getParameters().own_steps_behind, 7);
  EXPECT_EQ(copy.getParameters().sigma_residual, 8.0f);
  EXPECT_EQ(copy.getParameters().sigma_xyz, infinity);
  EXPECT_EQ(copy.getParameters().sigma_pixel, 0.7f);
  EXPECT_EQ(copy.getParameters().sigma_frame_error, 9.0f);
  EXPECT_EQ(copy.getParameters().sigma_smooth, 3.0f);
}

TEST_P(EnlargedVideos, RejectSettingsThatMakeNoSense)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  SuperResolutionEffect effect;
  for (const int scale : {1, 5, -2})
    expectBadArgument("scale",
                      [&] { change(effect, [&](auto& p) { p.scale = scale; }); });
  expectBadArgument("reach", [&] { change(effect, [&](auto& p) { p.reach = -1; }); });
  expectBadArgument("iterations",
                    [&] { change(effect, [&](auto& p) { p.iterations = -1; }); });
  for (const float step : {0.0f, -1.0f, infinity, nan})
    expectBadArgument("step", [&] { change(effect, [&](auto& p) { p.step = step; }); });
  expectBadArgument("own steps before", [&] {
    change(effect, [&](auto& p) {
      p.own_steps_before = -1;
      p.own_steps_behind = 0;
    });
  });
  expectBadArgument("own steps behind", [&] {
    change(effect, [&](auto& p) {
      p.own_steps_before = 0;
      p.own_steps_behind = -1;
    });
  });
  for (const float sigma : {0.0f, -1.0f, nan}) {
    expectBadArgument("sigma_residual", [&] {
      change(effect, [&](auto& p) { p.sigma_residual = sigma; });
    });
    expectBadArgument("sigma_xyz",
                      [&] { change(effect, [&](auto& p) { p.sigma_xyz = sigma; }); });
    expectBadArgument("sigma_pixel",
                      [&] { change(effect, [&](auto& p) { p.sigma_pixel = sigma; }); });
    expectBadArgument("sigma_frame_error", [&] {
      change(effect, [&](auto& p) { p.sigma_frame_error = sigma; });
    });
  }
  for (const float sigma : {-1.0f, 5.1f, nan})
    expectBadArgument("sigma_smooth", [&] {
      change(effect, [&](auto& p) { p.sigma_smooth = sigma; });
    });
  EXPECT_EQ(effect.getParameters().scale, 2);
  EXPECT_EQ(effect.getParameters().own_steps_before, 2);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(EnlargedVideos);

} // namespace

} // namespace pcl::gpu::test
