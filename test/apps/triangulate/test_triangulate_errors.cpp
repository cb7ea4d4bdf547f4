// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Input that cannot be used: one line, exit code 2, no file.

#include "apps/program.h"

#include <pcl/io/pcd_io.h>
#include <pcl/io/png_io.h>
#include <pcl/point_types.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace pcl::gpu::test;

namespace {

class TriangulateErrors : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writePlanePng(folder_.path("depth.png"), 64, 48);
  }

  // Runs the program, which must fail with a line that holds these words.
  void
  expectError(const std::string& arguments, const std::vector<std::string>& words)
  {
    const std::vector<std::string> before = folder_.files();
    const ProgramResult result =
        runProgram(PCL_GPU_TRIANGULATE " " + arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.output, "") << arguments;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1)
        << result.errors;
    EXPECT_EQ(result.errors.rfind("pcl_gpu_triangulate: error: ", 0), 0u)
        << result.errors;
    for (const std::string& word : words)
      EXPECT_NE(result.errors.find(word), std::string::npos)
          << word << " is missing in: " << result.errors;
    EXPECT_EQ(folder_.files(), before) << arguments;
  }

  // A copy of a file without its last bytes.
  void
  truncate(const std::string& from, const std::string& to, double part)
  {
    const std::string bytes = readFile(folder_.path(from));
    ASSERT_FALSE(bytes.empty());
    writeFile(folder_.path(to),
              bytes.substr(0, static_cast<std::size_t>(part * bytes.size())));
  }

  TemporaryFolder folder_;
};

const std::string outputs = " --output mesh.ply --cloud cloud.pcd --timings t.json";

TEST_F(TriangulateErrors, MissingAndUnknownFiles)
{
  expectError("absent.png" + outputs, {"absent.png", "no such file"});
  expectError("absent/" + outputs, {"absent", "no such file"});
  writeFile(folder_.path("frame.bmp"), "BM");
  expectError("frame.bmp" + outputs, {"frame.bmp", "expected a 16-bit PNG or a PCD"});
  writeFile(folder_.path("frame.color.png"), "PNG");
  expectError("frame.color.png" + outputs, {"frame.color.png", "colour", "a PCD"});
  expectError("depth.png --color absent.jpg" + outputs, {"absent.jpg", "expected"});
}

TEST_F(TriangulateErrors, EmptyFolder)
{
  TemporaryFolder empty;
  expectError(empty.path() + outputs, {"no frames", "expected *.png or *.pcd"});
}

TEST_F(TriangulateErrors, DamagedDepthMaps)
{
  for (const double part : {0.0, 0.01, 0.2, 0.9}) {
    truncate("depth.png", "short.png", part);
    expectError("short.png" + outputs, {"short.png", "expected a"});
  }
  writeFile(folder_.path("text.png"), "this is no picture\n");
  expectError("text.png" + outputs, {"text.png", "not a PNG image"});

  std::string bytes = readFile(folder_.path("depth.png"));
  bytes[bytes.size() / 2] ^= 0x55;
  writeFile(folder_.path("flipped.png"), bytes);
  expectError("flipped.png" + outputs, {"flipped.png", "damaged"});
}

TEST_F(TriangulateErrors, DepthMapsOfAnotherKind)
{
  const std::vector<unsigned char> grey(64 * 48, 100), rgb(64 * 48 * 3, 100);
  pcl::io::saveCharPNGFile(folder_.path("grey8.png"), grey.data(), 64, 48, 1);
  pcl::io::saveRgbPNGFile(folder_.path("rgb.png"), rgb.data(), 64, 48);
  expectError("grey8.png" + outputs, {"8-bit grey", "expected a 16-bit grey PNG"});
  expectError("rgb.png" + outputs, {"8-bit colour", "expected a 16-bit grey PNG"});
}

TEST_F(TriangulateErrors, ColorImages)
{
  const std::vector<unsigned char> rgb(32 * 24 * 3, 100);
  pcl::io::saveRgbPNGFile(folder_.path("small.png"), rgb.data(), 32, 24);
  expectError("depth.png --color small.png" + outputs,
              {"small.png", "32 x 24", "64 x 48", "--color-intrinsics"});
  truncate("small.png", "short.png", 0.6);
  expectError("depth.png --color short.png" + outputs, {"short.png", "truncated"});
  writeFile(folder_.path("broken.jpg"), "\xff\xd8\xff\xe0 this is no JPEG");
  expectError("depth.png --color broken.jpg" + outputs, {"broken.jpg", "truncated"});
  expectError("depth.png depth.png --color small.png --output-directory .",
              {"small.png", "2 frames"});
}

