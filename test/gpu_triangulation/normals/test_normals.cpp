// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/features/normal_3d.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

class Normals : public DeviceTest {
protected:
  /** \brief The largest angle to a closed-form normal, degrees. */
  template <typename Truth>
  static Worst
  errorAgainst(const Image<PointXYZ>& cloud,
               const Image<PointXYZ>& normals,
               const Truth& truth)
  {
    Worst worst;
    for (int v = 0; v < cloud.rows; ++v)
      for (int u = 0; u < cloud.columns; ++u) {
        const Eigen::Vector3d p =
            cloud.at(v, u).getVector3fMap().template cast<double>();
        const Eigen::Vector3d n =
            normals.at(v, u).getVector3fMap().template cast<double>();
        if (n.allFinite())
          worst.see(angleBetween(n, truth(p)) * degrees, v, u);
      }
    return worst;
  }

  static Image<PointXYZ>
  moved(Image<PointXYZ> cloud, float x, float y, float z)
  {
    for (auto& p : cloud.data)
      p.getVector3fMap() += Eigen::Vector3f(x, y, z);
    return cloud;
  }
};

TEST_P(Normals, EqualDoublePrecisionOnPlanes)
{
  const Eigen::Vector3d tilted(0.3, -0.5, -0.8);
  for (double distance : {0.5, 1.5, 3.5, 8.0})
    for (const Eigen::Vector3d& normal : {Eigen::Vector3d(0.0, 0.0, -1.0), tilted}) {
      SCOPED_TRACE(distance);
      const PinholeCamera camera = cameraOfSize(48, 64);
      const auto cloud = cloudOf(planeDepth(camera, normal, distance), camera);
      const auto normals = expectNormals(covarianceEstimation(), cloud);
      const Worst worst = errorAgainst(
          cloud, normals, [&](const auto&) -> Eigen::Vector3d { return normal; });
      EXPECT_EQ(worst.compared, 48 * 64);
      EXPECT_LE(worst.error, 0.05) << worst;
    }
}

TEST_P(Normals, EqualDoublePrecisionOnSpheres)
{
  for (double distance : {0.5, 1.5, 3.5, 8.0}) {
    SCOPED_TRACE(distance);
    const PinholeCamera camera = cameraOfSize(60, 80);
    const Eigen::Vector3d center(0.02 * distance, -0.01 * distance, 1.3 * distance);
    const auto cloud = cloudOf(sphereDepth(camera, center, 0.3 * distance), camera);
    const auto normals = expectNormals(covarianceEstimation(), cloud);
    // Away from the rim the patch is symmetric enough to meet the sphere's own normal.
    Image<PointXYZ> inner = normals;
    for (int v = 0; v < cloud.rows; ++v)
      for (int u = 0; u < cloud.columns; ++u) {
        const Eigen::Vector3d p = cloud.at(v, u).getVector3fMap().cast<double>();
        if (!(angleBetween(p - center, -p) < 0.3))
          inner.at(v, u) = missingPoint();
      }
    const Worst worst =
        errorAgainst(cloud, inner, [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
          return p - center;
        });
    EXPECT_GT(worst.compared, 50);
    EXPECT_LE(worst.error, 1.0) << worst;
  }
}

TEST_P(Normals, EqualDoublePrecisionInEveryWindow)
{
  const PinholeCamera camera = cameraOfSize(48, 64);
  const auto cloud = cloudOf(roughDepth(48, 64, 0.2, 1), camera);
  for (int radius :
       {1, 2, 3, 4, 5, 6, 8, NormalMapEstimationParameters::max_window_radius}) {
    SCOPED_TRACE("window radius " + std::to_string(radius));
    NormalMapEstimation estimation = covarianceEstimation();
    change(estimation, [&](auto& p) { p.window_radius = radius; });
    expectNormals(estimation, cloud);
  }
}

TEST_P(Normals, EqualDoublePrecisionWithoutNeighboursAcrossJumps)
{
  const PinholeCamera camera = cameraOfSize(48, 64);
  const auto cloud = cloudOf(roughDepth(48, 64, 0.2, 2), camera);
  for (int radius : {1, 3, 6})
    for (float factor : {0.005f, 0.02f, 0.3f}) {
      SCOPED_TRACE(std::to_string(radius) + ", " + std::to_string(factor));
      NormalMapEstimation estimation = covarianceEstimation();
      change(estimation, [&](auto& p) {
        p.window_radius = radius;
        p.max_depth_change_factor = factor;
      });
      expectNormals(estimation, cloud);
    }
}

