// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Input that cannot be used: one line, exit code 2, no file.

#include "apps/program.h"
#include "apps/track/track_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

using namespace pcl::gpu::test;

namespace {

class TrackErrors : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeFile(folder_.path("arms.bvh"), armsMotion(4));
    writePlanePng(folder_.path("depth.png"), 32, 24);
  }

  // Runs the program, which must fail with a line that holds these words.
  void
  expectError(const std::string& arguments, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result =
        runProgram(PCL_GPU_TRACK " --device host " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << arguments << result.errors;
    EXPECT_EQ(result.output, "") << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    EXPECT_EQ(result.errors.rfind("pcl_gpu_track: error: ", 0), 0u) << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    EXPECT_EQ(folder_.files(), before) << arguments;
  }

  TemporaryFolder folder_;
};

const std::string outputs =
    " --output p.bvh --csv p.csv --json p.json --timings t.json";

TEST_F(TrackErrors, NoInputOrTwo)
{
  expectError(outputs, {"no input", "--simulate"});
  expectError("depth.png --simulate arms.bvh" + outputs, {"both", "expected one"});
}

TEST_F(TrackErrors, MissingAndUnknownFiles)
{
  expectError("absent.png" + outputs, {"absent.png", "no such file"});
  expectError("--simulate absent.bvh" + outputs, {"absent.bvh", "no such file"});
  expectError("depth.png --skeleton absent.yaml" + outputs,
              {"absent.yaml", "no such file"});
  expectError("depth.png --initial-pose absent.bvh" + outputs,
              {"absent.bvh", "no such file"});
  writeFile(folder_.path("frame.bmp"), "BM");
  expectError("frame.bmp" + outputs, {"frame.bmp", "a 16-bit PNG or a PCD"});
  writeFile(folder_.path("frame.color.png"), "PNG");
  expectError("frame.color.png" + outputs, {"frame.color.png", "colour", "a PCD"});
  expectError("depth.png --skeleton frame.bmp" + outputs, {"frame.bmp", "expected"});
  TemporaryFolder empty;
  expectError(empty.path() + outputs, {"no frames", "*.png or *.pcd"});
}

TEST_F(TrackErrors, DamagedFiles)
{
  const std::string motion = readFile(folder_.path("arms.bvh"));
  for (const double part : {0.0, 0.3, 0.9}) {
    writeFile(folder_.path("short.bvh"),
              motion.substr(0, std::size_t(part * motion.size())));
    expectError("--simulate short.bvh" + outputs, {"short.bvh", "expected"});
  }
  writeFile(folder_.path("still.bvh"), armsMotion(0));
  expectError("--simulate still.bvh" + outputs, {"still.bvh", "no motion"});
  writeFile(folder_.path("broken.yaml"), "joints: [");
  expectError("depth.png --skeleton broken.yaml" + outputs, {"broken.yaml"});
  const std::string depth = readFile(folder_.path("depth.png"));
  writeFile(folder_.path("short.png"), depth.substr(0, depth.size() / 2));
  expectError("short.png" + outputs, {"short.png", "expected"});
  for (const std::string& bytes : damagedClouds()) {
    writeFile(folder_.path("cloud.pcd"), bytes);
    expectError("cloud.pcd" + outputs, {"cloud.pcd", "cannot be read as PCD"});
  }
}

TEST_F(TrackErrors, ADamagedFrameLeavesNoTable)
{
  const std::string depth = readFile(folder_.path("depth.png"));
  writeFile(folder_.path("later.png"), depth.substr(0, depth.size() / 2));
  expectError("depth.png later.png --turn 0 --particles 5 --first-layers 1" + outputs,
              {"later.png"});
}

TEST_F(TrackErrors, BodiesOfNoKnownSize)
{
  expectError("--simulate arms.bvh --scale 0" + outputs, {"--scale", "above 0"});
  // Legs of nine units.
  std::string large = armsMotion(4);
  for (std::size_t at = 0; (at = large.find("-0.4", at)) != std::string::npos; ++at)
    large[at + 1] = '4';
  writeFile(folder_.path("large.bvh"), large);
  expectError("--simulate large.bvh" + outputs, {"large.bvh", "span", "--scale"});
}

TEST_F(TrackErrors, FramesThatAreNotThere)
{
  for (const char* frames : {"1", "2:1", "a:b", "1:2:3", "-1:2", "99999999999:"})
    expectError("--simulate arms.bvh --frames " + std::string(frames) + outputs,
                {"--frames", frames});
  expectError("--simulate arms.bvh --frames 5:9" + outputs, {"--frames", "0 to 1"});
  expectError("depth.png --frames 1:" + outputs, {"--frames", "1 frames"});
}

