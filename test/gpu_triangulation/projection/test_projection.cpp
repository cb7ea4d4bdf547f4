// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/reference.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/depth_map_projection.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

class Projection : public DeviceTest {
protected:
  static DepthMapProjection
  projectionWith(const PinholeCamera& camera)
  {
    DepthMapProjection projection;
    change(projection, [&](auto& p) { p.camera = camera; });
    return projection;
  }

  /** \brief A camera with nothing symmetric or round about it. */
  static PinholeCamera
  oddCamera()
  {
    PinholeCamera camera;
    camera.fx = 571.3f;
    camera.fy = 480.9f;
    camera.cx = 30.7f;
    camera.cy = -12.25f;
    return camera;
  }

  static Image<PointXYZ>
  projected(const PinholeCamera& camera, const Image<float>& depth)
  {
    OrganizedCloud cloud = poisoned<PointXYZ>(depth.rows, depth.columns);
    projectionWith(camera).compute(uploaded(depth), cloud);
    return downloaded(cloud);
  }

  static Image<PointXYZ>
  projected(const PinholeCamera& camera, const Image<std::uint16_t>& depth, float scale)
  {
    OrganizedCloud cloud = poisoned<PointXYZ>(depth.rows, depth.columns);
    projectionWith(camera).compute(uploaded(depth), scale, cloud);
    return downloaded(cloud);
  }

  /** \brief Expects eq. (2) to a relative 1e-6 and NaN in all three coordinates of
   * missing points. */
  template <typename Point>
  static void
  expectEquation(const Image<double>& depth,
                 const PinholeCamera& camera,
                 const Image<Point>& cloud)
  {
    ASSERT_EQ(cloud.rows, depth.rows);
    ASSERT_EQ(cloud.columns, depth.columns);
    Worst worst;
    for (int v = 0; v < depth.rows; ++v)
      for (int u = 0; u < depth.columns; ++u) {
        const auto& p = cloud.at(v, u);
        const double z = depth.at(v, u);
        if (!(std::isfinite(z) && z > 0.0)) {
          ASSERT_TRUE(std::isnan(p.x) && std::isnan(p.y) && std::isnan(p.z))
              << v << ", " << u;
          continue;
        }
        const Eigen::Vector3d expected = referencePoint(z, v, u, camera);
        const Eigen::Array3d error =
            (p.getVector3fMap().template cast<double>() - expected).array().abs();
        worst.see((error / expected.array().abs().max(1e-30)).maxCoeff(), v, u);
        ASSERT_EQ(p.data[3], 1.0f) << "PCL's fourth coordinate at " << v << ", " << u;
      }
    EXPECT_LE(worst.error, 1e-6) << worst;
  }

  static Image<double>
  inDouble(const Image<float>& depth)
  {
    Image<double> metres(depth.rows, depth.columns);
    metres.data.assign(depth.data.begin(), depth.data.end());
    return metres;
  }
};

TEST_P(Projection, FollowsEquationTwo)
{
  const Image<float> depth = roughDepth(67, 93, 0.2, 1);
  const PinholeCamera camera = oddCamera();
  expectEquation(inDouble(depth), camera, projected(camera, depth));
}

TEST_P(Projection, FollowsEquationTwoOnRawDepthOfAnyScale)
{
  const Image<std::uint16_t> raw = inMillimetres(roughDepth(33, 65, 0.2, 2));
  for (float scale : {0.001f, 0.0002f, 0.01f}) {
    SCOPED_TRACE(scale);
    Image<double> depth(raw.rows, raw.columns);
    for (std::size_t i = 0; i < raw.data.size(); ++i)
      depth.data[i] = raw.data[i] * static_cast<double>(scale);
    const PinholeCamera camera = oddCamera();
    expectEquation(depth, camera, projected(camera, raw, scale));
  }
}

TEST_P(Projection, FollowsEquationTwoAroundTheWidthsOfTiles)
{
  const int sizes[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Image<float> depth = roughDepth(rows, columns, 0.2, 3);
      expectEquation(inDouble(depth), oddCamera(), projected(oddCamera(), depth));
    }
}

