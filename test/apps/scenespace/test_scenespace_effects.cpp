// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Each effect does what its options say; what it is worth is tested with its class.

#include "apps/program.h"
#include "apps/scenespace/scenespace_folder.h"

#include <pcl/gpu/scenespace/effects/stabilized_views.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class SceneSpaceEffects : public ::testing::Test {
protected:
  void
  write(const RenderedVideoSettings& settings)
  {
    writeRGBDFolder(RenderedVideo(settings), folder_.path("room"));
    input_ = openRGBDFolder(folder_.path("room"));
  }

  /** \brief Writes the pixels of an object as masks. */
  void
  writeMasks(const RenderedVideoSettings& settings, RoomObject object)
  {
    std::filesystem::create_directory(folder_.path("masks"));
    const RenderedVideo video(settings);
    for (int i = 0; i < settings.frames; ++i) {
      const RGBDView view = video.view(i);
      const auto mask =
          renderMask(view.color_camera, view.color_pose, object, 2, video.contents(i));
      ColorImage image;
      image.resize(mask.width, mask.height);
      for (std::size_t k = 0; k < mask.pixels.size(); ++k)
        image.pixels[k] = pcl::RGB(mask.pixels[k], mask.pixels[k], mask.pixels[k]);
      writeColorImage(folder_.path("masks/" + std::to_string(i) + ".png"), image);
    }
  }

  /** \brief Applies an effect to the folder. */
  RGBDVideo::ConstPtr
  apply(const std::string& effect_and_options)
  {
    const std::string output = "out" + std::to_string(++outputs_);
    const ProgramResult result =
        runProgram(PCL_GPU_SCENESPACE " " + effect_and_options +
                       " --input room --device host --output " + output,
                   folder_.path());
    EXPECT_EQ(result.exit_code, 0) << effect_and_options << "\n" << result.errors;
    EXPECT_EQ(result.errors, "") << effect_and_options;
    return openRGBDFolder(folder_.path(output));
  }

  /** \brief Applies it to a frame only. */
  RGBDFrame
  applyTo(int number, const std::string& effect_and_options)
  {
    const std::string text = std::to_string(number);
    return apply(effect_and_options + " --frames " + text + ":" + text)->read(0);
  }

  /** \brief Runs an effect on the clean video, and checks for one line with these
   * words. */
  void
  expectError(const std::string& effect_and_options,
              const std::vector<std::string>& words)
  {
    const ProgramResult result = runProgram(
        PCL_GPU_SCENESPACE " " + effect_and_options + " -i room --device host -o bad",
        folder_.path());
    EXPECT_EQ(result.exit_code, 2) << effect_and_options << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    const std::vector<std::string> files = folder_.files();
    EXPECT_EQ(std::count(files.begin(), files.end(), "bad"), 0) << effect_and_options;
  }

  /** \brief Each option with its bad value is named. */
  void
  expectBadOptions(const std::string& effect, const std::vector<std::string>& options)
  {
    for (const std::string& option : options)
      expectError(effect + " " + option, {option.substr(0, option.find(' '))});
  }

  TemporaryFolder folder_;
  RGBDVideo::ConstPtr input_;
  int outputs_ = 0;
};

/** \brief A picture that a camera has drawn across while its shutter was open. */
ColorImage
blurredAcross(const ColorImage& image, int pixels)
{
  ColorImage result = image;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      int sums[3] = {};
      for (int i = 0; i < pixels; ++i) {
        const int from = std::clamp(column + i - pixels / 2, 0, image.width - 1);
        const pcl::RGB& pixel = image.pixels[row * image.width + from];
        sums[0] += pixel.r;
        sums[1] += pixel.g;
        sums[2] += pixel.b;
      }
      result.pixels[row * image.width + column] =
          pcl::RGB(sums[0] / pixels, sums[1] / pixels, sums[2] / pixels);
    }
  return result;
}

