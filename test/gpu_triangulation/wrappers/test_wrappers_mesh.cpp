// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_triangulation/references/scenes.h"
#include "wrappers.h"

#include <pcl/conversions.h>

#include <algorithm>
#include <limits>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

using Polygons = std::vector<pcl::Vertices>;

/** \brief A polygon whose first vertex is its least, so that equal cycles are equal. */
pcl::Indices
canonical(pcl::Indices polygon)
{
  std::rotate(
      polygon.begin(), std::min_element(polygon.begin(), polygon.end()), polygon.end());
  return polygon;
}

std::vector<pcl::Indices>
canonical(const Polygons& polygons)
{
  std::vector<pcl::Indices> result;
  for (const auto& polygon : polygons)
    result.push_back(canonical(polygon.vertices));
  return result;
}

/** \brief A wall at 1 m, seen by a Kinect; columns from the given one on are at 2 m. */
Image<PointXYZ>
wall(int rows, int columns, int step_column = std::numeric_limits<int>::max())
{
  const PinholeCamera camera = cameraOfSize(rows, columns);
  Image<float> depth(rows, columns, 1.0f);
  for (int v = 0; v < rows; ++v)
    for (int u = step_column; u < columns; ++u)
      depth.at(v, u) = 2.0f;
  return cloudOf(depth, camera);
}

template <typename Mesher>
const std::vector<typename Mesher::TriangulationType>&
triangulationTypes()
{
  static const std::vector<typename Mesher::TriangulationType> types = {
      Mesher::TRIANGLE_RIGHT_CUT,
      Mesher::TRIANGLE_LEFT_CUT,
      Mesher::TRIANGLE_ADAPTIVE_CUT,
      Mesher::QUAD_MESH};
  return types;
}

template <typename Mesher>
std::vector<pcl::Indices>
polygonsOf(Mesher& mesher)
{
  Polygons polygons;
  mesher.reconstruct(polygons);
  return canonical(polygons);
}

template <typename Implementation>
class MeshDropIn : public DropInTest<Implementation> {};

TYPED_TEST_SUITE(MeshDropIn, Implementations, ImplementationName);

TYPED_TEST(MeshDropIn, MakesQuadsByDefault)
{
  typename TypeParam::template Mesh<PointXYZ> mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(5, 7)));
  Polygons polygons;
  mesher.reconstruct(polygons);
  ASSERT_EQ(polygons.size(), 4u * 6u);
  for (std::size_t i = 0; i < polygons.size(); ++i) {
    ASSERT_EQ(polygons[i].vertices.size(), 4u);
    const int own = static_cast<int>(i / 6 * 7 + i % 6);
    EXPECT_EQ(polygons[i].vertices[0], own);
    EXPECT_EQ(polygons[i].vertices[2], own + 8);
  }
}

TYPED_TEST(MeshDropIn, CutsEveryQuadInTwo)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(5, 7)));
  mesher.setTriangulationType(Mesher::TRIANGLE_LEFT_CUT);
  auto polygons = polygonsOf(mesher);
  ASSERT_EQ(polygons.size(), 2u * 4u * 6u);
  EXPECT_EQ(polygons[0], (pcl::Indices{0, 7, 1}));
  EXPECT_EQ(polygons[1], (pcl::Indices{1, 7, 8}));
  mesher.setTriangulationType(Mesher::TRIANGLE_RIGHT_CUT);
  polygons = polygonsOf(mesher);
  ASSERT_EQ(polygons.size(), 2u * 4u * 6u);
  EXPECT_EQ(polygons[0], (pcl::Indices{0, 8, 1}));
  EXPECT_EQ(polygons[1], (pcl::Indices{0, 7, 8}));
}

TYPED_TEST(MeshDropIn, AdaptiveCutMakesTheMostOfThreePoints)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  for (int missing = 0; missing < 4; ++missing) {
    SCOPED_TRACE(missing);
    auto image = wall(2, 2);
    image.data[missing] = missingPoint();
    Mesher mesher;
    mesher.setInputCloud(cloudOfType<PointXYZ>(image));
    mesher.setTriangulationType(Mesher::TRIANGLE_ADAPTIVE_CUT);
    const auto polygons = polygonsOf(mesher);
    ASSERT_EQ(polygons.size(), 1u);
    EXPECT_EQ(std::count(polygons[0].begin(), polygons[0].end(), missing), 0);
  }
}

