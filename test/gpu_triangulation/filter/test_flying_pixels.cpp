// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "testing/image.h"

#include <pcl/gpu/triangulation/flying_pixel_removal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class FlyingPixels : public DeviceTest {
protected:
  static Image<float>
  cleaned(const Image<float>& depth)
  {
    DepthMap result;
    FlyingPixelRemoval().compute(uploaded(depth), result);
    return downloaded(result);
  }

  /** \brief Columns that differ, the same in every row. */
  static Image<float>
  columns(const std::vector<float>& depths)
  {
    Image<float> image(12, static_cast<int>(depths.size()));
    for (int v = 0; v < image.rows; ++v)
      for (int u = 0; u < image.columns; ++u)
        image.at(v, u) = depths[u];
    return image;
  }

  static Image<float>
  turned(const Image<float>& image)
  {
    Image<float> result(image.columns, image.rows);
    for (int v = 0; v < image.rows; ++v)
      for (int u = 0; u < image.columns; ++u)
        result.at(u, v) = image.at(v, u);
    return result;
  }

  /** \brief Expects that, of these columns or rows, those and no others are removed. */
  static void
  expectRemoved(const std::vector<float>& depths, const std::vector<int>& removed)
  {
    for (bool turn : {false, true}) {
      Image<float> image = columns(depths);
      image = cleaned(turn ? turned(image) : image);
      if (turn)
        image = turned(image);
      for (int v = 0; v < image.rows; ++v)
        for (int u = 0; u < image.columns; ++u) {
          const bool flies =
              std::find(removed.begin(), removed.end(), u) != removed.end();
          if (flies)
            EXPECT_TRUE(std::isnan(image.at(v, u))) << u << ", turned " << turn;
          else
            EXPECT_EQ(image.at(v, u), depths[u]) << u << " of " << depths.size();
        }
    }
  }

  static int
  countRemoved(const Image<float>& depth)
  {
    int count = 0;
    for (float z : cleaned(depth).data)
      count += std::isnan(z);
    return count;
  }
};

TEST_P(FlyingPixels, BetweenTwoSurfacesAreRemoved)
{
  expectRemoved({1, 1, 1, 1.4f, 2, 2, 2}, {3});
  expectRemoved({2, 2, 2, 1.9f, 1, 1, 1}, {3});
  expectRemoved({1, 1, 1, 1.3f, 1.7f, 2, 2, 2}, {3, 4});
}

TEST_P(FlyingPixels, BesideSlantedSurfacesAreRemoved)
{
  // Both surfaces change by 1 cm a pixel.
  expectRemoved({1, 1.01f, 1.02f, 1.4f, 2, 2.01f, 2.02f}, {3});
}

TEST_P(FlyingPixels, AtBothSidesOfAPoleAreRemovedAndThePoleRemains)
{
  expectRemoved({3, 3, 3, 2.2f, 1, 1, 1.5f, 3, 3, 3}, {3, 6});
}

TEST_P(FlyingPixels, DoNotIncludeThinThings)
{
  expectRemoved({3, 3, 3, 1, 3, 3, 3}, {});
  expectRemoved({1, 1, 1, 3, 1, 1, 1}, {});
  expectRemoved({1, 1, 1, 2, 2, 3, 3, 3}, {});
}

TEST_P(FlyingPixels, DoNotIncludeSteepSurfaces)
{
  // 5 cm a pixel, alone and between two others, and ever steeper towards an outline.
  expectRemoved({1, 1.05f, 1.1f, 1.15f, 1.2f, 1.25f, 1.3f}, {});
  expectRemoved({1, 1, 1, 1.3f, 1.35f, 1.4f, 2, 2, 2}, {});
  expectRemoved({1, 1.003f, 1.01f, 1.025f, 1.06f, 3, 3, 3}, {});
}

TEST_P(FlyingPixels, DoNotIncludeNoise)
{
  // The noise of a Kinect, in steps of its disparity, on walls and floors.
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (double slope : {0.0, 0.004, 0.012})
      for (double distance : {0.6, 1.0, 2.0, 3.0, 4.0}) {
        SCOPED_TRACE(std::to_string(slope) + ", " + std::to_string(distance) + " m");
        std::mt19937 random(seed);
        std::normal_distribution<double> gauss;
        Image<float> depth(120, 160);
        for (int v = 0; v < 120; ++v)
          for (int u = 0; u < 160; ++u) {
            const double z = distance / (1.0 + slope * (v - 60));
            const double deviation = 0.0012 + 0.0019 * (z - 0.4) * (z - 0.4);
            const double steps = 315.0 / (z + deviation * gauss(random));
            depth.at(v, u) = static_cast<float>(315.0 / std::round(steps));
          }
        EXPECT_LE(countRemoved(depth), 0.002 * 120 * 160);
      }
}

TEST_P(FlyingPixels, KeepMissingDepthMissing)
{
  Image<float> depth = columns({1, 1, 1, 1.4f, 2, 2, 2});
  for (float missing : {0.0f, -1.0f, NAN, INFINITY, 1e18f}) {
    depth.at(5, 4) = missing;
    const Image<float> result = cleaned(depth);
    EXPECT_TRUE(std::isnan(result.at(5, 4)));
    EXPECT_EQ(result.at(5, 2), 1.0f);
    EXPECT_EQ(result.at(5, 5), 2.0f);
  }
}

TEST_P(FlyingPixels, OfRawDepthAreThoseOfMetres)
{
  std::mt19937 random(4);
  Image<std::uint16_t> raw(30, 40);
  Image<float> metres(30, 40);
  for (std::size_t i = 0; i < raw.data.size(); ++i) {
    raw.data[i] = random() % 9 ? static_cast<std::uint16_t>(900 + random() % 900) : 0;
    metres.data[i] = 0.001f * raw.data[i];
  }
  DepthMap result;
  FlyingPixelRemoval().compute(uploaded(raw), 0.001f, result);
  const Image<float> from_raw = downloaded(result);
  const Image<float> from_metres = cleaned(metres);
  int removed = 0;
  for (std::size_t i = 0; i < raw.data.size(); ++i) {
    EXPECT_EQ(std::isnan(from_raw.data[i]), std::isnan(from_metres.data[i]));
    removed += raw.data[i] != 0 && std::isnan(from_raw.data[i]);
  }
  EXPECT_GT(removed, 50);
}

TEST_P(FlyingPixels, InTheSmallestImagesRemain)
{
  EXPECT_EQ(countRemoved(Image<float>(1, 1, 1.0f)), 0);
  EXPECT_EQ(countRemoved(Image<float>(2, 2, 1.0f)), 0);
  EXPECT_TRUE(cleaned(Image<float>()).data.empty());
}

TEST(FlyingPixelParameters, OutsideTheirRangeAreRefused)
{
  for (float bad : {-1.0f, NAN, INFINITY}) {
    FlyingPixelRemovalParameters parameters;
    parameters.tolerance = bad;
    EXPECT_THROW(parameters.validate(), pcl::BadArgumentException);
    parameters = {};
    parameters.tolerance_growth = bad;
    EXPECT_THROW(parameters.validate(), pcl::BadArgumentException);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FlyingPixels);

} // namespace
