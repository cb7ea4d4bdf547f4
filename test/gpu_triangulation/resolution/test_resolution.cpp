// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/reference.h"
#include "gpu_triangulation/references/scenes.h"
#include "testing/image.h"

#include <pcl/gpu/triangulation/cloud_resolution.h>

#include <cmath>
#include <cstring>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

class Resolution : public DeviceTest {
protected:
  static ResolutionStatistics
  measured(const Image<PointXYZ>& cloud,
           const Image<PointXYZ>& normals,
           int neighbors = 8)
  {
    CloudResolution resolution;
    change(resolution, [&](auto& p) { p.neighbors = neighbors; });
    return measured(resolution, cloud, normals);
  }

  static ResolutionStatistics
  measured(CloudResolution& resolution,
           const Image<PointXYZ>& cloud,
           const Image<PointXYZ>& normals)
  {
    ResolutionStatistics poison;
    std::memset(&poison, 0xC5, sizeof(poison));
    auto statistics = uploaded(std::vector<ResolutionStatistics>(1, poison));
    resolution.compute(uploaded(cloud), uploaded(normals), statistics);
    EXPECT_EQ(statistics.size(), 1u);
    return downloaded(statistics).at(0);
  }

  static void
  expectDoublePrecision(const Image<PointXYZ>& cloud,
                        const Image<PointXYZ>& normals,
                        int neighbors)
  {
    const auto expected = referenceStatistics(cloud, normals, neighbors);
    const auto actual = measured(cloud, normals, neighbors);
    EXPECT_EQ(actual.points, expected.points);
    EXPECT_EQ(actual.normals, expected.normals);
    expectNear(actual.mean_spacing, expected.mean_spacing, expected.mean_spacing);
    expectNear(
        actual.spacing_deviation, expected.spacing_deviation, expected.mean_spacing);
    expectNear(
        actual.nearest_distance, expected.nearest_distance, expected.nearest_distance);
    expectNear(actual.mean_angle, expected.mean_angle, expected.mean_angle);
    expectNear(actual.angle_deviation, expected.angle_deviation, expected.mean_angle);
  }

  /** \brief NaN for NaN, else within 2e-6 of what the numbers are summed from. */
  static void
  expectNear(float actual, double expected, double size)
  {
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(actual)) << actual;
    else
      EXPECT_NEAR(actual, expected, 2e-6 * size);
  }

  static bool
  same(const ResolutionStatistics& a, const ResolutionStatistics& b)
  {
    return std::memcmp(&a, &b, sizeof(a)) == 0;
  }

  /** \brief A flat grid of points 1/64 m apart. */
  static Image<PointXYZ>
  grid(int rows, int columns)
  {
    Image<PointXYZ> cloud(rows, columns);
    for (int v = 0; v < rows; ++v)
      for (int u = 0; u < columns; ++u)
        cloud.at(v, u) = {u / 64.0f, v / 64.0f, 1.0f};
    return cloud;
  }
};

TEST_P(Resolution, OfFourNeighboursIsTheSpacingOfAGridByItsDistance)
{
  for (int size : {2, 3, 33, 100}) {
    SCOPED_TRACE(size);
    const Image<PointXYZ> cloud = grid(size, size + 1);
    double mean = 0.0;
    for (const PointXYZ& p : cloud.data)
      mean += 1.0 / 64.0 / p.getVector3fMap().norm() / cloud.data.size();
    const auto statistics = measured(cloud, {}, 4);
    EXPECT_NEAR(statistics.mean_spacing, mean, 1e-8);
    EXPECT_EQ(statistics.points, static_cast<unsigned>(size * (size + 1)));
  }
}

TEST_P(Resolution, OfASphereSeenFromItsCentreHasNoDeviation)
{
  // Half the pixels are ten times as far as the others; all are 0.01 rad apart.
  Image<PointXYZ> cloud(1, 64);
  for (int u = 0; u < 64; ++u)
    cloud.at(0, u).getVector3fMap() =
        Eigen::Vector3f(std::sin(0.01f * u), 0.0f, std::cos(0.01f * u)) *
        (u < 32 ? 1.0f : 10.0f);
  const auto statistics = measured(cloud, {}, 4);
  EXPECT_NEAR(statistics.mean_spacing, 2.0 * std::sin(0.005), 1e-6);
  EXPECT_NEAR(statistics.spacing_deviation, 0.0, 1e-6);
}

TEST_P(Resolution, OfStepsIsThatOfTheSampledCloud)
{
  const auto cloud = cloudOf(roughDepth(150, 301, 0.1, 9), cameraOfSize(150, 301));
  const auto normals = randomNormals(150, 301, 0.1, 9);
  for (int rows : {1, 2, 7, 400})
    for (int columns : {1, 3, 16}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      CloudResolution resolution;
      change(resolution, [&](auto& p) {
        p.row_step = rows;
        p.column_step = columns;
      });
      CloudResolution whole;
      EXPECT_TRUE(same(measured(resolution, cloud, normals),
                       measured(whole,
                                everyNth(cloud, rows, columns),
                                everyNth(normals, rows, columns))));
    }
}

