// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "testing/video/rendered_video.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int frames = 16;
const PinholeCamera true_camera = {196.0f, 196.0f, 119.0f, 87.0f, 240, 180};

/** \brief A small turn and a small step. */
Pose
smallMotion(float angle, const Eigen::Vector3f& axis, const Eigen::Vector3f& step)
{
  Pose pose(Eigen::Translation3f(step.x(), step.y(), step.z()));
  pose.rotate(Eigen::AngleAxisf(angle, axis.normalized()));
  return pose;
}

const Pose true_color_to_depth =
    smallMotion(0.01f, {0.6f, -0.48f, 0.64f}, {0.027f, -0.003f, 0.002f});

RenderedVideoSettings
smallVideo()
{
  RenderedVideoSettings settings;
  settings.motion = CameraMotion::Forward;
  settings.camera = {219.0f, 219.0f, 120.0f, 90.0f, 240, 180};
  settings.color_camera = true_camera;
  settings.color_to_depth = true_color_to_depth;
  settings.frames = frames;
  settings.frame_rate = 4.0f;
  settings.shake = 12.0f;
  return settings;
}

/** \brief The frames of a small video, rendered once. */
const std::vector<RGBDFrame>&
renderedFrames()
{
  static const std::vector<RGBDFrame> rendered = [] {
    const RenderedVideo video(smallVideo());
    std::vector<RGBDFrame> all;
    for (int i = 0; i < video.size(); ++i)
      all.push_back(video.read(i));
    return all;
  }();
  return rendered;
}

/** \brief These frames, each of them changed. */
RGBDRecording::Ptr
changedVideo(const std::function<void(RGBDFrame&, int)>& change = [](RGBDFrame&, int) {
})
{
  const auto video = std::make_shared<RGBDRecording>();
  for (int i = 0; i < frames; ++i) {
    RGBDFrame frame = renderedFrames()[i];
    change(frame, i);
    video->add(std::move(frame));
  }
  return video;
}

/** \brief Adds noise of 3 levels to each pixel. */
void
addNoise(ColorImage& color, int seed)
{
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0.0f, 3.0f);
  const auto noisy = [&](int level) {
    return static_cast<std::uint8_t>(
        std::lround(std::clamp(level + noise(random), 0.0f, 255.0f)));
  };
  for (pcl::RGB& pixel : color.pixels)
    pixel = pcl::RGB(noisy(pixel.r), noisy(pixel.g), noisy(pixel.b));
}

/** \brief A calibration of such videos that begins some pixels away. */
ColorCalibrationParameters
smallCalibration()
{
  ColorCalibrationParameters calibration;
  calibration.frame_gaps = {1, 2, 3, 5};
  calibration.point_step = 4;
  calibration.start_camera = {203.0f, 203.0f, 123.0f, 93.0f, 0, 0};
  return calibration;
}

/** \brief Distance of colours from their right places, pixels; root of the mean square
 * over points before the camera. */
double
pixelError(const ColorCalibration& calibration)
{
  const auto place = [](const PinholeCamera& camera,
                        const Pose& color_to_depth,
                        const Eigen::Vector3f& point) {
    const Eigen::Vector3f seen = color_to_depth.inverse() * point;
    return Eigen::Vector2d(camera.fx * seen.x() / seen.z() + camera.cx,
                           camera.fy * seen.y() / seen.z() + camera.cy);
  };
  double sum = 0.0;
  int count = 0;
  for (const float z : {1.0f, 2.0f, 4.0f})
    for (const float x : {-0.4f, -0.2f, 0.0f, 0.2f, 0.4f})
      for (const float y : {-0.3f, 0.0f, 0.3f}) {
        const Eigen::Vector3f point(x * z, y * z, z);
        sum += (place(calibration.color_camera, calibration.color_to_depth, point) -
                place(true_camera, true_color_to_depth, point))
                   .squaredNorm();
        ++count;
      }
  return std::sqrt(sum / count);
}

/** \brief Start of a calibration. */
ColorCalibration
startOf(const ColorCalibrationParameters& calibration)
{
  ColorCalibration start;
  start.color_camera = calibration.start_camera;
  start.color_to_depth = calibration.start_color_to_depth;
  return start;
}

/** \brief A motion that is not the same for any two frames, up to 3 mm and 0.1
 * degrees. */