TEST_F(SceneSpaceEffects, DeblurMakesBlurredFramesSharp)
{
  write(settingsOfCleanFolder());
  const ColorImage truth = input_->read(3).color;
  const ColorImage blurred = blurredAcross(truth, 7);
  writeColorImage(folder_.path("room/color/000003.png"), blurred);
  const auto output = apply("deblur --frames 3:4");
  EXPECT_GT(psnr(output->read(0).color, truth), psnr(blurred, truth) + 3.0);
  EXPECT_GT(psnr(output->read(1).color, input_->read(4).color), 32.0);
  const RGBDFrame alone = applyTo(3, "deblur --reach 0");
  EXPECT_LT(psnr(alone.color, truth), psnr(output->read(0).color, truth) - 2.0);
}

TEST_F(SceneSpaceEffects, DeblurNamesBadOptions)
{
  write(settingsOfCleanFolder());
  expectBadOptions("deblur",
                   {"--reach -1",
                    "--sharpness-power -1",
                    "--own-lead 0.5",
                    "--sigma-rgb 0",
                    "--sigma-xyz -1",
                    "--sigma-frame 0",
                    "--stabilize 3"});
}

TEST_F(SceneSpaceEffects, ViewMovesCameras)
{
  write(settingsOfCleanFolder());
  const RGBDView input = input_->view(3);
  const RGBDFrame output =
      applyTo(3, "view --offset 0.05,0.02,0.1 --turn 4,-2,3 --zoom 1.2 --size 0.5");
  EXPECT_EQ(output.color.width, 80);
  EXPECT_EQ(output.color.height, 45);
  EXPECT_NEAR(output.color_camera.fx, 0.6f * input.color_camera.fx, 0.01f);
  EXPECT_NEAR(output.color_camera.cx, 39.5f, 0.01f);
  const Pose motion = input.color_pose.inverse() * output.color_pose;
  EXPECT_TRUE(
      motion.translation().isApprox(Eigen::Vector3f(0.05f, 0.02f, 0.1f), 1e-3f));
  // To the right, down and with its right side down.
  const Eigen::Vector3f ahead = motion.linear().col(2), right = motion.linear().col(0);
  EXPECT_NEAR(std::atan2(ahead.x(), ahead.z()), 4.0 * M_PI / 180.0, 1e-3);
  EXPECT_NEAR(std::asin(ahead.y()), 2.0 * M_PI / 180.0, 1e-3);
  EXPECT_NEAR(std::asin(right.y()), 3.0 * M_PI / 180.0, 2e-3);
  EXPECT_GT(psnr(output.color, renderColor(output.color_camera, output.color_pose, 3)),
            24.0);
}

TEST_F(SceneSpaceEffects, ViewLeavesOutPixelsBesideNearerThings)
{
  write(settingsOfCleanFolder());
  const std::string view = "view --offset 0.2,0,0.2";
  const auto colorsOf = [&](const std::string& options) {
    std::vector<std::uint32_t> colors;
    for (const pcl::RGB& color : applyTo(3, view + options).color.pixels)
      colors.push_back(color.rgba);
    return colors;
  };
  const auto by_default = colorsOf("");
  EXPECT_EQ(by_default, colorsOf(" --edge-margin 1"));
  EXPECT_NE(by_default, colorsOf(" --edge-margin 0"));
}

TEST_F(SceneSpaceEffects, ViewStandsStillOrFollowsAPath)
{
  write(settingsOfCleanFolder());
  const auto still = apply("view --place-of 2 --reach 0 --frames 1:3");
  const auto stopped = apply("view --place-of 2 --time-of 2 --reach 0 --frames 1:2");
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(still->view(i).color_pose.isApprox(input_->view(2).color_pose, 1e-5f));
  EXPECT_TRUE(std::isinf(psnr(stopped->read(0).color, stopped->read(1).color)));
  EXPECT_FALSE(std::isinf(psnr(still->read(0).color, still->read(1).color)));

  std::ostringstream tum, matrix;
  tum << "# t x y z qx qy qz qw\n\n";
  for (int i = 0; i < 7; ++i)
    tum << 0.1 * i << " " << 0.05 * i << " 1 0 1 0 0 0\n";
  matrix << "1 0 0 0.5  0 -1 0 1  0 0 -1 0.25\n";
  writeFile(folder_.path("tum.txt"), tum.str());
  writeFile(folder_.path("matrix.txt"), matrix.str());
  const Pose along = apply("view --path tum.txt --frames 4:4")->view(0).color_pose,
             fixed = apply("view --path matrix.txt --frames 4:4")->view(0).color_pose;
  EXPECT_NEAR(along.translation().x(), 0.2f, 1e-5f);
  EXPECT_NEAR(along.linear()(1, 1), -1.0f, 1e-5f);
  EXPECT_NEAR(fixed.translation().x(), 0.5f, 1e-5f);
  EXPECT_TRUE(fixed.linear().isApprox(along.linear(), 1e-5f));
}

