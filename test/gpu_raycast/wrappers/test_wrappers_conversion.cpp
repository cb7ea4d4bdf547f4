// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "polygon_meshes.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/io/obj_io.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class MeshConversion : public DeviceTest {
protected:
  static pcl::TextureMesh
  texturedSquare()
  {
    pcl::TextureMesh mesh;
    mesh.cloud = squareAt(1.0f).cloud;
    mesh.tex_polygons.resize(1);
    mesh.tex_polygons[0].resize(2);
    mesh.tex_polygons[0][0].vertices = {0, 1, 3};
    mesh.tex_polygons[0][1].vertices = {0, 3, 2};
    return mesh;
  }
};

TEST_P(MeshConversion, KeepsPointsAndCutsConvexPolygonsIntoFans)
{
  const pcl::PolygonMesh mesh = cube(2.0f);
  TriangleMeshOrigin origin;
  const TriangleMesh triangles = toTriangleMesh(mesh, &origin);
  EXPECT_EQ(deviceOf(triangles.vertices), device());
  const auto vertices = downloaded(triangles.vertices);
  const auto points = positionsOf(mesh);
  ASSERT_EQ(vertices.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(vertices[i].getVector3fMap(), points[i].getVector3fMap());
    EXPECT_EQ(origin.points[i], static_cast<int>(i));
  }
  const auto indices = downloaded(triangles.triangles);
  ASSERT_EQ(indices.size(), 36u);
  EXPECT_EQ(std::vector<int>(indices.begin(), indices.begin() + 6),
            (std::vector<int>{0, 2, 3, 0, 3, 1}));
  EXPECT_EQ(origin.polygons, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
  EXPECT_EQ(origin.sub_meshes, std::vector<int>(12, 0));
  EXPECT_TRUE(triangles.normals.empty());
  EXPECT_TRUE(triangles.colors.empty());
  EXPECT_TRUE(triangles.texture_coordinates.empty());
}

/** \brief Expects that the triangles of a polygon cover it once: all face its way, and
 * have its area together. Those of a polygon that does not cross itself cover it then.
 */
void
expectCovered(const std::vector<Eigen::Vector3d>& corners)
{
  pcl::PointCloud<pcl::PointXYZ> points;
  pcl::Indices polygon;
  for (const Eigen::Vector3d& corner : corners) {
    polygon.push_back(static_cast<int>(points.size()));
    points.emplace_back(static_cast<float>(corner.x()),
                        static_cast<float>(corner.y()),
                        static_cast<float>(corner.z()));
  }
  const auto at = [&](int i) -> Eigen::Vector3d {
    return points[i].getVector3fMap().cast<double>();
  };
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < points.size(); ++i)
    normal += at(i).cross(at((i + 1) % points.size()));
  const double area = 0.5 * normal.norm();
  normal.normalize();
  const auto indices =
      downloaded(toTriangleMesh(polygonMesh(points, {polygon})).triangles);
  ASSERT_EQ(indices.size(), 3 * (corners.size() - 2));
  double sum = 0.0;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const Eigen::Vector3d a = at(indices[i]), b = at(indices[i + 1]);
    sum += std::abs(0.5 * (b - a).cross(at(indices[i + 2]) - a).dot(normal));
  }
  EXPECT_NEAR(sum, area, 2e-5 * area) << corners.size() << " corners";
}

TEST_P(MeshConversion, CoversConcavePolygons)
{
  const std::vector<Eigen::Vector3d> l = {
      {5, -4, 2}, {5, -1, 2}, {-1, -1, 2}, {-1, 4, 2}, {-5, 4, 2}, {-5, -4, 2}};
  for (std::size_t first = 0; first < l.size(); ++first) {
    std::vector<Eigen::Vector3d> turned = l;
    std::rotate(turned.begin(), turned.begin() + first, turned.end());
    expectCovered(turned);
    std::reverse(turned.begin(), turned.end());
    expectCovered(turned);
  }
  // Tilted, and off its plane.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> radius(0.2, 1.0);
  for (int corners = 4; corners < 60; ++corners) {
    const Eigen::Quaterniond tilt = Eigen::Quaterniond::FromTwoVectors(
        Eigen::Vector3d::UnitZ(),
        Eigen::Vector3d(radius(random) - 0.6, radius(random) - 0.6, 0.3));
    std::vector<Eigen::Vector3d> star, bent;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * M_PI * i / corners, r = radius(random);
      const Eigen::Vector3d corner(r * std::cos(angle), r * std::sin(angle), 0.0);
      star.push_back(tilt * corner + Eigen::Vector3d(3.0, -2.0, 5.0));
      bent.push_back(tilt * (corner + Eigen::Vector3d(0.0, 0.0, 0.05 * (i % 2))));
    }
    expectCovered(star);
    expectCovered(bent);
  }
}

