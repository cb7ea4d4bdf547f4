// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/tensor/tensor_model.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using namespace pcl::gpu;
using Eigen::Vector3f;

namespace {

// Symmetries of shapes that are turned and moved: their axes are known.

const Pose placed = Eigen::Translation3f(0.3f, -0.2f, 0.9f) *
                    Eigen::AngleAxisf(1.1f, Vector3f(1.0f, 2.0f, -0.5f).normalized());

void
add(const Vector3f& point, const Vector3f& normal, TensorModel::Points& points)
{
  pcl::PointNormal added;
  added.getVector3fMap() = placed * point;
  added.getNormalVector3fMap() = placed.linear() * normal.normalized();
  points.push_back(added);
}

/** \brief Returns random points of a box about the origin, metres. */
TensorModel::Points
box(const Vector3f& sides, const Vector3f& at = Vector3f::Zero())
{
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-0.5f, 0.5f);
  TensorModel::Points points;
  for (int axis = 0; axis < 3; ++axis) {
    const float area = sides.prod() / sides[axis];
    const int count = static_cast<int>(2.0f * area / (0.0015f * 0.0015f));
    for (int i = 0; i < count; ++i) {
      Vector3f point(uniform(random), uniform(random), uniform(random));
      point[axis] = i % 2 == 0 ? 0.5f : -0.5f;
      const Vector3f normal = point[axis] * Vector3f::Unit(axis);
      add(at + point.cwiseProduct(sides), normal, points);
    }
  }
  return points;
}

/** \brief Returns random points of a surface about the z axis, without its ends.
 * \param[in] radius by the height, 0 to 0.15 m
 */
TensorModel::Points
surfaceOfRevolution(const std::function<float(float)>& radius)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform;
  TensorModel::Points points;
  for (int i = 0; i < 20000; ++i) {
    const float angle = 6.2831853f * uniform(random), z = 0.15f * uniform(random);
    const Vector3f outwards(std::cos(angle), std::sin(angle), 0.0f);
    add(radius(z) * outwards + z * Vector3f::UnitZ(), outwards, points);
  }
  return points;
}

bool
hasTurn(const TensorModel::Poses& turns, float angle, const Vector3f& axis)
{
  constexpr float tolerance = 0.035f; // two degrees
  const Eigen::Quaternionf expected(
      Eigen::AngleAxisf(angle, placed.linear() * axis.normalized()));
  return std::any_of(turns.begin(), turns.end(), [&](const Pose& turn) {
    return Eigen::Quaternionf(turn.linear()).angularDistance(expected) < tolerance;
  });
}

/** \brief Expects that turns leave a place of the shape's own frame where it is. */
void
expectFixed(const TensorModel::Poses& turns, const Vector3f& place)
{
  for (const Pose& turn : turns)
    EXPECT_LT((turn * (placed * place) - placed * place).norm(), 0.003f);
}

constexpr float half = 3.14159265f;

TEST(ModelSymmetries, OfABrickAreItsHalfTurns)
{
  const auto turns = findSymmetries(box({0.2f, 0.14f, 0.08f}));
  EXPECT_EQ(turns.size(), 3u);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_TRUE(hasTurn(turns, half, Vector3f::Unit(axis))) << axis;
  expectFixed(turns, Vector3f::Zero());
}

TEST(ModelSymmetries, OfASquarePillarAreThoseOfASquare)
{
  const auto turns = findSymmetries(box({0.1f, 0.1f, 0.22f}));
  EXPECT_EQ(turns.size(), 7u);
  EXPECT_TRUE(hasTurn(turns, 0.5f * half, Vector3f::UnitZ()));
  EXPECT_TRUE(hasTurn(turns, half, Vector3f::UnitX()));
  EXPECT_TRUE(hasTurn(turns, half, Vector3f(1.0f, 1.0f, 0.0f)));
}

TEST(ModelSymmetries, OfACubeAreItsTwentyThreeTurns)
{
  const auto turns = findSymmetries(box({0.15f, 0.15f, 0.15f}));
  EXPECT_EQ(turns.size(), 23u);
  EXPECT_TRUE(hasTurn(turns, half / 1.5f, Vector3f(1.0f, -1.0f, 1.0f)));
}

TEST(ModelSymmetries, OfABowlAreTurnsByTenDegrees)
{
  const auto turns =
      findSymmetries(surfaceOfRevolution([](float z) { return std::sqrt(0.05f * z); }));
  EXPECT_EQ(turns.size(), 35u);
  for (int i = 1; i <= 18; ++i)
    EXPECT_TRUE(hasTurn(turns, static_cast<float>(i) * half / 18.0f, Vector3f::UnitZ()))
        << i;
}

TEST(ModelSymmetries, OfACanAreThoseOfAPillarOfThirtySixSides)
{
  const auto turns = findSymmetries(surfaceOfRevolution([](float) { return 0.05f; }));
  EXPECT_EQ(turns.size(), 71u);
  expectFixed(turns, {0.0f, 0.0f, 0.075f});
}

TEST(ModelSymmetries, OfAnAngleIsOneHalfTurn)
{
  // Two plates of equal size at right angles.
  TensorModel::Points points = box({0.2f, 0.1f, 0.02f}, {0.09f, 0.0f, 0.0f});
  const TensorModel::Points other = box({0.02f, 0.1f, 0.2f}, {0.0f, 0.0f, 0.09f});
  points.insert(points.end(), other.begin(), other.end());
  const auto turns = findSymmetries(points);
  ASSERT_EQ(turns.size(), 1u);
  EXPECT_TRUE(hasTurn(turns, half, {1.0f, 0.0f, 1.0f}));
}

TEST(ModelSymmetries, AreNotThereIfAPartStandsOut)
{
  // A mug: a can with a handle.
  TensorModel::Points points = surfaceOfRevolution([](float) { return 0.05f; });
  const TensorModel::Points handle = box({0.04f, 0.02f, 0.1f}, {0.07f, 0.0f, 0.06f});
  points.insert(points.end(), handle.begin(), handle.end());
  EXPECT_TRUE(findSymmetries(points).empty());
}

TEST(ModelSymmetries, DoNotDependOnPointsThatAreNotFinite)
{
  constexpr float missing = std::numeric_limits<float>::quiet_NaN();
  TensorModel::Points points = box({0.2f, 0.14f, 0.08f});
  points.emplace(points.begin(), missing, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f);
  points.emplace_back(9.0f, 9.0f, 9.0f, missing, missing, missing);
  EXPECT_EQ(findSymmetries(points).size(), 3u);
}

TEST(ModelSymmetries, OfAFewPointsAreNone)
{
  EXPECT_TRUE(findSymmetries({}).empty());
  TensorModel::Points points = box({0.2f, 0.14f, 0.08f});
  points.resize(49);
  EXPECT_TRUE(findSymmetries(points).empty());
  points.assign(1000, points[0]);
  EXPECT_TRUE(findSymmetries(points).empty()) << "all in one place";
}

} // namespace