TEST_F(SceneSpaceEffects, ViewTakesShakingAway)
{
  RenderedVideoSettings settings = settingsOfCleanFolder();
  settings.shake = 3.0f;
  write(settings);
  const auto output = apply("view --stabilize 2 --reach 1");
  const auto expected = stabilizedViews(*input_, 2.0f);
  ASSERT_EQ(output->size(), 7);
  for (int i = 0; i < 7; ++i)
    EXPECT_TRUE(output->view(i).color_pose.isApprox(expected[i].pose, 1e-4f));
}

TEST_F(SceneSpaceEffects, ViewNamesBadOptions)
{
  write(settingsOfCleanFolder());
  expectBadOptions("view",
                   {"--stabilize -1",
                    "--place-of 7",
                    "--time-of -1",
                    "--offset 1,2",
                    "--turn left",
                    "--zoom 0",
                    "--size 0",
                    "--size 1000",
                    "--size 0x10",
                    "--size big",
                    "--reach -1",
                    "--step 0",
                    "--hole-reach -1",
                    "--sigma-rgb 0",
                    "--sigma-xyz 0",
                    "--sigma-frame 0",
                    "--edge-margin -1"});
  expectError("view --stabilize 2 --place-of 3", {"one of", "--stabilize"});
  writeFile(folder_.path("two.txt"), "0 0 0 0 0 0 1\n1 0 0 0 0 0 1\n");
  expectError("view --path two.txt", {"two.txt", "2 poses", "7 frames"});
  writeFile(folder_.path("bad.txt"), "# poses\n0 0 0 0 0 0 1\n0 0 0 0 0 2 1\n");
  expectError("view --path bad.txt", {"bad.txt, line 3", "quaternion"});
  writeFile(folder_.path("words.txt"), "zero 0 0 0 0 0 1\n");
  expectError("view --path words.txt", {"words.txt, line 1", "no pose"});
  writeFile(folder_.path("empty.txt"), "# nothing\n");
  expectError("view --path empty.txt", {"empty.txt", "no poses"});
  expectError("view --path absent.txt", {"absent.txt"});
  expectError("view --path .", {"folder"});
}

TEST_F(SceneSpaceEffects, ApertureTakesPicturesThroughALens)
{
  write(settingsOfCleanFolder());
  const RGBDFrame input = input_->read(3);
  const ColorImage truth =
      renderThinLens(input.color_camera, input.color_pose, 0.06f, 1.5f, 200);
  const std::string lens = "aperture --lens-samples 24 --reach 3 ";
  const RGBDFrame large = applyTo(3, lens + "--aperture 0.12 --focus 1.5");
  EXPECT_GT(psnr(large.color, truth), psnr(input.color, truth) + 2.0);
  EXPECT_GT(psnr(large.color, truth), 26.0);
  EXPECT_GT(psnr(applyTo(3, lens + "--aperture 0").color, input.color), 38.0);

  // A focal length of fx / width * 36 mm, and a diameter of that by the number.
  const float diameter =
      input.color_camera.fx / input.color_camera.width * 0.036f / 0.25f;
  std::ostringstream metres;
  metres.precision(9);
  metres << diameter;
  EXPECT_GT(psnr(applyTo(3, lens + "--aperture f/0.25").color,
                 applyTo(3, lens + "--aperture " + metres.str()).color),
            60.0);

  const float there = input.depth.pixels[45 * input.depth.width + 80];
  std::ostringstream distance;
  distance.precision(9);
  distance << there;
  EXPECT_GT(
      psnr(applyTo(3, lens + "--aperture 0.1 --blades 6 --focus-pixel 80,45").color,
           applyTo(3, lens + "--aperture 0.1 --blades 6 --focus " + distance.str())
               .color),
      50.0);
}

