// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>

#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

const Cut cuts[] = {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad};

class Triangulation : public DeviceTest {
protected:
  /** \brief A triangulation with the reference's parameters, all thresholds fixed. */
  static OrganizedTriangulation
  triangulationOf(const ReferenceMesh& parameters)
  {
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) {
      p.cut = parameters.cut;
      p.row_step = parameters.row_step;
      p.column_step = parameters.column_step;
      p.angle_tolerance = static_cast<float>(parameters.angle_tolerance);
      p.dynamic_edge_length = false;
      p.max_edge_length = static_cast<float>(parameters.max_edge_length);
      p.dynamic_normal_angle = false;
      p.max_normal_angle = static_cast<float>(parameters.max_normal_angle);
      p.viewpoint = parameters.viewpoint.cast<float>();
    });
    return triangulation;
  }

  static OrganizedMesh
  meshOf(OrganizedTriangulation& triangulation,
         const Image<PointXYZ>& cloud,
         const Image<PointXYZ>& normals)
  {
    const OrganizedCloud device_cloud = uploaded(cloud);
    const NormalMap device_normals = uploaded(normals);
    DeviceArray<ResolutionStatistics> statistics;
    CloudResolution resolution;
    change(resolution, [&](auto& p) { triangulation.getParameters().applyTo(p); });
    resolution.compute(device_cloud, device_normals, statistics);
    OrganizedMesh mesh = poisonedMesh(cloud.rows, cloud.columns);
    triangulation.compute(device_cloud, device_normals, statistics, mesh);
    return mesh;
  }

  static std::vector<Polygon>
  polygons(const ReferenceMesh& parameters,
           const Image<PointXYZ>& cloud,
           const Image<PointXYZ>& normals = {})
  {
    OrganizedTriangulation triangulation = triangulationOf(parameters);
    return polygonsOf(meshOf(triangulation, cloud, normals));
  }

  /** \brief Compares with the reference; with fixed thresholds. */
  static void
  expectReference(const ReferenceMesh& parameters,
                  const Image<PointXYZ>& cloud,
                  const Image<PointXYZ>& normals = {})
  {
    OrganizedTriangulation triangulation = triangulationOf(parameters);
    const OrganizedMesh mesh = meshOf(triangulation, cloud, normals);
    const auto expected = referenceMesh(cloud, normals, parameters);
    EXPECT_LE(expectMesh(expected, mesh, parameters, cloud.rows, cloud.columns), 0.01);
  }

  /** \brief A cloud that has every kind of edge, and normals that differ by up to half
   * a radian. */
  static void
  makeScene(int rows,
            int columns,
            unsigned seed,
            Image<PointXYZ>& cloud,
            Image<PointXYZ>& normals)
  {
    cloud = cloudOf(roughDepth(rows, columns, 0.1, seed), cameraOfSize(rows, columns));
    normals = randomNormals(rows, columns, 0.02, seed);
    for (auto& n : normals.data)
      n.getVector3fMap() =
          (Eigen::Vector3f(0.0f, 0.0f, -4.0f) + n.getVector3fMap()).normalized();
  }

  static ReferenceMesh
  sceneParameters()
  {
    ReferenceMesh parameters;
    parameters.angle_tolerance = 0.2f;
    parameters.max_edge_length = 0.06f;
    parameters.max_normal_angle = 0.4f;
    return parameters;
  }

  /** \brief Four pixels; row-major. */
  static Image<PointXYZ>
  quad(const PointXYZ& own,
       const PointXYZ& right,
       const PointXYZ& down,
       const PointXYZ& down_right)
  {
    Image<PointXYZ> image(2, 2);
    image.data = {own, right, down, down_right};
    return image;
  }

  static Image<PointXYZ>
  square(float side)
  {
    return quad(
        {0.0f, 0.0f, 2.0f}, {side, 0.0f, 2.0f}, {0.0f, side, 2.0f}, {side, side, 2.0f});
  }

  static constexpr double
  degreesInRadian()
  {
    return 180.0 / M_PI;
  }

  /** \brief Parameters that keep every edge. */
  static ReferenceMesh
  lenient()
  {
    ReferenceMesh parameters;
    parameters.angle_tolerance = 0.0;
    return parameters;
  }
};

