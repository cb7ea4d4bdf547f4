// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/pose_refinement.hpp"
#include "registration/alignment_search.hpp"

#include "gpu_tensor/tensors/tensor_scenes.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace pcl::device;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using pcl::gpu::test::randomRotation;

namespace {

// The mathematics of recognition beside Eigen's, in double precision.

Vector3d
randomVector(std::mt19937& random, double size = 1.0)
{
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random);
  return {x, y, uniform(random)};
}

Vector3
toVector(const Vector3d& v)
{
  return {
      static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Vector3d
toEigen(const Vector3& v)
{
  return {v.x, v.y, v.z};
}

Matrix3
toMatrix(const Matrix3d& m)
{
  return {{toVector(m.row(0)), toVector(m.row(1)), toVector(m.row(2))}};
}

Matrix3d
toEigen(const Matrix3& m)
{
  Matrix3d result;
  for (int i = 0; i < 3; ++i)
    result.row(i) = toEigen(m.rows[i]).transpose();
  return result;
}

Float4
toFloat4(const Quaterniond& q)
{
  return {static_cast<float>(q.x()),
          static_cast<float>(q.y()),
          static_cast<float>(q.z()),
          static_cast<float>(q.w())};
}

Quaterniond
toEigen(const Float4& q)
{
  return {q.w, q.x, q.y, q.z};
}

/** \brief Rotations of all kinds: random ones, none, half turns about axes and near
 * them. */
std::vector<Matrix3d>
manyRotations()
{
  std::vector<Matrix3d> rotations = {Matrix3d::Identity()};
  for (std::uint32_t seed = 0; seed < 300; ++seed)
    rotations.push_back(randomRotation(seed));
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    Vector3d axis = i < 3 ? Vector3d(Vector3d::Unit(i)) : randomVector(random);
    for (double less : {0.0, 1e-7, 1e-4})
      rotations.push_back(Eigen::AngleAxisd(3.14159265358979 - less, axis.normalized())
                              .toRotationMatrix());
  }
  return rotations;
}

TEST(PoseArithmetic, TurnsMatricesIntoQuaternionsAndBack)
{
  for (const Matrix3d& rotation : manyRotations()) {
    const Float4 q = quaternionOf(toMatrix(rotation));
    EXPECT_NEAR(dot(q, q), 1.0f, 1e-6f);
    EXPECT_LT((toEigen(matrixOf(q)) - rotation).cwiseAbs().maxCoeff(), 2e-6);
    EXPECT_LT((toEigen(q).toRotationMatrix() - rotation).cwiseAbs().maxCoeff(), 2e-6);
  }
}

TEST(PoseArithmetic, MultipliesAsEigenDoes)
{
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Quaterniond a(randomRotation(seed)), b(randomRotation(seed + 1000));
    const Quaterniond ab = toEigen(product(toFloat4(a), toFloat4(b)));
    EXPECT_LT((ab.coeffs() - (a * b).coeffs()).norm(), 1e-6);
  }
}

TEST(PoseArithmetic, TurnsAboutVectorsByTheirLengths)
{
  std::mt19937 random(1);
  for (double length : {0.0, 1e-8, 1e-6, 1e-3, 0.2, 3.0}) {
    const Vector3d axis = randomVector(random).normalized();
    const Quaterniond expected(Eigen::AngleAxisd(length, axis));
    const Quaterniond found = toEigen(rotationAbout(toVector(length * axis)));
    EXPECT_LT((found.coeffs() - expected.coeffs()).norm(), 1e-6) << length;
  }
}

TEST(PoseArithmetic, PutsATensorsFrameOnAnother)
{
  std::mt19937 random(2);
  const auto frame = [&](std::uint32_t seed) {
    const Matrix3d axes = randomRotation(seed);
    const Vector3d origin = randomVector(random);
    pcl::gpu::TensorFrame f{};
    for (int i = 0; i < 3; ++i) {
      f.x_axis[i] = static_cast<float>(axes(i, 0));
      f.y_axis[i] = static_cast<float>(axes(i, 1));
      f.z_axis[i] = static_cast<float>(axes(i, 2));
      f.origin[i] = static_cast<float>(origin[i]);
    }
    return f;
  };
  const auto transform = [](const pcl::gpu::TensorFrame& f) {
    Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; ++i) {
      t(i, 0) = f.x_axis[i];
      t(i, 1) = f.y_axis[i];
      t(i, 2) = f.z_axis[i];
      t(i, 3) = f.origin[i];
    }
    return t;
  };
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const auto in_scene = frame(seed), in_model = frame(seed + 500);
    const Eigen::Isometry3d expected =
        transform(in_scene) * transform(in_model).inverse();
    const float center[3] = {0.3f, -0.2f, 0.1f};
    const ModelPose pose = alignedPose(in_scene, in_model, 4, center);
    EXPECT_EQ(pose.model, 4);
    ModelSurface model{};
    std::copy(center, center + 3, model.center);
    float rows[3][4];
    writePose(pose, model, rows);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j)
        EXPECT_NEAR(rows[i][j], expected(i, j), 5e-6) << i << ", " << j;
  }
}