TEST_F(SceneSpaceEffects, ApertureNamesBadOptions)
{
  write(settingsOfCleanFolder());
  expectBadOptions("aperture",
                   {"--aperture -1",
                    "--aperture f/0",
                    "--aperture f",
                    "--aperture 1,2",
                    "--focus 0",
                    "--focus-pixel 160,3",
                    "--focus-pixel 3,90",
                    "--focus-pixel 3",
                    "--focus-pixel -1,-1",
                    "--lens-samples 0",
                    "--blades 2",
                    "--reach -1",
                    "--step 0",
                    "--sigma-xyz 0"});
}

TEST_F(SceneSpaceEffects, ShutterLeavesTrailsOfWhatMoves)
{
  RenderedVideoSettings settings = settingsOfCleanFolder();
  settings.contents.moving_ball = true;
  settings.frame_rate = 10.0f; // the ball has come farther
  write(settings);
  const RenderedVideo video(settings);
  const RGBDFrame input = input_->read(3);
  const std::pair<const char*, std::vector<int>> shutters[] = {
      {"--exposure 5", {1, 2, 3, 4, 5}},
      {"--shape strobe --flashes 2 --interval 3", {0, 3}}};
  for (const auto& [options, exposed] : shutters) {
    PictureSum sum;
    auto ball =
        renderMask(input.color_camera, input.color_pose, RoomObject::MovingBall, 1, {});
    for (const int number : exposed) {
      const RoomContents contents = video.contents(number);
      sum.add(input.color_camera, input.color_pose, 2, contents);
      const auto there = renderMask(
          input.color_camera, input.color_pose, RoomObject::MovingBall, 1, contents);
      for (std::size_t i = 0; i < ball.pixels.size(); ++i)
        ball.pixels[i] |= there.pixels[i];
    }
    const ColorImage truth =
        toColorImage(sum.mean(), input.color.width, input.color.height);
    const ColorImage result = applyTo(3, std::string("shutter ") + options).color;
    EXPECT_GT(psnr(result, truth, ball), psnr(input.color, truth, ball) + 3.0)
        << options;
    EXPECT_GT(psnr(result, truth), 24.0) << options;
  }
  const ColorImage soft = applyTo(3, "shutter --shape gaussian --exposure 5").color;
  const ColorImage fading =
      applyTo(3, "shutter --shape exponential --exposure 2").color;
  EXPECT_FALSE(std::isinf(psnr(soft, fading)));
}

TEST_F(SceneSpaceEffects, ShutterNamesBadOptions)
{
  write(settingsOfCleanFolder());
  expectBadOptions("shutter",
                   {"--shape round",
                    "--exposure 0.5",
                    "--exposure 1e9",
                    "--exposure nan",
                    "--sigma-xyz 0"});
  expectError("shutter --shape strobe --flashes 0", {"--flashes"});
  expectError("shutter --shape strobe --interval 0", {"--interval"});
}

TEST_F(SceneSpaceEffects, InpaintRemovesObjects)
{
  RenderedVideoSettings settings = settingsOfCleanFolder();
  settings.frame_rate = 4.0f; // the camera sees behind the object
  settings.begin = 3.0f;
  write(settings);
  writeMasks(settings, RoomObject::Globe);
  const RGBDFrame input = input_->read(3);
  const auto mask =
      renderMask(input.color_camera, input.color_pose, RoomObject::Globe, 2, {});
  RoomContents without;
  without.without = RoomObject::Globe;
  const ColorImage truth =
      renderColor(input.color_camera, input.color_pose, 2, without);
  const std::string inpaint = "inpaint --mask masks --step 1 ";
  const ColorImage result = applyTo(3, inpaint).color;
  EXPECT_GT(psnr(result, truth, mask), psnr(input.color, truth, mask) + 6.0);
  const ColorImage half = applyTo(3, inpaint + "--opacity 0.5").color;
  EXPECT_GT(psnr(half, input.color, mask), psnr(result, input.color, mask) + 3.0);
  EXPECT_GT(psnr(applyTo(3, inpaint + "--opacity 1").color, input.color), 50.0);
  const ColorImage wide = applyTo(3, inpaint + "--mask-margin 6").color;
  EXPECT_LT(psnr(wide, input.color), psnr(result, input.color));
}