TEST_P(Projection, PutsThePrincipalPointOnTheAxisAndColumnsAlongX)
{
  PinholeCamera camera;
  camera.fx = 100.0f;
  camera.fy = 50.0f;
  camera.cx = 2.0f;
  camera.cy = 1.0f;
  const Image<PointXYZ> cloud = projected(camera, Image<float>(3, 5, 2.0f));
  EXPECT_EQ(cloud.at(1, 2).x, 0.0f);
  EXPECT_EQ(cloud.at(1, 2).y, 0.0f);
  EXPECT_EQ(cloud.at(1, 2).z, 2.0f);
  EXPECT_FLOAT_EQ(cloud.at(1, 4).x, 0.04f);
  EXPECT_FLOAT_EQ(cloud.at(2, 2).y, 0.04f);
}

TEST_P(Projection, MakesMissingDepthNaNInAllThreeCoordinates)
{
  Image<float> depth(1, 8);
  depth.data = {std::numeric_limits<float>::quiet_NaN(),
                infinity,
                -infinity,
                0.0f,
                -0.0f,
                -2.0f,
                1e18f,
                3e38f};
  for (const auto& p : projected(oddCamera(), depth).data)
    EXPECT_TRUE(std::isnan(p.x) && std::isnan(p.y) && std::isnan(p.z));
  const Image<PointXYZ> raw =
      projected(oddCamera(), Image<std::uint16_t>(4, 4), 0.001f);
  for (const auto& p : raw.data)
    EXPECT_TRUE(std::isnan(p.x) && std::isnan(p.y) && std::isnan(p.z));
}

TEST_P(Projection, CarriesColoursAlong)
{
  const Image<float> depth = roughDepth(33, 47, 0.2, 4);
  std::mt19937 random(4);
  Image<pcl::RGB> colors(depth.rows, depth.columns);
  for (auto& color : colors.data)
    color.rgba = static_cast<std::uint32_t>(random()) | 0xff000000u;
  auto cloud = poisoned<pcl::PointXYZRGB>(depth.rows, depth.columns);
  projectionWith(oddCamera()).compute(uploaded(depth), uploaded(colors), cloud);
  const Image<pcl::PointXYZRGB> result = downloaded(cloud);
  expectEquation(inDouble(depth), oddCamera(), result);
  for (std::size_t i = 0; i < colors.data.size(); ++i) {
    ASSERT_EQ(result.data[i].r, colors.data[i].r);
    ASSERT_EQ(result.data[i].g, colors.data[i].g);
    ASSERT_EQ(result.data[i].b, colors.data[i].b);
  }
}

TEST_P(Projection, MakesPointsWithoutColourBlack)
{
  Image<pcl::RGB> colors(2, 3);
  for (auto& color : colors.data)
    color.rgba = 0;
  auto cloud = poisoned<pcl::PointXYZRGB>(2, 3);
  projectionWith(oddCamera())
      .compute(uploaded(Image<float>(2, 3, 1.0f)), uploaded(colors), cloud);
  for (const auto& p : downloaded(cloud).data) {
    EXPECT_EQ(p.r, 0);
    EXPECT_EQ(p.g, 0);
    EXPECT_EQ(p.b, 0);
    EXPECT_EQ(p.z, 1.0f);
  }
}

TEST_P(Projection, SizesItsOutput)
{
  OrganizedCloud cloud = poisoned<PointXYZ>(9, 4);
  projectionWith(oddCamera()).compute(uploaded(Image<float>(12, 31, 1.0f)), cloud);
  EXPECT_EQ(cloud.rows(), 12);
  EXPECT_EQ(cloud.cols(), 31);
}

TEST_P(Projection, SampledIsEveryNthPixelOfAll)
{
  for (const auto& size : {std::make_pair(1, 1),
                           std::make_pair(2, 3),
                           std::make_pair(31, 64),
                           std::make_pair(67, 93)})
    for (int step : {1, 2, 3, 5, 32, 100}) {
      SCOPED_TRACE(std::to_string(size.first) + " x " + std::to_string(size.second) +
                   ", step " + std::to_string(step));
      const Image<float> depth = roughDepth(size.first, size.second, 0.2, 6);
      const Image<std::uint16_t> raw = inMillimetres(depth);
      DepthMapProjection projection = projectionWith(oddCamera());
      OrganizedCloud all, all_of_raw;
      projection.compute(uploaded(depth), all);
      projection.compute(uploaded(raw), 0.001f, all_of_raw);
      change(projection, [&](auto& p) { p.sampling_step = step; });
      OrganizedCloud some = poisoned<PointXYZ>(4, 4), some_of_raw;
      projection.compute(uploaded(depth), some);
      projection.compute(uploaded(raw), 0.001f, some_of_raw);
      EXPECT_TRUE(sameBits(downloaded(some), everyNth(downloaded(all), step, step)));
      EXPECT_TRUE(sameBits(downloaded(some_of_raw),
                           everyNth(downloaded(all_of_raw), step, step)));
    }
}