TEST(PoseArithmetic, TellsWhichPosesAreNear)
{
  const Quaterniond turn(randomRotation(3));
  const ModelPose pose = {toFloat4(turn), {0.1f, 0.2f, 0.7f}, 2};
  const float angle = 0.26f;
  const PoseRadius radius = {0.02f * 0.02f, std::cos(0.5f * angle)};
  const auto other = [&](double by, float along, int model, bool negative) {
    const Quaterniond q =
        Quaterniond(Eigen::AngleAxisd(by, Vector3d(0.6, 0.0, 0.8))) * turn;
    ModelPose result = {toFloat4(q), {0.1f, 0.2f + along, 0.7f}, model};
    if (negative)
      result.rotation = {-result.rotation.x,
                         -result.rotation.y,
                         -result.rotation.z,
                         -result.rotation.w};
    return result;
  };
  const std::uint32_t starts[] = {0, 0, 0, 0};
  ModelSurfaces surfaces{};
  surfaces.symmetry_starts = starts;
  for (bool negative : {false, true}) {
    EXPECT_TRUE(areNear(surfaces, pose, other(0.25, 0.0f, 2, negative), radius));
    EXPECT_FALSE(areNear(surfaces, pose, other(0.27, 0.0f, 2, negative), radius));
    EXPECT_TRUE(areNear(surfaces, pose, other(0.0, 0.019f, 2, negative), radius));
    EXPECT_FALSE(areNear(surfaces, pose, other(0.0, 0.021f, 2, negative), radius));
    EXPECT_FALSE(areNear(surfaces, pose, other(0.0, 0.0f, 1, negative), radius));
  }
}

TEST(PoseArithmetic, TellsThatPosesAreNearIfTheyDifferByASymmetry)
{
  const Vector3d axis = Vector3d(1.0, 2.0, -2.0) / 3.0; // in the model's frame
  const Quaterniond third(Eigen::AngleAxisd(2.0943951, axis));
  // The other model's turns come first.
  const Float4 symmetries[] = {
      toFloat4(Quaterniond(Eigen::AngleAxisd(3.1415927, Vector3d::UnitX()))),
      toFloat4(third),
      toFloat4(third * third)};
  const std::uint32_t starts[] = {0, 1, 3};
  ModelSurfaces surfaces{};
  surfaces.symmetry_starts = starts;
  surfaces.symmetries = symmetries;
  const PoseRadius radius = {0.02f * 0.02f, std::cos(0.5f * 0.26f)};
  const Quaterniond turn(randomRotation(4));
  const ModelPose pose = {toFloat4(turn), {0.1f, 0.2f, 0.7f}, 1};
  const auto near = [&](const Quaterniond& rotation) {
    return areNear(surfaces, pose, {toFloat4(rotation), {0.1f, 0.2f, 0.7f}, 1}, radius);
  };
  const auto off = [](double angle) {
    return Quaterniond(Eigen::AngleAxisd(angle, Vector3d(0.6, 0.0, 0.8)));
  };
  EXPECT_TRUE(near(off(0.25) * turn * third));
  EXPECT_TRUE(near(off(0.25) * turn * third * third));
  EXPECT_FALSE(near(off(0.27) * turn * third));
  EXPECT_FALSE(near(off(0.0) * third * turn)) << "about an axis of the scene";
  EXPECT_FALSE(near(turn * Eigen::AngleAxisd(3.1415927, Vector3d::UnitX())))
      << "of another model";
}

TEST(PoseRefinement, SolvesTheEquationsAsEigenDoes)
{
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    MotionEquations equations;
    Eigen::Matrix<double, 6, 6> left = Eigen::Matrix<double, 6, 6>::Zero();
    Eigen::Matrix<double, 6, 1> right = Eigen::Matrix<double, 6, 1>::Zero();
    const int count = 30 + static_cast<int>(seed) * 10;
    for (int i = 0; i < count; ++i) {
      const Vector3 arm = toVector(randomVector(random, 0.1));
      const Vector3 normal = toVector(randomVector(random).normalized());
      const auto distance = static_cast<float>(randomVector(random, 0.01).x());
      const float weight = static_cast<float>(random() % 1000) / 1000.0f;
      equations.add(arm, normal, distance, weight);
      Eigen::Matrix<double, 6, 1> row;
      row << toEigen(arm).cross(toEigen(normal)), toEigen(normal);
      left += weight * row * row.transpose();
      right += weight * distance * row;
    }
    // Undetermined directions stay: small weights of no turn and no shift.
    const double damping = 1e-3 * count;
    left.diagonal().head<3>().array() += 1e-3 * damping;
    left.diagonal().tail<3>().array() += damping;
    const Eigen::Matrix<double, 6, 1> expected = left.ldlt().solve(right);
    float motion[6];
    ASSERT_TRUE(equations.solve(motion));
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(motion[i], expected[i], 1e-4 * expected.norm() + 1e-7) << i;
  }
}