TEST_P(Triangulation, EqualsTheReferenceForAllCutsAndPixelSizes)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(61, 83, 1, cloud, normals);
  ReferenceMesh parameters = sceneParameters();
  for (Cut cut : cuts)
    for (int rows = 1; rows <= 3; ++rows)
      for (int columns = 1; columns <= 3; ++columns) {
        SCOPED_TRACE("cut " + std::to_string(static_cast<int>(cut)) + ", " +
                     std::to_string(rows) + " x " + std::to_string(columns));
        parameters.cut = cut;
        parameters.row_step = rows;
        parameters.column_step = columns;
        expectReference(parameters, cloud, normals);
      }
}

TEST_P(Triangulation, EqualsTheReferenceForLargePixelSizes)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(150, 300, 1, cloud, normals);
  ReferenceMesh parameters = sceneParameters();
  parameters.max_edge_length = 1.0f;
  for (int step : {16, 17, 33, 49, 70, 140}) {
    SCOPED_TRACE(step);
    parameters.row_step = step;
    parameters.column_step = step;
    expectReference(parameters, cloud, normals);
    parameters.row_step = 1;
    expectReference(parameters, cloud, normals);
  }
}

TEST_P(Triangulation, EqualsTheReferenceAroundTheWidthsOfTiles)
{
  const int sizes[] = {1, 2, 16, 17, 33, 64, 127, 129};
  ReferenceMesh parameters = sceneParameters();
  int i = 0;
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      Image<PointXYZ> cloud;
      Image<PointXYZ> normals;
      makeScene(rows, columns, 2, cloud, normals);
      parameters.cut = cuts[i++ % 4];
      OrganizedTriangulation triangulation = triangulationOf(parameters);
      const OrganizedMesh mesh = meshOf(triangulation, cloud, normals);
      expectMesh(
          referenceMesh(cloud, normals, parameters), mesh, parameters, rows, columns);
    }
}

TEST_P(Triangulation, EqualsTheReferenceOnRandomPoints)
{
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (Cut cut : cuts) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937 random(seed);
      std::normal_distribution<float> gauss;
      Image<PointXYZ> cloud(50, 60);
      for (auto& p : cloud.data)
        p = {gauss(random), gauss(random), 3.0f + gauss(random)};
      ReferenceMesh parameters;
      parameters.cut = cut;
      parameters.angle_tolerance = 0.3f;
      parameters.max_edge_length = 2.5f;
      parameters.max_normal_angle = 1.9f;
      expectReference(parameters, cloud, randomNormals(50, 60, 0.05, seed));
    }
}

TEST_P(Triangulation, EqualsTheReferenceWithoutNormals)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(61, 83, 3, cloud, normals);
  ReferenceMesh parameters = sceneParameters();
  for (Cut cut : cuts) {
    parameters.cut = cut;
    expectReference(parameters, cloud);
  }
}

TEST_P(Triangulation, EqualsTheReferenceFromAnotherViewpoint)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(61, 83, 4, cloud, normals);
  ReferenceMesh parameters = sceneParameters();
  parameters.viewpoint = Eigen::Vector3d(2.0, -1.0, 0.5);
  expectReference(parameters, cloud, normals);
}

TEST_P(Triangulation, WithDynamicThresholdsEqualsTheReference)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(61, 83, 5, cloud, normals);
  const ReferenceStatistics statistics = referenceStatistics(cloud, normals, 8);
  for (Cut cut : cuts)
    for (float factor : {0.0f, 1.0f, 2.5f})
      for (float least_ratio : {0.0f, 1.1f, 3.5f}) {
        SCOPED_TRACE(std::to_string(factor) + ", " + std::to_string(least_ratio));
        const float least_angle = 0.1f * least_ratio;
        ReferenceMesh parameters;
        parameters.cut = cut;
        parameters.setDynamicThresholds(
            statistics, factor, factor, least_ratio, least_angle);
        parameters.max_edge_length_squared = 0.01f * factor;
        OrganizedTriangulation triangulation;
        change(triangulation, [&](auto& p) {
          p.cut = cut;
          p.dynamic_edge_length = true;
          p.edge_length_deviations = factor;
          p.least_edge_length_ratio = least_ratio;
          p.max_edge_length_squared = 0.01f * factor;
          p.dynamic_normal_angle = true;
          p.normal_angle_deviations = factor;
          p.least_normal_angle = least_angle;
        });
        const OrganizedMesh mesh = meshOf(triangulation, cloud, normals);
        const auto expected = referenceMesh(cloud, normals, parameters);
        EXPECT_LE(expectMesh(expected, mesh, parameters, cloud.rows, cloud.columns),
                  0.01);
        if (factor > 2.0f) {
          EXPECT_GT(polygonsOf(mesh).size(), 1000u) << "there was nothing to compare";
        }
      }
}

