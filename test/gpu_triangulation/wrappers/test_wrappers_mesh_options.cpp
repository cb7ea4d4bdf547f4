// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gpu_triangulation/references/scenes.h"
#include "wrappers.h"

#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

using Mesher = pcl::gpu::OrganizedFastMesh<PointXYZ>;
using Polygons = std::vector<pcl::Vertices>;
using Normals = pcl::PointCloud<pcl::Normal>;

/** \brief Options that our class adds to PCL's, and options that it rejects. */
class MeshOptions : public DeviceTest {
protected:
  static std::vector<int>
  indicesOf(Mesher& mesher)
  {
    Polygons polygons;
    mesher.reconstruct(polygons);
    std::vector<int> indices;
    for (const auto& polygon : polygons)
      indices.insert(indices.end(), polygon.vertices.begin(), polygon.vertices.end());
    return indices;
  }

  /** \brief Triangles in no order, each from its least vertex on. */
  template <typename AnyMesher>
  static std::set<pcl::Indices>
  trianglesOf(AnyMesher& mesher)
  {
    Polygons polygons;
    mesher.reconstruct(polygons);
    std::set<pcl::Indices> triangles;
    for (auto& polygon : polygons) {
      auto& vertices = polygon.vertices;
      std::rotate(vertices.begin(),
                  std::min_element(vertices.begin(), vertices.end()),
                  vertices.end());
      triangles.insert(vertices);
    }
    return triangles;
  }

  /** \brief Number of quads. */
  static std::size_t
  quadsOf(Mesher& mesher)
  {
    return indicesOf(mesher).size() / 4;
  }

  static Image<PointXYZ>
  flatCloud(int rows, int columns)
  {
    const PinholeCamera camera = cameraOfSize(rows, columns);
    return cloudOf(planeDepth(camera, Eigen::Vector3d(0.0, 0.0, -1.0), 1.0), camera);
  }

  static Image<PointXYZ>
  roughCloud(int rows, int columns)
  {
    return cloudOf(roughDepth(rows, columns, 0.1, 5), cameraOfSize(rows, columns));
  }

  /** \brief Normals that turn by an angle at a column. */
  static Normals::Ptr
  foldedNormals(int rows, int columns, int fold, float angle)
  {
    Normals::Ptr normals(new Normals(columns, rows));
    for (int v = 0; v < rows; ++v)
      for (int u = 0; u < columns; ++u) {
        const float turn = u < fold ? 0.0f : angle;
        normals->at(u, v) = pcl::Normal(std::sin(turn), 0.0f, -std::cos(turn));
      }
    return normals;
  }

  static Normals::Ptr
  estimatedNormals(const pcl::PointCloud<PointXYZ>::ConstPtr& cloud)
  {
    OrganizedNormalEstimation<PointXYZ> estimation;
    estimation.setInputCloud(cloud);
    Normals::Ptr normals(new Normals);
    estimation.compute(*normals);
    return normals;
  }

  /** \brief The device classes on their own. */
  static std::vector<int>
  dynamicMesh(const Image<PointXYZ>& image, const Image<PointXYZ>& normal_image)
  {
    const OrganizedCloud cloud = uploaded(image);
    const NormalMap normals = uploaded(normal_image);
    DeviceArray<ResolutionStatistics> statistics;
    CloudResolution().compute(cloud, normals, statistics);
    OrganizedMesh mesh;
    OrganizedTriangulation triangulation;
    triangulation.compute(cloud, normals, statistics, mesh);
    std::vector<int> indices = downloaded(mesh.indices);
    indices.resize(3 * downloaded(mesh.polygon_count).front());
    return indices;
  }

  template <typename Exception, typename Call>
  static void
  expectThrow(const Call& call, const std::string& part_of_message)
  {
    try {
      call();
      FAIL() << "nothing was thrown";
    }
    catch (const Exception& exception) {
      EXPECT_NE(std::string(exception.what()).find(part_of_message), std::string::npos)
          << exception.what();
    }
  }
};

TEST_P(MeshOptions, RejectsMissingAndUnorganizedClouds)
{
  Mesher mesher;
  Polygons polygons(3);
  pcl::PolygonMesh mesh;
  const auto both = [&] {
    mesher.reconstruct(polygons);
    mesher.reconstruct(mesh);
  };
  EXPECT_THROW(mesher.reconstruct(polygons), pcl::InitFailedException);
  EXPECT_THROW(mesher.reconstruct(mesh), pcl::InitFailedException);
  pcl::PointCloud<PointXYZ>::Ptr cloud(new pcl::PointCloud<PointXYZ>);
  mesher.setInputCloud(cloud);
  expectThrow<pcl::UnorganizedPointCloudException>(both, "organized");
  EXPECT_THROW(mesher.reconstruct(mesh), pcl::UnorganizedPointCloudException);
  cloud->resize(100);
  expectThrow<pcl::UnorganizedPointCloudException>(both, "100 x 1");
  cloud->width = 10;
  cloud->height = 11;
  expectThrow<pcl::UnorganizedPointCloudException>(both, "10 x 11 with 100 points");
  EXPECT_EQ(polygons.size(), 3u) << "the output was touched";
}

