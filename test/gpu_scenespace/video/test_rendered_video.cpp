// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "testing/video/rendered_video.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A small video, of few frames that are a second apart. */
RenderedVideoSettings
smallVideo(CameraMotion motion)
{
  RenderedVideoSettings settings;
  settings.motion = motion;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  settings.frames = 11;
  settings.frame_rate = 1.0f;
  settings.supersampling = 1;
  return settings;
}

const CameraMotion all_motions[] = {
    CameraMotion::Rotation, CameraMotion::Sideways, CameraMotion::Forward};

/** \brief Calls with the number, column and row of each pixel. */
template <typename Call>
void
forPixels(const PinholeCamera& camera, const Call& call)
{
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u)
      call(std::size_t(v) * camera.width + u, u, v);
}

Eigen::Vector3f
unprojected(const PinholeCamera& camera, int u, int v, float z)
{
  return {(u - camera.cx) / camera.fx * z, (v - camera.cy) / camera.fy * z, z};
}

template <typename Pixel>
bool
sameBits(const pcl::gpu::Image<Pixel>& a, const pcl::gpu::Image<Pixel>& b)
{
  return a.width == b.width && a.height == b.height &&
         std::memcmp(static_cast<const void*>(a.pixels.data()),
                     static_cast<const void*>(b.pixels.data()),
                     a.pixels.size() * sizeof(Pixel)) == 0;
}