TEST_P(MeshConversion, CoversDegeneratePolygons)
{
  // A frame whose border goes to its hole and back.
  expectCovered({{0, 0, 0},
                 {4, 0, 0},
                 {4, 4, 0},
                 {0, 4, 0},
                 {0, 0, 0},
                 {1, 1, 0},
                 {1, 3, 0},
                 {3, 3, 0},
                 {3, 1, 0},
                 {1, 1, 0}});
  // A spike, corners on straight edges, and corners twice.
  expectCovered({{0, 0, 0},
                 {2, 0, 0},
                 {2, 1, 0},
                 {5, 1, 0},
                 {2, 1, 0},
                 {2, 2, 0},
                 {0, 2, 0},
                 {1, 1, 0}});
  expectCovered({{0, 0, 0},
                 {1, 0, 0},
                 {2, 0, 0},
                 {2, 1, 0},
                 {1, 1, 0},
                 {1, 2, 0},
                 {1, 3, 0},
                 {0, 3, 0},
                 {0, 2, 0},
                 {0, 1, 0}});
  expectCovered({{0, 0, 0},
                 {0, 0, 0},
                 {2, 0, 0},
                 {2, 0, 0},
                 {2, 2, 0},
                 {1, 1, 0},
                 {1, 1, 0},
                 {0, 2, 0}});
  // A spiral, long and narrow.
  std::vector<Eigen::Vector3d> spiral;
  constexpr int turns = 5000;
  for (int i = 0; i < 2 * turns; ++i) {
    const int along = i < turns ? i : 2 * turns - 1 - i;
    const double angle = 0.2 * along, r = 1.0 + 0.1 * along + (i < turns ? 0.0 : 0.5);
    spiral.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0);
  }
  expectCovered(spiral);
}

TEST_P(MeshConversion, CutsPolygonsWithoutAreaOrWithCrossings)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::mt19937 random(11);
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  pcl::PointCloud<pcl::PointXYZ> points;
  for (int i = 0; i < 500; ++i)
    points.emplace_back(number(random), number(random), 0.0f);
  for (int i = 0; i < 4; ++i)
    points.emplace_back(static_cast<float>(i), 0.0f, 0.0f);
  points.emplace_back(nan, 0.0f, 0.0f);
  pcl::Indices wild(500);
  std::iota(wild.begin(), wild.end(), 0);
  TriangleMeshOrigin origin;
  toTriangleMesh(
      polygonMesh(points, {wild, {500, 501, 502, 503}, {0, 1, 504, 2}, {5, 5, 5, 5}}),
      &origin);
  for (const auto& [polygon, triangles] : {std::pair{0, 498}, {1, 2}, {2, 2}, {3, 2}})
    EXPECT_EQ(std::count(origin.polygons.begin(), origin.polygons.end(), polygon),
              triangles);
}

TEST_P(MeshConversion, KeepsNormalsAndColors)
{
  pcl::PointCloud<pcl::PointXYZRGBNormal> points(3, 1);
  for (int i = 0; i < 3; ++i) {
    points[i].x = static_cast<float>(i);
    points[i].normal_y = 0.5f * static_cast<float>(i);
    points[i].r = static_cast<std::uint8_t>(10 + i);
    points[i].b = static_cast<std::uint8_t>(20 + i);
    points[i].a = 0;
  }
  const TriangleMesh triangles = toTriangleMesh(polygonMesh(points, {{0, 1, 2}}));
  const auto normals = downloaded(triangles.normals);
  const auto colors = downloaded(triangles.colors);
  ASSERT_EQ(normals.size(), 3u);
  ASSERT_EQ(colors.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(normals[i].y, 0.5f * static_cast<float>(i));
    EXPECT_EQ(colors[i].r, 10 + i);
    EXPECT_EQ(colors[i].b, 20 + i);
    EXPECT_EQ(colors[i].a, 255);
  }
}

TEST_P(MeshConversion, KeepsTheAlphaOfRgba)
{
  pcl::PointCloud<pcl::PointXYZRGBA> points(3, 1);
  points[1].a = 77;
  const TriangleMesh triangles = toTriangleMesh(polygonMesh(points, {{0, 1, 2}}));
  EXPECT_EQ(downloaded(triangles.colors)[1].a, 77);
}