TEST_F(TriangulateErrors, Clouds)
{
  pcl::PointCloud<pcl::PointXYZ> cloud(20, 10);
  for (auto& point : cloud)
    point = pcl::PointXYZ(0.1f, 0.2f, 1.0f);
  pcl::io::savePCDFileBinaryCompressed(folder_.path("compressed.pcd"), cloud);
  pcl::io::savePCDFileBinary(folder_.path("binary.pcd"), cloud);
  pcl::io::savePCDFileASCII(folder_.path("ascii.pcd"), cloud);
  for (const std::string name : {"compressed", "binary", "ascii"})
    for (const double part : {0.0, 0.02, 0.5, 0.9}) {
      truncate(name + ".pcd", "short.pcd", part);
      expectError("short.pcd" + outputs, {"short.pcd", "cannot be read as PCD"});
    }
  for (const std::string& bytes : damagedClouds()) {
    writeFile(folder_.path("damaged.pcd"), bytes);
    expectError("damaged.pcd" + outputs, {"damaged.pcd", "cannot be read as PCD"});
  }
  for (auto& point : cloud)
    point.z = -1.0f;
  pcl::io::savePCDFileBinary(folder_.path("behind.pcd"), cloud);
  expectError("behind.pcd" + outputs, {"behind.pcd", "behind the camera"});
  cloud.width = 200;
  cloud.height = 1;
  pcl::io::savePCDFileBinary(folder_.path("line.pcd"), cloud);
  expectError("line.pcd" + outputs, {"line.pcd", "not organized"});
  expectError("binary.pcd --intrinsics 5,5,1,1" + outputs,
              {"binary.pcd", "depth maps"});

  pcl::PointCloud<pcl::Normal> normals(20, 10);
  pcl::io::savePCDFileBinary(folder_.path("normals.pcd"), normals);
  expectError("normals.pcd" + outputs, {"normals.pcd", "x, y, z"});
}

TEST_F(TriangulateErrors, Options)
{
  expectError("", {"no input", "--help"});
  expectError("depth.png --synthetic", {"--synthetic"});
  expectError("depth.png --unheard-of", {"--unheard-of", "--help"});
  expectError("depth.png --outp mesh.ply", {"--outp"});
  expectError("depth.png --sigma-s many", {"--sigma-s", "many"});
  expectError("depth.png --sigma-s -1", {"-1", "expected"});
  expectError("depth.png --sigma-r 0", {"0", "expected"});
  expectError("depth.png --filter-radius 99", {"99", "expected"});
  expectError("depth.png --normals covariance --normal-radius 0", {"0", "expected"});
  expectError("depth.png --normal-radius 2", {"--normal-radius", "covariance"});
  expectError("depth.png --step 0", {"0", "expected"});
  expectError("depth.png --depth-scale 0", {"--depth-scale"});
  expectError("depth.png --intrinsics 525,525", {"--intrinsics", "fx,fy,cx,cy"});
  expectError("depth.png --intrinsics 0,525,1,1", {"--intrinsics", "above 0"});
  expectError("depth.png --intrinsics 525,nan,1,1", {"--intrinsics"});
  expectError("depth.png --color-pose 0,0,0", {"--color-intrinsics"});
  expectError("depth.png --color-intrinsics 5,5,1,1 --color-pose 0,0",
              {"--color-pose", "tx,ty,tz"});
  expectError("depth.png --cut diagonal", {"--cut diagonal", "adaptive"});
  expectError("depth.png --picture-size 10", {"--picture-size 10"});
  expectError("depth.png --device gpu", {"--device gpu", "expected host, cuda"});
  expectError("depth.png --device cuda:999", {"--device cuda:999", "expected"});
}

TEST_F(TriangulateErrors, OutputNames)
{
  expectError("depth.png --output mesh.stl",
              {"mesh.stl", "expected .ply, .vtk or .obj"});
  expectError("depth.png --output .ply", {".ply", "has no name"});
  expectError("depth.png --cloud cloud.ply", {"cloud.ply", "expected .pcd"});
  expectError("depth.png --screenshot picture.jpg", {"picture.jpg", "expected .png"});
  expectError("depth.png --output absent/mesh.ply", {"absent/mesh.ply", "a folder"});
  expectError("depth.png --timings absent/t.json", {"absent/t.json", "a folder"});
  expectError("depth.png depth.png --output mesh.ply", {"--output-directory"});
}

} // namespace
