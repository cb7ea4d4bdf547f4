// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The program's files: PCL reads them, and their contents are right.

#include "apps/program.h"
#include "common/devices.h"

#include <pcl/io/obj_io.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/png_io.h>
#include <pcl/io/vtk_lib_io.h>
#include <pcl/point_types.h>

#include <boost/property_tree/json_parser.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace pcl::gpu::test;

namespace {

class TriangulateResults : public ::testing::Test {
protected:
  ProgramResult
  run(const std::string& arguments)
  {
    return runProgram(PCL_GPU_TRIANGULATE " --device host " + arguments,
                      folder_.path());
  }

  ProgramResult
  expectSuccess(const std::string& arguments)
  {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "") << arguments;
    return result;
  }

  // Finite vertices with unit normals, all of them used, no index beyond them.
  static void
  expectSound(const pcl::PolygonMesh& mesh, std::size_t corners)
  {
    pcl::PointCloud<pcl::PointNormal> vertices;
    pcl::fromPCLPointCloud2(mesh.cloud, vertices);
    ASSERT_GT(vertices.size(), 0u);
    for (const auto& vertex : vertices) {
      ASSERT_TRUE(std::isfinite(vertex.x + vertex.y + vertex.z));
      ASSERT_NEAR(vertex.getNormalVector3fMap().norm(), 1.0f, 1e-4f);
    }
    ASSERT_GT(mesh.polygons.size(), 0u);
    std::set<pcl::index_t> used;
    for (const auto& polygon : mesh.polygons) {
      ASSERT_EQ(polygon.vertices.size(), corners);
      used.insert(polygon.vertices.begin(), polygon.vertices.end());
    }
    EXPECT_EQ(used.size(), vertices.size());
    EXPECT_EQ(*used.begin(), 0);
    EXPECT_EQ(static_cast<std::size_t>(*used.rbegin()), vertices.size() - 1);
  }

  TemporaryFolder folder_;
};

TEST_F(TriangulateResults, HelpAndVersion)
{
  const ProgramResult help = expectSuccess("--help");
  for (const char* part : {"NAME", "SYNOPSIS", "--output", "EXAMPLES", "EXIT STATUS"})
    EXPECT_NE(help.output.find(part), std::string::npos) << part;
  const ProgramResult version = expectSuccess("--version");
  EXPECT_EQ(version.output.rfind("pcl_gpu_triangulate ", 0), 0u);
}

// The reported file has a line of its header that PCL does not know.
TEST_F(TriangulateResults, ReportedCloud)
{
  const std::string bytes =
      readFile(dataPath("reported/pcd-bom-and-unknown-lines/line.pcd"));
  for (const std::string before : {"", "\xef\xbb\xbf"}) {
    writeFile(folder_.path("a.pcd"), before + bytes);
    EXPECT_NE(expectSuccess("a.pcd -o a.ply").output.find("1426 triangles"),
              std::string::npos);
  }
}

TEST_F(TriangulateResults, SyntheticScene)
{
  const ProgramResult result = expectSuccess(
      "--synthetic --output a.ply --cloud a.pcd --timings a.json --repeat 2");
  EXPECT_NE(result.output.find("640 x 480"), std::string::npos) << result.output;
  EXPECT_EQ(folder_.files(), (std::vector<std::string>{"a.json", "a.pcd", "a.ply"}));

  pcl::PolygonMesh mesh;
  ASSERT_EQ(pcl::io::loadPLYFile(folder_.path("a.ply"), mesh), 0);
  expectSound(mesh, 3);
  EXPECT_GT(mesh.polygons.size(), 550000u);
  EXPECT_NE(pcl::getFieldIndex(mesh.cloud, "rgb"), -1);

  pcl::PointCloud<pcl::PointXYZRGBNormal> cloud;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("a.pcd"), cloud), 0);
  EXPECT_EQ(cloud.width, 640u);
  EXPECT_EQ(cloud.height, 480u);
  // The big sphere: 0.17 m, coral.
  const auto& point = cloud(185, 240);
  EXPECT_GT(point.r, point.b);
  EXPECT_LT(point.normal_z, 0.0f) << "normals face the sensor";

  boost::property_tree::ptree timings;
  boost::property_tree::read_json(folder_.path("a.json"), timings);
  EXPECT_EQ(timings.get<std::string>("device").rfind("host (", 0), 0u);
  std::set<std::string> stages;
  for (const auto& stage : timings.get_child("stages")) {
    stages.insert(stage.second.get<std::string>("name"));
    EXPECT_GE(stage.second.get<double>("median_ms"), 0.0);
    if (stage.second.get<std::string>("name") == "filter") {
      EXPECT_EQ(stage.second.get<int>("calls"), 2);
    }
  }
  for (const char* name :
       {"read", "filter", "projection", "normals", "resolution", "triangulation"})
    EXPECT_EQ(stages.count(name), 1u) << name;
}

