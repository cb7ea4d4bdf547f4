// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/effects/effect_videos.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/scenespace/effects/virtual_view_effect.h>

#include <numeric>

namespace pcl::gpu::test {

namespace {

class VirtualViews : public DeviceTest {};

RenderedVideoSettings
shakenVideo()
{
  RenderedVideoSettings settings = smallRenderedVideo(13);
  settings.shake = 2.0f;
  return settings;
}

RGBDVideo::ConstPtr
sharedShakenVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(shakenVideo());
  return video;
}

TEST_P(VirtualViews, ShowTheRoomFromOtherPlaces)
{
  const SceneSpaceVideo video(sharedShakenVideo(),
                              besideTheCamera({0.1f, -0.05f, 0.0f}));
  const RGBDFrame frame = video.read(6);
  const ColorImage truth = renderColor(frame.color_camera, frame.color_pose, 2);
  const Image<std::uint8_t> seen = pixelsWithDepth(frame.depth);
  EXPECT_GT(std::accumulate(seen.pixels.begin(), seen.pixels.end(), 0.0),
            0.97 * 255 * seen.pixels.size());
  EXPECT_GT(psnr(frame.color, truth, seen), 23.0);
  EXPECT_LT(psnr(sharedShakenVideo()->read(6).color, truth), 19.0);
}

TEST_P(VirtualViews, ShowWhatMovesWhereItIsAtTheirTime)
{
  RenderedVideoSettings settings = shakenVideo();
  settings.contents.moving_ball = true;
  const SceneSpaceVideo video(recorded(settings), besideTheCamera({0.05f, 0.0f, 0.0f}));
  const RGBDFrame frame = video.read(6);
  const RoomContents contents = RenderedVideo(settings).contents(6);
  const auto ball = renderMask(
      frame.color_camera, frame.color_pose, RoomObject::MovingBall, 1, contents);
  const auto truth = renderColor(frame.color_camera, frame.color_pose, 2, contents);
  const auto without = renderColor(frame.color_camera, frame.color_pose, 2);
  EXPECT_GT(psnr(frame.color, truth, ball), psnr(without, truth, ball) + 6.0);
  EXPECT_GT(psnr(frame.color, truth, ball), 18.0);
}

TEST_P(VirtualViews, HaveColorsMadeUpWhereNoFrameSeesThem)
{
  const auto plain = besideTheCamera({0.15f, 0.0f, 0.0f}),
             filled = besideTheCamera({0.15f, 0.0f, 0.0f});
  change(*plain, [&](auto& p) { p.hole_reach = 0; });
  const RGBDFrame black = SceneSpaceVideo(sharedShakenVideo(), plain).read(6);
  const RGBDFrame result = SceneSpaceVideo(sharedShakenVideo(), filled).read(6);
  const ColorImage truth = renderColor(black.color_camera, black.color_pose, 2);
  Image<std::uint8_t> holes = pixelsWithDepth(result.depth);
  for (std::uint8_t& pixel : holes.pixels)
    pixel = 255 - pixel;
  EXPECT_GT(psnr(result.color, truth, holes), psnr(black.color, truth, holes) + 6.0);
  for (std::size_t i = 0; i < holes.pixels.size(); ++i)
    ASSERT_TRUE(holes.pixels[i] != 0 ||
                result.color.pixels[i].rgba == black.color.pixels[i].rgba)
        << "pixel " << i;
}

TEST_P(VirtualViews, OfTheInputAreThatOfTheInput)
{
  const SceneSpaceVideo video(sharedShakenVideo(),
                              std::make_shared<VirtualViewEffect>());
  EXPECT_GT(psnr(video.read(6).color, sharedShakenVideo()->read(6).color), 26.0);
}

TEST_P(VirtualViews, AreTheSameWithAnyMemory)
{
  expectSameWithAnyMemory(
      sharedShakenVideo(), besideTheCamera({0.1f, -0.05f, 0.0f}), 5);
}

TEST_P(VirtualViews, CanBeOfAnotherSizeThanTheInput)
{
  const auto effect = std::make_shared<VirtualViewEffect>();
  std::vector<SceneView> views(13);
  for (SceneView& view : views) {
    view.camera = PinholeCamera::fromFieldOfView(0.5f, 90, 70);
    view.pose = sharedShakenVideo()->view(6).color_pose;
    view.time = 6.0f;
  }
  change(*effect,
         [&](auto& p) { p.views = VirtualViewEffectParameters::viewsOf(views); });
  const SceneSpaceVideo video(sharedShakenVideo(), effect);
  const RGBDFrame frame = video.read(2);
  EXPECT_EQ(frame.color.width, 90);
  EXPECT_EQ(frame.depth.height, 70);
  expectSameFrames(frame, video.read(11));
}

TEST_P(VirtualViews, RejectWhatIsNoViewAndSettingsThatMakeNoSense)
{
  VirtualViewEffect effect;
  SceneView view;
  expectBadArgument("focal length", [&] {
    change(effect, [&](auto& p) {
      p.views = VirtualViewEffectParameters::viewsOf(std::vector<SceneView>{view});
    });
  });
  view.camera = PinholeCamera::fromFieldOfView(0.5f, 90, 70);
  change(effect, [&](auto& p) {
    p.views = VirtualViewEffectParameters::viewsOf(std::vector<SceneView>{view});
  });
  EXPECT_EQ(effect.view(*sharedShakenVideo(), 0).camera.width, 90);
  expectBadArgument("number of the frame",
                    [&] { effect.view(*sharedShakenVideo(), 1); });
  EXPECT_THROW(effect.view(*sharedShakenVideo(), 13), BadArgumentException);
  expectBadArgument("reach", [&] { change(effect, [&](auto& p) { p.reach = -1; }); });
  expectBadArgument("step", [&] { change(effect, [&](auto& p) { p.step = 0; }); });
  expectBadArgument("reach of holes",
                    [&] { change(effect, [&](auto& p) { p.hole_reach = -1; }); });
  expectBadArgument("sigma_frame",
                    [&] { change(effect, [&](auto& p) { p.sigma_frame = 0.0f; }); });
  expectBadArgument("sigma_xyz",
                    [&] { change(effect, [&](auto& p) { p.sigma_xyz = 0.0f; }); });
  expectBadArgument("sigma_rgb",
                    [&] { change(effect, [&](auto& p) { p.sigma_rgb = -1.0f; }); });
}

/** \brief Returns the change of a path's direction, metres a frame^2. */
double
roughness(const std::vector<Eigen::Vector3f>& path)
{
  double sum = 0.0;
  for (std::size_t i = 2; i < path.size(); ++i)
    sum += (path[i] - 2.0f * path[i - 1] + path[i - 2]).norm();
  return sum / (path.size() - 2.0);
}

TEST(StabilizedViews, AreOnASmoothPathNextToTheVideos)
{
  RenderedVideoSettings settings = shakenVideo();
  settings.frames = 60;
  const RenderedVideo video(settings);
  const std::vector<SceneView> views = stabilizedViews(video, 8.0f, 1.1f);
  ASSERT_EQ(views.size(), 60u);
  std::vector<Eigen::Vector3f> before, after;
  for (int i = 0; i < video.size(); ++i) {
    before.push_back(video.view(i).color_pose.translation());
    after.push_back(views[i].pose.translation());
    EXPECT_LT((before[i] - after[i]).norm(), 0.08f);
    EXPECT_EQ(views[i].time, i);
    EXPECT_FLOAT_EQ(views[i].camera.fx, 1.1f * video.view(i).color_camera.fx);
    EXPECT_NO_THROW(views[i].validate());
  }
  EXPECT_LT(roughness(after), 0.2 * roughness(before));
}

TEST(StabilizedViews, OfAStillCameraAreItsOwn)
{
  RGBDRecording video;
  for (int i = 0; i < 3; ++i)
    video.add(sharedShakenVideo()->read(4));
  for (const SceneView& view : stabilizedViews(video, 5.0f))
    EXPECT_TRUE(view.pose.isApprox(sharedShakenVideo()->view(4).color_pose, 1e-5f));
  expectBadArgument("sigma", [&] { stabilizedViews(video, 0.0f); });
  expectBadArgument("zoom", [&] { stabilizedViews(video, 1.0f, 0.0f); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(VirtualViews);

} // namespace

} // namespace pcl::gpu::test
