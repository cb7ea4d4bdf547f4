// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The program's files: PCL reads them, and their contents are right.

#include "apps/program.h"
#include "apps/raycast/raycast_meshes.h"

#include <pcl/common/io.h>
#include <pcl/conversions.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/png_io.h>
#include <pcl/point_types.h>

#include <boost/property_tree/json_parser.hpp>
#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

using namespace pcl::gpu::test;

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZRGBNormal>;

class RaycastResults : public ::testing::Test {
protected:
  void
  SetUp() override
  {
    writeCube(folder_.path("cube.ply"), 1.0f);
  }

  ProgramResult
  run(const std::string& arguments)
  {
    return runProgram(PCL_GPU_RAYCAST " --device host " + arguments, folder_.path());
  }

  ProgramResult
  expectSuccess(const std::string& arguments)
  {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "") << arguments;
    return result;
  }

  Cloud
  readCloud(const std::string& name)
  {
    Cloud cloud;
    EXPECT_EQ(pcl::io::loadPCDFile(folder_.path(name), cloud), 0) << name;
    return cloud;
  }

  vtkSmartPointer<vtkImageData>
  readPng(const std::string& name)
  {
    const auto reader = vtkSmartPointer<vtkPNGReader>::New();
    reader->SetFileName(folder_.path(name).c_str());
    reader->Update();
    return reader->GetOutput();
  }

  /** \brief A pixel; VTK counts rows from the bottom. */
  static int
  pixel(vtkImageData* image, int u, int v, int channel = 0)
  {
    return static_cast<int>(image->GetScalarComponentAsDouble(
        u, image->GetDimensions()[1] - 1 - v, 0, channel));
  }

  Eigen::Matrix4f
  readMatrix(const std::string& name)
  {
    std::istringstream text(readFile(folder_.path(name)));
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Zero();
    for (int i = 0; i < 16; ++i)
      text >> matrix(i / 4, i % 4);
    return matrix;
  }

  TemporaryFolder folder_;
};

// Two metres before the cube's front, whose sides are 20 pixels long then.
const std::string camera = " --size 64x48 --intrinsics 40,40,31.5,23.5 --eye 0,0,2.5 ";

TEST_F(RaycastResults, HelpAndVersion)
{
  const ProgramResult help = expectSuccess("--help");
  for (const char* part : {"NAME", "SYNOPSIS", "--image", "EXAMPLES", "EXIT STATUS"})
    EXPECT_NE(help.output.find(part), std::string::npos) << part;
  EXPECT_EQ(help.output.find("output-dir "), std::string::npos);
  const ProgramResult version = expectSuccess("--version");
  EXPECT_EQ(version.output.rfind("pcl_gpu_raycast ", 0), 0u);
}

TEST_F(RaycastResults, DepthMapCloudAndTrianglesAgree)
{
  const ProgramResult result =
      expectSuccess("cube.ply" + camera +
                    "--depth d.png --cloud c.pcd --ids i.png --image p.png "
                    "--timings t.json --repeat 3");
  EXPECT_NE(result.output.find("12 triangles, 64 x 48 pixels"), std::string::npos);
  EXPECT_EQ(folder_.files(),
            (std::vector<std::string>{
                "c.pcd", "cube.ply", "d.png", "i.png", "p.png", "t.json"}));
  const Cloud cloud = readCloud("c.pcd");
  ASSERT_EQ(cloud.width, 64u);
  ASSERT_EQ(cloud.height, 48u);
  const auto depth = readPng("d.png"), ids = readPng("i.png");
  ASSERT_EQ(depth->GetScalarType(), VTK_UNSIGNED_SHORT);
  for (int v = 0; v < 48; ++v)
    for (int u = 0; u < 64; ++u) {
      const bool hit = std::abs(u - 31.5) < 10.0 && std::abs(v - 23.5) < 10.0;
      const auto& point = cloud(u, v);
      ASSERT_EQ(std::isnan(point.z), !hit) << u << " " << v;
      ASSERT_EQ(pixel(depth, u, v), hit ? 2000 : 0);
      const std::uint32_t code =
          pixel(ids, u, v, 0) << 16 | pixel(ids, u, v, 1) << 8 | pixel(ids, u, v, 2);
      if (!hit) {
        ASSERT_EQ(code, 0u);
        continue;
      }
      // As the manual says.
      const std::uint32_t triangle = (code * 11764425u & 0xffffffu) - 1;
      EXPECT_TRUE(triangle == 2 || triangle == 3) << triangle;
      EXPECT_NEAR(point.x, (u - 31.5f) / 20.0f, 1e-5f);
      EXPECT_NEAR(point.y, (v - 23.5f) / 20.0f, 1e-5f);
      EXPECT_NEAR(point.normal_z, -1.0f, 1e-5f);
      EXPECT_GT(point.r, 100);
    }
  boost::property_tree::ptree timings;
  boost::property_tree::read_json(folder_.path("t.json"), timings);
  EXPECT_EQ(timings.get<std::string>("device").rfind("host (", 0), 0u);
  std::set<std::string> stages;
  for (const auto& stage : timings.get_child("stages")) {
    stages.insert(stage.second.get<std::string>("name"));
    if (stage.second.get<std::string>("name") == "cast") {
      EXPECT_EQ(stage.second.get<int>("calls"), 3);
    }
  }
  for (const char* name :
       {"read", "cast", "cast/cast", "download", "shade", "write depth"})
    EXPECT_EQ(stages.count(name), 1u) << name;
}