TEST_P(Normals, AtADepthJumpComeFromOneSideOnly)
{
  // Two walls that tilt different ways; every window at the seam sees both.
  const PinholeCamera camera = cameraOfSize(30, 40);
  const Eigen::Vector3d left(0.3, 0.0, -1.0);
  const Eigen::Vector3d right(-0.2, 0.1, -1.0);
  Image<float> depth = planeDepth(camera, left, 1.0);
  const Image<float> behind = planeDepth(camera, right, 2.0);
  for (int v = 0; v < 30; ++v)
    for (int u = 20; u < 40; ++u)
      depth.at(v, u) = behind.at(v, u);
  const auto cloud = cloudOf(depth, camera);
  NormalMapEstimation estimation = covarianceEstimation();
  change(estimation, [&](auto& p) { p.max_depth_change_factor = 0.1f; });
  const auto normals = normalsOf(estimation, cloud);
  const Worst worst = errorAgainst(cloud, normals, [&](const Eigen::Vector3d& p) {
    return p.z() < 1.5 ? left : right;
  });
  EXPECT_EQ(worst.compared, 1200);
  EXPECT_LE(worst.error, 0.05) << worst;
}

TEST_P(Normals, StayAccurateFarFromTheOrigin)
{
  const PinholeCamera camera = cameraOfSize(48, 64);
  const auto near = cloudOf(roughDepth(48, 64, 0.1, 3), camera);
  for (float offset : {-1000.0f, 1000.0f}) {
    NormalMapEstimation estimation = covarianceEstimation();
    expectNormals(estimation, moved(near, offset, 0.0f, 0.0f));
    expectNormals(estimation, moved(near, 0.0f, offset, offset));
    change(estimation, [&](auto& p) { p.max_depth_change_factor = 0.0003f; });
    expectNormals(estimation, moved(near, 0.0f, 0.0f, offset));
  }
}

TEST_P(Normals, StayAccurateAtAnyScale)
{
  const PinholeCamera camera = cameraOfSize(32, 48);
  const auto cloud = cloudOf(roughDepth(32, 48, 0.1, 4), camera);
  for (float scale : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
    SCOPED_TRACE(scale);
    Image<PointXYZ> scaled = cloud;
    for (auto& p : scaled.data)
      p.getVector3fMap() *= scale;
    expectNormals(covarianceEstimation(), scaled);
  }
}

TEST_P(Normals, StayAccurateOnRandomPoints)
{
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::normal_distribution<float> gauss;
    Image<PointXYZ> cloud(40, 50);
    for (auto& p : cloud.data)
      p = {gauss(random), gauss(random), 3.0f + gauss(random)};
    for (int radius : {1, 3}) {
      NormalMapEstimation estimation = covarianceEstimation();
      change(estimation, [&](auto& p) { p.window_radius = radius; });
      expectNormals(estimation, cloud);
    }
  }
}

TEST_P(Normals, StayAccurateOnNarrowStrips)
{
  // Spread along a line a hundred and two thousand times farther than beside it.
  for (float width : {1e-2f, 5e-4f}) {
    SCOPED_TRACE("seed 5, width " + std::to_string(width));
    std::mt19937 random(5);
    std::normal_distribution<float> gauss;
    Image<PointXYZ> cloud(30, 40);
    for (auto& p : cloud.data) {
      const float t = gauss(random);
      const float s = width * gauss(random);
      p = {0.6f * t + 0.8f * s, 0.8f * t - 0.6f * s, 0.02f * width * gauss(random)};
    }
    expectNormals(covarianceEstimation(), cloud);
  }
}

TEST_P(Normals, EqualDoublePrecisionAroundTheWidthsOfTiles)
{
  const int sizes[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      PinholeCamera camera = cameraOfSize(rows, columns);
      camera.cx += 5.0f; // or a single column lay in a plane with the viewpoint
      camera.cy += 5.0f;
      const auto cloud = cloudOf(roughDepth(rows, columns, 0.1, 6), camera);
      expectNormals(covarianceEstimation(), cloud);
    }
}

