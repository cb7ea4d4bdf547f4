// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"

#include <pcl/gpu/utils/missing_depth.h>
#include <pcl/point_types.h>

#include <gtest/gtest.h>

#include <limits>

using namespace pcl::gpu;

using pcl::gpu::test::infinity;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

TEST(MissingDepth, IsAllButPositiveNumbers)
{
  for (const float depth : {smallest, 1e-3f, 1.0f, 1e6f, 0.999e18f})
    EXPECT_TRUE(isMeasuredDepth(depth)) << depth;
  for (const float depth : {0.0f, -0.0f, -1.0f, nan, infinity, -infinity, 1e18f, 3e38f})
    EXPECT_FALSE(isMeasuredDepth(depth)) << depth;
}

TEST(MissingPoints, AreZerosAndThoseThatAreNotFinite)
{
  using pcl::PointXYZ;
  for (const PointXYZ& point : {PointXYZ(1, 2, 3),
                                PointXYZ(-1, 0, 0),
                                PointXYZ(0, 0, -2),
                                PointXYZ(0, smallest, 0),
                                PointXYZ(3e38f, 3e38f, -3e38f)})
    EXPECT_TRUE(isMeasuredPoint(point)) << point;
  for (const PointXYZ& point : {PointXYZ(0, 0, 0),
                                PointXYZ(-0.0f, 0, 0),
                                PointXYZ(nan, 0, 1),
                                PointXYZ(1, nan, 1),
                                PointXYZ(1, 1, nan),
                                PointXYZ(infinity, 1, 1),
                                PointXYZ(1, -infinity, 1),
                                PointXYZ(1, 1, infinity)})
    EXPECT_FALSE(isMeasuredPoint(point)) << point;
}

DepthImage
imageOf(const std::vector<std::uint16_t>& pixels)
{
  DepthImage image;
  image.resize(static_cast<int>(pixels.size()), 1);
  image.pixels = pixels;
  return image;
}

TEST(MissingDepth, MarkersStandAlone)
{
  EXPECT_EQ(findMissingDepthMarker(imageOf({0, 1500, 65535})), 65535);
  EXPECT_EQ(findMissingDepthMarker(imageOf({65279, 65279, 65535})), 65535);
  EXPECT_EQ(findMissingDepthMarker(imageOf({65534, 65534, 65535, 65535, 65535})),
            65535);
  // Surfaces at the end of the range.
  EXPECT_EQ(findMissingDepthMarker(imageOf({65533, 65534, 65535})), 0);
  EXPECT_EQ(findMissingDepthMarker(imageOf({65280, 65535})), 0);
  EXPECT_EQ(findMissingDepthMarker(imageOf({0, 65534, 2047})), 0);
  EXPECT_EQ(findMissingDepthMarker({}), 0);
}

TEST(MissingDepth, MarkersAreCleared)
{
  const DepthImage raw = imageOf({65535, 7, 0, 65535, 9});
  DepthImage image = raw;
  EXPECT_EQ(clearMissingDepth(image), 65535);
  EXPECT_EQ(image.pixels, (std::vector<std::uint16_t>{0, 7, 0, 0, 9}));
  EXPECT_EQ(clearMissingDepth(image), 0);
  image = raw;
  EXPECT_EQ(clearMissingDepth(image, 7), 7);
  EXPECT_EQ(image.pixels, (std::vector<std::uint16_t>{65535, 0, 0, 65535, 9}));
  EXPECT_EQ(clearMissingDepth(image, 8), 0);
  EXPECT_EQ(clearMissingDepth(image, 0), 0);
  EXPECT_EQ(image.pixels, (std::vector<std::uint16_t>{65535, 0, 0, 65535, 9}));
}

} // namespace
