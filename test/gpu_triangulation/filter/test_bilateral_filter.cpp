// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/reference.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/depth_bilateral_filter.h>

#include <string>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class BilateralFilter : public DeviceTest {
protected:
  static Image<float>
  filtered(const DepthBilateralFilter& filter, const Image<float>& depth)
  {
    DepthMap result = poisoned<float>(depth.rows, depth.columns);
    filter.compute(uploaded(depth), result);
    return downloaded(result);
  }

  static Image<float>
  filtered(const DepthBilateralFilter& filter,
           const Image<std::uint16_t>& depth,
           float scale)
  {
    DepthMap result = poisoned<float>(depth.rows, depth.columns);
    filter.compute(uploaded(depth), scale, result);
    return downloaded(result);
  }

  static Image<double>
  expected(const DepthBilateralFilter& filter, const Image<double>& metres)
  {
    ReferenceFilter reference;
    reference.sigma_s = filter.getParameters().sigma_s;
    reference.sigma_r = filter.getParameters().sigma_r;
    reference.sigma_r_growth = filter.getParameters().sigma_r_growth;
    reference.radius = filter.getParameters().window_radius;
    return referenceFilter(metres, reference);
  }

  static Image<double>
  inDouble(const Image<float>& depth)
  {
    Image<double> metres(depth.rows, depth.columns);
    metres.data.assign(depth.data.begin(), depth.data.end());
    return metres;
  }

  static void
  expectBruteForce(const DepthBilateralFilter& filter, const Image<float>& depth)
  {
    expectClose(expected(filter, inDouble(depth)), filtered(filter, depth), 1e-6);
  }

  static void
  expectBruteForce(const DepthBilateralFilter& filter,
                   const Image<std::uint16_t>& depth,
                   float scale)
  {
    Image<double> metres(depth.rows, depth.columns);
    for (std::size_t i = 0; i < metres.data.size(); ++i)
      metres.data[i] = depth.data[i] * static_cast<double>(scale);
    expectClose(expected(filter, metres), filtered(filter, depth, scale), 1e-6);
  }
};

TEST_P(BilateralFilter, EqualsBruteForceAtEveryRadius)
{
  for (int radius = 1; radius <= 8; ++radius) {
    SCOPED_TRACE("seed and radius " + std::to_string(radius));
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) {
      p.window_radius = radius;
      p.sigma_s = 0.7f * static_cast<float>(radius);
    });
    expectBruteForce(filter, roughDepth(70, 83, 0.15, radius));
  }
}

TEST_P(BilateralFilter, EqualsBruteForceAtTheLargestRadius)
{
  DepthBilateralFilter filter;
  change(filter, [&](auto& p) {
    p.window_radius = DepthBilateralFilterParameters::max_window_radius;
  });
  expectBruteForce(filter, roughDepth(50, 71, 0.15, 20));
}

TEST_P(BilateralFilter, EqualsBruteForceOnMillimetres)
{
  expectBruteForce(
      DepthBilateralFilter(), inMillimetres(roughDepth(61, 90, 0.15, 21)), 0.001f);
}

TEST_P(BilateralFilter, EqualsBruteForceAtOtherDepthScales)
{
  const Image<std::uint16_t> raw = inMillimetres(roughDepth(40, 50, 0.1, 22));
  for (float scale : {0.0002f, 0.00025f, 0.01f}) {
    SCOPED_TRACE(scale);
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) { p.sigma_r = 30.0f * scale; });
    expectBruteForce(filter, raw, scale);
  }
}

TEST_P(BilateralFilter, EqualsBruteForceWithARangeKernelThatGrowsWithDepth)
{
  for (float growth : {0.0014f, 0.0028f, 0.05f}) {
    SCOPED_TRACE(growth);
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) {
      p.sigma_r = 0.005f;
      p.sigma_r_growth = growth;
    });
    expectBruteForce(filter, roughDepth(45, 66, 0.15, 23));
  }
}

TEST_P(BilateralFilter, EqualsBruteForceWithNarrowAndWideKernels)
{
  const std::pair<float, float> sigmas[] = {
      {0.3f, 0.03f}, {100.0f, 0.03f}, {4.5f, 0.001f}, {4.5f, 10.0f}};
  for (const auto& sigma : sigmas) {
    SCOPED_TRACE(std::to_string(sigma.first) + ", " + std::to_string(sigma.second));
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) {
      p.sigma_s = sigma.first;
      p.sigma_r = sigma.second;
    });
    expectBruteForce(filter, roughDepth(40, 50, 0.15, 24));
  }
}

TEST_P(BilateralFilter, EqualsBruteForceAroundTheWidthsOfTiles)
{
  const int sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65};
  DepthBilateralFilter filter;
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      expectBruteForce(filter, roughDepth(rows, columns, 0.1, rows * 100 + columns));
    }
}

TEST_P(BilateralFilter, EqualsBruteForceOnRowsAndColumnsOfOnePixel)
{
  DepthBilateralFilter filter;
  for (int radius : {1, 6, 16}) {
    SCOPED_TRACE(radius);
    change(filter, [&](auto& p) { p.window_radius = radius; });
    expectBruteForce(filter, roughDepth(1, 501, 0.1, 25));
    expectBruteForce(filter, roughDepth(501, 1, 0.1, 26));
  }
}

TEST_P(BilateralFilter, LeavesAnIsolatedMeasurementAsItIs)
{
  for (int size : {1, 40}) {
    Image<float> depth(size, size, not_a_number);
    depth.at(size / 2, size / 2) = 1.2345f;
    const Image<float> result = filtered(DepthBilateralFilter(), depth);
    EXPECT_EQ(result.at(size / 2, size / 2), 1.2345f);
  }
}

