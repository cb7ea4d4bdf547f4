// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The colour camera that the program finds is that of the rendered recording, and can
// be saved and used again.

#include "apps/program.h"
#include "apps/scenespace/scenespace_folder.h"

#include <pcl/gpu/scenespace/video/color_camera_calibration.h>
#include <pcl/gpu/scenespace/video/registered_rgbd_video.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A small recording whose colour camera is beside the depth camera. */
RenderedVideoSettings
recordingSettings()
{
  RenderedVideoSettings settings;
  settings.motion = CameraMotion::Forward;
  settings.camera = {219.0f, 219.0f, 120.0f, 90.0f, 240, 180};
  settings.color_camera = {194.0f, 194.0f, 121.5f, 87.0f, 240, 180};
  settings.color_to_depth =
      Eigen::Translation3f(0.027f, -0.003f, 0.002f) *
      Eigen::AngleAxisf(0.01f, Eigen::Vector3f(0.6f, -0.48f, 0.64f));
  settings.frames = 16;
  settings.frame_rate = 4.0f;
  settings.shake = 12.0f;
  return settings;
}

class SceneSpaceColorCamera : public ::testing::Test {
protected:
  /** \brief Writes a recording without its colour camera.
   * \param[in] change of each frame
   * \param[in] is_registered whether depth is registered to colour
   */
  void
  writeRecording(
      const std::string& name,
      const std::function<void(RGBDFrame&)>& change = [](RGBDFrame&) {},
      bool is_registered = false)
  {
    const auto rendered = std::make_shared<RenderedVideo>(recordingSettings());
    const RegisteredRGBDVideo registered(rendered);
    RGBDRecording recording;
    for (int i = 0; i < rendered->size(); ++i) {
      RGBDFrame frame = is_registered ? registered.read(i) : rendered->read(i);
      frame.color_camera = frame.depth_camera;
      frame.color_pose = frame.depth_pose;
      change(frame);
      recording.add(std::move(frame));
    }
    writeRGBDFolder(recording, folder_.path(name));
    std::filesystem::remove(folder_.path(name + "/color_to_depth.txt"));
  }

  ProgramResult
  run(const std::string& options)
  {
    return runProgram(PCL_GPU_SCENESPACE
                          " denoise --device host --frames :0 --reach 1 --noise 3 " +
                          options,
                      folder_.path());
  }

  void
  expectError(const std::string& options, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result = run(options);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos) << result.errors;
    EXPECT_EQ(folder_.files(), before);
  }

  TemporaryFolder folder_;
};

TEST_F(SceneSpaceColorCamera, IsFoundSavedAndReadAgain)
{
  writeRecording("video");
  const ProgramResult found = run("-i video -o found --save-color-camera camera.txt");
  ASSERT_EQ(found.exit_code, 0) << found.errors;
  EXPECT_EQ(found.output.rfind("colour camera of 16 frames in ", 0), 0u)
      << found.output;
  EXPECT_NE(found.output.find("does not register depth"), std::string::npos)
      << found.output;

  const ColorCalibration camera = readColorCamera(folder_.path("camera.txt"));
  const RenderedVideoSettings truth = recordingSettings();
  EXPECT_EQ(camera.color_camera.width, 240);
  EXPECT_NEAR(camera.color_camera.fx, truth.color_camera.fx, 1.5f);
  // Pixels of points in the middle and in corners.
  for (const Eigen::Vector3f& point : {Eigen::Vector3f(0.0f, 0.0f, 2.0f),
                                       Eigen::Vector3f(0.8f, 0.6f, 2.0f),
                                       Eigen::Vector3f(-0.8f, -0.6f, 2.0f)}) {
    const auto place = [&](const PinholeCamera& intrinsics, const Pose& pose) {
      const Eigen::Vector3f seen = pose.inverse() * point;
      return Eigen::Vector2f(intrinsics.fx * seen.x() / seen.z() + intrinsics.cx,
                             intrinsics.fy * seen.y() / seen.z() + intrinsics.cy);
    };
    EXPECT_LT((place(camera.color_camera, camera.color_to_depth) -
               place(truth.color_camera, truth.color_to_depth))
                  .norm(),
              1.0f);
  }

  // A run that is resumed has the same camera and the same corrections.
  EXPECT_EQ(readColorCamera(folder_.path("found/color_camera.txt")).corrections.size(),
            16u);
  std::filesystem::copy(folder_.path("found"),
                        folder_.path("resumed"),
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove(folder_.path("resumed/color/000000.png"));
  const ProgramResult resumed = run("-i video -o resumed --resume");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  EXPECT_EQ(resumed.output.rfind("1 frame made", 0), 0u) << resumed.output;
  for (const char* file : {"color/000000.png", "poses.txt", "color_camera.txt"})
    EXPECT_EQ(readFile(folder_.path(std::string("resumed/") + file)),
              readFile(folder_.path(std::string("found/") + file)))
        << file;

  const ProgramResult again = run("-i video -o again --color-camera camera.txt");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(again.output.rfind("poses of 16 frames corrected in ", 0), 0u)
      << again.output;
  EXPECT_EQ(readFile(folder_.path("again/intrinsics.txt")),
            readFile(folder_.path("found/intrinsics.txt")));
}

TEST_F(SceneSpaceColorCamera, IsThatOfDepthThatIsRegistered)
{
  writeRecording(
      "registered", [](RGBDFrame&) {}, true);
  for (const char* mode : {"auto", "off"}) {
    const ProgramResult result =
        run("-i registered -o " + std::string(mode) +
            " --save-color-camera camera.txt --calibrate-color=" + mode);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output.rfind("1 frame made", 0), 0u) << result.output;
    EXPECT_EQ(readColorCamera(folder_.path("camera.txt")).color_camera.fx, 194.0f);
  }
  for (const char* file : {"color/000000.png", "depth/000000.png", "poses.txt"})
    EXPECT_EQ(readFile(folder_.path(std::string("auto/") + file)),
              readFile(folder_.path(std::string("off/") + file)))
        << file;
}

TEST_F(SceneSpaceColorCamera, IsNotGuessedWithoutTexture)
{
  writeRecording("walls", [](RGBDFrame& frame) {
    std::fill(
        frame.color.pixels.begin(), frame.color.pixels.end(), pcl::RGB(90, 120, 150));
  });
  expectError("-i walls -o out --calibrate-color --save-color-camera camera.txt",
              {"error: --calibrate-color: walls does not determine", "texture"});
  const ProgramResult result = run("-i walls -o out");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.rfind("colour camera: the frames do not show", 0), 0u)
      << result.output;
}

TEST_F(SceneSpaceColorCamera, OptionsThatDoNotFit)
{
  writeRecording("video");
  writeFile(folder_.path("bad.txt"), "5 5 2\n");
  expectError("-i video -o out --color-camera none.txt", {"none.txt"});
  expectError("-i video -o out --color-camera bad.txt",
              {"bad.txt: is not a colour camera", "expected"});
  expectError("-i video -o out --color-camera bad.txt --calibrate-color",
              {"--color-camera bad.txt", "without --calibrate-color"});
  expectError("-i video -o out --calibrate-color=maybe",
              {"--calibrate-color maybe", "auto, on or off"});
  expectError("-i video -o out --calibrate-color --save-color-camera none/camera.txt",
              {"none/camera.txt"});
  writeFile(folder_.path("small.txt"),
            "120 90 50 50 60 45\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  expectError("-i video -o out --color-camera small.txt", {"120 x 90", "240 x 180"});
}

} // namespace