TEST_P(Triangulation, WithDynamicThresholdsKeepsAWallAtAnyStepSlantAndDistance)
{
  // Two cameras: 525 pixels of focal length, and a colour camera of three times as many
  // pixels. The last slant leaves a little more than the angle tolerance at the border.
  for (int scale : {1, 3})
    for (int step : {1, 2, 3, 5, 8, 16, 30})
      for (double degrees : {0.0, 30.0, 50.0, 65.0, 70.0})
        for (float distance : {0.3f, 2.0f, 12.0f}) {
          SCOPED_TRACE(std::to_string(scale) + ", step " + std::to_string(step) + ", " +
                       std::to_string(degrees) + " degrees, " +
                       std::to_string(distance) + " m");
          const int rows = 61 * scale, columns = 81 * scale;
          PinholeCamera camera = cameraOfSize(rows, columns);
          camera.fx = camera.fy = 525.0f * scale;
          const double slant = degrees / degreesInRadian();
          const Eigen::Vector3d normal(
              0.6 * std::sin(slant), 0.8 * std::sin(slant), std::cos(slant));
          OrganizedTriangulation triangulation;
          change(triangulation, [&](auto& p) { p.row_step = p.column_step = step; });
          const auto quads =
              std::size_t((rows - 1) / step) * std::size_t((columns - 1) / step);
          const Image<PointXYZ> cloud =
              cloudOf(planeDepth(camera, normal, distance), camera);
          ASSERT_EQ(polygonsOf(meshOf(triangulation, cloud, {})).size(), 2 * quads);
        }
}

TEST_P(Triangulation, WithDynamicThresholdsKeepsNearAndFarAndSteepOfOneFrame)
{
  // A floor from 0.8 m to the horizon's last 8 degrees and a wall before it.
  PinholeCamera camera = cameraOfSize(240, 320);
  camera.fx = camera.fy = 262.5f;
  Image<float> depth(240, 320, 0.5f);
  for (int v = 0; v < 240; ++v)
    for (int u = 160; u < 320; ++u)
      depth.at(v, u) = 1.2f * camera.fy / (v + 60.0f);
  for (int step : {1, 4}) {
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) {
      p.row_step = p.column_step = step;
      p.angle_tolerance = 0.1f;
    });
    const auto polygons = polygonsOf(meshOf(triangulation, cloudOf(depth, camera), {}));
    const int quad_rows = 239 / step, quad_columns = 319 / step;
    const std::size_t all = 2u * quad_rows * (quad_columns - 1);
    EXPECT_LE(polygons.size(), all) << "none across the jump, step " << step;
    // The corner of jump and border: no surface on the diagonals' side.
    EXPECT_GE(polygons.size(), all - 16) << "step " << step;
  }
}

TEST_P(Triangulation, WithLimitsThatGrowWithNoiseKeepsAFloorAndCutsAJump)
{
  // A floor from 1.5 to 4 m, 1.2 m below the sensor, with a step of 0.3 m in its middle
  // and the noise of structured light.
  PinholeCamera camera = cameraOfSize(240, 320);
  camera.fx = camera.fy = 525.0f;
  std::mt19937 random(5);
  std::normal_distribution<double> gauss;
  Image<float> depth(240, 320);
  for (int v = 0; v < 240; ++v)
    for (int u = 0; u < 320; ++u) {
      const double z = (u < 160 ? 1.2 : 0.9) * camera.fy / (v + 160.0);
      const double deviation = 0.0012 + 0.0019 * (z - 0.4) * (z - 0.4);
      depth.at(v, u) = static_cast<float>(z + deviation * gauss(random));
    }
  OrganizedTriangulation triangulation;
  change(triangulation, [](auto& p) {
    p.angle_tolerance = 0.02f;
    p.max_edge_length_squared = 0.0035f;
  });
  std::size_t across = 0, others = 0;
  for (const Polygon& polygon :
       polygonsOf(meshOf(triangulation, cloudOf(depth, camera), {}))) {
    int left = 0;
    for (int i = 0; i < 3; ++i)
      left += polygon[i] % 320 < 160;
    ++(left % 3 == 0 ? others : across);
  }
  EXPECT_EQ(across, 0u);
  EXPECT_GE(others, 0.998 * 2 * 239 * 318);
}