TEST_F(TrackErrors, OptionsOutOfRange)
{
  for (const char* option : {"--particles 0",
                             "--sigma 0",
                             "--tau -1",
                             "--layers 0",
                             "--first-layers 0",
                             "--rate 0",
                             "--rate -30",
                             "--survival 1",
                             "--root-deviation -1",
                             "--turn-deviation -1",
                             "--fps 0",
                             "--noise -0.1",
                             "--outliers 2",
                             "--size 0x5",
                             "--eye 1,2"})
    expectError("--simulate arms.bvh " + std::string(option) + outputs, {"expected"});
  for (const char* option : {"--depth-scale 0",
                             "--depth-range 3:1",
                             "--depth-range 3",
                             "--height 0",
                             "--box 1,2,3",
                             "--intrinsics 1,2,3"})
    expectError("depth.png " + std::string(option) + outputs,
                {std::string(option).substr(0, 8), "expected"});
}

TEST_F(TrackErrors, DevicesThatCannotBe)
{
  // This one has --device host, too.
  expectError("--simulate arms.bvh --devices host" + outputs, {"both", "--devices"});
  for (const char* names : {"gpu", "host,", ",host", "host,gpu", "host,cuda:999"}) {
    const ProgramResult result = runProgram(
        PCL_GPU_TRACK " --simulate arms.bvh --devices " + std::string(names) + outputs,
        folder_.path());
    EXPECT_EQ(result.exit_code, 2) << names;
    EXPECT_NE(result.errors.find("--devices "), std::string::npos) << result.errors;
  }
}

TEST_F(TrackErrors, OptionsOfTheOtherKindOfInput)
{
  expectError("depth.png --occluder" + outputs, {"--occluder", "--simulate"});
  expectError("--simulate arms.bvh --depth-range 1:2" + outputs,
              {"--depth-range", "recorded"});
  expectError("--simulate arms.bvh --box 0,0,0,1,1,1" + outputs, {"--box", "recorded"});
  expectError("--simulate arms.bvh --fit --csv p.csv", {"--fit", "recorded"});
}

TEST_F(TrackErrors, HandsThatCannotBe)
{
  expectError("depth.png --hand up --csv p.csv", {"--hand up", "left or right"});
  expectError("depth.png --hand left --fit --csv p.csv", {"--fit", "no --hand"});
  expectError("depth.png --hand left --upper-body --csv p.csv",
              {"--upper-body", "no --hand"});
}

TEST_F(TrackErrors, RatesOfFramesThatDoNotFollowEachOther)
{
  expectError("depth.png --fit --rate 30 --csv p.csv", {"--rate", "without --fit"});
  for (const std::string name : {"a", "b"}) {
    std::filesystem::create_directory(folder_.path(name));
    writePlanePng(folder_.path(name + "/0.png"), 32, 24);
  }
  expectError("a b --rate 30 --csv .csv --output-directory out",
              {"--rate", "a single recording"});
}

TEST_F(TrackErrors, OutputsThatCannotBe)
{
  expectError("depth.png --fit" + outputs, {"--fit", "--output"});
  expectError("depth.png --csv table.txt", {"table.txt", ".csv"});
  expectError("depth.png --json people.csv", {"people.csv", ".json"});
  expectError("depth.png --joints coco --csv p.csv", {"--joints", "--json"});
  expectError("depth.png --joints openpose --json p.json",
              {"--joints openpose", "itop, coco or skeleton"});
  expectError("depth.png --output absent/p.bvh", {"absent/p.bvh"});
  expectError("depth.png --screenshot p.png", {"--output-directory"});
  expectError("depth.png --output-directory pictures", {"--screenshot"});
}

TEST_F(TrackErrors, Recordings)
{
  for (const std::string name : {"a", "b"}) {
    std::filesystem::create_directory(folder_.path(name));
    writePlanePng(folder_.path(name + "/0.png"), 32, 24);
  }
  expectError("a b --output p.bvh", {"2 recordings", "--output-directory"});
  expectError("a b --output-directory out", {"--output-directory", "--csv .csv"});
  expectError("a b depth.png --output .bvh --output-directory out",
              {"depth.png", "folder"});
  expectError("depth.png --output .bvh --output-directory out --resume",
              {"depth.png", "--resume"});
  expectError("a --output .bvh --shard 1/2", {"--shard", "--output-directory"});
  expectError("--simulate arms.bvh --shard 1/2", {"--shard", "recorded"});
  expectError("a b --output .bvh --output-directory out --frames 1:",
              {"--frames", "1 frames in a"});
  std::filesystem::create_directory(folder_.path("empty"));
  expectError("a empty --output .bvh --output-directory out", {"empty", "no frames"});
}

TEST_F(TrackErrors, AFirstFrameWithoutPoints)
{
  expectError("depth.png --turn 0 --depth-range 90:99" + outputs,
              {"depth.png", "no points", "--position"});
}

} // namespace
