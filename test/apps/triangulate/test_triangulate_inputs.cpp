// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Kinds of depth maps, clouds and colour images that users have.

#include "apps/program.h"
#include "common/devices.h"

#include <pcl/io/pcd_io.h>
#include <pcl/io/ply_io.h>
#include <pcl/io/png_io.h>
#include <pcl/point_types.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace pcl::gpu::test;

namespace {

constexpr int width = 32, height = 24;

class TriangulateInputs : public ::testing::Test {
protected:
  /** \brief Runs the program, which writes mesh.ply and cloud.pcd.
   * \return what it told the user
   */
  std::string
  triangulate(const std::string& arguments)
  {
    const ProgramResult result =
        runProgram(PCL_GPU_TRIANGULATE " --device host --output mesh.ply --cloud "
                                       "cloud.pcd " +
                       arguments,
                   folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    mesh_ = {}; // PCL appends
    pcl::io::loadPLYFile(folder_.path("mesh.ply"), mesh_);
    pcl::fromPCLPointCloud2(mesh_.cloud, vertices_);
    return result.errors;
  }

  float
  largestDepth() const
  {
    float largest = 0.0f;
    for (const auto& vertex : vertices_)
      largest = std::max(largest, vertex.z);
    return largest;
  }

  /** \brief Returns a flat wall, 1 m away, as a cloud. */
  static pcl::PointCloud<pcl::PointXYZ>
  wall()
  {
    pcl::PointCloud<pcl::PointXYZ> cloud(width, height);
    for (int v = 0; v < height; ++v)
      for (int u = 0; u < width; ++u)
        cloud(u, v) = {(u - 15.5f) / 26.25f, (v - 11.5f) / 26.25f, 1.0f};
    return cloud;
  }

  TemporaryFolder folder_;
  pcl::PolygonMesh mesh_;
  pcl::PointCloud<pcl::PointXYZ> vertices_;
};

TEST_F(TriangulateInputs, ZerosOfCloudsAreMissing)
{
  pcl::PointCloud<pcl::PointXYZ> cloud = wall();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::string filter : {"", "--no-filter"}) {
    std::string meshes[2];
    for (const float missing : {0.0f, nan}) {
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < 10 + v % 3; ++u)
          cloud(u, v) = {missing, missing, missing};
      cloud.is_dense = missing == 0.0f;
      pcl::io::savePCDFileBinary(folder_.path("a.pcd"), cloud);
      EXPECT_EQ(triangulate("a.pcd " + filter), "");
      meshes[missing == 0.0f] = readFile(folder_.path("mesh.ply"));
    }
    EXPECT_EQ(meshes[0], meshes[1]);
    EXPECT_GT(mesh_.polygons.size(), 800u);
  }
}

TEST_F(TriangulateInputs, ReportedZerosOfClouds)
{
  for (const auto& [name, triangles] : {std::pair("zeros25", 1058), {"zeros62", 506}}) {
    triangulate(
        dataPath(std::string("reported/pcd-zeros-for-missing/") + name + ".pcd"));
    EXPECT_EQ(mesh_.polygons.size(), static_cast<std::size_t>(triangles)) << name;
    for (const auto& vertex : vertices_)
      EXPECT_GT(vertex.getVector3fMap().norm(), 0.5f);
  }
}

TEST_F(TriangulateInputs, MarkersOfDepthMapsAreMissing)
{
  std::vector<unsigned short> depth(width * height, 1000);
  const auto triangulateWith = [&](unsigned short marker, const std::string& options) {
    std::fill(depth.begin(), depth.begin() + 5 * width, marker);
    pcl::io::saveShortPNGFile(folder_.path("a.png"), depth.data(), width, height, 1);
    return triangulate("a.png " + options);
  };
  const std::string note = triangulateWith(65535, "");
  EXPECT_EQ(note.rfind("note: a.png: 65535 ", 0), 0u) << note;
  EXPECT_NE(note.find("--missing-depth 0"), std::string::npos) << note;
  EXPECT_EQ(std::count(note.begin(), note.end(), '\n'), 1) << note;
  EXPECT_EQ(vertices_.size(), 19u * width);
  EXPECT_FLOAT_EQ(largestDepth(), 1.0f);

  EXPECT_EQ(triangulateWith(65535, "--missing-depth 0"), "");
  EXPECT_GT(largestDepth(), 65.0f);
  EXPECT_EQ(triangulateWith(4000, ""), "");
  EXPECT_GT(largestDepth(), 3.9f);
  EXPECT_EQ(triangulateWith(4000, "--missing-depth 4000"), "");
  EXPECT_FLOAT_EQ(largestDepth(), 1.0f);
}

