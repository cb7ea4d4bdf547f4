// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Input that cannot be used: one line, exit code 2, no file.

#include "apps/program.h"
#include "apps/recognize/recognize_scenes.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/point_types.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace pcl::gpu::test;

namespace {

class RecognizeErrors : public ::testing::Test {
protected:
  // A library that all tests read takes some time to learn.
  static void
  SetUpTestSuite()
  {
    TemporaryFolder folder;
    pcl::io::savePLYFileBinary(folder.path("angle.ply"), angleMesh());
    const ProgramResult result = runProgram(
        PCL_GPU_RECOGNIZE " learn a.library angle.ply --views 2 --tensors 20 "
                          "--camera 525,525,159.5,119.5,320,240 --device host",
        folder.path());
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    library_ = readFile(folder.path("a.library"));
  }

  void
  SetUp() override
  {
    writeFile(folder_.path("a.library"), library_);
    pcl::io::savePLYFileBinary(folder_.path("angle.ply"), angleMesh());
    writePlanePng(folder_.path("scene.png"), 64, 48);
  }

  // Runs the program, which must fail with a line that holds these words.
  void
  expectError(const std::string& arguments, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result =
        runProgram(PCL_GPU_RECOGNIZE " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.output, "") << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    EXPECT_EQ(result.errors.rfind("pcl_gpu_recognize: error: ", 0), 0u)
        << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    EXPECT_EQ(folder_.files(), before) << arguments;
    EXPECT_EQ(readFile(folder_.path("a.library")), library_) << arguments;
  }

  static std::string library_;
  TemporaryFolder folder_;
};

std::string RecognizeErrors::library_;

const std::string outputs =
    " -o r.json --labels l- --screenshot s.png --timings t.json";

TEST_F(RecognizeErrors, Subcommands)
{
  expectError(
      "", {"no subcommand", "learn, recognize, info, confusion, register or merge"});
  expectError("find a.library", {"find", "unknown subcommand", "learn"});
  expectError("--device host", {"--device", "unknown subcommand"});
  for (const char* subcommand : {"learn", "recognize", "info", "confusion", "merge"}) {
    expectError(subcommand, {"no library", "LIBRARY"});
    expectError(std::string(subcommand) + " a.library --unheard-of",
                {"--unheard-of", "--help"});
  }
  expectError("learn a.library", {"no input", "MODEL"});
  expectError("recognize a.library", {"no input", "SCENE"});
  expectError("merge a.library", {"no input", "PART"});
  expectError("recognize a.library scene.png --shard 1/2", {"--shard", "--output"});
  expectError("recognize a.library scene.png --shard 3/2", {"--shard 3/2", "K/N"});
  expectError("info a.library b.library", {"b.library", "one library"});
  for (const char* clouds : {"", " a.pcd"})
    expectError(std::string("register") + clouds, {"clouds", "SOURCE and TARGET"});
  expectError("register a.pcd b.pcd -o p.json --shard 1/2",
              {"--shard", "three clouds"});
  expectError("register a.pcd b.pcd c.pcd --resume", {"--resume", "--output"});
}

TEST_F(RecognizeErrors, MissingAndUnknownFiles)
{
  expectError("learn b.library absent.ply", {"absent.ply", "no such file", ".ply"});
  expectError("learn b.library name=absent.pcd", {"absent.pcd", "no such file"});
  expectError("learn b.library .", {"is a folder"});
  expectError("learn b.library scene.png", {"scene.png", "unknown kind"});
  expectError("recognize absent.library scene.png" + outputs,
              {"absent.library", "no such file"});
  expectError("recognize . scene.png" + outputs, {"is a folder"});
  expectError("recognize a.library absent.png" + outputs,
              {"absent.png", "no such file", ".pcd"});
  expectError("recognize a.library angle.ply" + outputs, {"angle.ply", "unknown kind"});
  expectError("recognize a.library scene.png --mask absent.png", {"absent.png"});
  pcl::gpu::ColorImage mask;
  mask.width = 2;
  mask.height = 3;
  mask.pixels.resize(6);
  pcl::gpu::writeColorImage(folder_.path("mask.png"), mask);
  expectError("recognize a.library scene.png --mask mask.png",
              {"mask.png", "2 x 3 pixels", "scene.png"});
  expectError("info absent.library", {"absent.library", "no such file"});
  expectError("confusion a.library absent.ply", {"absent.ply", "no such file"});
}

TEST_F(RecognizeErrors, DamagedLibraries)
{
  std::string flipped = library_;
  flipped[flipped.size() / 2] ^= 1;
  for (const std::string& bytes :
       {std::string(), library_.substr(0, 100), library_ + "x", flipped}) {
    writeFile(folder_.path("bad.library"), bytes);
    for (const std::string& command : {"recognize bad.library scene.png" + outputs,
                                       std::string("learn bad.library angle.ply"),
                                       std::string("confusion bad.library angle.ply"),
                                       std::string("info bad.library")})
      expectError(command, {"bad.library", "expected a library"});
    EXPECT_EQ(readFile(folder_.path("bad.library")), bytes);
  }
}

TEST_F(RecognizeErrors, DamagedScenes)
{
  const std::string png = readFile(folder_.path("scene.png"));
  writeFile(folder_.path("short.png"), png.substr(0, png.size() / 2));
  expectError("recognize a.library short.png" + outputs, {"short.png"});
  writeFile(folder_.path("text.pgm"), "this is no image");
  expectError("recognize a.library text.pgm" + outputs, {"text.pgm", "PGM"});
  writeFile(folder_.path("bytes.pgm"), "P5 2 2 255\nabcd");
  expectError("recognize a.library bytes.pgm" + outputs, {"bytes.pgm", "16 bits"});
  writeFile(folder_.path("short.pgm"), "P5 2 2 65535\nabcd");
  expectError("recognize a.library short.pgm" + outputs, {"short.pgm", "truncated"});
  for (const std::string& bytes : damagedClouds()) {
    writeFile(folder_.path("noise.pcd"), bytes);
    expectError("recognize a.library noise.pcd" + outputs, {"noise.pcd", "PCD"});
  }

  pcl::PointCloud<pcl::PointXYZ> cloud(100, 1, pcl::PointXYZ(0, 0, 1));
  pcl::io::savePCDFileBinary(folder_.path("row.pcd"), cloud);
  expectError("recognize a.library row.pcd" + outputs, {"row.pcd", "not organized"});
  cloud.width = cloud.height = 10;
  pcl::io::savePCDFileBinary(folder_.path("same.pcd"), cloud);
  expectError("recognize a.library same.pcd" + outputs, {"same.pcd", "camera"});
  expectError("learn b.library same.pcd", {"same.pcd", "camera"});
}

TEST_F(RecognizeErrors, Registration)
{
  expectError("register absent.pcd b.pcd -o p.json", {"absent.pcd", "no such file"});
  writeFile(folder_.path("noise.pcd"), "no cloud\n");
  expectError("register noise.pcd noise.pcd -o p.json", {"noise.pcd", "PCD"});
  pcl::PointCloud<pcl::PointXYZ> cloud(2, 1, pcl::PointXYZ(0, 0, 1));
  pcl::io::savePCDFileBinary(folder_.path("two.pcd"), cloud);
  expectError("register two.pcd two.pcd -o p.json", {"two.pcd"});
  pcl::PointCloud<pcl::PointXYZ> wall;
  for (int i = 0; i < 400; ++i)
    wall.emplace_back(0.01f * (i % 20), 0.01f * (i / 20), 1.0f);
  pcl::io::savePCDFileBinary(folder_.path("wall.pcd"), wall);
  expectError("register wall.pcd wall.pcd two.pcd -o p.json --resume", {"two.pcd"});
  expectError("register two.pcd two.pcd --overlap 2", {"--overlap", "expected"});
  expectError("register two.pcd two.pcd --resolution 0", {"--resolution", "expected"});
  expectError("register two.pcd two.pcd -o p.txt", {"p.txt", "expected .json"});
  writeFile(folder_.path("noise.ply"), "no cloud\n");
  expectError("register noise.ply wall.pcd", {"noise.ply"});
  expectError("register wall.pcd wall.pcd --model m.pcd", {"--model", "three clouds"});
  const std::string three = "register wall.pcd wall.pcd wall.pcd ";
  expectError(three + "--poses p.json -o q.json --shard 1/2", {"--poses", "--shard"});
  expectError(three + "--poses p.txt", {"p.txt", "expected .json"});
  expectError(three + "--model m.ply", {"m.ply", "expected .pcd"});
}

TEST_F(RecognizeErrors, Models)
{
  expectError("learn a.library angle.ply", {"angle", "already", "--replace"});
  expectError("learn b.library angle.ply angle.ply", {"two models named angle"});
  expectError("learn b.library a=angle.ply,angle.ply", {"several files", "mesh"});
  expectError("learn b.library =angle.ply", {"NAME=FILE"});
  expectError("learn a.library b=angle.ply --resolution 0.005",
              {"a.library", "other parameters", "--resolution"});
  writeFile(folder_.path("flat.obj"), "v 0 0 0\nv .1 0 0\nv 0 .1 0\nf 1 2 3\n");
  expectError("learn b.library flat.obj --views 1", {"flat", "no tensors"});
  writeFile(folder_.path("points.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  expectError("learn b.library points.obj", {"points.obj", "no polygons"});
  writeFile(folder_.path("beyond.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  expectError("learn b.library beyond.obj", {"beyond.obj", "index"});
  expectError("confusion a.library other=angle.ply", {"no model other", "info"});
  expectError("learn b.library angle.ply --distance 50",
              {"angle.ply", "distance of the camera", "--distance"});
}

TEST_F(RecognizeErrors, SizesOfMeshes)
{
  for (const std::string command : {"learn b.library ", "confusion a.library "}) {
    expectError(command + "angle.ply --size 5",
                {"angle.ply: is 0.22 units long, 5 m by --size, and the camera is ",
                 "from its middle: expected a smaller --size or a larger --distance"});
    expectError(command + "angle.ply --size 0.005",
                {"angle.ply: is 0.22 units long, 0.005 m by --size",
                 "pairs of points are 0.0125 m long or more",
                 "expected a larger --size or a library of smaller --resolution"});
    expectError(command + "angle.ply --scale 0.001",
                {"angle.ply: is 0.22 units long, 0.00022 m by --scale 0.001",
                 "expected --scale 0.3048 (feet: 0.0671 m) or 1 (metres: 0.22 m), "
                 "--size or a library of smaller --resolution"});
    expectError(command + "angle.ply --scale 0.001 --size 0.22",
                {"both --scale and --size: expected one of them"});
  }
  pcl::io::savePLYFileBinary(folder_.path("angle.ply"), scaledMesh(angleMesh(), 1000));
  for (const std::string command : {"learn b.library ", "confusion a.library "})
    expectError(command + "angle.ply",
                {"angle.ply: is 220 units long, 220 m by --scale 1, and the camera is ",
                 "from its middle: expected --scale 0.001 (millimetres: 0.22 m), "
                 "--size or a larger --distance"});
  expectError("confusion a.library angle.ply --size 0.5", {"times as large", "--size"});
  expectError("confusion a.library angle.ply --scale 0.0025",
              {"times as large", "--scale or --size as it was learned"});
  // By no unit is it an object.
  pcl::io::savePLYFileBinary(folder_.path("angle.ply"), scaledMesh(angleMesh(), 1e5f));
  expectError(
      "learn b.library angle.ply",
      {"is 2.2e+04 units long", "expected --scale, metres for one unit, --size"});
}

TEST_F(RecognizeErrors, Options)
{
  const std::string learn = "learn b.library angle.ply ";
  for (const std::string option : {"--views 0",
                                   "--tensors 0",
                                   "--points 0",
                                   "--resolution 0",
                                   "--size nan",
                                   "--scale 0",
                                   "--scale inf",
                                   "--distance -1",
                                   "--camera 1,2,3,4",
                                   "--camera 525,525,1,1,0,10"})
    expectError(learn + option, {option.substr(0, option.find(' ')), "expected"});
  const std::string recognize = "recognize a.library scene.png ";
  for (const std::string option : {"--tensors 0",
                                   "--scale 0",
                                   "--camera 1,2",
                                   "--nearest 0",
                                   "--repeat 0",
                                   "--confidence inf",
                                   "--device gpu"})
    expectError(recognize + option, {option.substr(0, option.find(' ')), "expected"});
  expectError(recognize + "--camera 525,525,1,1,640,480" + outputs,
              {"64 x 48", "--camera"});
  const std::string confusion = "confusion a.library angle.ply ";
  for (const std::string option : {"--views 0",
                                   "--tensors 0",
                                   "--noise -1",
                                   "--overlap 0",
                                   "--correlation 2",
                                   "--distance 1,0.5",
                                   "--distance 0",
                                   "--scale -1",
                                   "--size 0"})
    expectError(confusion + option, {option.substr(0, option.find(' ')), "expected"});
}

TEST_F(RecognizeErrors, OutputNames)
{
  const std::string recognize = "recognize a.library scene.png ";
  expectError(recognize + "-o r.txt", {"r.txt", "expected .json"});
  expectError(recognize + "-o absent/r.json", {"absent/r.json", "a folder"});
  expectError(recognize + "--screenshot s.jpg", {"s.jpg", "expected .png"});
  expectError(recognize + "--labels absent/l", {"absent/l", "a folder"});
  expectError(recognize + "--timings absent/t.json", {"absent/t.json", "a folder"});
  expectError("recognize a.library scene.png ./scene.png --labels l-",
              {"l-scene.pcd", "two scenes"});
  expectError("learn absent/b.library angle.ply", {"absent/b.library", "a folder"});
  expectError("confusion a.library angle.ply -o c.txt", {"c.txt", "expected .json"});
}

} // namespace