TYPED_TEST(MeshDropIn, LeavesOutMissingPoints)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  auto image = wall(9, 9);
  const int hole = 4 * 9 + 4;
  image.data[hole] = missingPoint();
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(image));
  const std::size_t lost[] = {6, 6, 4, 4};
  for (const auto type : triangulationTypes<Mesher>()) {
    SCOPED_TRACE(type);
    mesher.setTriangulationType(type);
    const auto polygons = polygonsOf(mesher);
    EXPECT_EQ(polygons.size(),
              (type == Mesher::QUAD_MESH ? 1u : 2u) * 8u * 8u - lost[type]);
    for (const auto& polygon : polygons)
      EXPECT_EQ(std::count(polygon.begin(), polygon.end(), hole), 0);
  }
}

TYPED_TEST(MeshDropIn, CutsShadowedEdges)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(60, 80, 40)));
  for (const auto type : triangulationTypes<Mesher>()) {
    SCOPED_TRACE(type);
    const std::size_t quad = type == Mesher::QUAD_MESH ? 1 : 2;
    mesher.setTriangulationType(type);
    mesher.storeShadowedFaces(false);
    mesher.setAngleTolerance(pcl::deg2rad(12.5f));
    EXPECT_EQ(polygonsOf(mesher).size(), quad * 59 * 78);
    mesher.setAngleTolerance(-1.0f);
    EXPECT_EQ(polygonsOf(mesher).size(), quad * 59 * 79);
    mesher.setAngleTolerance(pcl::deg2rad(12.5f));
    mesher.storeShadowedFaces(true);
    EXPECT_EQ(polygonsOf(mesher).size(), quad * 59 * 79);
  }
}

TYPED_TEST(MeshDropIn, LimitsTheLengthOfEdges)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(60, 80, 40)));
  mesher.setAngleTolerance(-1.0f);
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 79u);
  mesher.setMaxEdgeLength(0.5f);
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 78u);
  mesher.setMaxEdgeLength(1.5f);
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 79u);
  mesher.setMaxEdgeLength(0.5f);
  mesher.unsetMaxEdgeLength();
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 79u);
  mesher.setMaxEdgeLength(0.5f);
  mesher.setMaxEdgeLength(0.0f);
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 79u);
  mesher.setMaxEdgeLength(std::numeric_limits<float>::infinity());
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 79u);
}

TYPED_TEST(MeshDropIn, MeasuresTheAngleFromTheViewpoint)
{
  // Seen from the left, a wall's columns lie along the line of sight.
  typename TypeParam::template Mesh<PointXYZ> mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(20, 30)));
  EXPECT_EQ(mesher.getViewpoint(), Eigen::Vector3f::Zero());
  EXPECT_EQ(polygonsOf(mesher).size(), 19u * 29u);
  const Eigen::Vector3f viewpoint(-100.0f, 0.0f, 1.0f);
  mesher.setViewpoint(viewpoint);
  EXPECT_EQ(mesher.getViewpoint(), viewpoint);
  EXPECT_EQ(polygonsOf(mesher).size(), 0u);
}

TYPED_TEST(MeshDropIn, CountsPixelSizesAsPclDoes)
{
  typename TypeParam::template Mesh<PointXYZ> mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(20, 31)));
  for (const int size : {-1, 0, 1, 2}) {
    mesher.setTrianglePixelSize(size);
    EXPECT_EQ(polygonsOf(mesher).size(), 19u * 30u) << size;
  }
  mesher.setTrianglePixelSize(4);
  auto polygons = polygonsOf(mesher);
  EXPECT_EQ(polygons.size(), 6u * 10u);
  EXPECT_EQ(polygons.back()[2], 18 * 31 + 30);
  mesher.setTrianglePixelSizeRows(11);
  EXPECT_EQ(polygonsOf(mesher).size(), 1u * 10u);
  mesher.setTrianglePixelSizeColumns(6);
  EXPECT_EQ(polygonsOf(mesher).size(), 1u * 6u);
  mesher.setTrianglePixelSizeRows(100);
  EXPECT_EQ(polygonsOf(mesher).size(), 0u);
}