TEST_P(MeshConversion, ReadsDoublePrecision)
{
  pcl::PolygonMesh mesh;
  const double numbers[9] = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5};
  for (int i = 0; i < 3; ++i) {
    mesh.cloud.fields.emplace_back();
    mesh.cloud.fields[i].name = std::string(1, static_cast<char>('x' + i));
    mesh.cloud.fields[i].offset = 8 * i;
    mesh.cloud.fields[i].datatype = pcl::PCLPointField::FLOAT64;
    mesh.cloud.fields[i].count = 1;
  }
  mesh.cloud.width = 3;
  mesh.cloud.height = 1;
  mesh.cloud.point_step = 24;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers);
  mesh.cloud.data.assign(bytes, bytes + sizeof numbers);
  const auto vertices = downloaded(toTriangleMesh(mesh).vertices);
  ASSERT_EQ(vertices.size(), 3u);
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(vertices[i / 3].data[i % 3], 0.5f + static_cast<float>(i));
}

TEST_P(MeshConversion, OfNothingIsEmpty)
{
  const pcl::PolygonMesh mesh = polygonMesh(pcl::PointCloud<pcl::PointXYZ>(), {});
  const TriangleMesh triangles = toTriangleMesh(mesh);
  EXPECT_TRUE(triangles.vertices.empty());
  EXPECT_TRUE(triangles.triangles.empty());
}

TEST_P(MeshConversion, RefusesBadMeshesAndSaysWhatIsWrong)
{
  pcl::PolygonMesh mesh = cube(1.0f);
  mesh.cloud.fields[2].name = "height";
  expectBadArgument("field z is missing", [&] { toTriangleMesh(mesh); });

  mesh = cube(1.0f);
  mesh.cloud.fields[1].datatype = pcl::PCLPointField::INT16;
  expectBadArgument("data type of field y", [&] { toTriangleMesh(mesh); });

  mesh = cube(1.0f);
  mesh.cloud.fields[0].offset = mesh.cloud.point_step;
  expectBadArgument("offset of field x", [&] { toTriangleMesh(mesh); });

  mesh = cube(1.0f);
  mesh.cloud.data.resize(mesh.cloud.data.size() - 1);
  expectBadArgument("size of the cloud's data", [&] { toTriangleMesh(mesh); });

  mesh = cube(1.0f);
  mesh.polygons[3].vertices[2] = 8;
  expectBadArgument("index in polygon 3 is 8", [&] { toTriangleMesh(mesh); });
  mesh.polygons[3].vertices[2] = -1;
  expectBadArgument("index in polygon 3 is -1", [&] { toTriangleMesh(mesh); });

  mesh = cube(1.0f);
  mesh.polygons[4].vertices.resize(2);
  expectBadArgument("vertices of polygon 4 is 2", [&] { toTriangleMesh(mesh); });
}

TEST_P(MeshConversion, GivesSharedCornersOneVertexAndOthersCopies)
{
  pcl::TextureMesh mesh = texturedSquare();
  mesh.tex_coordinates.resize(1);
  // Corner by corner: point 0 has the same coordinates twice, point 3 has two.
  for (const auto& [u, v] : {std::pair<float, float>{0.0f, 0.0f},
                             {0.0f, 1.0f},
                             {1.0f, 1.0f},
                             {0.0f, 0.0f},
                             {0.5f, 0.5f},
                             {1.0f, 0.0f}})
    mesh.tex_coordinates[0].emplace_back(u, v);
  TriangleMeshOrigin origin;
  const TriangleMesh triangles = toTriangleMesh(mesh, &origin);
  EXPECT_EQ(downloaded(triangles.triangles), (std::vector<int>{0, 1, 3, 0, 4, 2}));
  EXPECT_EQ(origin.points, (std::vector<int>{0, 1, 2, 3, 3}));
  const auto vertices = downloaded(triangles.vertices);
  ASSERT_EQ(vertices.size(), 5u);
  EXPECT_EQ(vertices[4].getVector3fMap(), vertices[3].getVector3fMap());
  const auto coordinates = downloaded(triangles.texture_coordinates);
  ASSERT_EQ(coordinates.size(), 5u);
  EXPECT_EQ(coordinates[3].u, 1.0f);
  EXPECT_EQ(coordinates[3].v, 1.0f);
  EXPECT_EQ(coordinates[4].u, 0.5f);
  EXPECT_EQ(coordinates[2].u, 1.0f);
  EXPECT_EQ(coordinates[2].v, 0.0f);
}

