// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "filter/motion.hpp"
#include "filter/pose_statistics.hpp"
#include "filter/resampling.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace pcl::device;

using pcl::gpu::test::infinity;

namespace {

using Wide = unsigned __int128;

} // namespace

TEST(FilterArithmetic, HasTheExponential)
{
  EXPECT_EQ(exponential(0.0), 1.0);
  for (int i = 0; i < 200000; ++i) {
    const double x = -0.003 * i;
    EXPECT_NEAR(exponential(x) / std::exp(x), 1.0, 1e-15);
  }
  EXPECT_EQ(exponential(-1e6), 0.0);
  EXPECT_EQ(exponential(-std::numeric_limits<double>::infinity()), 0.0);
}

TEST(FilterArithmetic, HasTheArcTangent)
{
  for (int i = -1000; i <= 1000; ++i)
    for (const double length : {1e-3, 1.0, 1e6}) {
      const double angle = M_PI * i / 1000.0;
      const double x = length * std::cos(angle), y = length * std::sin(angle);
      EXPECT_NEAR(arcTangent(y, x), std::atan2(y, x), 1e-15);
    }
  EXPECT_EQ(arcTangent(0.0, 0.0), 0.0);
  EXPECT_NEAR(arcTangent(0.0, -1.0), M_PI, 1e-15);
}

TEST(FilterArithmetic, ThrowsAnglesBackFromTheirLimits)
{
  EXPECT_FLOAT_EQ(reflectedAngle(0.3f, -1, 1), 0.3f);
  EXPECT_FLOAT_EQ(reflectedAngle(1.2f, -1, 1), 0.8f);
  EXPECT_FLOAT_EQ(reflectedAngle(-1.2f, -1, 1), -0.8f);
  EXPECT_NEAR(reflectedAngle(3.3f, -1, 1), -0.7f, 1e-6f);
  EXPECT_FLOAT_EQ(reflectedAngle(5, 0.5f, 0.5f), 0.5f);
  EXPECT_FLOAT_EQ(reflectedAngle(-3, -1, infinity), 1);
  EXPECT_FLOAT_EQ(reflectedAngle(3, -infinity, 1), -1);
  EXPECT_FLOAT_EQ(reflectedAngle(30, -infinity, infinity), 30);
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> random(-2, 2);
  for (int i = 0; i < 100000; ++i) {
    const float a = random(generator), b = random(generator);
    const float lower = std::min(a, b), upper = std::max(a, b);
    const float angle = reflectedAngle(20 * random(generator), lower, upper);
    EXPECT_GE(angle, lower);
    EXPECT_LE(angle, upper);
  }
}

TEST(FilterArithmetic, TurnsByRotationVectors)
{
  std::mt19937 generator(2);
  std::normal_distribution<float> random;
  for (int i = 0; i < 10000; ++i) {
    const float scale = std::pow(10.0f, -6.0f * (i % 100) / 100.0f);
    Eigen::Vector3f vector(random(generator), random(generator), random(generator));
    vector *= scale;
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(
        vector.cast<double>().norm(), vector.cast<double>().normalized()));
    const Quaternion q = rotationAbout({vector.x(), vector.y(), vector.z()});
    EXPECT_NEAR(q.w, expected.w(), 1e-6);
    EXPECT_NEAR(q.x, expected.x(), 1e-6 * scale);
    EXPECT_NEAR(q.y, expected.y(), 1e-6 * scale);
    EXPECT_NEAR(q.z, expected.z(), 1e-6 * scale);
  }
}

TEST(FilterArithmetic, FindsRotationVectors)
{
  std::mt19937 generator(3);
  std::normal_distribution<float> random;
  for (int i = 0; i < 10000; ++i) {
    Eigen::Quaternionf a(
        Eigen::Vector4f::NullaryExpr([&] { return random(generator); }));
    Eigen::Quaternionf b(
        Eigen::Vector4f::NullaryExpr([&] { return random(generator); }));
    a.normalize();
    b.normalize();
    double found[3];
    rotationVector({a.w(), a.x(), a.y(), a.z()}, {b.w(), b.x(), b.y(), b.z()}, found);
    const Eigen::AngleAxisd turn(
        (a.cast<double>().conjugate() * b.cast<double>()).normalized());
    EXPECT_LT((Eigen::Vector3d(found) - turn.angle() * turn.axis()).norm(), 1e-5);
  }
}