TEST_P(Normals, AreUnitVectorsAndCurvaturesAtMostAThird)
{
  const auto cloud = cloudOf(roughDepth(60, 80, 0.1, 7), cameraOfSize(60, 80));
  for (const auto& n : normalsOf(covarianceEstimation(), cloud).data) {
    if (std::isnan(n.x))
      continue;
    ASSERT_NEAR(n.getVector3fMap().cast<double>().norm(), 1.0, 1e-6);
    ASSERT_GE(n.data[3], 0.0f);
    ASSERT_LE(n.data[3], 1.0f / 3.0f + 1e-6f);
  }
}

TEST_P(Normals, AreNaNWithCurvatureWhereThePointIsMissing)
{
  const PinholeCamera camera = cameraOfSize(20, 30);
  Image<PointXYZ> cloud = cloudOf(Image<float>(20, 30, 1.0f), camera);
  // One coordinate is enough.
  cloud.at(5, 5).x = not_a_number;
  cloud.at(6, 15).y = infinity;
  cloud.at(7, 25).z = -infinity;
  const auto normals = expectNormals(covarianceEstimation(), cloud);
  int missing = 0;
  for (const auto& n : normals.data) {
    missing +=
        std::isnan(n.x) && std::isnan(n.y) && std::isnan(n.z) && std::isnan(n.data[3]);
  }
  EXPECT_EQ(missing, 3);
}

TEST_P(Normals, NeedThreePoints)
{
  Image<PointXYZ> cloud(20, 20, missingPoint());
  cloud.at(4, 4) = {0.0f, 0.0f, 1.0f};
  cloud.at(4, 5) = {0.1f, 0.0f, 1.0f};
  auto normals = normalsOf(covarianceEstimation(), cloud);
  EXPECT_TRUE(std::isnan(normals.at(4, 4).x));
  EXPECT_TRUE(std::isnan(normals.at(4, 5).data[3]));
  cloud.at(5, 4) = {0.0f, 0.1f, 1.0f};
  normals = normalsOf(covarianceEstimation(), cloud);
  EXPECT_EQ(normals.at(4, 4).z, -1.0f);
  EXPECT_EQ(normals.at(4, 4).data[3], 0.0f);
  EXPECT_TRUE(std::isnan(normals.at(4, 6).x)) << "a pixel without a point";
}

TEST_P(Normals, AreNaNWherePointsLieOnALine)
{
  Image<PointXYZ> line(9, 9);
  Image<PointXYZ> heap(9, 9, {0.3f, 0.4f, 2.0f});
  for (int i = 0; i < 81; ++i) {
    const float t = static_cast<float>((i * 37) % 81);
    line.data[i] = {0.01f * t, 0.02f * t, 1.0f + 0.03f * t};
  }
  for (const auto& cloud : {line, heap})
    for (const auto& n : normalsOf(covarianceEstimation(), cloud).data) {
      ASSERT_TRUE(std::isnan(n.x) && std::isnan(n.y) && std::isnan(n.z));
      ASSERT_TRUE(std::isnan(n.data[3]));
    }
}

TEST_P(Normals, NeedASpreadBeyondTheRoundingOfCoordinates)
{
  // Points along x that lie alternately a little above and below it, at depth z.
  for (float z : {1.0f, 100.0f}) {
    const float rounding = std::ldexp(z, -22);
    for (float spread : {rounding / 3.0f, rounding * 3.0f}) {
      SCOPED_TRACE(spread);
      Image<PointXYZ> cloud(9, 20);
      for (int v = 0; v < cloud.rows; ++v)
        for (int u = 0; u < cloud.columns; ++u)
          cloud.at(v, u) = {0.01f * u * z, (u + v) % 2 == 0 ? spread : -spread, z};
      for (const auto& n : normalsOf(covarianceEstimation(), cloud).data) {
        ASSERT_EQ(std::isnan(n.x), spread < rounding);
      }
    }
  }
}

TEST_P(Normals, InOneRowOrColumnOfAPlaneDoNotExist)
{
  const PinholeCamera camera = cameraOfSize(40, 40);
  const auto wall = cloudOf(Image<float>(40, 40, 2.0f), camera);
  Image<PointXYZ> row(1, 40);
  for (int u = 0; u < 40; ++u)
    row.at(0, u) = wall.at(7, u);
  for (const auto& n : normalsOf(covarianceEstimation(), row).data)
    ASSERT_TRUE(std::isnan(n.x));
}

