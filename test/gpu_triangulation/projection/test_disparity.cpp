// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/reference.h"

#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class KinectDisparity : public DeviceTest {
protected:
  /** \brief Every code that the sensor can send, in a frame with a ragged last row. */
  static Image<std::uint16_t>
  allCodes()
  {
    Image<std::uint16_t> codes(32, 65);
    for (std::size_t i = 0; i < codes.data.size(); ++i)
      codes.data[i] = static_cast<std::uint16_t>(i % 2048);
    return codes;
  }

  static Image<float>
  converted(const KinectDisparityConverter& converter,
            const Image<std::uint16_t>& codes)
  {
    DepthMap depth = poisoned<float>(codes.rows, codes.columns);
    converter.compute(uploaded(codes), depth);
    return downloaded(depth);
  }

  static void
  expectEquation(const KinectDisparityConverter& converter,
                 double baseline,
                 double focal_length,
                 double offset)
  {
    const Image<std::uint16_t> codes = allCodes();
    Image<double> expected(codes.rows, codes.columns);
    for (std::size_t i = 0; i < codes.data.size(); ++i)
      expected.data[i] =
          referenceDisparityDepth(codes.data[i], baseline, focal_length, offset);
    expectClose(expected, converted(converter, codes), 1e-6);
  }
};

TEST_P(KinectDisparity, FollowsEquationOneWithTheDefaultParameters)
{
  expectEquation(KinectDisparityConverter(), 0.075f, 575.8f, 1090.0f);
}

TEST_P(KinectDisparity, FollowsEquationOneWithOtherParameters)
{
  KinectDisparityConverter converter;
  change(converter, [&](auto& p) {
    p.baseline = 0.12f;
    p.focal_length = 610.25f;
    p.disparity_offset = 1084.5f;
  });
  expectEquation(converter, 0.12f, 610.25f, 1084.5f);
}

TEST_P(KinectDisparity, MeetsAValueCalculatedByHand)
{
  KinectDisparityConverter converter;
  change(converter, [&](auto& p) {
    p.baseline = 0.075f;
    p.focal_length = 580.0f;
    p.disparity_offset = 1090.0f;
  });
  // 0.075 * 580 / ((1090 - 742) / 8) = 43.5 / 43.5
  const Image<float> depth = converted(converter, Image<std::uint16_t>(1, 1, 742));
  EXPECT_NEAR(depth.at(0, 0), 1.0f, 1e-6f);
}

TEST_P(KinectDisparity, GivesNaNForTheCodeOfNoMeasurement)
{
  KinectDisparityConverter converter;
  // Without the rule 2047 would be a disparity like any other.
  change(converter, [&](auto& p) { p.disparity_offset = 3000.0f; });
  const Image<float> depth = converted(converter, Image<std::uint16_t>(3, 5, 2047));
  for (float z : depth.data)
    EXPECT_TRUE(std::isnan(z));
}

TEST_P(KinectDisparity, GivesNaNAtAndBeyondTheOffset)
{
  Image<std::uint16_t> codes(1, 4);
  codes.data = {1089, 1090, 1091, 65535};
  const Image<float> depth = converted(KinectDisparityConverter(), codes);
  EXPECT_NEAR(depth.at(0, 0), 0.075 * 575.8 * 8.0, 1e-3);
  EXPECT_TRUE(std::isnan(depth.at(0, 1)));
  EXPECT_TRUE(std::isnan(depth.at(0, 2)));
  EXPECT_TRUE(std::isnan(depth.at(0, 3)));
}

TEST_P(KinectDisparity, SizesItsOutput)
{
  DepthMap depth = poisoned<float>(7, 3);
  KinectDisparityConverter().compute(uploaded(Image<std::uint16_t>(2, 9, 500)), depth);
  EXPECT_EQ(depth.rows(), 2);
  EXPECT_EQ(depth.cols(), 9);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(KinectDisparity);

} // namespace