Pose
disturbance(int number)
{
  const float phase = 2.4f * static_cast<float>(number);
  const Eigen::Vector3f wave(
      std::sin(phase), std::sin(1.7f * phase + 1.0f), std::sin(2.3f * phase + 2.0f));
  return smallMotion(0.0017f * wave.norm(), wave, 0.002f * wave.reverse());
}

/** \brief Motion, from frame to frame, of a point at 2 m that should rest, metres. */
double
poseError(const RGBDVideo& video)
{
  const Eigen::Vector3f point(0.3f, 0.2f, 2.0f);
  double sum = 0.0;
  for (int i = 0; i + 1 < frames; ++i) {
    const Pose found =
        video.view(i).depth_pose.inverse() * video.view(i + 1).depth_pose;
    const Pose truth =
        renderedFrames()[i].depth_pose.inverse() * renderedFrames()[i + 1].depth_pose;
    sum += (found * point - truth * point).squaredNorm();
  }
  return std::sqrt(sum / (frames - 1));
}

/** \brief Expects that parameters that are not determined stay near the beginning. */
void
expectUndetermined(const ColorCalibrationParameters& calibration,
                   const RGBDVideo& video)
{
  const ColorCalibration found = calibrateColorCamera(video, calibration);
  EXPECT_FALSE(found.determined);
  EXPECT_NEAR(found.color_camera.fx, calibration.start_camera.fx, 6.0f);
  EXPECT_NEAR(found.color_camera.cx, calibration.start_camera.cx, 6.0f);
  EXPECT_TRUE(found.color_to_depth.matrix().allFinite());
  EXPECT_GT(std::max({found.deviations.focal_length / 6.1f,
                      found.deviations.cx / 6.0f,
                      found.deviations.cy / 6.0f}),
            0.1f);
}

TEST(ColorCameraCalibration, FindsTheCamera)
{
  ColorCalibrationParameters calibration = smallCalibration();
  EXPECT_GT(pixelError(startOf(calibration)), 5.0);
  const ColorCalibration found = calibrateColorCamera(*changedVideo(), calibration);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.determined);
  EXPECT_LT(pixelError(found), 0.8);
  EXPECT_EQ(found.color_camera.fx, found.color_camera.fy);
  EXPECT_EQ(found.color_camera.width, 240);
  EXPECT_EQ(found.color_camera.height, 180);
  EXPECT_NEAR(found.color_camera.fx, true_camera.fx, 1.0f);
  EXPECT_NEAR(found.color_camera.cx, true_camera.cx, 2.0f);
  EXPECT_NEAR(found.color_camera.cy, true_camera.cy, 2.0f);
  const Pose error = found.color_to_depth.inverse() * true_color_to_depth;
  EXPECT_LT(Eigen::AngleAxisf(error.linear()).angle(), 0.01f);
  EXPECT_LT(error.translation().norm(), 0.004f);

  // Deviations cover the errors, and do not without bounds.
  const ColorCalibrationDeviations& deviations = found.deviations;
  EXPECT_LT(std::abs(found.color_camera.fx - true_camera.fx),
            3.0f * deviations.focal_length);
  EXPECT_LT(std::abs(found.color_camera.cx - true_camera.cx), 3.0f * deviations.cx);
  EXPECT_LT(std::abs(found.color_camera.cy - true_camera.cy), 3.0f * deviations.cy);
  EXPECT_LT(deviations.focal_length, 2.0f);
  EXPECT_GT(deviations.translation.minCoeff(), 0.0f);
  EXPECT_GT(found.comparisons, 100000u);
  EXPECT_LT(found.residual, 2.0f);

  ASSERT_EQ(found.corrections.size(), std::size_t(frames));
  EXPECT_EQ(found.corrections[5].number, 5);
  EXPECT_EQ(found.corrections[5].gain, 1.0f);
  EXPECT_TRUE(found.corrections[5].motion.isApprox(Pose::Identity(), 1e-6f));
}

TEST(ColorCameraCalibration, FindsTheCameraInNoise)
{
  RenderedVideoSettings settings = likeKinect(smallVideo());
  settings.supersampling = 1;
  ColorCalibrationParameters calibration = smallCalibration();
  calibration.frames = {0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 15};
  const ColorCalibration found =
      calibrateColorCamera(RenderedVideo(settings), calibration);
  EXPECT_TRUE(found.determined);
  EXPECT_LT(pixelError(found), 1.2);
  EXPECT_EQ(found.corrections[4].number, 5);
}