TEST_P(Normals, TurnToTheViewpoint)
{
  const auto cloud = cloudOf(roughDepth(40, 50, 0.1, 8), cameraOfSize(40, 50));
  for (const Eigen::Vector3f& viewpoint : {Eigen::Vector3f(0.0f, 0.0f, 10.0f),
                                           Eigen::Vector3f(-3.0f, 0.5f, 1.5f),
                                           Eigen::Vector3f(0.0f, 100.0f, 0.0f)}) {
    NormalMapEstimation estimation = covarianceEstimation();
    change(estimation, [&](auto& p) { p.viewpoint = viewpoint; });
    EXPECT_EQ(estimation.getParameters().viewpoint, viewpoint);
    expectNormals(estimation, cloud);
  }
}

TEST_P(Normals, AgreeWithPCLOnTheSameNeighbourhood)
{
  // Without depth jumps, which PCL's single precision does not stand well.
  const PinholeCamera camera = cameraOfSize(30, 40);
  const auto cloud =
      cloudOf(sphereDepth(camera, Eigen::Vector3d(0.1, 0.0, 1.5), 0.6), camera);
  const auto normals = normalsOf(covarianceEstimation(), cloud);
  pcl::PointCloud<PointXYZ> points;
  points.points.assign(cloud.data.begin(), cloud.data.end());
  Worst angle;
  Worst curvature;
  for (int v = 3; v < 27; ++v)
    for (int u = 3; u < 37; ++u) {
      if (std::isnan(normals.at(v, u).x))
        continue;
      pcl::Indices window;
      for (int y = v - 3; y <= v + 3; ++y)
        for (int x = u - 3; x <= u + 3; ++x)
          if (pcl::isFinite(cloud.at(y, x)))
            window.push_back(y * cloud.columns + x);
      Eigen::Vector4f plane;
      float pcl_curvature;
      pcl::computePointNormal(points, window, plane, pcl_curvature);
      pcl::flipNormalTowardsViewpoint(cloud.at(v, u), 0.0f, 0.0f, 0.0f, plane);
      angle.see(angleBetween(plane.head<3>().cast<double>(),
                             normals.at(v, u).getVector3fMap().cast<double>()) *
                    degrees,
                v,
                u);
      curvature.see(std::abs(pcl_curvature - normals.at(v, u).data[3]), v, u);
    }
  EXPECT_GT(angle.compared, 300);
  EXPECT_LE(angle.error, 0.1) << angle;
  EXPECT_LE(curvature.error, 1e-4) << curvature;
}

TEST_P(Normals, SizeTheirOutputAndLeaveTheCloudAlone)
{
  const auto cloud = cloudOf(roughDepth(12, 31, 0.1, 10), cameraOfSize(12, 31));
  const OrganizedCloud input = uploaded(cloud);
  NormalMap normals = poisoned<PointXYZ>(9, 4);
  NormalMapEstimation().compute(input, normals);
  EXPECT_EQ(normals.rows(), 12);
  EXPECT_EQ(normals.cols(), 31);
  EXPECT_TRUE(sameBits(downloaded(input), cloud));
}

TEST(NormalParameters, AreThoseThatWereSet)
{
  NormalMapEstimation estimation;
  EXPECT_EQ(estimation.getParameters().method,
            NormalEstimationMethod::ADAPTIVE_WINDOWS);
  EXPECT_EQ(estimation.getParameters().window_radius, 3);
  EXPECT_TRUE(std::isinf(estimation.getParameters().max_depth_change_factor));
  EXPECT_EQ(estimation.getParameters().viewpoint, Eigen::Vector3f(0.0f, 0.0f, 0.0f));
  change(estimation, [&](auto& p) {
    p.window_radius = 5;
    p.max_depth_change_factor = 0.02f;
  });
  EXPECT_EQ(estimation.getParameters().window_radius, 5);
  EXPECT_EQ(estimation.getParameters().max_depth_change_factor, 0.02f);
  change(estimation, [&](auto& p) {
    p.max_depth_change_factor = std::numeric_limits<float>::infinity();
  });
  EXPECT_TRUE(std::isinf(estimation.getParameters().max_depth_change_factor));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Normals);

} // namespace