TEST_F(RaycastResults, PictureHasLightAndBackground)
{
  expectSuccess("cube.ply --image p.png --size 160x120");
  const auto picture = readPng("p.png");
  ASSERT_EQ(picture->GetDimensions()[0], 160);
  ASSERT_EQ(picture->GetDimensions()[1], 120);
  std::set<int> reds;
  for (int u = 0; u < 160; ++u) {
    // The background changes a little with the direction.
    EXPECT_NEAR(pixel(picture, u, 0), pixel(picture, 0, 0), 4)
        << "all fits into the image";
    reds.insert(pixel(picture, u, 60));
  }
  EXPECT_GT(pixel(picture, 80, 60, 0), pixel(picture, 80, 60, 2)) << "warm stone";
  EXPECT_GT(reds.size(), 3u) << "sides differ";
}

TEST_F(RaycastResults, LampsAndShadows)
{
  // From above; the lamp is left of the cube, the shadow falls on the ground at its
  // right.
  const std::string above = " --size 80x80 --eye 0,6,1 --target 0,0,0 --fov 40";
  const std::string lamp = " --ground --light -3,2,0";
  const auto brightness = [&](const std::string& options, int u) {
    expectSuccess("cube.ply --image p.png" + above + lamp + options);
    return pixel(readPng("p.png"), u, 40);
  };
  const int lit = brightness("", 57);
  EXPECT_LT(brightness(" --shadows", 57), lit - 40) << "ambient light is left";
  EXPECT_LT(brightness(" --soft-shadows 0.1", 57), lit - 40);
  EXPECT_EQ(brightness(" --shadows", 10), brightness("", 10)) << "left of the cube";
  EXPECT_GT(brightness(",0.5", 10), 0);
  EXPECT_LT(brightness(",0.5", 10), brightness("", 10)) << "half the intensity";
}

TEST_F(RaycastResults, TheGroundIsInThePictureOnly)
{
  expectSuccess("cube.ply --ground --image p.png --depth d.png --cloud c.pcd" + camera);
  expectSuccess("cube.ply --image q.png --depth e.png --cloud f.pcd" + camera);
  EXPECT_EQ(readFile(folder_.path("d.png")), readFile(folder_.path("e.png")));
  EXPECT_EQ(readFile(folder_.path("c.pcd")), readFile(folder_.path("f.pcd")));
  EXPECT_NE(readFile(folder_.path("p.png")), readFile(folder_.path("q.png")));
}

TEST_F(RaycastResults, MirrorsAndGlass)
{
  const std::string picture = "cube.ply --size 80x60 --ground --shadows --image ";
  expectSuccess(picture + "dull.png");
  expectSuccess(picture + "mirror.png --reflect 0.6");
  expectSuccess(picture + "glass.png --glass");
  expectSuccess(picture + "floor.png --ground-reflect 0.5 --ambient-occlusion 0");
  std::set<std::string> different;
  for (const char* name : {"dull.png", "mirror.png", "glass.png", "floor.png"})
    different.insert(readFile(folder_.path(name)));
  EXPECT_EQ(different.size(), 4u);
}