TEST_F(SceneSpaceEffects, ActionShowsMoversAtSeveralTimes)
{
  RenderedVideoSettings settings = settingsOfCleanFolder();
  settings.contents.moving_ball = true;
  settings.frame_rate = 5.0f;
  write(settings);
  writeMasks(settings, RoomObject::MovingBall);
  const RenderedVideo video(settings);
  const RGBDFrame input = input_->read(3);
  const auto there = [&](int number) {
    return renderMask(input.color_camera,
                      input.color_pose,
                      RoomObject::MovingBall,
                      1,
                      video.contents(number));
  };
  const auto truth = [&](int number) {
    return renderColor(input.color_camera, input.color_pose, 2, video.contents(number));
  };
  const auto shows = [&](const std::string& options, int number) {
    const ColorImage result = applyTo(3, "action --mask masks " + options).color;
    return psnr(result, truth(number), there(number)) > 20.0;
  };
  EXPECT_FALSE(psnr(input.color, truth(0), there(0)) > 20.0);
  EXPECT_TRUE(shows("--at 0,6", 0));
  EXPECT_TRUE(shows("--at 0,6", 6));
  EXPECT_TRUE(shows("--at 0,6", 3));
  EXPECT_FALSE(shows("--at 0,6 --without-own", 3));
  EXPECT_FALSE(shows("--at 0,6 --after 0", 6));
  EXPECT_FALSE(shows("--at 0,6 --before 2", 0));
  EXPECT_FALSE(shows("--at 0,6 --fade 1", 0));
  EXPECT_TRUE(shows("--every 3", 6));
}

TEST_F(SceneSpaceEffects, SuperResolveMakesMorePixels)
{
  RenderedVideoSettings settings = settingsOfCleanFolder();
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 96, 54);
  settings.motion = CameraMotion::Rotation;
  settings.supersampling = 4;
  settings.frames = 15;
  write(settings);
  const RGBDFrame result = applyTo(7, "super-resolve --noise 0 --step 1");
  ASSERT_EQ(result.color.width, 192);
  ASSERT_EQ(result.color.height, 108);
  const ColorImage truth = renderColor(result.color_camera, result.color_pose, 2);
  const RGBDFrame alone =
      applyTo(7, "super-resolve --size 192x108 --iterations 0 --noise 0");
  EXPECT_GT(psnr(result.color, truth), psnr(alone.color, truth) + 0.5);
  EXPECT_EQ(applyTo(3, "super-resolve --size 3 --reach 1").color.width, 288);
}

TEST_F(SceneSpaceEffects, LaterOnesNameBadOptions)
{
  write(settingsOfCleanFolder());
  expectError("inpaint", {"no mask", "inpaint", "--mask"});
  expectError("action", {"no mask", "action", "--mask"});
  writeMasks(settingsOfCleanFolder(), RoomObject::Globe);
  expectBadOptions("inpaint --mask masks",
                   {"--opacity 1.5",
                    "--reach -1",
                    "--step 0",
                    "--sigma-rgb 0",
                    "--sigma-xyz 0",
                    "--sigma-frame 0",
                    "--mask-margin -1"});
  expectBadOptions("action --mask masks",
                   {"--at 7",
                    "--at 1,x",
                    "--at 1.5",
                    "--at -1",
                    "--every 0",
                    "--before -1",
                    "--after -1",
                    "--fade 0",
                    "--tolerance 2"});
  expectBadOptions("super-resolve",
                   {"--size 1",
                    "--size 5",
                    "--size 2.5",
                    "--size 320x181",
                    "--size large",
                    "--filter box",
                    "--reach -1",
                    "--iterations -1",
                    "--step 0",
                    "--sigma-residual 0",
                    "--sigma-frame-error 0",
                    "--sigma-smooth 9",
                    "--sigma-pixel 0",
                    "--sigma-xyz 0"});
}

} // namespace