TEST_P(Projection, SampledHasTheCameraOfItsPixels)
{
  const Image<float> depth = roughDepth(67, 93, 0.2, 7);
  for (int step : {1, 2, 3, 7}) {
    DepthMapProjection projection = projectionWith(oddCamera());
    change(projection, [&](auto& p) { p.sampling_step = step; });
    OrganizedCloud cloud;
    projection.compute(uploaded(depth), cloud);
    const Image<PointXYZ> points = downloaded(cloud);
    const PinholeCamera camera = projection.getParameters().cloudCamera();
    int seen = 0;
    for (int v = 0; v < points.rows; ++v)
      for (int u = 0; u < points.columns; ++u) {
        const PointXYZ& p = points.at(v, u);
        if (!std::isfinite(p.z))
          continue;
        ++seen;
        EXPECT_NEAR(camera.fx * p.x / p.z + camera.cx, u, 1e-3);
        EXPECT_NEAR(camera.fy * p.y / p.z + camera.cy, v, 1e-3);
      }
    EXPECT_GT(seen, points.rows * points.columns / 2);
  }
}

TEST_P(Projection, OfColoursIsNotSampled)
{
  DepthMapProjection projection = projectionWith(oddCamera());
  change(projection, [&](auto& p) { p.sampling_step = 3; });
  auto cloud = poisoned<pcl::PointXYZRGB>(1, 1);
  projection.compute(
      uploaded(Image<float>(12, 31, 1.0f)), uploaded(Image<pcl::RGB>(12, 31)), cloud);
  EXPECT_EQ(cloud.rows(), 12);
  EXPECT_EQ(cloud.cols(), 31);
}

TEST_P(Projection, SampledOfNothingIsEmpty)
{
  DepthMapProjection projection = projectionWith(oddCamera());
  change(projection, [&](auto& p) { p.sampling_step = 2; });
  OrganizedCloud cloud = poisoned<PointXYZ>(3, 3);
  projection.compute(DepthMap(), cloud);
  EXPECT_TRUE(cloud.empty());
}

TEST(ProjectionParameters, OfSamplingAreChecked)
{
  DepthMapProjection projection;
  EXPECT_EQ(projection.getParameters().sampling_step, 1);
  for (int bad : {0, -2})
    expectBadArgument("sampling step is " + std::to_string(bad), [&] {
      change(projection, [&](auto& p) { p.sampling_step = bad; });
    });
  PinholeCamera camera = cameraOfSize(480, 640);
  camera.width = 641;
  change(projection, [&](auto& p) {
    p.camera = camera;
    p.sampling_step = 2;
  });
  EXPECT_EQ(projection.getParameters().sampling_step, 2);
  EXPECT_EQ(projection.getParameters().camera.fx, 525.0f);
  EXPECT_EQ(projection.getParameters().cloudCamera().fx, 262.5f);
  EXPECT_EQ(projection.getParameters().cloudCamera().cx, camera.cx / 2.0f);
  EXPECT_EQ(projection.getParameters().cloudCamera().width, 321);
  EXPECT_EQ(projection.getParameters().cloudCamera().height, 240);
  camera.width = camera.height = 0;
  change(projection, [&](auto& p) { p.camera = camera; });
  EXPECT_EQ(projection.getParameters().cloudCamera().width, 0)
      << "the image has its size";
}

TEST(ProjectionParameters, AreThoseThatWereSet)
{
  DepthMapProjection projection;
  change(projection, [&](auto& p) { p.camera = cameraOfSize(480, 640); });
  EXPECT_EQ(projection.getParameters().camera.fx, 525.0f);
  EXPECT_EQ(projection.getParameters().camera.cy, 239.5f);
  EXPECT_EQ(projection.getParameters().camera.height, 480);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Projection);

} // namespace