TEST_P(MeshConversion, CountsSubMeshesAndLeavesTheirGapsWithoutCoordinates)
{
  pcl::TextureMesh mesh = texturedSquare();
  mesh.tex_polygons.push_back({mesh.tex_polygons[0][1]});
  mesh.tex_polygons[0].pop_back();
  mesh.tex_coordinates.resize(1);
  mesh.tex_coordinates[0].assign(3, Eigen::Vector2f(0.25f, 0.75f));
  TriangleMeshOrigin origin;
  const TriangleMesh triangles = toTriangleMesh(mesh, &origin);
  EXPECT_EQ(origin.sub_meshes, (std::vector<int>{0, 1}));
  EXPECT_EQ(origin.polygons, (std::vector<int>{0, 0}));
  const auto indices = downloaded(triangles.triangles);
  const auto coordinates = downloaded(triangles.texture_coordinates);
  for (int corner = 0; corner < 3; ++corner) {
    EXPECT_EQ(coordinates[indices[corner]].v, 0.75f);
    EXPECT_TRUE(std::isnan(coordinates[indices[3 + corner]].v));
  }
}

TEST_P(MeshConversion, WithoutTextureCoordinatesHasNone)
{
  const TriangleMesh triangles = toTriangleMesh(texturedSquare());
  EXPECT_EQ(triangles.vertices.size(), 4u);
  EXPECT_EQ(triangles.triangles.size(), 6u);
  EXPECT_TRUE(triangles.texture_coordinates.empty());
}

TEST_P(MeshConversion, UnderstandsWhatPclReadsFromObjFiles)
{
  // Coordinates between groups: their numbers count through the file.
  const std::string name = testing::TempDir() + "/conversion_" + GetParam() + ".obj";
  std::ofstream(name) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
                         "vt 0 0\nvt 1 0\nvt 1 1\nusemtl a\nf 1/1 2/2 3/3\n"
                         "f 1/1 3/3 4/3\nvt 0 1\nvt 0.5 0.25\nusemtl b\nf 1/5 2/2 5/4\n"
                         "f 3 4 5\n";
  pcl::TextureMesh mesh;
  ASSERT_EQ(pcl::io::loadOBJFile(name, mesh), 0);
  std::remove(name.c_str());
  TriangleMeshOrigin origin;
  const TriangleMesh triangles = toTriangleMesh(mesh, &origin);
  EXPECT_EQ(origin.sub_meshes, (std::vector<int>{0, 0, 1, 1}));
  const auto indices = downloaded(triangles.triangles);
  const auto coordinates = downloaded(triangles.texture_coordinates);
  ASSERT_EQ(indices.size(), 12u);
  const float expected[9][2] = {
      {0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {1, 1}, {0.5f, 0.25f}, {1, 0}, {0, 1}};
  for (int corner = 0; corner < 9; ++corner) {
    EXPECT_EQ(coordinates[indices[corner]].u, expected[corner][0]) << corner;
    EXPECT_EQ(coordinates[indices[corner]].v, expected[corner][1]) << corner;
  }
  for (int corner = 9; corner < 12; ++corner)
    EXPECT_TRUE(std::isnan(coordinates[indices[corner]].u));
}

TEST_P(MeshConversion, RefusesBadTexturesAndSaysWhatIsWrong)
{
  pcl::TextureMesh mesh = texturedSquare();
  mesh.tex_polygons[0][1].vertices[1] = 4;
  expectBadArgument("index in sub-mesh 0, polygon 1 is 4",
                    [&] { toTriangleMesh(mesh); });

  mesh = texturedSquare();
  mesh.tex_coordinates.resize(1);
  mesh.tex_coordinates[0].resize(5);
  expectBadArgument("tex_coordinates of sub-mesh 0 is 5",
                    [&] { toTriangleMesh(mesh); });

  mesh.tex_coord_indices = mesh.tex_polygons;
  EXPECT_NO_THROW(toTriangleMesh(mesh));
  mesh.tex_coord_indices[0][1].vertices[2] = 5;
  expectBadArgument("texture coordinate's index in sub-mesh 0, polygon 1 is 5",
                    [&] { toTriangleMesh(mesh); });
  mesh.tex_coord_indices[0][1].vertices.resize(2);
  expectBadArgument("texture coordinates of sub-mesh 0, polygon 1 is 2",
                    [&] { toTriangleMesh(mesh); });
  mesh.tex_coord_indices[0].resize(1);
  expectBadArgument("tex_coord_indices of sub-mesh 0 is 1",
                    [&] { toTriangleMesh(mesh); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MeshConversion);

} // namespace