TEST_F(RaycastResults, KindsOfMeshFile)
{
  expectSuccess("cube.ply" + camera + "--cloud ply.pcd");
  const Cloud expected = readCloud("ply.pcd");
  for (const std::string kind : {"obj", "stl", "vtk"}) {
    writeCube(folder_.path("cube." + kind), 1.0f);
    expectSuccess("cube." + kind + camera + "--cloud " + kind + ".pcd");
    const Cloud cloud = readCloud(kind + ".pcd");
    ASSERT_EQ(cloud.size(), expected.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      ASSERT_EQ(std::isnan(cloud[i].z), std::isnan(expected[i].z)) << kind;
      if (!std::isnan(cloud[i].z)) {
        ASSERT_NEAR(cloud[i].z, expected[i].z, 1e-5f) << kind;
      }
    }
  }
}

TEST_F(RaycastResults, ColorsOfVertices)
{
  pcl::PolygonMesh mesh = cubeMesh(1.0f);
  pcl::PointCloud<pcl::PointXYZ> positions;
  pcl::fromPCLPointCloud2(mesh.cloud, positions);
  pcl::PointCloud<pcl::PointXYZRGB> points;
  pcl::copyPointCloud(positions, points);
  for (auto& point : points) {
    point.r = 10;
    point.g = 200;
    point.b = 30;
  }
  pcl::toPCLPointCloud2(points, mesh.cloud);
  pcl::io::savePLYFileBinary(folder_.path("green.ply"), mesh);
  expectSuccess("green.ply" + camera + "--cloud c.pcd --image p.png");
  const auto point = readCloud("c.pcd")(32, 24);
  EXPECT_EQ(point.r, 10);
  EXPECT_EQ(point.g, 200);
  EXPECT_EQ(point.b, 30);
  const auto picture = readPng("p.png");
  EXPECT_GT(pixel(picture, 32, 24, 1), 2 * pixel(picture, 32, 24, 0));
}

TEST_F(RaycastResults, MeshesStandWhereTheirPosesSay)
{
  writeFile(folder_.path("left.txt"), "1 0 0 -0.6\n0 1 0 0\n0 0 1 1\n0 0 0 1\n");
  writeFile(folder_.path("right.txt"), "0.6 0 0 0 1 0 0\n");
  expectSuccess("cube.ply@left.txt cube.ply@right.txt --target 0,0,0" + camera +
                "--cloud c.pcd --ids i.png");
  const Cloud cloud = readCloud("c.pcd");
  EXPECT_NEAR(cloud(16, 24).z, 1.0f, 1e-5f);
  EXPECT_NEAR(cloud(44, 24).z, 2.0f, 1e-5f);
  EXPECT_NE(cloud(16, 24).rgba, cloud(44, 24).rgba) << "two things, two colours";
}

TEST_F(RaycastResults, CameraWithAPoseFile)
{
  // Looks along the world's x from x = -3.
  writeFile(folder_.path("pose.txt"), "0 0 1 -3\n-1 0 0 0\n0 -1 0 0\n");
  expectSuccess("cube.ply --size 64x48 --pose pose.txt --cloud c.pcd");
  EXPECT_NEAR(readCloud("c.pcd")(32, 24).z, 2.5f, 1e-5f);
}

TEST_F(RaycastResults, OrthographicCamera)
{
  expectSuccess("cube.ply --size 64x48 --orthographic 20 --eye 0,0,3 --cloud c.pcd "
                "--image p.png");
  int hits = 0;
  for (const auto& point : readCloud("c.pcd"))
    hits += !std::isnan(point.z);
  EXPECT_EQ(hits, 400);
  expectSuccess("cube.ply --size 64x48 --orthographic 0 --eye 0,0,3 --cloud c.pcd");
  hits = 0;
  for (const auto& point : readCloud("c.pcd"))
    hits += !std::isnan(point.z);
  EXPECT_NEAR(std::sqrt(hits), 48.0 / 1.08, 1.0);
}

TEST_F(RaycastResults, MethodsGiveTheSame)
{
  expectSuccess("cube.ply --size 64x48 --cloud a.pcd");
  for (const std::string method : {"visibility", "grid"}) {
    expectSuccess("cube.ply --size 64x48 --cloud b.pcd --method " + method);
    EXPECT_EQ(readFile(folder_.path("a.pcd")), readFile(folder_.path("b.pcd")));
  }
}