TEST_P(Resolution, IsMeasuredFromTheViewpoint)
{
  Image<PointXYZ> cloud = cloudOf(roughDepth(40, 50, 0.1, 3), cameraOfSize(40, 50));
  const auto expected = measured(cloud, {});
  for (PointXYZ& p : cloud.data)
    p.getVector3fMap() += Eigen::Vector3f(2.0f, -1.0f, 0.5f);
  CloudResolution resolution;
  change(resolution, [](auto& p) { p.viewpoint = {2.0f, -1.0f, 0.5f}; });
  EXPECT_NEAR(
      measured(resolution, cloud, {}).mean_spacing, expected.mean_spacing, 1e-6);
}

TEST_P(Resolution, OfEightNeighboursOnAGridIsTheClosedForm)
{
  // Two lines of edges and two of diagonals through all pixels but the corners, which
  // have one diagonal.
  const int rows = 40;
  const int columns = 70;
  const double root = std::sqrt(2.0);
  double mean = 0.0;
  double square = 0.0;
  const Image<PointXYZ> cloud = grid(rows, columns);
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      const bool corner = v % (rows - 1) == 0 && u % (columns - 1) == 0;
      const double spacing = (corner ? (2.0 + root) / 3.0 : (2.0 + 2.0 * root) / 4.0) /
                             64.0 / cloud.at(v, u).getVector3fMap().norm();
      mean += spacing / (rows * columns);
      square += spacing * spacing / (rows * columns);
    }
  const auto statistics = measured(cloud, {}, 8);
  EXPECT_NEAR(statistics.mean_spacing, mean, 1e-6 * mean);
  EXPECT_NEAR(
      statistics.spacing_deviation, std::sqrt(square - mean * mean), 1e-5 * mean);
  EXPECT_EQ(statistics.points, static_cast<unsigned>(rows * columns));
}

TEST_P(Resolution, OfNearestNeighboursIsTheSpacingWhateverLiesBehind)
{
  // Every other pair of columns is one metre farther away.
  Image<PointXYZ> cloud = grid(30, 40);
  for (int v = 0; v < cloud.rows; ++v)
    for (int u = 0; u < cloud.columns; ++u)
      cloud.at(v, u).z += u / 2 % 2;
  for (int neighbors : {4, 8}) {
    const auto statistics = measured(cloud, {}, neighbors);
    EXPECT_NEAR(statistics.nearest_distance, 1.0 / 64.0, 1e-8);
    // The outer pixels of a row may have no nearer neighbour.
    EXPECT_LT(statistics.mean_spacing, 2.0 / 64.0);
  }
}

TEST_P(Resolution, OfNormalsOnACylinderIsTheClosedForm)
{
  // Normals turn by the same angle from column to column and not along the rows.
  const int rows = 30;
  const int columns = 50;
  for (double turn : {0.3, 0.01, 1e-4}) {
    SCOPED_TRACE(turn);
    Image<PointXYZ> normals(rows, columns);
    for (int v = 0; v < rows; ++v)
      for (int u = 0; u < columns; ++u)
        normals.at(v, u) = {static_cast<float>(std::sin(turn * u)),
                            0.0f,
                            static_cast<float>(-std::cos(turn * u))};
    const double inner = (rows - 2.0) * (columns - 2.0);
    const double upper_and_lower = 2.0 * (columns - 2.0);
    const double left_and_right = 2.0 * (rows - 2.0);
    const double mean =
        turn *
        (inner / 2.0 + upper_and_lower * 2.0 / 3.0 + left_and_right / 3.0 + 4.0 / 2.0) /
        (rows * columns);
    const auto statistics = measured(grid(rows, columns), normals, 4);
    EXPECT_NEAR(statistics.mean_angle, mean, 1e-6 * mean + 1e-8);
    EXPECT_EQ(statistics.normals, static_cast<unsigned>(rows * columns));
  }
}

TEST_P(Resolution, MeetsRightAndStraightAnglesBetweenNormals)
{
  const Image<PointXYZ> cloud = grid(1, 2);
  Image<PointXYZ> normals(1, 2);
  normals.data = {{0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}};
  EXPECT_NEAR(measured(cloud, normals).mean_angle, M_PI / 2.0, 1e-6);
  normals.data = {{0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, -1.0f}};
  EXPECT_NEAR(measured(cloud, normals).mean_angle, M_PI, 1e-5);
  normals.data = {{0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 1.0f}};
  EXPECT_EQ(measured(cloud, normals).mean_angle, 0.0f);
}

TEST_P(Resolution, EqualsDoublePrecisionOnRandomClouds)
{
  for (int neighbors : {4, 8})
    for (unsigned seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const auto cloud = cloudOf(roughDepth(70, 90, 0.3, seed), cameraOfSize(70, 90));
      expectDoublePrecision(cloud, randomNormals(70, 90, 0.3, seed), neighbors);
    }
}

TEST_P(Resolution, EqualsDoublePrecisionAroundTheWidthsOfTiles)
{
  const int sizes[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129};
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const auto cloud =
          cloudOf(roughDepth(rows, columns, 0.1, 4), cameraOfSize(rows, columns));
      expectDoublePrecision(cloud, randomNormals(rows, columns, 0.1, 5), 8);
    }
}

