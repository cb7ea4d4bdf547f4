// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "gpu_scenespace/formats/video_folder.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int frames = 12;

/** \brief A video whose colour camera is taken for its depth camera. */
RGBDRecording::Ptr
someVideo()
{
  const auto video = std::make_shared<RGBDRecording>();
  for (int i = 0; i < frames; ++i) {
    RGBDFrame frame;
    frame.time = 0.1 * i;
    frame.depth_camera = frame.color_camera = {5.0f, 5.0f, 2.5f, 1.5f, 0, 0};
    frame.depth_pose = frame.color_pose = turned(0.1f * i, 0.2f * i);
    frame.depth.resize(6, 4);
    std::fill(frame.depth.pixels.begin(), frame.depth.pixels.end(), 1.5f);
    frame.color.resize(6, 4);
    for (int k = 0; k < 24; ++k)
      frame.color.pixels[k] = pcl::RGB(10 * k, i, 255 - k);
    video->add(frame);
  }
  return video;
}

/** \brief A calibration that corrects three of the frames. */
ColorCalibration
someCalibration()
{
  ColorCalibration calibration;
  calibration.color_camera = {4.1234567f, 4.1234567f, 2.7f, 1.3f, 6, 4};
  calibration.color_to_depth = turned(0.02f, 0.025f);
  const struct {
    int number;
    float angle, gain;
  } corrections[] = {{2, 0.01f, 1.1f}, {6, 0.03f, 0.9f}, {7, -0.01f, 1.0f}};
  for (const auto& values : corrections) {
    FrameCorrection correction;
    correction.number = values.number;
    correction.motion.rotate(Eigen::AngleAxisf(values.angle, Eigen::Vector3f::UnitX()));
    correction.motion.pretranslate(Eigen::Vector3f(0.0f, 2.0f * values.angle, 0.0f));
    correction.gain = values.gain;
    calibration.corrections.push_back(correction);
  }
  return calibration;
}

/** \brief The angle and the gain that a frame gets. */
void
expectCorrection(const CalibratedRGBDVideo& video, int number, float angle, float gain)
{
  const FrameCorrection correction = video.correction(number);
  EXPECT_EQ(correction.number, number);
  EXPECT_NEAR(correction.motion(2, 1), std::sin(angle), 1e-6f) << number;
  EXPECT_NEAR(correction.motion.translation().y(), 2.0f * angle, 1e-6f) << number;
  EXPECT_NEAR(correction.gain, gain, 1e-6f) << number;
}

TEST(CalibratedVideo, HasCamerasAndPosesOfTheCalibration)
{
  const auto video = someVideo();
  const ColorCalibration calibration = someCalibration();
  const CalibratedRGBDVideo calibrated(video, calibration);
  ASSERT_EQ(calibrated.size(), frames);
  for (const int number : {0, 4, 6, 11}) {
    const RGBDView before = video->view(number);
    const RGBDFrame frame = calibrated.read(number);
    const RGBDView view = calibrated.view(number);
    EXPECT_NO_THROW(validateView(view, number));
    EXPECT_EQ(view.color_camera.fx, calibration.color_camera.fx);
    EXPECT_EQ(view.color_camera.width, 6);
    EXPECT_EQ(view.depth_camera.fx, 5.0f);
    EXPECT_EQ(view.time, before.time);
    const Pose depth_pose = before.depth_pose * calibrated.correction(number).motion;
    EXPECT_EQ(view.depth_pose.matrix(), depth_pose.matrix());
    EXPECT_EQ(view.color_pose.matrix(),
              (depth_pose * calibration.color_to_depth).matrix());
    EXPECT_EQ(frame.color_pose.matrix(), view.color_pose.matrix());
    EXPECT_EQ(frame.depth_pose.matrix(), view.depth_pose.matrix());
    EXPECT_EQ(frame.color_camera.cx, view.color_camera.cx);
    EXPECT_EQ(frame.color.pixels[7].rgba, video->read(number).color.pixels[7].rgba);
    EXPECT_EQ(frame.depth.pixels[7], 1.5f);
  }
}

TEST(CalibratedVideo, CorrectsFramesBetweenOthers)
{
  const CalibratedRGBDVideo calibrated(someVideo(), someCalibration());
  for (const int number : {0, 1, 2})
    expectCorrection(calibrated, number, 0.01f, 1.1f);
  expectCorrection(calibrated, 3, 0.015f, 1.05f);
  expectCorrection(calibrated, 4, 0.02f, 1.0f);
  expectCorrection(calibrated, 6, 0.03f, 0.9f);
  for (const int number : {7, 8, 11})
    expectCorrection(calibrated, number, -0.01f, 1.0f);
  ColorCalibration without = someCalibration();
  without.corrections.clear();
  expectCorrection(CalibratedRGBDVideo(someVideo(), without), 5, 0.0f, 1.0f);
}