TEST_F(RaycastResults, SequenceComesBackToItsStart)
{
  const ProgramResult result =
      expectSuccess("cube.ply --deform wave --frames 4 --size 64x48 --depth depth.png "
                    "--cloud c.pcd --output-dir out");
  EXPECT_NE(result.output.find("4 frames of 64 x 48"), std::string::npos);
  std::set<std::string> different;
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    const std::string bytes = readFile(folder_.path("out/c-000" + number + ".pcd"));
    EXPECT_FALSE(bytes.empty());
    different.insert(bytes);
    EXPECT_FALSE(readFile(folder_.path("out/depth-000" + number + ".png")).empty());
  }
  EXPECT_EQ(different.size(), 4u);
  expectSuccess("cube.ply --deform wave --frames 1 --size 64x48 --depth depth.png "
                "--cloud c.pcd --output-dir one");
  EXPECT_EQ(readFile(folder_.path("one/c-0000.pcd")),
            readFile(folder_.path("out/c-0000.pcd")));
}

TEST_F(RaycastResults, SharedByProcesses)
{
  expectSharedWorkIsThatOfOne(PCL_GPU_RAYCAST
                              " --device host cube.ply --deform twist --frames 8 "
                              "--size 400x300 --image i.png --cloud c.pcd "
                              "--output-directory",
                              folder_.path());
}

TEST_F(RaycastResults, ViewsAreSharedByProcesses)
{
  // 8, 8 and 4 views at once.
  expectSharedWorkIsThatOfOne(PCL_GPU_RAYCAST
                              " --device host cube.ply --views 0 --size 700x700 "
                              "--output-directory",
                              folder_.path());
}

TEST_F(RaycastResults, OrbitGoesAroundAtOneDistance)
{
  expectSuccess("cube.ply --orbit 4 --size 64x48 --eye 0,0,2.5 --cloud c.pcd "
                "--output-directory out");
  for (int i = 0; i < 4; ++i) {
    const Cloud cloud = readCloud("out/c-000" + std::to_string(i) + ".pcd");
    EXPECT_NEAR(cloud(32, 24).z, 2.0f, 1e-4f);
  }
  expectSuccess("cube.ply --orbit 2 --size 64x48 --output-directory pictures");
  EXPECT_FALSE(readFile(folder_.path("pictures/image-0001.png")).empty());
}

TEST_F(RaycastResults, PartialViewsFitTogether)
{
  const ProgramResult result =
      expectSuccess("cube.ply --views 0 --size 80x60 --output-directory views");
  EXPECT_NE(result.output.find("20 views"), std::string::npos) << result.output;
  std::istringstream rows(readFile(folder_.path("views/views.csv")));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "view,points,part_of_surface");
  for (int i = 0; i < 20; ++i) {
    const std::string name =
        "view-0" + std::string(i < 10 ? "0" : "") + std::to_string(i);
    const Cloud cloud = readCloud("views/" + name + ".pcd");
    EXPECT_TRUE(cloud.is_dense);
    EXPECT_GT(cloud.size(), 100u);
    const Eigen::Affine3f pose(readMatrix("views/" + name + ".pose.txt"));
    for (const auto& point : cloud)
      EXPECT_NEAR((pose * point.getVector3fMap()).cwiseAbs().maxCoeff(), 0.5f, 1e-4f);
    std::getline(rows, row);
    EXPECT_EQ(row.rfind(name + "," + std::to_string(cloud.size()) + ",", 0), 0u) << row;
  }
}

TEST_F(RaycastResults, Screenshot)
{
  const ProgramResult result = run("cube.ply --size 64x48 --screenshot s.png");
  if (result.errors.find("the package xvfb") != std::string::npos) {
    EXPECT_EQ(result.exit_code, 1);
    GTEST_SKIP() << "neither a display nor Xvfb";
  }
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_GT(readFile(folder_.path("s.png")).size(), 3000u);
}

TEST_F(RaycastResults, NothingInSightIsNoError)
{
  const ProgramResult result =
      expectSuccess("cube.ply --size 64x48 --eye 0,0,5 --target 0,0,9 --cloud c.pcd "
                    "--depth d.png --ids i.png --image p.png");
  EXPECT_NE(result.output.find(" 0 of them hit"), std::string::npos) << result.output;
  for (const auto& point : readCloud("c.pcd"))
    EXPECT_TRUE(std::isnan(point.z));
}

TEST_F(RaycastResults, InterruptLeavesNoHalfFile)
{
  for (const char* delay : {"0.15", "0.4"}) {
    const ProgramResult result = runProgram(
        std::string("timeout -s INT ") + delay +
            " " PCL_GPU_RAYCAST " --device host cube.ply --orbit 500 --output-dir out",
        folder_.path());
    EXPECT_NE(result.exit_code, 0);
    const ProgramResult hidden = runProgram("find . -name '.*part*'", folder_.path());
    EXPECT_EQ(hidden.output, "") << delay;
  }
}

} // namespace
