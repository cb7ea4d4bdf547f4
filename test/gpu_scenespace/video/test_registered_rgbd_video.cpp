// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

const float no_depth = std::numeric_limits<float>::quiet_NaN();

/** \brief A frame without depth, whose colour camera is the depth camera. */
RGBDFrame
frameOf(const PinholeCamera& camera)
{
  RGBDFrame frame;
  frame.depth_camera = frame.color_camera = camera;
  frame.depth.resize(camera.width, camera.height);
  std::fill(frame.depth.pixels.begin(), frame.depth.pixels.end(), no_depth);
  frame.color.resize(camera.width, camera.height);
  return frame;
}

/** \brief Gives a frame another colour camera. */
void
setColorCamera(RGBDFrame& frame, const PinholeCamera& camera)
{
  frame.color_camera = camera;
  frame.color.resize(camera.width, camera.height);
}

/** \brief A frame whose depth is registered. */
RGBDFrame
registered(const RGBDFrame& frame, float max_depth_change = 0.03f)
{
  const auto video = std::make_shared<RGBDRecording>();
  video->add(frame);
  return RegisteredRGBDVideo(video, max_depth_change).read(0);
}

template <typename Pixel>
Pixel&
at(Image<Pixel>& image, int u, int v)
{
  return image.pixels[std::size_t(v) * image.width + u];
}

int
validPixels(const Image<float>& depth)
{
  int count = 0;
  for (const float z : depth.pixels)
    count += std::isnan(z) ? 0 : 1;
  return count;
}

/** \brief Hit of a ray. */
struct Hit {
  double distance = INFINITY; ///< in lengths of the ray's direction
  int surface = 0;            ///< 0: none
};

/** \brief A tilted wall behind a box, cast in double precision. */
Hit
castRay(const Eigen::Vector3d& origin, const Eigen::Vector3d& direction)
{
  Hit hit;
  const Eigen::Vector3d normal(0.3, 0.1, -1.0), corner(-0.25, -0.15, 1.5),
      end(0.1, 0.2, 1.8);
  const double wall = (normal.z() * 3.0 - normal.dot(origin)) / normal.dot(direction);
  if (wall > 0.0)
    hit = {wall, 1};
  double enter = 0.0, leave = INFINITY;
  int face = 0;
  for (int i = 0; i < 3; ++i) {
    double first = (corner[i] - origin[i]) / direction[i],
           last = (end[i] - origin[i]) / direction[i];
    if (first > last)
      std::swap(first, last);
    if (first > enter) {
      enter = first;
      face = 2 + i;
    }
    leave = std::min(leave, last);
  }
  if (face > 0 && enter < leave && enter < hit.distance)
    hit = {enter, face};
  return hit;
}

