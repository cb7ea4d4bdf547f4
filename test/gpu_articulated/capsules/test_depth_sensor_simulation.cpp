// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/depth_sensor_simulation.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

PinholeCamera
wideCamera()
{
  PinholeCamera camera;
  camera.fx = 200.0f;
  camera.fy = 210.0f;
  camera.cx = 150.5f;
  camera.cy = 99.0f;
  return camera;
}

class DepthSimulation : public DeviceTest {
protected:
  DepthSimulation()
  {
    setParameter(simulation_, &DepthSensorSimulationParameters::camera, wideCamera());
    noise_.deviation = 0.0f;
    noise_.outlier_fraction = 0.0f;
  }

  Image<float>
  measure(const Image<float>& depth, std::uint32_t frame = 0)
  {
    setParameter(simulation_, &DepthSensorSimulationParameters::noise, noise_);
    auto measured = poisoned<float>(depth.rows, depth.columns);
    simulation_.addNoise(uploaded(depth), frame, measured);
    return downloaded(measured);
  }

  DepthSensorSimulation simulation_;
  DepthNoise noise_;
};

double
fractionOf(const Image<float>& image, bool (*holds)(float))
{
  std::size_t count = 0;
  for (const float value : image.data)
    count += holds(value);
  return double(count) / image.data.size();
}

} // namespace

TEST_P(DepthSimulation, LeavesDepthAloneWithoutErrors)
{
  Image<float> depth(200, 300, 2.5f);
  depth.at(3, 4) = 1.25f;
  EXPECT_TRUE(sameBits(measure(depth), depth));
}

TEST_P(DepthSimulation, ErrsAlongTheRayWithTheGivenDeviation)
{
  noise_.deviation = 0.01f;
  const Image<float> measured = measure(Image<float>(200, 300, 2.0f));
  double sum = 0.0, squares = 0.0, fourths = 0.0;
  for (int row = 0; row < measured.rows; ++row)
    for (int column = 0; column < measured.columns; ++column) {
      const double x = (column - 150.5) / 200.0, y = (row - 99.0) / 210.0;
      const double error =
          (measured.at(row, column) - 2.0) * std::sqrt(x * x + y * y + 1.0) / 0.01;
      sum += error;
      squares += error * error;
      fourths += error * error * error * error;
    }
  // Four standard errors of the moments of a normal distribution.
  const double count = measured.data.size();
  EXPECT_NEAR(sum / count, 0.0, 4.0 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1.0, 4.0 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourths / count, 3.0, 4.0 * std::sqrt(96.0 / count));
}

TEST_P(DepthSimulation, ErrsMoreFarAway)
{
  noise_.deviation = 0.001f;
  noise_.deviation_growth = 0.002f;
  PinholeCamera narrow = wideCamera();
  narrow.fx = narrow.fy = 1e6f;
  setParameter(simulation_, &DepthSensorSimulationParameters::camera, narrow);
  for (const double depth : {1.0, 4.0}) {
    const Image<float> measured = measure(Image<float>(200, 300, float(depth)));
    double squares = 0.0;
    for (const float value : measured.data)
      squares += (value - depth) * (value - depth);
    const double deviation = std::sqrt(squares / measured.data.size());
    EXPECT_NEAR(deviation / (0.001 + 0.002 * depth * depth), 1.0, 0.02);
  }
}

TEST_P(DepthSimulation, HasOutliersAnywhereBetweenTheirBounds)
{
  noise_.outlier_fraction = 0.3f;
  noise_.nearest_outlier = 1.0f;
  noise_.farthest_outlier = 3.0f;
  const Image<float> measured = measure(Image<float>(200, 300, 4.0f));
  EXPECT_NEAR(fractionOf(measured, [](float z) { return z != 4.0f; }), 0.3, 0.008);
  EXPECT_NEAR(fractionOf(measured, [](float z) { return z < 1.5f; }), 0.075, 0.005);
  EXPECT_EQ(fractionOf(measured, [](float z) { return z < 1.0f; }), 0.0);
  EXPECT_EQ(fractionOf(measured, [](float z) { return z > 3.0f && z < 4.0f; }), 0.0);
}

TEST_P(DepthSimulation, MissesPixels)
{
  noise_.missing_fraction = 0.2f;
  const auto isMissing = [](float z) { return std::isnan(z); };
  Image<float> depth(200, 300, 4.0f);
  EXPECT_NEAR(fractionOf(measure(depth), isMissing), 0.2, 0.007);
  noise_.missing_fraction = 1.0f;
  EXPECT_EQ(fractionOf(measure(depth), isMissing), 1.0);
}

TEST_P(DepthSimulation, MeasuresNothingWhereNothingIs)
{
  noise_.outlier_fraction = 1.0f;
  for (const float nothing :
       {not_a_number, 0.0f, -1.0f, std::numeric_limits<float>::infinity()})
    for (const float value : measure(Image<float>(20, 30, nothing)).data)
      ASSERT_TRUE(std::isnan(value));
}