TEST_F(TriangulateInputs, ReportedMarkersOfDepthMaps)
{
  const std::string note = triangulate(dataPath("reported/invalid-65535/d.png"));
  EXPECT_EQ(note.rfind("note: ", 0), 0u) << note;
  EXPECT_GT(vertices_.size(), 0u);
  EXPECT_LT(largestDepth(), 2.0f);
}

TEST_F(TriangulateInputs, CloudsKeepTheirViewpoint)
{
  pcl::PointCloud<pcl::PointXYZ> cloud = wall();
  cloud.sensor_origin_ = {1.0f, 2.0f, 3.0f, 0.0f};
  cloud.sensor_orientation_ = Eigen::Quaternionf(0.0f, 1.0f, 0.0f, 0.0f);
  pcl::io::savePCDFileBinary(folder_.path("a.pcd"), cloud);
  triangulate("a.pcd --no-filter");
  pcl::PointCloud<pcl::PointXYZ> read;
  ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("cloud.pcd"), read), 0);
  EXPECT_EQ(read.sensor_origin_.head<3>(), cloud.sensor_origin_.head<3>());
  EXPECT_EQ(read.sensor_orientation_.coeffs(), cloud.sensor_orientation_.coeffs());
  ASSERT_EQ(read.size(), cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i)
    EXPECT_EQ(read[i].getVector3fMap(), cloud[i].getVector3fMap());
}

TEST_F(TriangulateInputs, ReportedViewpoint)
{
  const std::string file = dataPath("reported/pcd-viewpoint/a.pcd");
  triangulate(file);
  EXPECT_EQ(mesh_.polygons.size(), 1426u);
  pcl::PointCloud<pcl::PointXYZ> cloud, read;
  ASSERT_EQ(pcl::io::loadPCDFile(file, cloud), 0);
  ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("cloud.pcd"), read), 0);
  ASSERT_EQ(read.size(), cloud.size());
  for (std::size_t i = 0; i < cloud.size(); ++i)
    EXPECT_LT((read[i].getVector3fMap() - cloud[i].getVector3fMap()).norm(), 1e-6f);
  const std::string text = readFile(folder_.path("cloud.pcd"));
  EXPECT_NE(text.find("\nVIEWPOINT 1 2 3 0 1 0 0\n"), std::string::npos);
}

TEST_F(TriangulateInputs, ReportedKindsOfColor)
{
  const std::string folder = "reported/colour-kinds/";
  const std::string depth = dataPath(folder + "d.png");
  std::string meshes[2];
  for (const bool has_alpha : {false, true}) {
    triangulate(depth + " --color " +
                dataPath(folder + (has_alpha ? "rgba.png" : "rgb.png")));
    meshes[has_alpha] = readFile(folder_.path("mesh.ply"));
  }
  EXPECT_EQ(meshes[0], meshes[1]);
  pcl::PointCloud<pcl::RGB> colors;
  pcl::fromPCLPointCloud2(mesh_.cloud, colors);
  ASSERT_GT(colors.size(), 0u);
  EXPECT_TRUE(std::any_of(colors.begin(), colors.end(), [&](const pcl::RGB& color) {
    return color.r != color.g || color.g != color.b;
  })) << "there is no colour";
}

TEST_F(TriangulateInputs, FoldersAreInTheOrderOfNumbers)
{
  for (const char* name : {"1.png", "3.png", "11.png"})
    writePlanePng(folder_.path(name), width, height);
  for (const char* name : {"4.png", "10.png"})
    writeFile(folder_.path(name), "no picture");
  const ProgramResult result = runProgram(
      PCL_GPU_TRIANGULATE " --device host . --output-directory meshes", folder_.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_LT(result.errors.find("4.png"), result.errors.find("10.png")) << result.errors;
  EXPECT_NE(result.errors.find("2 of 5 inputs"), std::string::npos) << result.errors;
  for (const char* name : {"1.ply", "3.ply", "11.ply"})
    EXPECT_FALSE(readFile(folder_.path(std::string("meshes/") + name)).empty()) << name;
  writePlanePng(folder_.path("4.png"), width, height);
  writePlanePng(folder_.path("10.png"), width, height);
  const ProgramResult rest = runProgram(
      PCL_GPU_TRIANGULATE " --device host . --output-directory meshes --resume",
      folder_.path());
  EXPECT_EQ(rest.exit_code, 0) << rest.errors;
  EXPECT_EQ(rest.output.rfind("2 frames, ", 0), 0u) << rest.output;
}

} // namespace