TEST_P(BilateralFilter, InventsNoDepthWhereThereIsNone)
{
  Image<float> depth(33, 47, 2.0f);
  const float missing[] = {
      not_a_number, infinity, -infinity, 0.0f, -0.0f, -1.5f, 1e18f};
  for (int i = 0; i < 7; ++i)
    depth.at(5 + 4 * i, 7 * i) = missing[i];
  const Image<float> result = filtered(DepthBilateralFilter(), depth);
  for (int i = 0; i < 7; ++i)
    EXPECT_TRUE(std::isnan(result.at(5 + 4 * i, 7 * i))) << missing[i];
}

TEST_P(BilateralFilter, LetsMissingDepthContributeNothing)
{
  // A range kernel so wide that a stray 0 or -1.5 would weigh as much as the rest.
  DepthBilateralFilter filter;
  change(filter, [&](auto& p) { p.sigma_r = 100.0f; });
  for (float missing : {not_a_number, infinity, -infinity, 0.0f, -0.0f, -1.5f}) {
    SCOPED_TRACE(missing);
    Image<float> depth(33, 47, 2.0f);
    for (int v = 0; v < depth.rows; ++v)
      for (int u = v % 3; u < depth.columns; u += 3)
        depth.at(v, u) = missing;
    const Image<float> result = filtered(filter, depth);
    for (int v = 0; v < depth.rows; ++v)
      for (int u = 0; u < depth.columns; ++u) {
        if ((u - v % 3) % 3 == 0)
          ASSERT_TRUE(std::isnan(result.at(v, u)));
        else
          ASSERT_EQ(result.at(v, u), 2.0f);
      }
  }
}

TEST_P(BilateralFilter, TakesRawZeroForNoMeasurement)
{
  Image<std::uint16_t> depth(20, 30, 1500);
  depth.at(10, 15) = 0;
  const Image<float> result = filtered(DepthBilateralFilter(), depth, 0.001f);
  EXPECT_TRUE(std::isnan(result.at(10, 15)));
  EXPECT_FLOAT_EQ(result.at(10, 14), 1.5f);
}

TEST_P(BilateralFilter, GivesNaNEverywhereOnAFrameWithoutMeasurement)
{
  for (float z :
       filtered(DepthBilateralFilter(), Image<std::uint16_t>(35, 70), 0.001f).data)
    ASSERT_TRUE(std::isnan(z));
}

TEST_P(BilateralFilter, LeavesAConstantMapUnchanged)
{
  for (float z : {0.5f, 1.7f, 65.535f}) {
    for (float value : filtered(DepthBilateralFilter(), Image<float>(50, 70, z)).data)
      ASSERT_EQ(value, z);
  }
}

TEST_P(BilateralFilter, DoesNotBleedOverAStep)
{
  // 30 sigma_r: the weight across is below the least positive float.
  Image<float> depth(40, 60, 1.0f);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 30; u < depth.columns; ++u)
      depth.at(v, u) = 1.9f;
  EXPECT_TRUE(sameBits(filtered(DepthBilateralFilter(), depth), depth));
}

TEST_P(BilateralFilter, ReducesNoiseOnAWall)
{
  Image<float> depth = roughDepth(60, 80, 0.0, 27);
  for (std::size_t i = 0; i < depth.data.size(); ++i)
    depth.data[i] =
        2.0f + 0.01f * std::sin(12.9898f * static_cast<float>(i * i % 9973));
  const auto roughness = [](const Image<float>& image) {
    double sum = 0.0;
    for (float z : image.data)
      sum += (z - 2.0) * (z - 2.0);
    return std::sqrt(sum / static_cast<double>(image.data.size()));
  };
  EXPECT_LT(roughness(filtered(DepthBilateralFilter(), depth)),
            0.25 * roughness(depth));
}

TEST_P(BilateralFilter, LeavesItsInputAlone)
{
  const Image<float> depth = roughDepth(40, 50, 0.2, 28);
  const DepthMap input = uploaded(depth);
  DepthMap result;
  DepthBilateralFilter().compute(input, result);
  EXPECT_TRUE(sameBits(downloaded(input), depth));
}

TEST_P(BilateralFilter, SizesItsOutput)
{
  DepthMap result = poisoned<float>(9, 4);
  DepthBilateralFilter().compute(uploaded(Image<float>(12, 31, 1.0f)), result);
  EXPECT_EQ(result.rows(), 12);
  EXPECT_EQ(result.cols(), 31);
}

TEST_P(BilateralFilter, GivesTheSameBitsOnEveryRun)
{
  const Image<float> depth = roughDepth(61, 77, 0.2, 29);
  const Image<float> first = filtered(DepthBilateralFilter(), depth);
  for (int run = 0; run < 3; ++run)
    EXPECT_TRUE(sameBits(filtered(DepthBilateralFilter(), depth), first));
}

TEST(BilateralFilterParameters, AreThoseThatWereSet)
{
  DepthBilateralFilter filter;
  EXPECT_EQ(filter.getParameters().sigma_s, 4.5f);
  EXPECT_EQ(filter.getParameters().sigma_r, 0.03f);
  EXPECT_EQ(filter.getParameters().sigma_r_growth, 0.0f);
  EXPECT_EQ(filter.getParameters().window_radius, 6);
  change(filter, [&](auto& p) {
    p.sigma_s = 2.5f;
    p.sigma_r = 0.1f;
    p.sigma_r_growth = 0.0028f;
    p.window_radius = 16;
  });
  EXPECT_EQ(filter.getParameters().sigma_s, 2.5f);
  EXPECT_EQ(filter.getParameters().sigma_r, 0.1f);
  EXPECT_EQ(filter.getParameters().sigma_r_growth, 0.0028f);
  EXPECT_EQ(filter.getParameters().window_radius, 16);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(BilateralFilter);

} // namespace