TEST_P(DepthSimulation, GivesMultiplesOfTheQuantization)
{
  noise_.deviation = 0.01f;
  noise_.quantization = 0.001f;
  for (const float value : measure(Image<float>(20, 30, 2.0f)).data)
    ASSERT_NEAR(value * 1000.0f, std::round(value * 1000.0f), 1e-3f);
}

TEST_P(DepthSimulation, RepeatsItselfForTheSameSeedAndFrameOnly)
{
  noise_.deviation = 0.01f;
  noise_.outlier_fraction = 0.1f;
  noise_.seed = 1;
  const Image<float> depth(50, 60, 2.0f);
  const Image<float> first = measure(depth, 7);
  EXPECT_TRUE(sameBits(measure(depth, 7), first));
  EXPECT_FALSE(sameBits(measure(depth, 8), first));
  noise_.seed = std::uint64_t(1) << 32;
  EXPECT_FALSE(sameBits(measure(depth, 7), first));
}

TEST_P(DepthSimulation, GivesTheSameBitsOnEveryDevice)
{
  noise_.deviation = 0.01f;
  noise_.outlier_fraction = 0.1f;
  noise_.missing_fraction = 0.1f;
  const Image<float> depth(200, 300, 2.0f);
  const Image<float> here = measure(depth, 3);
  const auto host = useDevice("host");
  EXPECT_TRUE(sameBits(measure(depth, 3), here));
}

TEST_P(DepthSimulation, WritesOverItsInput)
{
  noise_.deviation = 0.01f;
  const Image<float> depth(50, 60, 2.0f);
  const Image<float> expected = measure(depth);
  auto inout = uploaded(depth);
  simulation_.addNoise(inout, 0, inout);
  EXPECT_TRUE(sameBits(downloaded(inout), expected));
}

TEST_P(DepthSimulation, PutsPixelsIntoTheWorld)
{
  const Pose pose = lookAt({1, 2, 3}, {0, 0, 0});
  simulation_.setParameters({wideCamera(), pose, noise_});
  Image<float> depth(200, 300, not_a_number);
  depth.at(10, 20) = 2.0f;
  depth.at(199, 299) = 0.5f;
  DeviceArray<pcl::PointXYZ> array;
  simulation_.computePoints(uploaded(depth), array);
  const std::vector<pcl::PointXYZ> points = downloaded(array);
  ASSERT_EQ(points.size(), 60000u);
  const auto expected = [&pose](float u, float v, float z) {
    return Vector3f(pose *
                    Vector3f((u - 150.5f) / 200.0f * z, (v - 99.0f) / 210.0f * z, z));
  };
  EXPECT_LT((points[10 * 300 + 20].getVector3fMap() - expected(20, 10, 2)).norm(),
            1e-6f);
  EXPECT_LT((points.back().getVector3fMap() - expected(299, 199, 0.5f)).norm(), 1e-6f);
  std::size_t finite = 0;
  for (const pcl::PointXYZ& point : points)
    finite +=
        std::isfinite(point.x) || std::isfinite(point.y) || std::isfinite(point.z);
  EXPECT_EQ(finite, 2u);
}

TEST_P(DepthSimulation, RefusesNoiseThatCannotBe)
{
  const auto refuse = [this](const char* word, auto change) {
    DepthNoise noise;
    change(noise);
    expectBadArgument(word, [&] {
      setParameter(simulation_, &DepthSensorSimulationParameters::noise, noise);
    });
  };
  refuse("deviation", [](DepthNoise& noise) { noise.deviation = -0.01f; });
  refuse("growth", [](DepthNoise& noise) { noise.deviation_growth = not_a_number; });
  refuse("outliers", [](DepthNoise& noise) { noise.outlier_fraction = 1.5f; });
  refuse("missing", [](DepthNoise& noise) { noise.missing_fraction = not_a_number; });
  refuse("missing", [](DepthNoise& noise) { noise.missing_fraction = 0.95f; });
  refuse("nearest", [](DepthNoise& noise) { noise.nearest_outlier = -1.0f; });
  refuse("farthest", [](DepthNoise& noise) { noise.farthest_outlier = 0.1f; });
  refuse("quantization", [](DepthNoise& noise) { noise.quantization = -1.0f; });
}

TEST_P(DepthSimulation, RefusesDepthMapsOfAnotherSize)
{
  PinholeCamera camera = wideCamera();
  camera.width = 300;
  camera.height = 200;
  setParameter(simulation_, &DepthSensorSimulationParameters::camera, camera);
  DeviceArray2D<float> measured;
  DeviceArray<pcl::PointXYZ> points;
  const auto depth = uploaded(Image<float>(200, 299, 1.0f));
  expectBadArgument("299", [&] { simulation_.addNoise(depth, 0, measured); });
  expectBadArgument("300", [&] { simulation_.computePoints(depth, points); });
  expectBadArgument("camera",
                    [&] { DepthSensorSimulation().addNoise(depth, 0, measured); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DepthSimulation);
