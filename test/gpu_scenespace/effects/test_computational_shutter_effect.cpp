// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/gpu/scenespace/effects/computational_shutter_effect.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <limits>
#include <numeric>

namespace pcl::gpu::test {

namespace {

class LongExposures : public DeviceTest {};

RenderedVideoSettings
ballVideo()
{
  RenderedVideoSettings settings = smallRenderedVideo(11);
  settings.contents.moving_ball = true;
  settings.shake = 2.0f;
  return settings;
}

RGBDVideo::ConstPtr
sharedBallVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(ballVideo());
  return video;
}

std::shared_ptr<ComputationalShutterEffect>
exposing(const Shutter& shutter)
{
  const auto effect = std::make_shared<ComputationalShutterEffect>();
  change(*effect, [&](auto& p) { p.shutter = shutter; });
  return effect;
}

/** \brief Picture of a still camera with a shutter, and the places of moving things. */
struct Truth {
  ColorImage color;
  Image<std::uint8_t> movers, still;
};

Truth
truthOf(const Shutter& shutter, int number)
{
  const RenderedVideo video(ballVideo());
  const RGBDView view = video.view(number);
  const PinholeCamera& camera = view.color_camera;
  std::vector<float> levels(std::size_t(3) * camera.width * camera.height);
  Truth truth;
  truth.movers.resize(camera.width, camera.height);
  std::fill(truth.movers.pixels.begin(), truth.movers.pixels.end(), std::uint8_t(0));
  float weights = 0.0f;
  for (std::size_t i = 0; i < shutter.weights.size(); ++i) {
    const int frame = number + shutter.first + static_cast<int>(i);
    if (shutter.weights[i] == 0.0f || frame < 0 || frame >= video.size())
      continue;
    PictureSum picture;
    picture.add(camera, view.color_pose, 2, video.contents(frame));
    const std::vector<float> seen = picture.mean();
    for (std::size_t k = 0; k < seen.size(); ++k)
      levels[k] += shutter.weights[i] * seen[k];
    weights += shutter.weights[i];
    const auto ball = renderMask(
        camera, view.color_pose, RoomObject::MovingBall, 1, video.contents(frame));
    for (std::size_t k = 0; k < ball.pixels.size(); ++k)
      truth.movers.pixels[k] |= ball.pixels[k];
  }
  for (float& level : levels)
    level /= weights;
  truth.color = toColorImage(levels, camera.width, camera.height);
  truth.still = truth.movers;
  for (std::uint8_t& pixel : truth.still.pixels)
    pixel = 255 - pixel;
  return truth;
}

TEST_P(LongExposures, HaveTrailsOfWhatMovesBeforeASharpRoom)
{
  const Shutter shutters[] = {Shutter::box(11),
                              Shutter::gaussian(2.0f),
                              Shutter::exponential(2.0f),
                              Shutter::strobe(2, 4)};
  for (const Shutter& shutter : shutters) {
    SCOPED_TRACE("shutter from " + std::to_string(shutter.first));
    const Truth truth = truthOf(shutter, 5);
    const ColorImage input = sharedBallVideo()->read(5).color;
    const ColorImage result =
        SceneSpaceVideo(sharedBallVideo(), exposing(shutter)).read(5).color;
    EXPECT_GT(psnr(result, truth.color, truth.movers), 23.0);
    EXPECT_GT(psnr(result, truth.color, truth.movers),
              psnr(input, truth.color, truth.movers) + 4.0);
    EXPECT_GT(psnr(result, truth.color, truth.still), 26.0);
  }
}

TEST_P(LongExposures, HaveTheDepthOfTheStillRoom)
{
  const SceneSpaceVideo video(sharedBallVideo(), exposing(Shutter::box(11)));
  const RGBDFrame frame = video.read(5);
  const Image<float> truth = renderDepth(frame.depth_camera, frame.depth_pose);
  int wrong = 0;
  for (std::size_t i = 0; i < truth.pixels.size(); ++i)
    wrong +=
        !(std::abs(frame.depth.pixels[i] - truth.pixels[i]) < 0.1f * truth.pixels[i]);
  EXPECT_LT(wrong, 0.06 * truth.pixels.size());
}

TEST_P(LongExposures, ShowTheirOwnFrameWhereNoExposedOneSeesAnything)
{
  RGBDFrame exposed = sharedBallVideo()->read(0);
  const RGBDFrame own = sharedBallVideo()->read(1);
  const int width = own.color.width, blind = width / 2;
  for (std::size_t i = 0; i < exposed.depth.pixels.size(); ++i)
    if (static_cast<int>(i % width) < blind)
      exposed.depth.pixels[i] = std::numeric_limits<float>::quiet_NaN();
  const auto recording = std::make_shared<RGBDRecording>();
  recording->add(exposed);
  recording->add(own);
  Shutter shutter;
  shutter.first = -1;
  ScenePreparation preparation;
  preparation.fill_depth = false;
  const ColorImage result =
      SceneSpaceVideo(recording, exposing(shutter), preparation).read(1).color;
  constexpr int motion = 10; // pixels at most, from frame to frame
  for (std::size_t i = 0; i < result.pixels.size(); ++i) {
    if (static_cast<int>(i % width) < blind - motion) {
      ASSERT_EQ(result.pixels[i].rgba, own.color.pixels[i].rgba) << "pixel " << i;
    }
  }
}

TEST_P(LongExposures, AreTheSameWithAnyMemory)
{
  expectSameWithAnyMemory(sharedBallVideo(), exposing(Shutter::gaussian(1.5f)), 5);
}

TEST_P(LongExposures, LeaveFramesOutThatThereAreNot)
{
  // At the video's end the last of a box's frames are missing; of shutters that are all
  // beyond it, the own frame is left.
  const SceneSpaceVideo box(sharedBallVideo(), exposing(Shutter::box(5)));
  Shutter before;
  before.first = -2;
  before.weights = {1.0f, 1.0f, 1.0f};
  expectSameFrames(box.read(10),
                   SceneSpaceVideo(sharedBallVideo(), exposing(before)).read(10));
  Shutter beyond;
  beyond.first = 100;
  expectSameFrames(SceneSpaceVideo(sharedBallVideo(), exposing(beyond)).read(3),
                   SceneSpaceVideo(sharedBallVideo(), exposing(Shutter())).read(3));
}

TEST(Shutters, HaveTheirShapes)
{
  const Shutter box = Shutter::box(5);
  EXPECT_EQ(box.first, -2);
  EXPECT_EQ(box.weights, std::vector<float>(5, 1.0f));
  const Shutter strobe = Shutter::strobe(3, 2);
  EXPECT_EQ(strobe.first, -4);
  EXPECT_EQ(strobe.weights, (std::vector<float>{1.0f, 0.0f, 1.0f, 0.0f, 1.0f}));
  const Shutter gaussian = Shutter::gaussian(2.0f);
  EXPECT_EQ(gaussian.first, -6);
  ASSERT_EQ(gaussian.weights.size(), 13u);
  EXPECT_FLOAT_EQ(gaussian.weights[6], 1.0f);
  EXPECT_FLOAT_EQ(gaussian.weights[8], std::exp(-0.5f));
  const Shutter exponential = Shutter::exponential(3.0f);
  EXPECT_EQ(exponential.first, -15);
  ASSERT_EQ(exponential.weights.size(), 16u);
  EXPECT_FLOAT_EQ(exponential.weights[12], std::exp(-1.0f));
  const Shutter sampled = Shutter::sampled([](float t) { return t + 3.0f; }, -1, 2);
  EXPECT_EQ(sampled.first, -1);
  EXPECT_EQ(sampled.weights, (std::vector<float>{2.0f, 3.0f, 4.0f, 5.0f}));
}

TEST(Shutters, RejectWhatLetsNoLightIn)
{
  expectBadArgument("frames of the shutter", [] { Shutter::box(0); });
  expectBadArgument("sigma", [] { Shutter::gaussian(-1.0f); });
  expectBadArgument("frames of the shutter", [] { Shutter::exponential(0.0f); });
  expectBadArgument("flashes", [] { Shutter::strobe(0, 1); });
  expectBadArgument("distance of flashes", [] { Shutter::strobe(2, 0); });
  expectBadArgument("last frame",
                    [] { Shutter::sampled([](float) { return 1.0f; }, 2, 1); });
  ComputationalShutterEffect effect;
  Shutter dark;
  for (const std::vector<float>& weights :
       {std::vector<float>{},
        std::vector<float>{0.0f, 0.0f},
        std::vector<float>{1.0f, -1.0f},
        std::vector<float>{std::numeric_limits<float>::infinity()}}) {
    dark.weights = weights;
    expectBadArgument("weight of the shutter",
                      [&] { change(effect, [&](auto& p) { p.shutter = dark; }); });
  }
  expectBadArgument("sigma_xyz",
                    [&] { change(effect, [&](auto& p) { p.sigma_xyz = 0.0f; }); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(LongExposures);

} // namespace

} // namespace pcl::gpu::test