TEST_P(Triangulation, OfStepsIsThatOfTheSampledCloud)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(151, 203, 8, cloud, normals);
  for (int step : {2, 5, 17}) {
    SCOPED_TRACE(step);
    OrganizedTriangulation triangulation;
    change(triangulation, [](auto& p) {
      p.edge_length_deviations = 2.0f;
      p.normal_angle_deviations = 2.0f;
    });
    const Image<PointXYZ> small = everyNth(cloud, step, step);
    auto expected =
        polygonsOf(meshOf(triangulation, small, everyNth(normals, step, step)));
    for (Polygon& polygon : expected)
      for (int i = 0; i < 3; ++i)
        polygon[i] = polygon[i] / small.columns * step * cloud.columns +
                     polygon[i] % small.columns * step;
    change(triangulation, [&](auto& p) { p.row_step = p.column_step = step; });
    EXPECT_EQ(polygonsOf(meshOf(triangulation, cloud, normals)), expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST_P(Triangulation, WithDynamicThresholdsCutsJumpsOnSteepSurfaces)
{
  // A surface seen at 60 degrees, with a step of 10 cm between two columns.
  PinholeCamera camera = cameraOfSize(40, 60);
  camera.fx = camera.fy = 525.0f;
  Image<float> depth(40, 60);
  for (int v = 0; v < 40; ++v)
    for (int u = 0; u < 60; ++u)
      depth.at(v, u) = 2.0f / (1.0f + 1.732f * (u - 30) / 525.0f) + (u < 30) * 0.1f;
  OrganizedTriangulation triangulation;
  change(triangulation, [](auto& p) { p.angle_tolerance = 0.02f; });
  EXPECT_EQ(polygonsOf(meshOf(triangulation, cloudOf(depth, camera), {})).size(),
            2u * 39u * 58u);
}

TEST_P(Triangulation, WithLengthsByDistanceEqualsTheReference)
{
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  makeScene(61, 83, 6, cloud, normals);
  normals = {};
  for (bool depth_is_distance : {false, true})
    for (bool depth_dependent : {false, true}) {
      ReferenceMesh parameters;
      parameters.viewpoint = Eigen::Vector3d(0.3, -0.2, 0.1);
      parameters.angle_tolerance = 0.5f;
      parameters.distance_tolerance = depth_dependent ? 0.01f : 0.03f;
      parameters.tolerance_is_depth_dependent = depth_dependent;
      parameters.depth_is_distance = depth_is_distance;
      parameters.max_edge_length = -0.01f;
      parameters.max_edge_length_linear = 0.03f;
      parameters.max_edge_length_squared = 0.0035f;
      OrganizedTriangulation triangulation = triangulationOf(lenient());
      change(triangulation, [&](auto& p) {
        p.viewpoint = parameters.viewpoint.cast<float>();
        p.angle_tolerance = 0.5f;
        p.distance_tolerance = static_cast<float>(parameters.distance_tolerance);
        p.distance_tolerance_grows = depth_dependent;
        p.depth_as_distance = depth_is_distance;
        p.dynamic_edge_length = false;
        p.max_edge_length = -0.01f;
        p.max_edge_length_linear = 0.03f;
        p.max_edge_length_squared = 0.0035f;
      });
      for (Cut cut : cuts) {
        parameters.cut = cut;
        change(triangulation, [&](auto& p) { p.cut = cut; });
        const OrganizedMesh mesh = meshOf(triangulation, cloud, normals);
        const auto expected = referenceMesh(cloud, normals, parameters);
        EXPECT_LE(expectMesh(expected, mesh, parameters, cloud.rows, cloud.columns),
                  0.01);
        EXPECT_GT(polygonsOf(mesh).size(), 500u) << "there was nothing to compare";
        EXPECT_LT(polygonsOf(mesh).size(), 7000u) << "nothing was left out";
      }
    }
}

TEST_P(Triangulation, TakesTheLastThresholdThatWasSet)
{
  const Image<PointXYZ> cloud = square(0.1f);
  OrganizedTriangulation triangulation = triangulationOf(lenient());
  change(triangulation, [&](auto& p) {
    p.dynamic_edge_length = false;
    p.max_edge_length = 0.01f;
  });
  EXPECT_TRUE(polygonsOf(meshOf(triangulation, cloud, {})).empty());
  change(triangulation, [&](auto& p) {
    p.dynamic_edge_length = true;
    p.edge_length_deviations = 10.0f;
    p.least_edge_length_ratio = 0.0f;
    p.dynamic_edge_length = false;
    p.max_edge_length = 0.2f;
  });
  EXPECT_EQ(polygonsOf(meshOf(triangulation, cloud, {})).size(), 2u);
  // The mean is shorter than the diagonals, whose slope nothing contradicts.
  change(triangulation, [&](auto& p) {
    p.max_edge_length = 0.01f;
    p.dynamic_edge_length = true;
    p.edge_length_deviations = 1.0f;
    p.least_edge_length_ratio = 0.0f;
  });
  EXPECT_EQ(polygonsOf(meshOf(triangulation, cloud, {})).size(), 2u);
}

TEST_P(Triangulation, ListsPolygonsOfAnIntactQuadByItsCut)
{
  ReferenceMesh parameters = lenient();
  const Image<PointXYZ> cloud = square(0.1f);
  auto list = polygons(parameters, cloud);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(canonical(list[0]), (Polygon{0, 2, 1, -1}));
  EXPECT_EQ(canonical(list[1]), (Polygon{1, 2, 3, -1}));
  parameters.cut = Cut::Right;
  list = polygons(parameters, cloud);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(canonical(list[0]), (Polygon{0, 3, 1, -1}));
  EXPECT_EQ(canonical(list[1]), (Polygon{0, 2, 3, -1}));
  parameters.cut = Cut::Quad;
  list = polygons(parameters, cloud);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(canonical(list[0]), (Polygon{0, 2, 3, 1}));
}

TEST_P(Triangulation, AdaptiveCutTakesTheShorterDiagonal)
{
  ReferenceMesh parameters = lenient();
  parameters.cut = Cut::Adaptive;
  Image<PointXYZ> cloud = square(0.1f);
  cloud.at(0, 0).x = -0.05f;
  EXPECT_EQ(canonical(polygons(parameters, cloud).at(0)), (Polygon{0, 2, 1, -1}));
  cloud.at(0, 0).x = 0.05f;
  EXPECT_EQ(canonical(polygons(parameters, cloud).at(0)), (Polygon{0, 3, 1, -1}));
}

TEST_P(Triangulation, AdaptiveCutKeepsMoreTriangles)
{
  ReferenceMesh parameters = lenient();
  parameters.cut = Cut::Adaptive;
  for (int missing = 0; missing < 4; ++missing) {
    Image<PointXYZ> cloud = square(0.1f);
    cloud.data[missing] = missingPoint();
    const auto list = polygons(parameters, cloud);
    ASSERT_EQ(list.size(), 1u) << "every three points make a triangle";
    for (int i = 0; i < 3; ++i)
      EXPECT_NE(list[0][i], missing);
  }
}

TEST_P(Triangulation, NeedsAllPointsOfAPolygon)
{
  ReferenceMesh parameters = lenient();
  Image<PointXYZ> cloud = square(0.1f);
  cloud.data[3].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(polygons(parameters, cloud).size(), 1u);
  cloud.data[3].y = std::numeric_limits<float>::infinity();
  EXPECT_EQ(polygons(parameters, cloud).size(), 1u);
  cloud.data[1] = missingPoint();
  EXPECT_TRUE(polygons(parameters, cloud).empty());
  cloud = square(0.1f);
  cloud.data[3] = missingPoint();
  parameters.cut = Cut::Quad;
  EXPECT_TRUE(polygons(parameters, cloud).empty());
}

TEST_P(Triangulation, KeepsSmallAnglesBetweenNormalsAndDropsLargeOnes)
{
  // Eq. (5) as printed, |n_p . n_q| <= cos eps_n, would do the opposite.
  const Image<PointXYZ> cloud = square(0.1f);
  ReferenceMesh parameters = lenient();
  parameters.max_normal_angle = 0.2f;
  const auto turned = [](double angle) {
    return PointXYZ(static_cast<float>(std::sin(angle)),
                    0.0f,
                    static_cast<float>(-std::cos(angle)));
  };
  const auto triangles = [&](double angle) {
    const auto normals = quad(turned(0.0), turned(0.0), turned(0.0), turned(angle));
    return polygons(parameters, cloud, normals).size();
  };
  EXPECT_EQ(triangles(0.0), 2u);
  EXPECT_EQ(triangles(0.19), 2u);
  EXPECT_EQ(triangles(0.21), 1u);
  EXPECT_EQ(triangles(1.5), 1u);
  EXPECT_EQ(triangles(3.1), 1u) << "a normal that points away is not a small angle";
}

TEST_P(Triangulation, WithANormalAngleOfPiOrMoreKeepsAllNormals)
{
  const Image<PointXYZ> cloud = square(0.1f);
  const Image<PointXYZ> normals = quad(
      {0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 0.0f});
  ReferenceMesh parameters = lenient();
  for (double angle : {M_PI, 4.0, 7.0, 1e9}) {
    SCOPED_TRACE(angle);
    parameters.max_normal_angle = static_cast<float>(angle);
    EXPECT_EQ(polygons(parameters, cloud, normals).size(), 2u);
  }
}

TEST_P(Triangulation, ComparesTheLengthOfEdgesAndNotItsSquare)
{
  // Eq. (5) as printed, |p - q|^2 <= T_d, would keep the first and drop the second.
  ReferenceMesh parameters = lenient();
  parameters.max_edge_length = 0.1f;
  EXPECT_TRUE(polygons(parameters, square(0.2f)).empty());
  parameters.max_edge_length = 4.0f;
  EXPECT_EQ(polygons(parameters, square(2.5f)).size(), 2u);
}

TEST_P(Triangulation, DropsEdgesAlongTheLineOfSight)
{
  // The right column lies twice as far as the left one, so many degrees off its rays.
  ReferenceMesh parameters;
  parameters.angle_tolerance = 12.5 / degreesInRadian();
  const auto stairs = [](double degrees) {
    const float x = static_cast<float>(std::tan(degrees / degreesInRadian()));
    return quad(
        {0.0f, 0.0f, 1.0f}, {x, 0.0f, 2.0f}, {0.0f, 0.3f, 1.0f}, {x, 0.6f, 2.0f});
  };
  EXPECT_TRUE(polygons(parameters, stairs(1.0)).empty());
  EXPECT_EQ(polygons(parameters, stairs(40.0)).size(), 2u);
}

TEST_P(Triangulation, DropsEdgesTowardsTheViewerToo)
{
  ReferenceMesh parameters;
  Image<PointXYZ> cloud = square(0.1f);
  cloud.at(0, 1) = {0.01f, 0.0f, 1.0f};
  cloud.at(1, 1) = {0.01f, 0.1f, 1.0f};
  EXPECT_TRUE(polygons(parameters, cloud).empty());
}

TEST_P(Triangulation, MeasuresTheLineOfSightFromTheViewpoint)
{
  ReferenceMesh parameters;
  const Image<PointXYZ> cloud = square(0.1f);
  EXPECT_EQ(polygons(parameters, cloud).size(), 2u);
  parameters.viewpoint = Eigen::Vector3d(-5.0, 0.0, 2.0);
  EXPECT_TRUE(polygons(parameters, cloud).empty());
}

TEST_P(Triangulation, WithoutAngleToleranceKeepsEdgesAlongTheLineOfSight)
{
  std::mt19937 random(6);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  Image<PointXYZ> cloud(30, 40);
  for (int v = 0; v < 30; ++v) {
    const Eigen::Vector3f ray(uniform(random), uniform(random), 1.0f);
    for (int u = 0; u < 40; ++u)
      cloud.at(v, u).getVector3fMap() = (1.0f + 0.37f * static_cast<float>(u)) * ray;
  }
  ReferenceMesh parameters = lenient();
  EXPECT_EQ(polygons(parameters, cloud).size(), 2u * 29u * 39u);
}

TEST_P(Triangulation, GivesPointsWithoutNormalNoEdge)
{
  Image<PointXYZ> normals(2, 2, {0.0f, 0.0f, -1.0f});
  normals.data[0] = missingPoint();
  ReferenceMesh parameters = lenient();
  parameters.max_normal_angle = 0.5f;
  const auto list = polygons(parameters, square(0.1f), normals);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(canonical(list[0]), (Polygon{1, 2, 3, -1}));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Triangulation);

} // namespace