TEST(ColorCameraCalibration, CorrectsPoses)
{
  const auto disturbed = changedVideo([](RGBDFrame& frame, int number) {
    frame.depth_pose = frame.depth_pose * disturbance(number);
  });
  ColorCalibrationParameters calibration = smallCalibration();
  calibration.correct_poses = true;
  const ColorCalibration found = calibrateColorCamera(*disturbed, calibration);
  EXPECT_TRUE(found.determined);
  const CalibratedRGBDVideo corrected(disturbed, found);
  EXPECT_LT(poseError(corrected), 0.4 * poseError(*disturbed));
  EXPECT_LT(pixelError(found), 0.8);
  for (const FrameCorrection& correction : found.corrections)
    EXPECT_EQ(correction.gain, 1.0f);
  const double residual = found.residual;
  calibration.correct_poses = false;
  EXPECT_GT(calibrateColorCamera(*disturbed, calibration).residual, 1.2 * residual);
}

TEST(ColorCameraCalibration, FindsGains)
{
  const auto gainOf = [](int number) { return 1.0f + 0.03f * float(number % 5 - 2); };
  const auto darkened = changedVideo([&](RGBDFrame& frame, int number) {
    for (pcl::RGB& pixel : frame.color.pixels) {
      const auto changed = [&](std::uint8_t level) {
        return static_cast<std::uint8_t>(
            std::lround(0.9f * static_cast<float>(level) / gainOf(number)));
      };
      pixel = pcl::RGB(changed(pixel.r), changed(pixel.g), changed(pixel.b));
    }
  });
  ColorCalibrationParameters calibration = smallCalibration();
  calibration.point_step = 6; // gains need few points
  calibration.correct_exposures = true;
  const ColorCalibration found = calibrateColorCamera(*darkened, calibration);
  EXPECT_TRUE(found.determined);
  EXPECT_LT(pixelError(found), 0.8);
  float mean = 0.0f;
  for (const FrameCorrection& correction : found.corrections)
    mean += correction.gain / gainOf(correction.number) / frames;
  EXPECT_NEAR(mean, 1.0f, 0.03f);
  for (const FrameCorrection& correction : found.corrections) {
    EXPECT_NEAR(correction.gain / mean, gainOf(correction.number), 0.006f);
    EXPECT_TRUE(correction.motion.isApprox(Pose::Identity(), 1e-6f));
  }
}

TEST(ColorCameraCalibration, SaysWhatIsNotDetermined)
{
  ColorCalibrationParameters calibration = smallCalibration();
  calibration.frames = {0, 2, 4, 6, 8, 10, 12};
  calibration.frame_gaps = {1, 2};
  {
    SCOPED_TRACE("a camera at rest");
    expectUndetermined(calibration, *changedVideo([](RGBDFrame& frame, int number) {
                         const double time = frame.time;
                         frame = renderedFrames()[3];
                         frame.time = time;
                         addNoise(frame.color, number);
                       }));
  }
  {
    SCOPED_TRACE("no texture");
    expectUndetermined(calibration, *changedVideo([](RGBDFrame& frame, int number) {
                         std::fill(frame.color.pixels.begin(),
                                   frame.color.pixels.end(),
                                   pcl::RGB(90, 120, 150));
                         addNoise(frame.color, number);
                       }));
  }
  // Images of other things lead astray.
  EXPECT_FALSE(calibrateColorCamera(*changedVideo([](RGBDFrame& frame, int number) {
                 std::rotate(frame.color.pixels.begin(),
                             frame.color.pixels.begin() + (7919 * number) % 43200,
                             frame.color.pixels.end());
               }),
                                    calibration)
                   .determined);
  SCOPED_TRACE("no depth");
  const auto without_depth = changedVideo([](RGBDFrame& frame, int) {
    std::fill(frame.depth.pixels.begin(),
              frame.depth.pixels.end(),
              std::numeric_limits<float>::quiet_NaN());
  });
  expectUndetermined(calibration, *without_depth);
  ColorCalibrationParameters usual;
  const ColorCalibration found = calibrateColorCamera(*without_depth, usual);
  EXPECT_EQ(found.comparisons, 0u);
  EXPECT_TRUE(std::isnan(found.residual));
  EXPECT_FLOAT_EQ(found.color_camera.fx, 525.0f * 240.0f / 640.0f);
  EXPECT_FLOAT_EQ(found.color_camera.cx, 119.5f);
  EXPECT_FLOAT_EQ(found.color_camera.cy, 89.5f);
  EXPECT_FLOAT_EQ(found.color_to_depth.translation().x(), 0.025f);
  EXPECT_FLOAT_EQ(found.deviations.translation.x(), 0.005f);
}