TEST(CalibratedVideo, MultipliesColorsIfAskedTo)
{
  const auto video = someVideo();
  const CalibratedRGBDVideo calibrated(video, someCalibration(), true);
  const ColorImage bright = calibrated.read(2).color, dark = calibrated.read(6).color;
  for (int k = 0; k < 24; ++k) {
    EXPECT_EQ(bright.pixels[k].r, std::min(255, 11 * k));
    EXPECT_EQ(bright.pixels[k].b, std::min(255l, std::lround(1.1f * (255 - k))));
    EXPECT_EQ(bright.pixels[k].a, 255);
    EXPECT_EQ(dark.pixels[k].r, 9 * k);
    EXPECT_EQ(dark.pixels[k].g, 5);
  }
  EXPECT_EQ(calibrated.read(8).color.pixels[20].rgba,
            video->read(8).color.pixels[20].rgba);
}

TEST(CalibratedVideo, RejectsWhatIsNoCalibration)
{
  const auto video = someVideo();
  const auto expectBad = [&](const std::string& word, const auto& change) {
    ColorCalibration calibration = someCalibration();
    change(calibration);
    expectBadArgument(word, [&] { CalibratedRGBDVideo(video, calibration); });
  };
  expectBadArgument("video", [] { CalibratedRGBDVideo(nullptr, someCalibration()); });
  expectBad("0", [](ColorCalibration& bad) { bad.color_camera.fx = 0.0f; });
  expectBad("7 x 4", [](ColorCalibration& bad) { bad.color_camera.width = 7; });
  expectBad("colour to depth",
            [](ColorCalibration& bad) { bad.color_to_depth(0, 0) = 2.0f; });
  expectBad("number of a corrected frame is 2",
            [](ColorCalibration& bad) { bad.corrections[1].number = 2; });
  expectBad("number of a corrected frame is -1",
            [](ColorCalibration& bad) { bad.corrections[0].number = -1; });
  expectBad("correction of a pose",
            [](ColorCalibration& bad) { bad.corrections[1].motion(0, 1) = 2.0f; });
  for (const float gain : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    expectBad("gain", [&](ColorCalibration& bad) { bad.corrections[2].gain = gain; });
  const CalibratedRGBDVideo calibrated(video, someCalibration());
  expectBadArgument("frame is 12", [&] { calibrated.read(12); });
  expectBadArgument("frame is -1", [&] { calibrated.view(-1); });
}

TEST(ColorCalibrationTables, AreReadAgain)
{
  const TemporaryFolder folder;
  const auto video = someVideo();
  writeRGBDFolder(*video, folder / "");
  const ColorCalibration calibration = someCalibration();
  writeColorCalibration(folder / "", calibration);
  const RGBDView view = openRGBDFolder(folder / "")->view(3);
  EXPECT_EQ(view.color_camera.fx, calibration.color_camera.fx);
  EXPECT_EQ(view.color_camera.fy, calibration.color_camera.fy);
  EXPECT_EQ(view.color_camera.cx, calibration.color_camera.cx);
  EXPECT_EQ(view.color_camera.cy, calibration.color_camera.cy);
  EXPECT_EQ(view.depth_camera.fx, 5.0f);
  EXPECT_TRUE(view.depth_pose.isApprox(video->view(3).depth_pose, 1e-6f));
  EXPECT_TRUE(
      view.color_pose.isApprox(view.depth_pose * calibration.color_to_depth, 1e-6f));

  const CalibratedRGBDVideo calibrated(openRGBDFolder(folder / ""), calibration);
  writeDepthPoses(folder / "", calibrated);
  const RGBDVideo::ConstPtr corrected = openRGBDFolder(folder / "");
  for (int i = 0; i < frames; ++i) {
    EXPECT_EQ(corrected->view(i).time, calibrated.view(i).time);
    EXPECT_TRUE(
        corrected->view(i).depth_pose.isApprox(calibrated.view(i).depth_pose, 1e-6f));
    EXPECT_TRUE(
        corrected->view(i).color_pose.isApprox(calibrated.view(i).color_pose, 1e-6f));
  }
  // Another calibration takes the place of the first one.
  ColorCalibration other = calibration;
  other.color_camera.cx = 3.5f;
  writeColorCalibration(folder / "", other);
  EXPECT_EQ(openRGBDFolder(folder / "")->view(0).color_camera.cx, 3.5f);
}

TEST(ColorCameraFile, IsReadAgainWithTheSameBits)
{
  const TemporaryFolder folder;
  ColorCalibration calibration = someCalibration();
  for (const int width : {6, 0}) {
    calibration.color_camera.width = width;
    calibration.color_camera.height = width == 0 ? 0 : 4;
    writeColorCamera(folder / "camera.txt", calibration);
    const ColorCalibration read = readColorCamera(folder / "camera.txt");
    EXPECT_EQ(read.color_camera.fx, calibration.color_camera.fx);
    EXPECT_EQ(read.color_camera.fy, calibration.color_camera.fy);
    EXPECT_EQ(read.color_camera.cx, calibration.color_camera.cx);
    EXPECT_EQ(read.color_camera.cy, calibration.color_camera.cy);
    EXPECT_EQ(read.color_camera.width, width);
    EXPECT_EQ(read.color_to_depth.matrix(), calibration.color_to_depth.matrix());
    ASSERT_EQ(read.corrections.size(), calibration.corrections.size());
    for (std::size_t i = 0; i < read.corrections.size(); ++i) {
      const FrameCorrection &one = read.corrections[i],
                            &other = calibration.corrections[i];
      EXPECT_EQ(one.number, other.number);
      EXPECT_EQ(one.gain, other.gain);
      EXPECT_EQ(one.motion.matrix(), other.motion.matrix());
    }
  }
  EXPECT_EQ(folder.count(), 1);
}

TEST(ColorCameraFile, IsRejectedIfItIsDamaged)
{
  const TemporaryFolder folder;
  const std::string file = folder / "camera.txt", pose = "1 0 0 0\n0 1 0 0\n0 0 1 0\n";
  const auto expectBad = [&](const std::string& text, const std::string& word) {
    folder.write("camera.txt", text);
    expectBadFile({file, word}, [&] { readColorCamera(file); });
  };
  expectBad("", "is not a colour camera");
  expectBad("5 5 2 1\n" + pose, "is not a colour camera");
  expectBad("5 5 2\n" + pose + "0 0 0 1\n", "is not a colour camera");
  expectBad("5 x 2 1\n" + pose + "0 0 0 1\n", "line 1");
  expectBad("0 5 2 1\n" + pose + "0 0 0 1\n", "0");
  expectBad("5 5 2 1\n" + pose + "0 0 0 2\n", "line 5: the last row");
  expectBad("5 5 2 1\n2 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", "colour to depth");
  const std::string camera = "5 5 2 1\n" + pose + "0 0 0 1\n";
  const std::string motion = " 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n";
  expectBad(camera + "3 1.5\n", "is not a colour camera");
  expectBad(camera + "1e30 1" + motion, "line 6: number of a frame 1e30");
  expectBad(camera + "3 0" + motion, "gain");
  expectBad(camera + "3 1" + motion + "3 1" + motion, "number of a corrected frame");
  expectBadFile({"none.txt"}, [&] { readColorCamera(folder / "none.txt"); });
  expectBadFile({"none/camera.txt"}, [&] {
    writeColorCamera(folder / "none/camera.txt", someCalibration());
  });
}

TEST(ColorCalibrationTables, AreNotWrittenWhereTheyWouldNotBeRead)
{
  for (const char* name : {"color_poses.txt", "rgb.txt", "associations.txt"}) {
    const TemporaryFolder folder;
    folder.write(name, "");
    expectBadFile({folder / name, "color_to_depth.txt would not be read"},
                  [&] { writeColorCalibration(folder / "", someCalibration()); });
    EXPECT_EQ(folder.count(), 1);
  }
  const TemporaryFolder folder;
  folder.write("rgb.txt", "");
  expectBadFile({"rgb.txt", "poses.txt would not be read"},
                [&] { writeDepthPoses(folder / "", *someVideo()); });
  expectBadFile({"none/color_intrinsics.txt"},
                [&] { writeColorCalibration(folder / "none", someCalibration()); });
  expectBadFile({"none/poses.txt"},
                [&] { writeDepthPoses(folder / "none", *someVideo()); });
  expectBadArgument("number of frames is 0",
                    [&] { writeDepthPoses(folder / "", RGBDRecording()); });
  ColorCalibration bad = someCalibration();
  bad.color_camera.fx = -1.0f;
  expectBadArgument("-1", [&] { writeColorCalibration(folder / "", bad); });
  EXPECT_EQ(folder.count(), 1);
}

} // namespace