TEST_F(TriangulateResults, DepthMapWithIntrinsics)
{
  writePlanePng(folder_.path("d.png"), 64, 48);
  expectSuccess("d.png --no-filter --intrinsics 50,60,30,20 --depth-scale 0.002 "
                "--cloud d.pcd --output d.ply");
  pcl::PointCloud<pcl::PointNormal> cloud;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("d.pcd"), cloud), 0);
  const std::vector<std::uint16_t> depth = planeDepth(64, 48);
  for (int v = 0; v < 48; ++v)
    for (int u = 0; u < 64; ++u) {
      const float z = 0.002f * depth[v * 64 + u];
      ASSERT_NEAR(cloud(u, v).z, z, 1e-5f);
      ASSERT_NEAR(cloud(u, v).x, z * (u - 30) / 50, 1e-5f);
      ASSERT_NEAR(cloud(u, v).y, z * (v - 20) / 60, 1e-5f);
    }
  pcl::PolygonMesh mesh;
  ASSERT_EQ(pcl::io::loadPLYFile(folder_.path("d.ply"), mesh), 0);
  expectSound(mesh, 3);
  EXPECT_EQ(mesh.polygons.size(), 2u * 63 * 47);
  EXPECT_EQ(pcl::getFieldIndex(mesh.cloud, "rgb"), -1) << "there was no colour";
}

TEST_F(TriangulateResults, KindsOfMeshFile)
{
  writePlanePng(folder_.path("d.png"), 64, 48);
  expectSuccess("d.png --output d.vtk");
  expectSuccess("d.png --output d.obj --cut quad");
  pcl::PolygonMesh mesh;
  ASSERT_GT(pcl::io::loadPolygonFileVTK(folder_.path("d.vtk"), mesh), 0);
  EXPECT_EQ(mesh.polygons.size(), 2u * 63 * 47);
  pcl::PolygonMesh quads;
  ASSERT_EQ(pcl::io::loadOBJFile(folder_.path("d.obj"), quads), 0);
  expectSound(quads, 4);
  EXPECT_EQ(quads.polygons.size(), 63u * 47);
}

TEST_F(TriangulateResults, ColorsBesideAndUnregistered)
{
  writePlanePng(folder_.path("d.depth.png"), 64, 48);
  std::vector<unsigned char> rgb;
  for (int i = 0; i < 64 * 48; ++i)
    rgb.insert(rgb.end(), {200, 100, static_cast<unsigned char>(i % 64)});
  pcl::io::saveRgbPNGFile(folder_.path("d.color.png"), rgb.data(), 64, 48);
  pcl::PointCloud<pcl::PointXYZRGBNormal> cloud;
  for (const std::string arguments :
       {"", " --color-intrinsics 52.5,52.5,31.5,23.5 --color-pose 0,0,0,0,0,0,1"}) {
    expectSuccess("d.depth.png --cloud d.pcd" + arguments);
    ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("d.pcd"), cloud), 0);
    EXPECT_EQ(cloud(20, 30).r, 200) << arguments;
    EXPECT_EQ(cloud(20, 30).g, 100) << arguments;
    EXPECT_EQ(cloud(20, 30).b, 20) << arguments;
  }
}