TEST_P(Resolution, CountsPixelsWithNormalsApartFromThoseWithPoints)
{
  Image<PointXYZ> normals(10, 10, missingPoint());
  normals.at(3, 3) = normals.at(3, 4) = {0.0f, 0.0f, -1.0f};
  normals.at(8, 8) = {0.0f, 0.0f, -1.0f}; // has no neighbour
  const auto statistics = measured(grid(10, 10), normals);
  EXPECT_EQ(statistics.points, 100u);
  EXPECT_EQ(statistics.normals, 2u);
  EXPECT_EQ(statistics.mean_angle, 0.0f);
  EXPECT_EQ(statistics.angle_deviation, 0.0f);
}

TEST_P(Resolution, LeavesOutPointsWithAnyCoordinateMissing)
{
  Image<PointXYZ> cloud = grid(20, 20);
  cloud.at(3, 3).x = NAN;
  cloud.at(9, 9).y = INFINITY;
  cloud.at(15, 4).z = NAN;
  const auto expected = referenceStatistics(cloud, {}, 8);
  const auto actual = measured(cloud, {});
  EXPECT_EQ(actual.points, 397u);
  EXPECT_NEAR(actual.mean_spacing, expected.mean_spacing, 1e-8);
}

TEST_P(Resolution, OfFourNeighboursDoesNotLookAcrossCorners)
{
  Image<PointXYZ> cloud(8, 8, missingPoint());
  cloud.at(2, 2) = {0.0f, 0.0f, 1.0f};
  cloud.at(3, 3) = {0.3f, 0.4f, 1.0f};
  EXPECT_EQ(measured(cloud, {}, 4).points, 0u);
  const auto eight = measured(cloud, {}, 8);
  EXPECT_EQ(eight.points, 2u);
  // From the two points, which are 1 m and 1.118 m away.
  EXPECT_NEAR(eight.mean_spacing, 0.25 * (1.0 + 1.0 / std::sqrt(1.25)), 1e-7);
  EXPECT_NEAR(eight.spacing_deviation, 0.25 * (1.0 - 1.0 / std::sqrt(1.25)), 1e-7);
}

TEST_P(Resolution, WithoutAnyPointIsNaNAndCountsNone)
{
  const Image<PointXYZ> nothing(50, 70, missingPoint());
  for (int neighbors : {4, 8}) {
    const auto statistics = measured(nothing, nothing, neighbors);
    EXPECT_TRUE(std::isnan(statistics.mean_spacing));
    EXPECT_TRUE(std::isnan(statistics.nearest_distance));
    EXPECT_TRUE(std::isnan(statistics.mean_angle));
    EXPECT_EQ(statistics.points, 0u);
    EXPECT_EQ(statistics.normals, 0u);
  }
}

TEST_P(Resolution, OfASinglePixelIsNaN)
{
  const auto statistics = measured(grid(1, 1), grid(1, 1));
  EXPECT_TRUE(std::isnan(statistics.mean_spacing));
  EXPECT_EQ(statistics.points, 0u);
}

TEST_P(Resolution, WithoutNormalsMeasuresDistancesOnly)
{
  const auto cloud = cloudOf(roughDepth(40, 50, 0.2, 6), cameraOfSize(40, 50));
  const auto with = measured(cloud, randomNormals(40, 50, 0.2, 6));
  const auto without = measured(cloud, {});
  EXPECT_EQ(without.mean_spacing, with.mean_spacing);
  EXPECT_EQ(without.spacing_deviation, with.spacing_deviation);
  EXPECT_EQ(without.points, with.points);
  EXPECT_TRUE(std::isnan(without.mean_angle));
  EXPECT_EQ(without.normals, 0u);
}

TEST_P(Resolution, IsTheSameBitForBitOnEveryRun)
{
  const auto cloud = cloudOf(roughDepth(240, 320, 0.2, 7), cameraOfSize(240, 320));
  const auto normals = randomNormals(240, 320, 0.2, 7);
  CloudResolution resolution;
  const auto first = measured(resolution, cloud, normals);
  for (int run = 0; run < 5; ++run)
    EXPECT_TRUE(same(measured(resolution, cloud, normals), first));
  CloudResolution another;
  EXPECT_TRUE(same(measured(another, cloud, normals), first));
}

TEST_P(Resolution, ReusedOnAnotherSizeForgetsTheLast)
{
  CloudResolution resolution;
  const Image<PointXYZ> small = grid(9, 11);
  const auto fresh = measured(small, {});
  measured(resolution, cloudOf(roughDepth(99, 120, 0.2, 8), cameraOfSize(99, 120)), {});
  EXPECT_TRUE(same(measured(resolution, small, {}), fresh));
}

TEST(ResolutionParameters, AreThoseThatWereSet)
{
  CloudResolution resolution;
  EXPECT_EQ(resolution.getParameters().neighbors, 8);
  change(resolution, [&](auto& p) { p.neighbors = 4; });
  EXPECT_EQ(resolution.getParameters().neighbors, 4);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Resolution);

} // namespace
