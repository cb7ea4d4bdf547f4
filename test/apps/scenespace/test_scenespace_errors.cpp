// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Input that cannot be used: one line, exit code 2, no file.

#include "apps/program.h"
#include "apps/scenespace/scenespace_folder.h"

#include <pcl/gpu/utils/image_file.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

using namespace pcl::gpu::test;

namespace {

class SceneSpaceErrors : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeVideoFolder(folder_.path("room"));
  }

  // Runs the program, which must fail with a line that holds these words.
  void
  expectError(const std::string& arguments, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result =
        runProgram(PCL_GPU_SCENESPACE " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << arguments << result.errors;
    EXPECT_EQ(result.output, "") << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    EXPECT_EQ(result.errors.rfind("pcl_gpu_scenespace: error: ", 0), 0u)
        << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    EXPECT_EQ(folder_.files(), before) << arguments;
  }

  TemporaryFolder folder_;
};

const std::string denoise = "denoise -i room -o out --device host ";

TEST_F(SceneSpaceErrors, NoEffectOrAnotherOne)
{
  expectError("", {"no effect", "denoise", "--help"});
  expectError("sharpen -i room -o out", {"sharpen", "unknown effect", "denoise"});
  expectError("--input room", {"--input", "unknown effect"});
  expectError(denoise + "room", {"room", "options only behind denoise"});
}

TEST_F(SceneSpaceErrors, DamagedClouds)
{
  std::filesystem::create_directory(folder_.path("clouds"));
  for (const std::string& bytes : damagedClouds()) {
    writeFile(folder_.path("clouds/0.pcd"), bytes);
    expectError("denoise -i clouds -o out --device host", {"0.pcd"});
  }
}

TEST_F(SceneSpaceErrors, NoInputOrNoOutput)
{
  expectError("denoise -o out", {"no input", "--input FOLDER"});
  expectError("denoise -i room", {"no output", "--output FOLDER"});
  expectError("denoise -i absent -o out --device host", {"absent"});
  std::filesystem::create_directory(folder_.path("empty"));
  expectError("denoise -i empty -o out --device host", {"empty"});
}

TEST_F(SceneSpaceErrors, MarkersInDepthMapsGiveANote)
{
  const std::string file = folder_.path("room/depth/000000.png");
  pcl::gpu::DepthImage depth = pcl::gpu::readDepthImage(file);
  std::fill_n(depth.pixels.begin(), depth.width, std::uint16_t(65535));
  pcl::gpu::writeDepthImage(file, depth);
  const std::string bad = denoise + "--frames 99: ";
  expectError(bad + "--missing-depth 0", {"--frames 99:"});
  expectError(bad + "--missing-depth 65536", {"--missing-depth 65536", "0 to 65535"});
  const ProgramResult result = runProgram(PCL_GPU_SCENESPACE " " + bad, folder_.path());
  EXPECT_EQ(result.errors.rfind("note: room/depth/000000.png: 65535", 0), 0u)
      << result.errors;
}

TEST_F(SceneSpaceErrors, OutputsThatAreTaken)
{
  expectError("denoise -i room -o room", {"--output room", "is the input"});
  writeFile(folder_.path("file"), "");
  expectError("denoise -i room -o file", {"--output file", "is a file"});
  std::filesystem::create_directories(folder_.path("full/color"));
  expectError("denoise -i room -o full", {"--output full", "not empty", "--resume"});
}

TEST_F(SceneSpaceErrors, OptionsOutOfRange)
{
  for (const char* option : {"--frames 1",
                             "--frames 3:2",
                             "--frames a:b",
                             "--frames 6:9",
                             "--noise loud",
                             "--noise -1",
                             "--noise 300",
                             "--noise 1,2",
                             "--memory much",
                             "--memory 0",
                             "--memory 3X",
                             "--memory -2G",
                             "--host-memory much",
                             "--format avi",
                             "--threads -1",
                             "--threads 1000",
                             "--intrinsics 1,2,3",
                             "--intrinsics 0,1,1,1",
                             "--color-intrinsics x",
                             "--color-to-depth 1,2,3",
                             "--color-to-depth 0,0,0,1,1,0,0",
                             "--device gpu"}) {
    const std::string text = option;
    const std::string name = text.substr(0, text.find(' '));
    const std::string device = name == "--device" ? "" : " --device host";
    expectError("denoise -i room -o out " + text + device, {text, "expected"});
  }
  for (const char* option : {"--fps 0",
                             "--depth-scale 0",
                             "--depth-scale nan",
                             "--reach -1",
                             "--sigma-rgb -1",
                             "--sigma-xyz 0",
                             "--sigma-frame 0"}) {
    const std::string text = option;
    expectError(denoise + text, {text.substr(0, text.find(' ')), "expected"});
  }
  expectError(denoise + "--reach far", {"far", "--reach"});
  expectError(denoise + "--blur 3", {"--blur", "--help"});
  expectError(denoise + "--devices host", {"both", "--devices"});
}

TEST_F(SceneSpaceErrors, LittleMemory)
{
  expectError(denoise + "--memory 1000", {"memory", "1000", "expected more than"});
}

TEST_F(SceneSpaceErrors, MasksThatDoNotFit)
{
  expectError(denoise + "--mask absent.png", {"absent.png", "no such file"});
  std::filesystem::create_directory(folder_.path("masks"));
  expectError(denoise + "--mask masks", {"masks", "0 PNG files", "6"});
}

TEST_F(SceneSpaceErrors, TimingsThatCannotBeWritten)
{
  expectError(denoise + "--timings absent/t.json", {"absent/t.json"});
}

TEST_F(SceneSpaceErrors, DamagedFramesAreNamed)
{
  const std::string file = folder_.path("room/color/000003.png");
  const std::string bytes = readFile(file);
  writeFile(file, bytes.substr(0, bytes.size() / 2));
  const ProgramResult result =
      runProgram(PCL_GPU_SCENESPACE " " + denoise + "--reach 1 --noise 20 --frames 0:4",
                 folder_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.errors.find("000003.png"), std::string::npos) << result.errors;
  // Frames that do not need the damaged one are made.
  const ProgramResult first = runProgram(
      PCL_GPU_SCENESPACE
      " denoise -i room -o first --device host --reach 1 --noise 20 --frames :1",
      folder_.path());
  EXPECT_EQ(first.exit_code, 0) << first.errors;
}

TEST_F(SceneSpaceErrors, MasksOfAnotherSize)
{
  std::filesystem::copy_file(folder_.path("room/color/000000.png"),
                             folder_.path("good.png"));
  const ProgramResult good = runProgram(
      PCL_GPU_SCENESPACE " " + denoise + "--frames :0 --mask good.png", folder_.path());
  EXPECT_EQ(good.exit_code, 0) << good.errors;
  pcl::gpu::ColorImage other;
  other.resize(5, 4);
  pcl::gpu::writeColorImage(folder_.path("bad.png"), other);
  const ProgramResult bad = runProgram(
      PCL_GPU_SCENESPACE " denoise -i room -o bad --device host --mask bad.png",
      folder_.path());
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.errors.find("mask of 5x4"), std::string::npos) << bad.errors;
}

} // namespace