int
difference(const pcl::RGB& a, const pcl::RGB& b)
{
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/** \brief Mean and deviation of numbers. */
struct Statistics {
  void
  add(double value)
  {
    ++count;
    sum += value;
    squares += value * value;
  }

  double
  mean() const
  {
    return sum / count;
  }

  double
  deviation() const
  {
    return std::sqrt(squares / count - mean() * mean());
  }

  int count = 0;
  double sum = 0.0;
  double squares = 0.0;
};

TEST(RenderedDepth, LiesOnWalls)
{
  for (const CameraMotion motion : all_motions) {
    const RenderedVideo video(smallVideo(motion));
    for (int number : {0, 4, 10}) {
      const RGBDView view = video.view(number);
      const auto depth = video.trueDepth(number);
      const auto walls =
          renderMask(view.color_camera, view.color_pose, RoomObject::Walls);
      int seen = 0;
      forPixels(view.depth_camera, [&](std::size_t i, int u, int v) {
        const Eigen::Vector3d point =
            (view.depth_pose * unprojected(view.depth_camera, u, v, depth.pixels[i]))
                .cast<double>();
        const Eigen::Vector3d to_side =
            (point - room_lower).cwiseMin(room_upper - point);
        ASSERT_GT(to_side.minCoeff(), -1e-5) << u << ", " << v;
        ASSERT_GT(depth.pixels[i], 0.3f);
        if (walls.pixels[i] == 0)
          return;
        ++seen;
        ASSERT_LT(to_side.minCoeff(), 1e-5) << u << ", " << v;
      });
      EXPECT_GT(seen, 1000);
    }
  }
}

TEST(RenderedDepth, LiesOnRoundThings)
{
  const RenderedVideo video(smallVideo(CameraMotion::Forward));
  const RGBDView view = video.view(10);
  const auto depth = video.trueDepth(10);
  const auto mask = renderMask(view.color_camera, view.color_pose, RoomObject::Globe);
  int on_ball = 0;
  forPixels(view.depth_camera, [&](std::size_t i, int u, int v) {
    const Eigen::Vector3f point =
        view.depth_pose * unprojected(view.depth_camera, u, v, depth.pixels[i]);
    if (mask.pixels[i] != 0 && point.y() > 0.87f) {
      ++on_ball;
      ASSERT_NEAR(
          (point - Eigen::Vector3f(0.08f, 1.015f, -2.42f)).norm(), 0.18f, 1e-5f);
    }
  });
  EXPECT_GT(on_ball, 300);
}

TEST(RenderedVideo, FramesLieOnEachOther)
{
  for (const CameraMotion motion : all_motions) {
    RenderedVideoSettings settings = smallVideo(motion);
    settings.shake = 1.0f;
    const RenderedVideo video(settings);
    const RGBDFrame a = video.read(4);
    const RGBDFrame b = video.read(5);
    const Pose b_from_a = b.depth_pose.inverse() * a.depth_pose;
    int seen = 0, same_depth = 0, same_color = 0;
    forPixels(a.depth_camera, [&](std::size_t i, int u, int v) {
      if ((u + v) % 5 != 0)
        return;
      const Eigen::Vector3f point =
          b_from_a * unprojected(a.depth_camera, u, v, a.depth.pixels[i]);
      PinholeCamera camera = b.depth_camera;
      const float x = camera.fx * point.x() / point.z() + camera.cx;
      const float y = camera.fy * point.y() / point.z() + camera.cy;
      if (x < 0 || x > camera.width - 1 || y < 0 || y > camera.height - 1)
        return;
      // One pixel of the other camera, that has its centre just there.
      camera.cx -= x;
      camera.cy -= y;
      camera.width = camera.height = 1;
      const float depth = renderDepth(camera, b.depth_pose).pixels[0];
      const pcl::RGB color = renderColor(camera, b.depth_pose).pixels[0];
      ++seen;
      ASSERT_LT(depth, point.z() + 1e-3f);
      if (depth < point.z() - 1e-3f)
        return;
      ++same_depth;
      same_color += difference(color, a.color.pixels[i]) <= 2;
    });
    EXPECT_GT(seen, 1400);
    EXPECT_GT(same_depth, 0.9 * seen);
    EXPECT_GT(same_color, 0.998 * same_depth);
  }
}

TEST(RenderedVideo, MovesAsAsked)
{
  const auto poseAt = [](CameraMotion motion, float time) {
    return cameraPose(smallVideo(motion), time);
  };
  const auto turn = [&](CameraMotion motion) {
    return Eigen::AngleAxisf(poseAt(motion, 0).linear().transpose() *
                             poseAt(motion, 10).linear())
        .angle();
  };
  const auto way = [&](CameraMotion motion) -> Eigen::Vector3f {
    return poseAt(motion, 10).translation() - poseAt(motion, 0).translation();
  };
  EXPECT_GT(turn(CameraMotion::Rotation), 2.0f);
  EXPECT_LT(way(CameraMotion::Rotation).norm(), 0.3f);
  EXPECT_LT(turn(CameraMotion::Sideways), 0.6f);
  EXPECT_GT(way(CameraMotion::Sideways).x(), 2.0f);
  EXPECT_LT(turn(CameraMotion::Forward), 0.6f);
  EXPECT_LT(way(CameraMotion::Forward).z(), -2.0f);
  EXPECT_TRUE(
      poseAt(CameraMotion::Forward, 20).isApprox(poseAt(CameraMotion::Forward, 0)));
  RenderedVideoSettings settings = smallVideo(CameraMotion::Forward);
  settings.begin = 3.0f;
  EXPECT_TRUE(cameraPose(settings, 2.0).isApprox(poseAt(CameraMotion::Forward, 5)));
  settings.shake = 1.0f;
  const Pose shaken = cameraPose(settings, 2.0);
  const float shift =
      (shaken.translation() - poseAt(CameraMotion::Forward, 5).translation()).norm();
  EXPECT_GT(shift, 1e-4f);
  EXPECT_LT(shift, 0.02f);
}

TEST(RenderedVideo, HasItsFrames)
{
  const RenderedVideo video(smallVideo(CameraMotion::Sideways));
  EXPECT_EQ(video.size(), 11);
  for (int number : {0, 10}) {
    EXPECT_NO_THROW(validateView(video.view(number), number));
    EXPECT_EQ(video.view(number).time, number);
  }
  const RGBDFrame frame = video.read(3);
  EXPECT_EQ(frame.color.width, 160);
  EXPECT_EQ(frame.depth.height, 90);
  for (int bad : {-1, 11})
    expectBadArgument("frame is " + std::to_string(bad), [&] { video.read(bad); });
}

TEST(RenderedVideo, IsTheSameBitsEachTime)
{
  RenderedVideoSettings settings = likeKinect(smallVideo(CameraMotion::Rotation));
  settings.shake = 1.0f;
  settings.supersampling = 2;
  const RGBDFrame first = RenderedVideo(settings).read(2);
  const RGBDFrame again = RenderedVideo(settings).read(2);
  EXPECT_TRUE(sameBits(first.color, again.color));
  EXPECT_TRUE(sameBits(first.depth, again.depth));
  settings.shake = 0.0f;
  const RGBDFrame steady = RenderedVideo(settings).read(2);
  settings.seed = 2;
  const RGBDFrame other = RenderedVideo(settings).read(2);
  EXPECT_FALSE(sameBits(steady.color, other.color));
  EXPECT_FALSE(sameBits(steady.depth, other.depth));
}

TEST(RenderedVideo, NoiseHasTheAskedDeviation)
{
  RenderedVideoSettings settings = smallVideo(CameraMotion::Sideways);
  settings.color_noise = 10.0f;
  settings.depth_noise = 0.002f;
  const RenderedVideo video(settings);
  const RGBDFrame frame = video.read(5);
  const ColorImage color = video.trueColor(5);
  const auto depth = video.trueDepth(5);
  Statistics channels[3], distance;
  forPixels(settings.camera, [&](std::size_t i, int, int) {
    const pcl::RGB &a = frame.color.pixels[i], &b = color.pixels[i];
    const int noisy[3] = {a.r, a.g, a.b};
    const int plain[3] = {b.r, b.g, b.b};
    for (int c = 0; c < 3; ++c)
      if (plain[c] > 60 && plain[c] < 195)
        channels[c].add(noisy[c] - plain[c]);
    const float z = depth.pixels[i];
    distance.add((frame.depth.pixels[i] - z) / (z * z));
  });
  for (const Statistics& channel : channels) {
    ASSERT_GT(channel.count, 5000);
    EXPECT_NEAR(channel.mean(), 0.0, 0.5);
    EXPECT_NEAR(channel.deviation(), 10.0, 0.3);
  }
  EXPECT_NEAR(distance.mean(), 0.0, 1e-4);
  EXPECT_NEAR(distance.deviation(), 0.002, 6e-5);
}

TEST(RenderedVideo, DepthIsMissingWhereItIsAskedTo)
{
  RenderedVideoSettings settings = smallVideo(CameraMotion::Sideways);
  settings.depth_dropout = 0.1f;
  settings.depth_unit = 0.001f;
  const RenderedVideo random(settings);
  const auto with_dropout = random.read(5).depth;
  const auto truth = random.trueDepth(5);
  settings.depth_dropout = 0.0f;
  settings.depth_baseline = 0.3f;
  const auto with_shadows = RenderedVideo(settings).read(5).depth;
  int dropped = 0, shadowed = 0;
  forPixels(settings.camera, [&](std::size_t i, int u, int) {
    if (std::isnan(with_dropout.pixels[i]))
      ++dropped;
    else
      EXPECT_NEAR(with_dropout.pixels[i], truth.pixels[i], 0.00051f);
    if (!std::isnan(with_shadows.pixels[i]))
      return;
    ++shadowed;
    // The thing that throws the shadow is on the right.
    const auto begin = truth.pixels.begin() + i;
    EXPECT_LT(*std::min_element(begin, begin + std::min(32, truth.width - u)),
              truth.pixels[i] - 0.01f);
  });
  EXPECT_NEAR(dropped, 1440, 150);
  EXPECT_GT(shadowed, 200);
  EXPECT_LT(shadowed, 1440);
}

TEST(RenderedPicture, IsWithoutAnObjectOutsideOfItsMask)
{
  const RenderedVideo video(smallVideo(CameraMotion::Forward));
  const RGBDView view = video.view(8);
  RoomContents without;
  without.without = RoomObject::Carton;
  for (int samples : {1, 3}) {
    const auto mask =
        renderMask(view.color_camera, view.color_pose, RoomObject::Carton, samples);
    const ColorImage all = renderColor(view.color_camera, view.color_pose, samples);
    const ColorImage rest =
        renderColor(view.color_camera, view.color_pose, samples, without);
    int inside = 0, changed = 0;
    forPixels(view.color_camera, [&](std::size_t i, int u, int v) {
      const int apart = difference(all.pixels[i], rest.pixels[i]);
      if (mask.pixels[i] == 0)
        ASSERT_EQ(apart, 0) << u << ", " << v;
      else {
        ++inside;
        changed += apart > 5;
      }
    });
    EXPECT_GT(inside, 100);
    EXPECT_GT(changed, 0.8 * inside);
    EXPECT_EQ(psnr(all,
                   rest,
                   [&] {
                     auto outside = mask;
                     for (std::uint8_t& pixel : outside.pixels)
                       pixel = 255 - pixel;
                     return outside;
                   }()),
              std::numeric_limits<double>::infinity());
    EXPECT_LT(psnr(all, rest, mask), psnr(all, rest));
  }
}

TEST(RenderedPicture, ShowsTheMovingBall)
{
  RenderedVideoSettings settings = smallVideo(CameraMotion::Sideways);
  settings.contents.moving_ball = true;
  const RenderedVideo video(settings);
  float last = -std::numeric_limits<float>::infinity();
  for (int number = 2; number < 8; number += 2) {
    const RGBDView view = video.view(number);
    const auto mask = renderMask(view.color_camera,
                                 view.color_pose,
                                 RoomObject::MovingBall,
                                 1,
                                 video.contents(number));
    const auto depth = video.trueDepth(number);
    Statistics x;
    forPixels(view.color_camera, [&](std::size_t i, int u, int v) {
      if (mask.pixels[i] != 0)
        x.add((view.depth_pose * unprojected(view.depth_camera, u, v, depth.pixels[i]))
                  .x());
    });
    ASSERT_GT(x.count, 20);
    EXPECT_GT(x.mean(), last + 0.5f);
    last = static_cast<float>(x.mean());
  }
}

TEST(RenderedPicture, IsSharpInFocusOnly)
{
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(0.25f, 160, 90);
  // Straight before the chart on the rear wall, whose face is 3 m away.
  const Pose pose = lookAt({0.7f, 1.65f, -1.175f}, {0.7f, 1.65f, -4.175f});
  const ColorImage sharp = renderColor(camera, pose, 8);
  const ColorImage in_focus = renderThinLens(camera, pose, 0.02f, 3.0f, 64);
  const ColorImage out_of_focus = renderThinLens(camera, pose, 0.02f, 1.5f, 64);
  EXPECT_GT(psnr(sharp, in_focus), 32.0);
  EXPECT_LT(psnr(sharp, out_of_focus), 25.0);
  EXPECT_TRUE(sameBits(in_focus, renderThinLens(camera, pose, 0.02f, 3.0f, 64)));
}

TEST(RenderedPicture, IsBlurredByTheCamerasMotion)
{
  RenderedVideoSettings settings = smallVideo(CameraMotion::Rotation);
  const ColorImage sharp = RenderedVideo(settings).trueColor(5);
  settings.exposure = 1e-6f;
  EXPECT_GT(psnr(RenderedVideo(settings).trueColor(5), sharp), 45.0);
  settings.exposure = 0.05f;
  EXPECT_LT(psnr(RenderedVideo(settings).trueColor(5), sharp), 30.0);
}

TEST(Psnr, IsThatOfKnownErrors)
{
  ColorImage a, b;
  a.resize(2, 1);
  b.resize(2, 1);
  a.pixels = {pcl::RGB(10, 20, 30), pcl::RGB(40, 50, 60)};
  b.pixels = {pcl::RGB(11, 21, 29), pcl::RGB(40, 50, 90)};
  pcl::gpu::Image<std::uint8_t> mask;
  mask.resize(2, 1);
  mask.pixels = {255, 0};
  EXPECT_NEAR(psnr(a, b, mask), 20.0 * std::log10(255.0), 1e-9);
  EXPECT_NEAR(psnr(a, b), 10.0 * std::log10(255.0 * 255.0 * 6.0 / 903.0), 1e-9);
}

} // namespace