/** \brief Returns the hit of a pixel's ray; the distance is the depth. */
Hit
castPixel(const PinholeCamera& camera, const Pose& pose, double u, double v)
{
  const Eigen::Affine3d to_world(pose.cast<double>());
  const Eigen::Vector3d ray(
      (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1.0);
  return castRay(to_world.translation(), to_world.linear() * ray);
}

/** \brief Content of a pixel of the colour camera: 0 nothing, 1 a surface that depth
 * does not show, 2 and more a surface that both cameras see. */
int
kindOf(const RGBDFrame& frame, int u, int v)
{
  const Hit hit = castPixel(frame.color_camera, frame.color_pose, u, v);
  if (hit.surface == 0)
    return 0;
  const PinholeCamera& color = frame.color_camera;
  const Eigen::Vector3d point =
      Eigen::Affine3d(frame.depth_pose.cast<double>()).inverse() *
      (Eigen::Affine3d(frame.color_pose.cast<double>()) *
       (hit.distance *
        Eigen::Vector3d((u - color.cx) / color.fx, (v - color.cy) / color.fy, 1.0)));
  const PinholeCamera& depth = frame.depth_camera;
  const double x = depth.fx * point.x() / point.z() + depth.cx,
               y = depth.fy * point.y() / point.z() + depth.cy;
  if (x < 0.0 || y < 0.0 || x > depth.width - 1 || y > depth.height - 1)
    return 1;
  const Hit seen = castPixel(depth, frame.depth_pose, x, y);
  return std::abs(seen.distance - point.z()) < 1e-6 ? 1 + hit.surface : 1;
}

/** \brief The wall and the box from two cameras, of depth and of colour. */
RGBDFrame
boxFrame(const PinholeCamera& color_camera)
{
  RGBDFrame frame = frameOf({140.0f, 141.0f, 79.0f, 61.0f, 160, 120});
  setColorCamera(frame, color_camera);
  frame.depth_pose = turned(-0.02f, 0.01f);
  frame.depth_pose.translation() = Eigen::Vector3f(0.01f, 0.02f, 0.03f);
  frame.color_pose = turned(-0.1f, 0.0f);
  frame.color_pose.translation() = Eigen::Vector3f(0.25f, -0.03f, -0.02f);
  for (int v = 0; v < 120; ++v)
    for (int u = 0; u < 160; ++u)
      at(frame.depth, u, v) = static_cast<float>(
          castPixel(frame.depth_camera, frame.depth_pose, u, v).distance);
  return frame;
}

TEST(RegisteredVideo, SeesWhatRaysOfItsColorCameraMeet)
{
  for (const PinholeCamera& color : {PinholeCamera{300, 305, 165, 118, 320, 240},
                                     PinholeCamera{140, 139, 81, 60, 160, 120},
                                     PinholeCamera{100, 100, 50, 50, 101, 98}}) {
    RGBDFrame frame = boxFrame(color);
    RGBDFrame seen = registered(frame);
    ASSERT_EQ(seen.depth.width, color.width);
    ASSERT_EQ(seen.depth.height, color.height);
    // About a pixel that is looked at, all are of one kind.
    const int rim = 2 + static_cast<int>(color.fx) / 100;
    int count[8] = {};
    std::vector<int> kinds;
    for (int v = 0; v < color.height; ++v)
      for (int u = 0; u < color.width; ++u)
        kinds.push_back(kindOf(frame, u, v));
    for (int v = rim; v < color.height - rim; ++v)
      for (int u = rim; u < color.width - rim; ++u) {
        const int kind = kinds[std::size_t(v) * color.width + u];
        bool clear = true;
        for (int y = v - rim; y <= v + rim; ++y)
          for (int x = u - rim; x <= u + rim; ++x)
            clear = clear && kinds[std::size_t(y) * color.width + x] == kind;
        if (!clear)
          continue;
        ++count[kind];
        const float z = at(seen.depth, u, v);
        if (kind < 2) {
          EXPECT_TRUE(std::isnan(z)) << u << ", " << v;
          continue;
        }
        const double expected = castPixel(color, frame.color_pose, u, v).distance;
        EXPECT_NEAR(z, expected, 3e-6 * expected) << u << ", " << v;
      }
    EXPECT_GT(count[2], color.width * color.height / 3);   // the wall
    EXPECT_GT(count[5], color.width * color.height / 50);  // the box
    EXPECT_GT(count[1], color.width * color.height / 150); // behind it
  }
}

TEST(RegisteredVideo, FollowsPerspectiveWithinATriangle)
{
  // Four pixels of the wall, far apart, from a camera that is elsewhere.
  RGBDFrame frame = frameOf({2.0f, 2.0f, 0.5f, 0.5f, 2, 2});
  setColorCamera(frame, {100.0f, 100.0f, 20.0f, 20.0f, 41, 41});
  frame.depth_pose.translation() = Eigen::Vector3f(1.0f, 0.5f, 1.0f);
  frame.color_pose.translation() = Eigen::Vector3f(1.2f, 0.4f, 0.5f);
  for (int i = 0; i < 4; ++i)
    frame.depth.pixels[i] = static_cast<float>(
        castPixel(frame.depth_camera, frame.depth_pose, i % 2, i / 2).distance);
  EXPECT_GT(frame.depth.pixels[1], 1.1f * frame.depth.pixels[0]);
  RGBDFrame seen = registered(frame, 1.0f);
  EXPECT_GT(validPixels(seen.depth), 500);
  for (int v = 0; v < 41; ++v)
    for (int u = 0; u < 41; ++u)
      if (!std::isnan(at(seen.depth, u, v))) {
        const double expected =
            castPixel(frame.color_camera, frame.color_pose, u, v).distance;
        EXPECT_NEAR(at(seen.depth, u, v), expected, 2e-6 * expected) << u << ", " << v;
      }
}

TEST(RegisteredVideo, KeepsWhatItsColorCameraSaw)
{
  RGBDFrame frame = frameOf({50.0f, 51.0f, 8.0f, 6.0f, 17, 13});
  frame.depth_pose = frame.color_pose = turned(0.3f, 2.0f);
  for (std::size_t i = 0; i < frame.depth.pixels.size(); ++i)
    frame.depth.pixels[i] = i % 5 == 0 ? no_depth : 0.3f + 0.7f * (i * i % 13);
  const RGBDFrame same = registered(frame);
  ASSERT_EQ(same.depth.pixels.size(), frame.depth.pixels.size());
  EXPECT_EQ(std::memcmp(same.depth.pixels.data(),
                        frame.depth.pixels.data(),
                        frame.depth.pixels.size() * sizeof(float)),
            0);
  // Nor does it change by more than rounding where cameras are nearly the same.
  frame.color_pose.translation().x() += 1e-6f;
  const RGBDFrame nearly = registered(frame);
  for (std::size_t i = 0; i < frame.depth.pixels.size(); ++i) {
    const float z = frame.depth.pixels[i];
    EXPECT_EQ(std::isnan(nearly.depth.pixels[i]), std::isnan(z)) << i;
    if (!std::isnan(z)) {
      EXPECT_NEAR(nearly.depth.pixels[i], z, 2e-6f * z) << i;
    }
  }
}

/** \brief A frame whose colour camera is 4 cm to the right: points at 1 m move 4 pixels
 * to the left, those at 2 m, 2 pixels. */
RGBDFrame
shiftedFrame()
{
  RGBDFrame frame = frameOf({100.0f, 100.0f, 16.0f, 12.0f, 33, 25});
  frame.color_pose.translation().x() = 0.04f;
  return frame;
}

TEST(RegisteredVideo, HasHolesWhereThereIsNoDepth)
{
  RGBDFrame frame = shiftedFrame();
  for (int v = 0; v < 25; ++v)
    for (int u = 0; u < 33; ++u)
      if (std::abs(u - 20) > 3 || std::abs(v - 10) > 2)
        at(frame.depth, u, v) = 2.0f;
  const float missing[] = {no_depth, 0.0f, -2.0f, INFINITY};
  for (int u = 18; u <= 22; ++u)
    at(frame.depth, u, 10) = missing[u % 4];
  RGBDFrame seen = registered(frame);
  for (int v = 0; v < 25; ++v)
    for (int u = 0; u < 33; ++u)
      if (u + 2 >= 33 || (std::abs(u + 2 - 20) <= 3 && std::abs(v - 10) <= 2))
        EXPECT_TRUE(std::isnan(at(seen.depth, u, v))) << u << ", " << v;
      else
        EXPECT_NEAR(at(seen.depth, u, v), 2.0f, 1e-6f) << u << ", " << v;
}

TEST(RegisteredVideo, HasOnePixelOfOneThatIsAlone)
{
  RGBDFrame frame = shiftedFrame();
  at(frame.depth, 10, 7) = 1.0f;
  at(frame.depth, 20, 9) = 2.0f;
  at(frame.depth, 1, 9) = 2.0f; // off the image
  RGBDFrame seen = registered(frame);
  EXPECT_EQ(validPixels(seen.depth), 2);
  EXPECT_NEAR(at(seen.depth, 6, 7), 1.0f, 1e-6f);
  EXPECT_NEAR(at(seen.depth, 18, 9), 2.0f, 1e-6f);

  setColorCamera(frame, {300.0f, 300.0f, 48.0f, 36.0f, 99, 75});
  seen = registered(frame);
  EXPECT_EQ(validPixels(seen.depth), 2);
  EXPECT_NEAR(at(seen.depth, 18, 21), 1.0f, 1e-6f);
}

TEST(RegisteredVideo, ShowsTheNearestPoint)
{
  for (const float side : {1.0f, -1.0f}) {
    RGBDFrame frame = shiftedFrame();
    frame.color_pose.translation().x() *= side;
    at(frame.depth, 16 + 4 * side, 7) = 1.0f;
    at(frame.depth, 16 + 2 * side, 7) = 2.0f;
    RGBDFrame seen = registered(frame);
    EXPECT_EQ(validPixels(seen.depth), 1);
    EXPECT_NEAR(at(seen.depth, 16, 7), 1.0f, 1e-6f);
  }
  // A plate of 5 x 5 pixels before a wall, drawn before and after parts of it.
  RGBDFrame frame = shiftedFrame();
  for (int v = 0; v < 25; ++v)
    for (int u = 0; u < 33; ++u)
      at(frame.depth, u, v) =
          std::abs(u - 16) <= 2 && std::abs(v - 12) <= 2 ? 1.0f : 2.0f;
  RGBDFrame seen = registered(frame);
  for (int v = 10; v <= 14; ++v) {
    for (int u = 10; u <= 14; ++u)
      EXPECT_NEAR(at(seen.depth, u, v), 1.0f, 1e-6f) << u << ", " << v;
    EXPECT_NEAR(at(seen.depth, 9, v), 2.0f, 1e-6f);
    // The plate has moved farther than the surface that it hides from the depth camera.
    EXPECT_TRUE(std::isnan(at(seen.depth, 15, v)));
    EXPECT_TRUE(std::isnan(at(seen.depth, 16, v)));
    EXPECT_NEAR(at(seen.depth, 17, v), 2.0f, 1e-6f);
  }
}

TEST(RegisteredVideo, JoinsNoPixelsAcrossAStep)
{
  RGBDFrame frame = frameOf({10.0f, 10.0f, 4.0f, 4.0f, 9, 9});
  setColorCamera(frame, {80.0f, 80.0f, 32.0f, 32.0f, 65, 65});
  const auto pixelsWithStep = [&](float step, float max_depth_change) {
    for (int v = 0; v < 9; ++v)
      for (int u = 0; u < 9; ++u)
        at(frame.depth, u, v) = u < 5 ? 1.0f : 1.0f + step;
    return validPixels(registered(frame, max_depth_change).depth);
  };
  EXPECT_EQ(pixelsWithStep(0.02f, 0.03f), 65 * 65);
  EXPECT_EQ(pixelsWithStep(0.04f, 0.03f),
            58 * 65); // of 8 between two columns 7 are missing
  EXPECT_EQ(pixelsWithStep(0.04f, 0.05f), 65 * 65);
  EXPECT_EQ(pixelsWithStep(-0.04f, 0.03f), 58 * 65);
  EXPECT_EQ(pixelsWithStep(0.0f, 0.0f), 65 * 65);
}

TEST(RegisteredVideo, CutsSquaresWhereOneCornerIsMissing)
{
  RGBDFrame frame = frameOf({10.0f, 10.0f, 0.0f, 0.0f, 2, 2});
  setColorCamera(frame, {80.0f, 80.0f, 0.0f, 0.0f, 9, 9});
  for (int corner = 0; corner < 4; ++corner)
    for (const float bad : {no_depth, 3.0f}) {
      frame.depth.pixels.assign(4, 2.0f);
      frame.depth.pixels[corner] = bad;
      // Half of 9 x 9 with the diagonal; a corner that is far away is alone.
      EXPECT_EQ(validPixels(registered(frame).depth), std::isnan(bad) ? 45 : 46)
          << corner;
    }
}

TEST(RegisteredVideo, SeesNothingBehindItsColorCamera)
{
  RGBDFrame frame = shiftedFrame();
  frame.depth.pixels.assign(frame.depth.pixels.size(), 1.0f);
  for (const float ahead : {1.0f, 1.5f}) {
    frame.color_pose.translation().z() = ahead;
    EXPECT_EQ(validPixels(registered(frame).depth), 0);
  }
  frame.depth.pixels.assign(frame.depth.pixels.size(), no_depth);
  frame.color_pose.translation().z() = 0.0f;
  EXPECT_EQ(validPixels(registered(frame).depth), 0);
}

TEST(RegisteredVideo, HasTheCameraOfColor)
{
  RGBDFrame frame = boxFrame({300.0f, 305.0f, 165.0f, 118.0f, 320, 240});
  frame.time = 4.5;
  const auto video = std::make_shared<RGBDRecording>();
  for (int i = 0; i < 3; ++i)
    video->add(frame);
  const RegisteredRGBDVideo registered(video);
  ASSERT_EQ(registered.size(), 3);
  for (const RGBDView& view : {registered.view(1), RGBDView(registered.read(2))}) {
    EXPECT_EQ(view.time, 4.5);
    EXPECT_EQ(view.depth_camera.fy, 305.0f);
    EXPECT_EQ(view.depth_camera.width, 320);
    EXPECT_EQ(view.depth_pose.matrix(), frame.color_pose.matrix());
    EXPECT_EQ(view.color_pose.matrix(), frame.color_pose.matrix());
  }
  expectBadArgument("frame is 3", [&] { registered.read(3); });
  expectBadArgument("frame is -1", [&] { registered.view(-1); });
}

TEST(RegisteredVideo, RejectsArgumentsThatMakeNoSense)
{
  expectBadArgument("video is null", [] { RegisteredRGBDVideo(nullptr); });
  const auto video = std::make_shared<RGBDRecording>();
  for (const float bad : {-0.1f, no_depth, INFINITY})
    expectBadArgument("largest change of depth",
                      [&] { RegisteredRGBDVideo(video, bad); });
}

} // namespace