TEST_P(MeshOptions, RejectsWhatItCannotDo)
{
  Mesher mesher;
  using Bad = pcl::BadArgumentException;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expectThrow<Bad>([&] { mesher.setMaxEdgeLength(1.0f, nan); }, "edge length b");
  expectThrow<Bad>([&] { mesher.setMaxEdgeLength(1.0f, 0.0f, nan); }, "edge length c");
  expectThrow<Bad>([&] { mesher.setMaxEdgeLength(nan); }, "edge length a");
  expectThrow<Bad>([&] { mesher.setDistanceTolerance(nan); }, "distance tolerance");
  expectThrow<Bad>([&] { mesher.setAngleTolerance(nan); }, "angle tolerance");
  expectThrow<Bad>([&] { mesher.setMaxNormalAngle(0.0f); }, "normal angle");
  expectThrow<Bad>([&] { mesher.setViewpoint(Eigen::Vector3f(0.0f, nan, 0.0f)); },
                   "viewpoint");
  for (int bad : {-1, 4}) {
    const auto type = static_cast<Mesher::TriangulationType>(bad);
    expectThrow<Bad>([&] { mesher.setTriangulationType(type); }, "triangulation type");
  }
  mesher.setDistanceTolerance(-1.0f);
  mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(6, 8)));
  EXPECT_EQ(quadsOf(mesher), 5u * 7u);
}

TEST_P(MeshOptions, RejectsNormalsThatDoNotFit)
{
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(6, 8)));
  mesher.setMaxNormalAngle(0.5f);
  expectThrow<pcl::BadArgumentException>([&] { indicesOf(mesher); }, "setInputNormals");
  mesher.setInputNormals(foldedNormals(6, 7, 3, 1.0f));
  expectThrow<pcl::BadArgumentException>([&] { indicesOf(mesher); }, "42 normals");
  mesher.setMaxNormalAngle(4.0f);
  EXPECT_EQ(quadsOf(mesher), 5u * 7u) << "no test, no need of normals";
}

TEST_P(MeshOptions, LimitsTheAngleBetweenNormals)
{
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(20, 30)));
  const auto normals = foldedNormals(20, 30, 12, 0.4f);
  mesher.setInputNormals(normals);
  EXPECT_EQ(mesher.getInputNormals(), normals);
  EXPECT_EQ(quadsOf(mesher), 19u * 29u) << "by default normals are not tested";
  mesher.setMaxNormalAngle(0.39f);
  EXPECT_EQ(quadsOf(mesher), 19u * 28u);
  mesher.setMaxNormalAngle(0.41f);
  EXPECT_EQ(quadsOf(mesher), 19u * 29u);
  normals->at(20, 10) = pcl::Normal(NAN, NAN, NAN);
  EXPECT_EQ(quadsOf(mesher), 19u * 29u - 4u);
  mesher.storeShadowedFaces(true);
  EXPECT_EQ(quadsOf(mesher), 19u * 29u);
}

TEST_P(MeshOptions, TakesThresholdsFromTheFrame)
{
  const Image<PointXYZ> image = roughCloud(60, 80);
  const auto cloud = cloudOfType<PointXYZ>(image);
  Mesher mesher;
  mesher.setTriangulationType(Mesher::TRIANGLE_LEFT_CUT);
  mesher.setInputCloud(cloud);
  mesher.setMaxEdgeLength(1e-3f);
  mesher.useDynamicThresholds(true);
  const std::vector<int> by_distance = indicesOf(mesher);
  EXPECT_EQ(by_distance, dynamicMesh(image, {}));
  EXPECT_GT(by_distance.size(), 3000u);

  const auto normals = estimatedNormals(cloud);
  Image<PointXYZ> normal_image(60, 80);
  for (std::size_t i = 0; i < normals->size(); ++i)
    normal_image.data[i].getVector3fMap() = (*normals)[i].getNormalVector3fMap();
  mesher.setInputNormals(normals);
  const std::vector<int> by_both = indicesOf(mesher);
  EXPECT_EQ(by_both, dynamicMesh(image, normal_image));
  EXPECT_LT(by_both.size(), by_distance.size());

  mesher.useDynamicThresholds(false);
  EXPECT_TRUE(indicesOf(mesher).empty()) << "the fixed limit holds again";
}

