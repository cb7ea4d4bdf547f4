// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/action_shot_effect.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>

#include <algorithm>
#include <limits>

namespace pcl::gpu::test {

namespace {

class ActionShots : public DeviceTest {};

std::shared_ptr<ActionShotEffect>
actionShot()
{
  const auto effect = std::make_shared<ActionShotEffect>();
  InpaintingEffect background;
  change(background, [&](auto& p) {
    p.reach = 15;
    p.step = 1;
  });
  change(*effect, [&](auto& p) {
    p.background = std::make_shared<InpaintingEffect>(background);
  });
  return effect;
}

/** \brief The room as a frame's camera sees it, with the balls of several frames. */
struct SeveralBalls {
  ColorImage color;
  Image<float> depth;
  Mask mask;
};

SeveralBalls
severalBalls(const MaskedVideo& masked, int number, const std::vector<int>& times)
{
  const RenderedVideo video(masked.settings);
  const RGBDView view = video.view(number);
  SeveralBalls result{renderColor(view.color_camera, view.color_pose, 2),
                      renderDepth(view.color_camera, view.color_pose),
                      {}};
  result.mask.resize(result.depth.width, result.depth.height);
  std::fill(result.mask.pixels.begin(), result.mask.pixels.end(), std::uint8_t(0));
  for (const int time : times) {
    const RoomContents contents = video.contents(time);
    const ColorImage color =
        renderColor(view.color_camera, view.color_pose, 2, contents);
    const Image<float> depth =
        renderDepth(view.color_camera, view.color_pose, contents);
    for (std::size_t i = 0; i < depth.pixels.size(); ++i)
      if (depth.pixels[i] < result.depth.pixels[i]) {
        result.depth.pixels[i] = depth.pixels[i];
        result.color.pixels[i] = color.pixels[i];
        result.mask.pixels[i] = 255;
      }
  }
  return result;
}

TEST_P(ActionShots, ShowMoversWhereTheyWere)
{
  const MaskedVideo& masked = maskedBallVideo();
  const auto effect = actionShot();
  change(*effect, [&](auto& p) { p.frames = {23, 2, 9}; });
  const SceneSpaceVideo shots(masked.video, effect, masked.preparation());
  const SeveralBalls truth = severalBalls(masked, 15, {2, 9, 15, 23});
  const RGBDFrame shot = shots.read(15);
  EXPECT_GT(psnr(shot.color, truth.color, truth.mask), 22.0);
  EXPECT_GT(psnr(shot.color, truth.color), 32.0);
  int different = 0, balls = 0;
  for (std::size_t i = 0; i < truth.mask.pixels.size(); ++i)
    if (truth.mask.pixels[i] != 0) {
      ++balls;
      different += !(std::abs(shot.depth.pixels[i] - truth.depth.pixels[i]) < 0.03f);
    }
  EXPECT_GT(balls, 400);
  EXPECT_LT(different, balls / 8);
}

TEST_P(ActionShots, AreTheSameOnEveryDevice)
{
  const MaskedVideo& masked = maskedBallVideo();
  const auto effect = actionShot();
  change(*effect, [&](auto& p) { p.interval = 7; });
  SceneSpaceResources on_host;
  on_host.devices = {Device::host()};
  const SceneSpaceVideo here(masked.video, effect, masked.preparation());
  const SceneSpaceVideo there(masked.video, effect, masked.preparation(), on_host);
  expectSameFrames(here.read(15), there.read(15));
}

TEST_P(ActionShots, AreTheSameWithAnyMemory)
{
  const MaskedVideo& masked = maskedBallVideo();
  const auto effect = actionShot();
  change(*effect, [&](auto& p) {
    p.interval = 7;
    p.half_life = 10.0f;
  });
  const RGBDFrame expected =
      SceneSpaceVideo(masked.video, effect, masked.preparation()).read(15);
  for (const int room : {2, 6}) {
    SceneSpaceResources resources;
    resources.memory = memoryFor(*masked.video, *effect, masked.preparation(), room);
    const SceneSpaceVideo shots(masked.video, effect, masked.preparation(), resources);
    expectSameFrames(shots.read(15), expected);
  }
}

constexpr int plate_frames = 4;

/** \brief Columns of the plate that moves. */
int
plateBegin(int number)
{
  return 15 + 25 * number;
}

/** \brief A plate moves, overlapping its last place, before a wall and behind a post;
 * it is farther away in the last frame. */
RGBDVideo::ConstPtr
plateVideo()
{
  const auto recording = std::make_shared<RGBDRecording>();
  for (int number = 0; number < plate_frames; ++number) {
    RGBDFrame frame;
    frame.color_camera = frame.depth_camera =
        PinholeCamera::fromFieldOfView(0.8f, 160, 90);
    frame.color.resize(160, 90);
    frame.depth.resize(160, 90);
    for (int i = 0; i < 160 * 90; ++i) {
      const int from_plate = i % 160 - plateBegin(number);
      const bool is_post = i % 160 >= 80 && i % 160 < 90;
      const bool is_plate =
          from_plate >= 0 && from_plate < 35 && i / 160 >= 30 && i / 160 < 60;
      const auto level = static_cast<std::uint8_t>(50 + 40 * number);
      frame.color.pixels[i] = is_post    ? RGB(0, 200, 0)
                              : is_plate ? RGB(level, level, level)
                                         : RGB(10, 20, 30);
      const float plate_depth = number + 1 < plate_frames ? 2.0f : 2.5f;
      frame.depth.pixels[i] = is_post ? 1.0f : is_plate ? plate_depth : 3.0f;
    }
    recording->add(frame);
  }
  return recording;
}

ScenePreparation
platePreparation()
{
  ScenePreparation preparation;
  preparation.masks = [](int number) {
    const RGBDFrame frame = plateVideo()->read(number);
    Mask mask;
    mask.resize(160, 90);
    for (int i = 0; i < 160 * 90; ++i)
      mask.pixels[i] = frame.depth.pixels[i] >= 2.0f && frame.depth.pixels[i] < 3.0f;
    return mask;
  };
  return preparation;
}

/** \brief Red levels of a shot in the middle of the plates' height. */
std::vector<int>
plateLevels(const std::shared_ptr<ActionShotEffect>& effect, int number)
{
  const RGBDFrame shot =
      SceneSpaceVideo(plateVideo(), effect, platePreparation()).read(number);
  std::vector<int> levels;
  for (int column = 0; column < 160; ++column)
    levels.push_back(shot.color.pixels[45 * 160 + column].r);
  return levels;
}

TEST_P(ActionShots, HideMoversBehindThingsAndNearerOrNewerOnes)
{
  const auto effect = actionShot();
  change(*effect, [&](auto& p) { p.interval = 1; });
  for (const int number : {0, 2}) {
    const std::vector<int> levels = plateLevels(effect, number);
    EXPECT_EQ(levels[8], 10);   // the wall
    EXPECT_EQ(levels[25], 50);  // the first plate
    EXPECT_EQ(levels[45], 90);  // the second, newer than the first
    EXPECT_EQ(levels[70], 130); // the third, newer than the second
    EXPECT_EQ(levels[85], 0);   // the post before it
    EXPECT_EQ(levels[95], 130); // the third, nearer than the last
    EXPECT_EQ(levels[110], 170);
    EXPECT_EQ(levels[150], 10);
  }
}

TEST_P(ActionShots, ShowFramesThatAreChosen)
{
  const auto effect = actionShot();
  change(*effect, [&](auto& p) { p.frames = {1}; });
  std::vector<int> levels = plateLevels(effect, 3);
  EXPECT_EQ(levels[25], 10);
  EXPECT_EQ(levels[55], 90);
  EXPECT_EQ(levels[110], 170);
  change(*effect, [&](auto& p) { p.own_movers_shown = false; });
  levels = plateLevels(effect, 3);
  EXPECT_EQ(levels[55], 90);
  EXPECT_EQ(levels[110], 10);
  change(*effect, [&](auto& p) {
    p.frames = {};
    p.interval = 1;
    p.reach_before = 1;
    p.reach_after = 0;
  });
  levels = plateLevels(effect, 2);
  EXPECT_EQ(levels[25], 10);
  EXPECT_EQ(levels[55], 90);
  EXPECT_EQ(levels[70], 130);
  EXPECT_EQ(levels[110], 10);
}

TEST_P(ActionShots, FadeWithTime)
{
  const auto effect = actionShot();
  change(*effect, [&](auto& p) {
    p.interval = 1;
    p.half_life = 1.0f;
  });
  const std::vector<int> levels = plateLevels(effect, 2);
  EXPECT_NEAR(levels[25], 0.75 * 10 + 0.25 * 50, 1);
  EXPECT_NEAR(levels[55], 0.5 * 10 + 0.5 * 90, 1);
  EXPECT_EQ(levels[70], 130);
  EXPECT_NEAR(levels[110], 0.5 * 10 + 0.5 * 170, 1);
}

TEST_P(ActionShots, HaveSettingsThatCopiesShare)
{
  ActionShotEffect effect;
  change(effect, [&](auto& p) {
    p.frames = {5, 1, 5};
    p.interval = 4;
    p.reach_before = 20;
    p.reach_after = 3;
    p.own_movers_shown = false;
    p.half_life = 8.0f;
    p.tolerance = 0.1f;
  });
  InpaintingEffect background;
  change(background, [&](auto& p) { p.reach = 3; });
  change(effect, [&](auto& p) {
    p.background = std::make_shared<InpaintingEffect>(background);
  });
  const std::unique_ptr<SceneSpaceEffect> clone = effect.clone();
  const auto& copy = dynamic_cast<const ActionShotEffect&>(*clone);
  EXPECT_EQ(copy.getParameters().frames, (std::vector<int>{5, 1, 5}));
  EXPECT_EQ(copy.getParameters().interval, 4);
  EXPECT_EQ(copy.getParameters().reach_before, 20);
  EXPECT_EQ(copy.getParameters().reach_after, 3);
  EXPECT_FALSE(copy.getParameters().own_movers_shown);
  EXPECT_EQ(copy.getParameters().half_life, 8.0f);
  EXPECT_EQ(copy.getParameters().tolerance, 0.1f);
  const auto& copied =
      dynamic_cast<const InpaintingEffect&>(*copy.getParameters().background);
  EXPECT_EQ(copied.getParameters().reach, 3);
}

TEST_P(ActionShots, RejectSettingsThatMakeNoSense)
{
  ActionShotEffect effect;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expectBadArgument("number of a frame is -2", [&] {
    change(effect, [&](auto& p) { p.frames = {3, -2}; });
  });
  expectBadArgument("interval is 0",
                    [&] { change(effect, [&](auto& p) { p.interval = 0; }); });
  expectBadArgument("reach before is -1", [&] {
    change(effect, [&](auto& p) {
      p.reach_before = -1;
      p.reach_after = 0;
    });
  });
  expectBadArgument("reach after is -1", [&] {
    change(effect, [&](auto& p) {
      p.reach_before = 0;
      p.reach_after = -1;
    });
  });
  expectBadArgument("half-life is 0",
                    [&] { change(effect, [&](auto& p) { p.half_life = 0.0f; }); });
  expectBadArgument("half-life is nan",
                    [&] { change(effect, [&](auto& p) { p.half_life = nan; }); });
  expectBadArgument("tolerance of depths is 2",
                    [&] { change(effect, [&](auto& p) { p.tolerance = 2.0f; }); });
  const auto beyond = actionShot();
  change(*beyond, [&](auto& p) { p.frames = {4}; });
  expectBadArgument("number of the frame is 4", [&] { plateLevels(beyond, 0); });
  EXPECT_THROW(plateLevels(actionShot(), 4), BadArgumentException);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(ActionShots);

} // namespace

} // namespace pcl::gpu::test