TYPED_TEST(MeshDropIn, FillsAPolygonMesh)
{
  auto image = wall(6, 8);
  image.at(3, 4) = missingPoint();
  const auto cloud = cloudOfType<pcl::PointXYZRGB>(image);
  cloud->header.frame_id = "camera";
  cloud->header.stamp = 42;
  for (std::size_t i = 0; i < cloud->size(); ++i)
    (*cloud)[i].r = static_cast<std::uint8_t>(i);
  typename TypeParam::template Mesh<pcl::PointXYZRGB> mesher;
  mesher.setInputCloud(cloud);
  pcl::PolygonMesh mesh;
  mesh.polygons.resize(1000);
  mesher.reconstruct(mesh);
  EXPECT_EQ(mesh.header.frame_id, "camera");
  EXPECT_EQ(mesh.header.stamp, 42u);
  EXPECT_EQ(mesh.polygons.size(), 5u * 7u - 4u);
  pcl::PointCloud<pcl::PointXYZRGB> points;
  pcl::fromPCLPointCloud2(mesh.cloud, points);
  ASSERT_EQ(points.width, cloud->width);
  ASSERT_EQ(points.height, cloud->height);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool missing = i == 3 * 8 + 4;
    const Eigen::Vector3f expected =
        missing ? Eigen::Vector3f::Zero().eval() : (*cloud)[i].getVector3fMap();
    EXPECT_EQ(points[i].getVector3fMap(), expected) << i;
    EXPECT_EQ(points[i].r, static_cast<std::uint8_t>(i));
  }
}

TYPED_TEST(MeshDropIn, IgnoresIndices)
{
  typename TypeParam::template Mesh<PointXYZ> mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(wall(6, 8)));
  mesher.setIndices(pcl::IndicesPtr(new pcl::Indices{1, 2, 3}));
  EXPECT_EQ(polygonsOf(mesher).size(), 5u * 7u);
}

TYPED_TEST(MeshDropIn, WorksThroughTheBaseClass)
{
  using Mesher = typename TypeParam::template Mesh<PointXYZ>;
  typename pcl::MeshConstruction<PointXYZ>::Ptr mesher(new Mesher);
  mesher->setInputCloud(cloudOfType<PointXYZ>(wall(6, 8)));
  EXPECT_EQ(polygonsOf(*mesher).size(), 5u * 7u);
}

TYPED_TEST(MeshDropIn, ForgetsTheFormerCloud)
{
  typename TypeParam::template Mesh<PointXYZ> mesher;
  Polygons polygons;
  for (const int rows : {30, 4, 17, 4}) {
    mesher.setInputCloud(cloudOfType<PointXYZ>(wall(rows, 2 * rows)));
    mesher.reconstruct(polygons);
    EXPECT_EQ(polygons.size(), std::size_t(rows - 1) * (2 * rows - 1));
  }
}

template <typename PointT, typename Implementation>
void
expectPolygonsOf()
{
  typename Implementation::template Mesh<PointT> mesher;
  mesher.setInputCloud(cloudOfType<PointT>(wall(60, 80, 40)));
  EXPECT_EQ(polygonsOf(mesher).size(), 59u * 78u);
}

TYPED_TEST(MeshDropIn, TakesAllPointTypes)
{
  expectPolygonsOf<PointXYZ, TypeParam>();
  expectPolygonsOf<pcl::PointXYZRGB, TypeParam>();
  expectPolygonsOf<pcl::PointXYZRGBA, TypeParam>();
  if constexpr (TypeParam::is_ours) { // PCL's own is precompiled for those three alone.
    expectPolygonsOf<pcl::PointXYZI, TypeParam>();
    expectPolygonsOf<pcl::PointNormal, TypeParam>();
  }
}

} // namespace