TEST(PoseRefinement, LeavesAsItIsWhatPointsDoNotDetermine)
{
  // Points of one plane determine neither shifts along it nor turns about its normal.
  std::mt19937 random(1);
  MotionEquations equations;
  for (int i = 0; i < 200; ++i) {
    Vector3d arm = randomVector(random, 0.1);
    arm.z() = 0.02;
    equations.add(toVector(arm), {0.0f, 0.0f, 1.0f}, 0.004f, 1.0f);
  }
  float motion[6];
  ASSERT_TRUE(equations.solve(motion));
  for (int i : {0, 1, 2, 3, 4})
    EXPECT_NEAR(motion[i], 0.0f, 2e-4f) << i;
  EXPECT_NEAR(motion[5], 0.004f, 2e-5f);
}

TEST(PoseRefinement, ConvergesToTheMotionOfPointsOnPlanes)
{
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const Quaterniond turn(randomRotation(seed));
    const Vector3d shift = Vector3d(0.1, 0.0, 0.8) + randomVector(random, 0.05);
    const Vector3d by = randomVector(random, 0.08);
    const Quaterniond start =
        Quaterniond(Eigen::AngleAxisd(by.norm(), by.normalized())) * turn;
    const Vector3d start_at = shift + randomVector(random, 0.01);
    std::vector<Vector3d> points, normals;
    for (int i = 0; i < 200; ++i) {
      points.push_back(randomVector(random, 0.1));
      normals.push_back(randomVector(random).normalized());
    }
    ModelPose pose = {toFloat4(start), {}, 0};
    for (int i = 0; i < 3; ++i)
      pose.center[i] = static_cast<float>(start_at[i]);
    for (int round = 0; round < 10; ++round) {
      MotionEquations equations;
      const Vector3 center = vectorOf(pose.center);
      for (int i = 0; i < 200; ++i) {
        const Vector3 at = center + matrixOf(pose.rotation) * toVector(points[i]);
        const Vector3d normal = turn * normals[i];
        const double distance = normal.dot(turn * points[i] + shift - toEigen(at));
        equations.add(
            at - center, toVector(normal), static_cast<float>(distance), 1.0f);
      }
      float motion[6];
      ASSERT_TRUE(equations.solve(motion));
      move(motion, pose);
    }
    EXPECT_LT(toEigen(pose.rotation).angularDistance(turn), 2e-5);
    EXPECT_LT((toEigen(vectorOf(pose.center)) - shift).norm(), 2e-6);
  }
}

TEST(RegistrationMaths, SecondEigenvaluesAreEigens)
{
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    // From all normals alike, over few planes, to all directions.
    const int count = 1 + static_cast<int>(seed % 20);
    const double spread = std::pow(10.0, -static_cast<double>(seed % 5));
    const Vector3d first = randomVector(random).normalized();
    Matrix3d mean = Matrix3d::Zero();
    for (int i = 0; i < count; ++i) {
      const Vector3d n = (first + spread * randomVector(random)).normalized();
      mean += n * n.transpose() / count;
    }
    const float upper[6] = {static_cast<float>(mean(0, 0)),
                            static_cast<float>(mean(0, 1)),
                            static_cast<float>(mean(0, 2)),
                            static_cast<float>(mean(1, 1)),
                            static_cast<float>(mean(1, 2)),
                            static_cast<float>(mean(2, 2))};
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(mean);
    EXPECT_NEAR(secondEigenvalue(upper), solver.eigenvalues()[1], 2e-6) << seed;
  }
  const float third = 1.0f / 3.0f;
  EXPECT_NEAR(secondEigenvalue({third, 0, 0, third, 0, third}), third, 1e-6f);
  EXPECT_NEAR(secondEigenvalue({0.5f, 0, 0, 0.5f, 0, 0}), 0.5f, 1e-6f);
  EXPECT_NEAR(secondEigenvalue({0, 0, 0, 1.0f, 0, 0}), 0.0f, 1e-6f);
}

} // namespace