TEST(ColorCameraCalibration, SaysWhetherDepthIsRegistered)
{
  // No start: the usual one is that of a Kinect.
  ColorCalibrationParameters parameters;
  parameters.frame_gaps = {1, 2, 3};
  parameters.point_step = 4;
  parameters.frames = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const auto check = [&](const RGBDVideo& video) {
    return checkColorRegistration(video, parameters).registration;
  };
  const auto takeForRegistered = [](RGBDFrame& frame) {
    frame.color_camera = frame.depth_camera;
    frame.color_pose = frame.depth_pose;
  };
  EXPECT_EQ(
      check(*changedVideo([&](RGBDFrame& frame, int) { takeForRegistered(frame); })),
      ColorRegistrationState::Apart);
  EXPECT_EQ(check(*changedVideo()), ColorRegistrationState::Registered);
  EXPECT_EQ(check(RegisteredRGBDVideo(changedVideo())),
            ColorRegistrationState::Registered);
  // Wrong poses do not look as another camera.
  const auto disturbed = changedVideo([](RGBDFrame& frame, int number) {
    frame.depth_pose = frame.depth_pose * disturbance(number);
    frame.color_pose = frame.depth_pose * true_color_to_depth;
  });
  EXPECT_EQ(check(RegisteredRGBDVideo(disturbed)), ColorRegistrationState::Registered);

  EXPECT_EQ(check(*changedVideo([&](RGBDFrame& frame, int number) {
              takeForRegistered(frame);
              std::fill(frame.color.pixels.begin(),
                        frame.color.pixels.end(),
                        pcl::RGB(90, 120, 150));
              addNoise(frame.color, number);
            })),
            ColorRegistrationState::Undetermined);
  EXPECT_EQ(check(*changedVideo([&](RGBDFrame& frame, int number) {
              takeForRegistered(frame);
              std::rotate(frame.color.pixels.begin(),
                          frame.color.pixels.begin() + (7919 * number) % 43200,
                          frame.color.pixels.end());
            })),
            ColorRegistrationState::Undetermined);
}

TEST(ColorCameraCalibration, CorrectsPosesForAKnownCamera)
{
  // Longer than the parts that are corrected at once: the camera goes back and forth.
  constexpr int count = 140;
  const auto numberAt = [](int i) {
    const int place = i % (2 * frames - 2);
    return std::min(place, 2 * frames - 2 - place);
  };
  const auto disturbed = std::make_shared<RGBDRecording>();
  for (int i = 0; i < count; ++i) {
    RGBDFrame frame = renderedFrames()[numberAt(i)];
    frame.time = i;
    frame.depth_pose = frame.depth_pose * disturbance(i);
    disturbed->add(std::move(frame));
  }
  ColorCalibration camera;
  camera.color_camera = true_camera;
  camera.color_to_depth = true_color_to_depth;
  ColorCalibrationParameters parameters;
  parameters.frame_gaps = {1, 3};
  parameters.point_step = 8;
  camera.corrections = findFrameCorrections(*disturbed, camera, parameters);
  ASSERT_EQ(camera.corrections.size(), std::size_t(count));
  const CalibratedRGBDVideo corrected(disturbed, camera);
  // Motions, from frame to frame, of a point that rests.
  const auto errorOf = [&](const RGBDVideo& video, int first, int last) {
    const Eigen::Vector3f point(0.3f, 0.2f, 2.0f);
    double sum = 0.0;
    for (int i = first; i < last; ++i) {
      const Pose found =
          video.view(i).depth_pose.inverse() * video.view(i + 1).depth_pose;
      const Pose truth = renderedFrames()[numberAt(i)].depth_pose.inverse() *
                         renderedFrames()[numberAt(i + 1)].depth_pose;
      sum += (found * point - truth * point).squaredNorm();
    }
    return std::sqrt(sum / (last - first));
  };
  for (const int first : {0, 60, 90, 120})
    EXPECT_LT(errorOf(corrected, first, first + 19),
              0.5 * errorOf(*disturbed, first, first + 19))
        << "frame " << first;
}

