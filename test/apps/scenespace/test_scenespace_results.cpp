// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The contents of the program's files.

#include "apps/program.h"
#include "apps/scenespace/scenespace_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder.h>

#include <boost/property_tree/json_parser.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

namespace fs = std::filesystem;

class SceneSpaceResults : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeVideoFolder(folder_.path("room"));
  }

  ProgramResult
  expectSuccess(const std::string& arguments)
  {
    const ProgramResult result =
        runProgram(PCL_GPU_SCENESPACE " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.errors;
    EXPECT_EQ(result.errors, "") << arguments;
    return result;
  }

  /** \brief Denoises the video. */
  ProgramResult
  denoise(const std::string& output, const std::string& options = "")
  {
    const bool has_device = options.find("--device") != std::string::npos;
    return expectSuccess("denoise --input room --reach 2 --output " + output +
                         (has_device ? " " : " --device host ") + options);
  }

  std::map<std::string, std::string>
  contents(const std::string& name)
  {
    return contentsOf(folder_.path(name));
  }

  RGBDVideo::ConstPtr
  open(const std::string& name)
  {
    return openRGBDFolder(folder_.path(name));
  }

  TemporaryFolder folder_;
};

TEST_F(SceneSpaceResults, HelpAndVersion)
{
  for (const char* arguments : {"--help", "-h", "denoise --help"}) {
    const ProgramResult help = expectSuccess(arguments);
    for (const char* part :
         {"NAME", "SYNOPSIS", "denoise", "--sigma-xyz", "--resume", "EXIT STATUS"})
      EXPECT_NE(help.output.find(part), std::string::npos) << part;
  }
  for (const char* arguments : {"--version", "denoise --version"})
    EXPECT_EQ(expectSuccess(arguments).output.rfind("pcl_gpu_scenespace ", 0), 0u);
}

TEST_F(SceneSpaceResults, HaveLittleOfTheNoise)
{
  const ProgramResult result = denoise("out", "--timings t.json");
  EXPECT_EQ(result.output.rfind("6 frames made, noise ", 0), 0u) << result.output;
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"out", "room", "t.json"}));
  boost::property_tree::ptree timings;
  boost::property_tree::read_json(folder_.path("t.json"), timings);
  EXPECT_NEAR(timings.get<float>("noise_levels"), noise_of_folder, 4.0f);
  EXPECT_EQ(timings.get<int>("frames"), 6);
  EXPECT_EQ(timings.get<std::string>("effect"), "denoise");

  const RGBDVideo::ConstPtr noisy = open("room"), output = open("out");
  ASSERT_EQ(output->size(), 6);
  const RenderedVideo truth(settingsOfFolder());
  for (const int number : {0, 3}) {
    const ColorImage color = truth.trueColor(number);
    EXPECT_GT(psnr(output->read(number).color, color),
              psnr(noisy->read(number).color, color) + 6.0);
    EXPECT_EQ(output->view(number).time, noisy->view(number).time);
    EXPECT_TRUE(output->view(number).color_pose.isApprox(noisy->view(number).color_pose,
                                                         1e-5f));
  }
}

TEST_F(SceneSpaceResults, AreTheSameWithAnyMemoryThreadsAndDevices)
{
  denoise("out");
  const auto expected = contents("out");
  EXPECT_EQ(expected.size(), 16u);
  // Room for four of the five frames that each one is made from.
  denoise("little", "--memory 6000K --threads 1");
  EXPECT_EQ(contents("little"), expected);
  denoise("three",
          "--devices host,host,host --threads 5 --memory 0.1G --host-memory 1K");
  EXPECT_EQ(contents("three"), expected);
}

TEST_F(SceneSpaceResults, ArePartsOfTheVideo)
{
  denoise("out", "--noise 20");
  EXPECT_EQ(denoise("part", "--noise 20 --frames 2:3").output.rfind("2 frames made", 0),
            0u);
  for (const std::string kind : {"color", "depth"}) {
    EXPECT_EQ(readFile(folder_.path("part/" + kind + "/000000.png")),
              readFile(folder_.path("out/" + kind + "/000002.png")));
    EXPECT_EQ(readFile(folder_.path("part/" + kind + "/000001.png")),
              readFile(folder_.path("out/" + kind + "/000003.png")));
  }
  EXPECT_EQ(open("part")->view(1).time, open("room")->view(3).time);
  denoise("end", "--noise 20 --frames 5:");
  EXPECT_EQ(open("end")->size(), 1);
}

TEST_F(SceneSpaceResults, GoOnWhereTheyHaveEnded)
{
  for (const std::string format : {"png", "pcd"}) {
    const std::string options = "--noise 20 --format " + format;
    denoise(format, options);
    const auto expected = contents(format);
    const bool is_png = format == "png";
    const fs::path kept =
        folder_.path(format + (is_png ? "/color/000001.png" : "/000001.pcd"));
    const auto time = fs::last_write_time(kept);
    fs::remove(folder_.path(format + (is_png ? "/depth/000003.png" : "/000003.pcd")));
    fs::remove(folder_.path(format + (is_png ? "/color/000005.png" : "/000005.pcd")));
    const ProgramResult result = denoise(format, options + " --resume");
    EXPECT_EQ(result.output.rfind("2 frames made, 4 were there", 0), 0u)
        << result.output;
    EXPECT_EQ(contents(format), expected);
    EXPECT_EQ(fs::last_write_time(kept), time);
  }
  // An empty folder gets all frames.
  EXPECT_EQ(denoise("new", "--resume").output.rfind("6 frames made", 0), 0u);
}