TEST_P(MeshOptions, KeepsAFlatCloudByThresholdsOfTheFrameAtAnyPixelSize)
{
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(60, 80)));
  mesher.useDynamicThresholds(true);
  for (int size : {1, 3, 9, 20}) {
    mesher.setTrianglePixelSize(size);
    const std::size_t step = size > 1 ? size - 1 : 1;
    EXPECT_EQ(quadsOf(mesher), 59u / step * (79u / step)) << size;
  }
}

TEST_P(MeshOptions, TestsLengthAndAngleTogether)
{
  Image<PointXYZ> image = flatCloud(60, 80);
  for (int v = 0; v < 60; ++v)
    for (int u = 40; u < 80; ++u)
      image.at(v, u).getVector3fMap() *= 1.2f;
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(image));
  mesher.setMaxEdgeLength(1.0f);
  EXPECT_EQ(quadsOf(mesher), 59u * 78u);
  mesher.setAngleTolerance(-1.0f);
  EXPECT_EQ(quadsOf(mesher), 59u * 79u);
}

TEST_P(MeshOptions, TakesAnObtuseToleranceAsItsSupplement)
{
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(roughCloud(60, 80)));
  mesher.setAngleTolerance(0.3f);
  const std::vector<int> expected = indicesOf(mesher);
  mesher.setAngleTolerance(static_cast<float>(M_PI) - 0.3f);
  EXPECT_EQ(indicesOf(mesher), expected);
}

TEST_P(MeshOptions, KeepsEdgesOfNoLength)
{
  Mesher mesher;
  mesher.setInputCloud(cloudOfType<PointXYZ>(Image<PointXYZ>(3, 3, PointXYZ(0, 0, 1))));
  EXPECT_EQ(quadsOf(mesher), 4u);
}

TEST_P(MeshOptions, TakesTheSmallestClouds)
{
  Mesher mesher;
  for (const auto type : {Mesher::QUAD_MESH, Mesher::TRIANGLE_LEFT_CUT}) {
    mesher.setTriangulationType(type);
    mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(5, 1)));
    EXPECT_TRUE(indicesOf(mesher).empty());
    mesher.setInputCloud(cloudOfType<PointXYZ>(flatCloud(2, 2)));
    EXPECT_FALSE(indicesOf(mesher).empty());
    mesher.setInputCloud(
        cloudOfType<PointXYZ>(Image<PointXYZ>(20, 30, missingPoint())));
    EXPECT_TRUE(indicesOf(mesher).empty());
  }
}

TEST_P(MeshOptions, CopiesWorkApart)
{
  Mesher first;
  first.setTriangulationType(Mesher::TRIANGLE_LEFT_CUT);
  first.setInputCloud(cloudOfType<PointXYZ>(roughCloud(60, 80)));
  const std::vector<int> expected = indicesOf(first);
  Mesher second = first;
  const auto repeat = [&](Mesher& mesher) {
    const ScopedDevice scope(device());
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(indicesOf(mesher), expected);
  };
  std::thread other([&] { repeat(second); });
  repeat(first);
  other.join();
}

TEST_P(MeshOptions, KeepsItsMemory)
{
  const auto cloud = cloudOfType<pcl::PointXYZRGB>(roughCloud(120, 160));
  Mesher::NormalCloud::Ptr normals(foldedNormals(120, 160, 70, 0.1f));
  pcl::gpu::OrganizedFastMesh<pcl::PointXYZRGB> mesher;
  mesher.setInputCloud(cloud);
  mesher.setInputNormals(normals);
  mesher.useDynamicThresholds(true);
  Polygons polygons;
  expectNoGrowth([&] { mesher.reconstruct(polygons); });
}

TEST_P(MeshOptions, CutsAdaptivelyAsPclOnARegularGrid)
{
  // If x and y are evenly spaced, the shorter diagonal is the one flatter in z.
  std::mt19937 random(7);
  std::uniform_real_distribution<float> height(1.0f, 1.5f);
  Image<PointXYZ> image(40, 50);
  for (int v = 0; v < image.rows; ++v)
    for (int u = 0; u < image.columns; ++u)
      image.at(v, u) = random() % 20 == 0
                           ? missingPoint()
                           : PointXYZ(0.125f * u, 0.125f * v, height(random));
  const auto cloud = cloudOfType<PointXYZ>(image);
  pcl::OrganizedFastMesh<PointXYZ> pcl_mesher;
  pcl_mesher.setTriangulationType(pcl_mesher.TRIANGLE_ADAPTIVE_CUT);
  pcl_mesher.storeShadowedFaces(true);
  pcl_mesher.setInputCloud(cloud);
  Mesher mesher;
  mesher.setTriangulationType(Mesher::TRIANGLE_ADAPTIVE_CUT);
  mesher.storeShadowedFaces(true);
  mesher.setInputCloud(cloud);
  EXPECT_EQ(trianglesOf(mesher), trianglesOf(pcl_mesher));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MeshOptions);

} // namespace