TEST(ColorCameraCalibration, IsTheSameBitsForAnyNumberOfThreads)
{
  ColorCalibrationParameters calibration = smallCalibration();
  calibration.frames = {1, 2, 4, 6, 7, 9};
  calibration.frame_gaps = {1, 2};
  calibration.point_step = 8;
  calibration.correct_poses = true;
  calibration.correct_exposures = true;
  const auto video = changedVideo();
  const int threads_before = omp_get_max_threads();
  std::vector<ColorCalibration> results;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    results.push_back(calibrateColorCamera(*video, calibration));
  }
  omp_set_num_threads(threads_before);
  for (const ColorCalibration& other : results) {
    const ColorCalibration& first = results.front();
    EXPECT_EQ(other.color_camera.fx, first.color_camera.fx);
    EXPECT_EQ(other.color_camera.cx, first.color_camera.cx);
    EXPECT_EQ(other.color_camera.cy, first.color_camera.cy);
    EXPECT_EQ(other.color_to_depth.matrix(), first.color_to_depth.matrix());
    EXPECT_EQ(other.deviations.focal_length, first.deviations.focal_length);
    EXPECT_EQ(other.deviations.translation, first.deviations.translation);
    EXPECT_EQ(other.residual, first.residual);
    for (std::size_t i = 0; i < other.corrections.size(); ++i) {
      EXPECT_EQ(other.corrections[i].motion.matrix(),
                first.corrections[i].motion.matrix());
      EXPECT_EQ(other.corrections[i].gain, first.corrections[i].gain);
    }
  }
}

TEST(ColorCameraCalibration, RejectsBadSettings)
{
  ColorCalibrationParameters calibration;
  const auto expectBad = [](const std::string& words, const auto& change) {
    ColorCalibrationParameters bad;
    change(bad);
    expectBadArgument(words, [&] { bad.validate(); });
    expectBadArgument(words, [&] { calibrateColorCamera(RGBDRecording(), bad); });
  };
  using Parameters = ColorCalibrationParameters;
  expectBad("frame is -1", [](Parameters& bad) { bad.frames = {-1, 3}; });
  expectBad("frame is 3", [](Parameters& bad) { bad.frames = {3, 3}; });
  expectBad("gap is 0", [](Parameters& bad) { bad.frame_gaps = {2, 0}; });
  expectBad("number of gaps is 0", [](Parameters& bad) { bad.frame_gaps.clear(); });
  expectBad("step from point to point is 1",
            [](Parameters& bad) { bad.point_step = 1; });
  expectBad("-3", [](Parameters& bad) {
    bad.start_camera = {-3.0f, 5.0f, 1.0f, 1.0f};
  });
  expectBad("colour to depth",
            [](Parameters& bad) { bad.start_color_to_depth.linear() *= 2.0f; });
  for (float ColorCalibrationPriors::*prior :
       {&ColorCalibrationPriors::focal_length,
        &ColorCalibrationPriors::principal_point,
        &ColorCalibrationPriors::rotation,
        &ColorCalibrationPriors::translation,
        &ColorCalibrationPriors::pose_rotation,
        &ColorCalibrationPriors::pose_translation,
        &ColorCalibrationPriors::gain})
    for (const float value : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
      expectBad("prior of", [&](Parameters& bad) { bad.priors.*prior = value; });
  EXPECT_TRUE(calibration.frames.empty());
  EXPECT_EQ(calibration.frame_gaps, std::vector<int>({4, 9, 16, 25}));
  EXPECT_EQ(calibration.point_step, 8);
  EXPECT_EQ(calibration.priors.gain, 0.03f);
}

TEST(ColorCameraCalibration, RejectsVideosWithoutPairs)
{
  ColorCalibrationParameters calibration;
  const auto video = changedVideo();
  expectBadArgument("number of frames is 0",
                    [&] { calibrateColorCamera(RGBDRecording(), calibration); });
  calibration.frames = {0, 1, 2, 3};
  expectBadArgument("number of frames is 4",
                    [&] { calibrateColorCamera(*video, calibration); });
  calibration.frame_gaps = {1};
  calibration.frames = {0, 16};
  expectBadArgument("frame is 16", [&] { calibrateColorCamera(*video, calibration); });
  calibration.frames = {};
  const auto resized = changedVideo([](RGBDFrame& frame, int number) {
    if (number != 2)
      return;
    frame.color.resize(120, 180);
    frame.color_camera.width = 120;
  });
  expectBadArgument("frame 2", [&] { calibrateColorCamera(*resized, calibration); });
}

} // namespace