TEST_F(TriangulateResults, Disparity)
{
  const std::vector<unsigned short> disparity{800, 2047, 900, 1090};
  pcl::io::saveShortPNGFile(folder_.path("d.png"), disparity.data(), 2, 2, 1);
  expectSuccess(
      "d.png --disparity --no-filter --cloud d.pcd --intrinsics 575.8,575.8,0,0");
  pcl::PointCloud<pcl::PointNormal> cloud;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("d.pcd"), cloud), 0);
  EXPECT_NEAR(cloud(0, 0).z, 8.0f * 0.075f * 575.8f / 290.0f, 1e-4f);
  EXPECT_NEAR(cloud(0, 1).z, 8.0f * 0.075f * 575.8f / 190.0f, 1e-4f);
  EXPECT_TRUE(std::isnan(cloud(1, 0).z));
  EXPECT_TRUE(std::isnan(cloud(1, 1).z));
}

TEST_F(TriangulateResults, CloudGoesThrough)
{
  expectSuccess("--synthetic --cloud a.pcd --output a.ply --no-filter");
  expectSuccess("a.pcd --cloud b.pcd --output b.ply --no-filter");
  EXPECT_EQ(readFile(folder_.path("a.ply")), readFile(folder_.path("b.ply")));
  expectSuccess("a.pcd --cloud c.pcd");
}

TEST_F(TriangulateResults, FramesWithoutSurface)
{
  const std::vector<unsigned short> nothing(64 * 48, 0), one(1, 1000);
  pcl::io::saveShortPNGFile(folder_.path("none.png"), nothing.data(), 64, 48, 1);
  pcl::io::saveShortPNGFile(folder_.path("one.png"), one.data(), 1, 1, 1);
  for (const std::string name : {"none", "one"})
    for (const std::string extension : {".ply", ".vtk", ".obj"}) {
      const ProgramResult result = expectSuccess(name + ".png --cloud " + name +
                                                 ".pcd --output " + name + extension);
      EXPECT_NE(result.output.find(" 0 triangles"), std::string::npos) << result.output;
    }
}

TEST_F(TriangulateResults, Sequence)
{
  writePlanePng(folder_.path("f1.depth.png"), 64, 48);
  writePlanePng(folder_.path("f2.depth.png"), 32, 24);
  const ProgramResult result = expectSuccess(
      "f1.depth.png f2.depth.png --output-directory out --output .vtk --cloud .pcd");
  EXPECT_EQ(result.output.rfind("2 frames, ", 0), 0u) << result.output;
  for (const char* name : {"out/f1.vtk", "out/f1.pcd", "out/f2.vtk", "out/f2.pcd"})
    EXPECT_FALSE(readFile(folder_.path(name)).empty()) << name;
  expectSuccess(folder_.path() + " --output-directory out");
  EXPECT_FALSE(readFile(folder_.path("out/f1.ply")).empty());
  EXPECT_FALSE(readFile(folder_.path("out/f2.ply")).empty());
}

TEST_F(TriangulateResults, SharedByProcesses)
{
  for (int i = 0; i < 9; ++i)
    writePlanePng(folder_.path("in" + std::to_string(i) + ".png"), 320 + i, 240);
  expectSharedWorkIsThatOfOne(PCL_GPU_TRIANGULATE
                              " --device host in?.png --output .ply "
                              "--cloud .pcd --output-directory",
                              folder_.path());
}