TEST_F(SceneSpaceResults, AreSharedByProcesses)
{
  expectSharedWorkIsThatOfOne(
      PCL_GPU_SCENESPACE
      " denoise --input room --reach 2 --device host --noise 20 --compare --output",
      folder_.path());
}

TEST_F(SceneSpaceResults, AreNotResumedWithOtherOptions)
{
  denoise("out", "--noise 20");
  const auto expectRejected = [&](const std::string& options, const std::string& what) {
    const ProgramResult result =
        runProgram(PCL_GPU_SCENESPACE
                       " denoise --input room --output out --device host --resume " +
                       options,
                   folder_.path());
    EXPECT_NE(result.exit_code, 0) << options;
    EXPECT_NE(result.errors.find(what), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("manifest.txt"), std::string::npos) << result.errors;
  };
  expectRejected("--reach 2 --noise 20 --sigma-xyz 0.1", "--sigma-xyz 0.1");
  expectRejected("--reach 2 --noise 20 --frames 0:3", "--frames 0:3");
  expectRejected("--reach 2", "--noise 20");
  // Options that do not change frames may differ.
  const std::string same = "--noise 20 --threads 1 --memory 500M --resume";
  EXPECT_EQ(denoise("out", same).output.rfind("0 frames made, 6 were there", 0), 0u);
}

TEST_F(SceneSpaceResults, AreComparedWithTheInput)
{
  denoise("out", "--frames 1:2 --compare");
  const ColorImage strip = readColorImage(folder_.path("out/compare/000001.png"));
  const ColorImage left = open("room")->read(2).color,
                   right = open("out")->read(1).color;
  ASSERT_EQ(strip.width, left.width + right.width);
  ASSERT_EQ(strip.height, left.height);
  for (int row = 0; row < strip.height; ++row)
    for (int column = 0; column < strip.width; ++column) {
      const bool is_left = column < left.width;
      const ColorImage& image = is_left ? left : right;
      const int there = row * image.width + column - (is_left ? 0 : left.width);
      ASSERT_EQ(strip.pixels[row * strip.width + column].rgba,
                image.pixels[there].rgba);
    }
}

TEST_F(SceneSpaceResults, CanBeCloudsAndInputAgain)
{
  denoise("clouds", "--format pcd");
  denoise("images");
  const RGBDVideo::ConstPtr clouds = open("clouds"), images = open("images");
  ASSERT_EQ(clouds->size(), 6);
  const RGBDFrame cloud = clouds->read(4), image = images->read(4);
  EXPECT_NEAR(cloud.color_camera.fx, image.color_camera.fx, 0.01f);
  EXPECT_TRUE(cloud.color_pose.isApprox(image.color_pose, 1e-5f));
  ASSERT_EQ(cloud.depth.pixels.size(), image.depth.pixels.size());
  for (std::size_t i = 0; i < cloud.depth.pixels.size(); ++i) {
    ASSERT_EQ(cloud.color.pixels[i].rgba, image.color.pixels[i].rgba) << i;
    ASSERT_EQ(std::isnan(cloud.depth.pixels[i]), std::isnan(image.depth.pixels[i]));
    if (!std::isnan(cloud.depth.pixels[i])) {
      ASSERT_NEAR(cloud.depth.pixels[i], image.depth.pixels[i], 0.00051f);
    }
  }
  expectSuccess("denoise -i clouds -o again --device host --reach 1 --frames 0:0");
  EXPECT_EQ(open("again")->size(), 1);
}

TEST_F(SceneSpaceResults, UseTheCamerasThatAreGiven)
{
  denoise("out", "--noise 20");
  fs::remove(folder_.path("room/intrinsics.txt"));
  const PinholeCamera camera = settingsOfFolder().camera;
  std::ostringstream text;
  text.precision(9);
  text << camera.fx << "," << camera.fy << "," << camera.cx << "," << camera.cy;
  denoise("given", "--noise 20 --depth-scale 0.001 --intrinsics " + text.str());
  auto given = contents("given"), out = contents("out");
  EXPECT_NE(given["manifest.txt"], out["manifest.txt"]);
  given.erase("manifest.txt");
  out.erase("manifest.txt");
  EXPECT_EQ(given, out);
  denoise("moved",
          "--noise 20 --color-to-depth 0.1,0,0,0,0,0,1 --frames :0 --intrinsics " +
              text.str() + " --color-intrinsics " + text.str());
  const Pose motion = open("room/../out")->view(0).color_pose.inverse() *
                      open("moved")->view(0).color_pose;
  EXPECT_NEAR(motion.translation().x(), 0.1f, 1e-5f);
}

TEST_F(SceneSpaceResults, ComeFromDepthWithHolesOrWithout)
{
  denoise("filled", "--frames :0");
  denoise("as_is", "--frames :0 --no-fill-depth");
  EXPECT_NE(contents("filled"), contents("as_is"));
}

} // namespace