TEST(FilterArithmetic, HasRotationsOfBallJointsAndTheirAngles)
{
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> random(-pi, pi);
  const Eigen::Vector3d axes[2][3] = {
      {Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitZ()},
      {-Eigen::Vector3d::UnitX(),
       -Eigen::Vector3d::UnitY(),
       -Eigen::Vector3d::UnitZ()}};
  for (int i = 0; i < 20000; ++i) {
    float angles[3];
    for (float& angle : angles)
      angle = random(generator);
    // Quarter turns of the second angle, and angles close to them.
    if (i % 4 == 0)
      angles[1] = 0.5f * pi + (i % 8 == 0 ? 0.0f : 1e-4f * random(generator));
    const int left = i % 2;
    const auto rotationBy = [&](const float* values) {
      Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
      for (int axis = 0; axis < 3; ++axis)
        q = q * Eigen::AngleAxisd(values[axis], axes[left][axis]);
      return q;
    };
    const float side = left != 0 ? -1.0f : 1.0f;
    const Quaternion q = ballRotation(angles, side);
    const Eigen::Quaterniond expected = rotationBy(angles);
    EXPECT_LT(Eigen::Quaterniond(q.w, q.x, q.y, q.z).angularDistance(expected), 3e-6);

    float near[3], found[3];
    for (int axis = 0; axis < 3; ++axis)
      near[axis] = angles[axis] + 0.1f * random(generator);
    ballAngles(q, side, near, found);
    EXPECT_LT(rotationBy(found).angularDistance(expected), 3e-6);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LE(std::abs(found[axis]), pi);

    // Away from quarter turns the nearest angles are those that made the rotation.
    if (std::abs(std::cos(angles[1])) > 0.6f) {
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_LT(std::abs(std::remainder(found[axis] - angles[axis], 2.0f * pi)),
                  1e-5f);
    }
  }
}

TEST(FilterArithmetic, FindsThePrincipalAxis)
{
  std::mt19937 generator(4);
  std::normal_distribution<double> random;
  for (int i = 0; i < 10000; ++i) {
    const Eigen::Matrix4d factor =
        Eigen::Matrix4d::NullaryExpr([&] { return random(generator); });
    Eigen::Matrix4d matrix = factor * factor.transpose();
    if (i % 3 == 0) {
      // Particles that are close together.
      const Eigen::Vector4d q = factor.col(0).normalized();
      matrix = q * q.transpose() + 1e-9 * matrix;
    }
    double m[4][4], axis[4];
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 4; ++column)
        m[row][column] = matrix(row, column);
    principalAxis(m, axis);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(matrix);
    EXPECT_NEAR(
        std::abs(solver.eigenvectors().col(3).dot(Eigen::Vector4d(axis))), 1.0, 1e-12);
    EXPECT_GE(axis[0], 0.0);
  }
}

TEST(FilterArithmetic, OrdersKeysAsNumbers)
{
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {
      -infinite, -1e300, -2.0, -1e-300, 0.0, 1e-300, 3.0, 1e300, infinite};
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_GT(comparableKey(values[i]), 0u);
    EXPECT_EQ(valueOfKey(comparableKey(values[i])), values[i]);
    if (i > 0) {
      EXPECT_LT(comparableKey(values[i - 1]), comparableKey(values[i]));
    }
  }
}

TEST(FilterArithmetic, SumsOfAllWeightsFit)
{
  for (const std::uint32_t count : {1u, 2u, 3u, 1000u, 1024u, 1025u, 1u << 24}) {
    const Wide one = fixedPointWeight(0.0, weightBits(count)).weight;
    EXPECT_EQ(one, Wide(1) << weightBits(count));
    EXPECT_LE(one * count, Wide(1) << 62);
    EXPECT_GE(weightBits(count), 38);
  }
}

TEST(FilterArithmetic, MultipliesWideNumbers)
{
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t a = random() >> i % 64, b = random() >> i / 64 % 64;
    EXPECT_EQ(upperProduct(a, b), std::uint64_t(Wide(a) * b >> 64));
  }
}

TEST(FilterArithmetic, StepsEvenlyThroughWeights)
{
  std::mt19937_64 random(6);
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t count = 1 + (random() & 0xffffff) / (1 + i % 1000);
    const std::uint64_t total = 1 + (random() >> 2) / (1 + i % 77);
    const std::uint64_t offset = random() % total;
    const std::uint32_t number = random() % count;
    EXPECT_EQ(evenPosition(number, offset, total, count),
              std::uint64_t((Wide(number) * total + offset) / count));
  }
}

TEST(FilterArithmetic, FindsTheFirstSumAbove)
{
  const std::vector<std::uint64_t> sums = {0, 2, 2, 2, 5, 6, 6};
  const auto count = static_cast<std::uint32_t>(sums.size());
  const std::uint32_t expected[] = {1, 1, 4, 4, 4, 5};
  for (std::uint64_t number = 0; number < 6; ++number)
    EXPECT_EQ(firstAbove(sums.data(), count, number), expected[number]);
}