TEST_F(TriangulateResults, Screenshot)
{
  writePlanePng(folder_.path("d.png"), 64, 48);
  const ProgramResult result =
      run("d.png --screenshot p.png --picture-size 320x180 --output d.ply");
  if (result.errors.find("the package xvfb") != std::string::npos) {
    EXPECT_EQ(result.exit_code, 1);
    GTEST_SKIP() << "neither a display nor Xvfb";
  }
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  const std::string picture = readFile(folder_.path("p.png"));
  ASSERT_GT(picture.size(), 3000u);
  EXPECT_EQ(picture.substr(1, 3), "PNG");
  EXPECT_EQ(picture.substr(16, 8), std::string("\0\0\1\x40\0\0\0\xb4", 8));
}

TEST_F(TriangulateResults, InterruptLeavesNoHalfFile)
{
  // The signal arrives somewhere between the start and the end of a long sequence.
  writePlanePng(folder_.path("d.png"), 640, 480);
  for (const char* delay : {"0.15", "0.4", "0.7"}) {
    std::string inputs;
    for (int i = 0; i < 40; ++i)
      inputs += " d.png";
    const ProgramResult result = runProgram(
        std::string("timeout -s INT ") + delay +
            " " PCL_GPU_TRIANGULATE " --device host --output-directory out" + inputs,
        folder_.path());
    EXPECT_NE(result.exit_code, 0);
    const ProgramResult hidden = runProgram("find . -name '.*part*'", folder_.path());
    EXPECT_EQ(hidden.output, "") << delay;
  }
}

TEST_F(TriangulateResults, FlyingPixelsAreRemovedUnlessKept)
{
  // A box 1 m away before a wall at 2 m; its outline's column at 1.4 m.
  std::vector<unsigned short> depth(64 * 48, 2000);
  for (int v = 0; v < 48; ++v)
    for (int u = 20; u <= 40; ++u)
      depth[v * 64 + u] = u == 40 ? 1400 : 1000;
  pcl::io::saveShortPNGFile(folder_.path("d.png"), depth.data(), 64, 48, 1);
  const std::string all = std::to_string(64 * 48) + " points";
  const std::string outside = std::to_string(63 * 48) + " points";
  EXPECT_NE(expectSuccess("d.png").output.find(outside), std::string::npos);
  EXPECT_NE(expectSuccess("d.png --no-filter").output.find(outside), std::string::npos);
  EXPECT_NE(expectSuccess("d.png --keep-flying-pixels").output.find(all),
            std::string::npos);
}

TEST_F(TriangulateResults, LargeFrameOfEveryEighthPixelIsWhole)
{
  const std::string depth = dataPath("reported/large-with-step/d.png");
  const ProgramResult result = expectSuccess("'" + depth + "' --step 8 --output a.ply");
  EXPECT_NE(result.output.find("97410 triangles"), std::string::npos) << result.output;
  pcl::PolygonMesh mesh;
  ASSERT_EQ(pcl::io::loadPLYFile(folder_.path("a.ply"), mesh), 0);
  EXPECT_EQ(mesh.cloud.width * mesh.cloud.height, 256u * 192u);
}

TEST_F(TriangulateResults, RecordedFrame)
{
  const std::string depth = dataPath("depth/pcl_laptop.depth_mm.png");
  const std::string color = dataPath("depth/pcl_laptop.color.jpg");
  expectSuccess("'" + depth + "' --color '" + color + "' --output a.ply");
  pcl::PolygonMesh mesh;
  ASSERT_EQ(pcl::io::loadPLYFile(folder_.path("a.ply"), mesh), 0);
  expectSound(mesh, 3);
  // Of every eighth pixel, nearly all of the quads that are surface by their depths.
  const ProgramResult coarse = expectSuccess("'" + depth + "' --step 8");
  const std::size_t at = coarse.output.find(" triangles");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(std::stoi(coarse.output.substr(coarse.output.rfind(' ', at - 1))), 7800);
  // Nearly every measured quad of this frame is surface.
  EXPECT_GT(mesh.polygons.size(), 520000u);
  EXPECT_NE(pcl::getFieldIndex(mesh.cloud, "rgb"), -1);
}

} // namespace
