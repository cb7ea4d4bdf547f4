// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <Eigen/Geometry>

#include <cmath>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using pcl::PointXYZ;

namespace {

Vector3d
vectorOf(const float* v)
{
  return Eigen::Map<const Eigen::Vector3f>(v).cast<double>();
}

class TensorFrames : public DeviceTest {
protected:
  /** \brief The frames of pairs of a cloud; no triangle is looked at. */
  static std::vector<TensorFrame>
  framesOf(const OrientedCloud& cloud, const std::vector<PointPair>& pairs)
  {
    VertexMesh mesh;
    mesh.vertices = cloud;
    mesh.pairs = pairs;
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = 0.01f;
      p.voxel_unit = LengthUnit::Metres;
    });
    return tensorsOf(extraction, mesh).frames;
  }

  /** \brief A cloud of two points, whose normals are (0, -0.6, 0.8) and (0, 0.6, 0.8):
   * z is (0, 0, 1). */
  static OrientedCloud
  twoPoints(const PointXYZ& p, const PointXYZ& q)
  {
    OrientedCloud cloud{Image<PointXYZ>(1, 2), Image<PointXYZ>(1, 2)};
    cloud.points.data = {p, q};
    cloud.normals.data = {{0.0f, -0.6f, 0.8f}, {0.0f, 0.6f, 0.8f}};
    return cloud;
  }

  static bool
  sameFrames(const std::vector<TensorFrame>& a, const std::vector<TensorFrame>& b)
  {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(TensorFrame)) == 0;
  }

  static std::vector<PointPair>
  swapped(std::vector<PointPair> pairs)
  {
    for (PointPair& pair : pairs)
      std::swap(pair.first, pair.second);
    return pairs;
  }
};

TEST_P(TensorFrames, EqualDoublePrecision)
{
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = moved(
        damagedCloud(40, 50, seed), randomRotation(seed), Vector3d(0.5, -1.0, 2.0));
    const std::vector<PointPair> pairs = referencePairs(cloud, {});
    const std::vector<TensorFrame> frames = framesOf(cloud, pairs);
    ASSERT_EQ(frames.size(), pairs.size());
    ASSERT_GT(frames.size(), 500u);
    int unsure = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const ReferenceFrame expected = referenceFrame(cloud, pairs[i]);
      const TensorFrame& frame = frames[i];
      EXPECT_LE((vectorOf(frame.origin) - expected.origin).norm(), 3e-7);
      EXPECT_LE((vectorOf(frame.z_axis) - expected.z_axis).norm(), 5e-7);
      EXPECT_NEAR(frame.angle, expected.angle, 2e-6);
      if (std::abs(expected.height) < 1e-6) {
        ++unsure; // too close for the sign to be demanded
        continue;
      }
      EXPECT_LE((vectorOf(frame.x_axis) - expected.x_axis).norm(), 2e-6);
      EXPECT_LE((vectorOf(frame.y_axis) - expected.y_axis).norm(), 2e-6);
      EXPECT_EQ(frame.first, expected.in_order ? pairs[i].first : pairs[i].second);
      EXPECT_EQ(frame.second, expected.in_order ? pairs[i].second : pairs[i].first);
    }
    EXPECT_LE(unsure, 10);
  }
}

TEST_P(TensorFrames, AreOrthonormalAndRightHanded)
{
  const OrientedCloud cloud = damagedCloud(40, 50, 5);
  for (const TensorFrame& frame : framesOf(cloud, referencePairs(cloud, {}))) {
    Eigen::Matrix3d axes;
    axes << vectorOf(frame.x_axis), vectorOf(frame.y_axis), vectorOf(frame.z_axis);
    EXPECT_LE((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 2e-6);
    EXPECT_NEAR(axes.determinant(), 1.0, 1e-6);
  }
}

TEST_P(TensorFrames, AreTheSameInWhateverOrderThePointsCome)
{
  for (std::uint32_t seed = 6; seed <= 8; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = moved(
        damagedCloud(40, 50, seed), randomRotation(seed), Vector3d(3.0, 2.0, 1.0));
    const std::vector<PointPair> pairs = referencePairs(cloud, {});
    ASSERT_GT(pairs.size(), 500u);
    EXPECT_TRUE(sameFrames(framesOf(cloud, swapped(pairs)), framesOf(cloud, pairs)));
  }
}

TEST_P(TensorFrames, OfExactNumbersAreThese)
{
  // The second point is higher: x is along n1 x n2 = (-0.96, 0, 0).
  const TensorFrame frame =
      framesOf(twoPoints({1.0f, 2.0f, 3.0f}, {2.0f, 5.0f, 3.5f}), {{0, 1}}).at(0);
  EXPECT_LE((vectorOf(frame.x_axis) - Vector3d(-1, 0, 0)).norm(), 2e-7);
  EXPECT_LE((vectorOf(frame.y_axis) - Vector3d(0, -1, 0)).norm(), 2e-7);
  EXPECT_LE((vectorOf(frame.z_axis) - Vector3d(0, 0, 1)).norm(), 2e-7);
  EXPECT_EQ(vectorOf(frame.origin), Vector3d(1.5, 3.5, 3.25));
  EXPECT_NEAR(frame.angle, 2.0 * std::asin(0.6), 1e-6);
  EXPECT_EQ(frame.voxel_size, 0.01f);
  EXPECT_EQ(frame.first, 0);
  EXPECT_EQ(frame.second, 1);
}

TEST_P(TensorFrames, HaveTheHigherPointSecond)
{
  for (bool second_is_higher : {false, true}) {
    const float z = second_is_higher ? 3.5f : 2.5f;
    const OrientedCloud cloud = twoPoints({1.0f, 2.0f, 3.0f}, {2.0f, 5.0f, z});
    const TensorFrame frame = framesOf(cloud, {{0, 1}}).at(0);
    EXPECT_EQ(frame.first, second_is_higher ? 0 : 1);
    EXPECT_EQ(frame.second, second_is_higher ? 1 : 0);
    EXPECT_EQ(frame.x_axis[0] < 0.0f, second_is_higher);
  }
}

TEST_P(TensorFrames, HaveThePointWithTheLaterCoordinatesSecondWhereBothAreEquallyHigh)
{
  const PointXYZ p(1.0f, 2.0f, 3.0f);
  const PointXYZ others[] = {{1.5f, -7.0f, 3.0f}, // x decides
                             {1.0f, 2.5f, 3.0f}}; // y decides
  for (const PointXYZ& q : others) {
    SCOPED_TRACE(q.x);
    const OrientedCloud cloud = twoPoints(p, q), turned = twoPoints(q, p);
    for (const PointPair& pair : {PointPair{0, 1}, PointPair{1, 0}}) {
      const TensorFrame frame = framesOf(cloud, {pair}).at(0);
      EXPECT_EQ(frame.first, 0);
      EXPECT_EQ(frame.second, 1);
      EXPECT_LT(frame.x_axis[0], 0.0f);
      const TensorFrame other = framesOf(turned, {pair}).at(0);
      EXPECT_EQ(other.first, 1);
      EXPECT_EQ(other.second, 0);
      EXPECT_GT(other.x_axis[0], 0.0f);
    }
  }
}

TEST_P(TensorFrames, OfAVerticalPairHaveTheHigherPointSecond)
{
  // Both have the same x and y.
  const OrientedCloud cloud = twoPoints({1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 2.0f});
  for (const PointPair& pair : {PointPair{0, 1}, PointPair{1, 0}})
    EXPECT_EQ(framesOf(cloud, {pair}).at(0).second, 0);
}

TEST_P(TensorFrames, TurnWithTheCloud)
{
  for (std::uint32_t seed = 11; seed <= 14; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = damagedCloud(40, 50, seed);
    const Eigen::Matrix3d rotation = randomRotation(seed);
    const Vector3d translation(0.3, -0.4, 0.5);
    const std::vector<PointPair> pairs = referencePairs(cloud, {});
    const auto before = framesOf(cloud, pairs);
    const auto after = framesOf(moved(cloud, rotation, translation), pairs);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (std::abs(referenceFrame(cloud, pairs[i]).height) < 1e-6)
        continue;
      const auto expectTurned = [&](const float* from, const float* to) {
        EXPECT_LE((rotation * vectorOf(from) - vectorOf(to)).norm(), 3e-6);
      };
      expectTurned(before[i].x_axis, after[i].x_axis);
      expectTurned(before[i].y_axis, after[i].y_axis);
      expectTurned(before[i].z_axis, after[i].z_axis);
      EXPECT_NEAR(before[i].angle, after[i].angle, 2e-6);
      const Vector3d origin = rotation * vectorOf(before[i].origin) + translation;
      EXPECT_LE((origin - vectorOf(after[i].origin)).norm(), 1e-6);
    }
  }
}

TEST_P(TensorFrames, OfPairsAtTheLeastAngleAreAsGood)
{
  // The cross product is short, as it is for normals that differ by a degree.
  OrientedCloud cloud = twoPoints({1.0f, 2.0f, 3.0f}, {2.0f, 5.0f, 3.5f});
  for (double degrees : {1.0, 15.0, 90.0, 170.0}) {
    SCOPED_TRACE(degrees);
    const double half = 0.5 * degrees / 180.0 * M_PI;
    const auto sine = static_cast<float>(std::sin(half));
    const auto cosine = static_cast<float>(std::cos(half));
    cloud.normals.data = {{0.0f, -sine, cosine}, {0.0f, sine, cosine}};
    const TensorFrame frame = framesOf(cloud, {{0, 1}}).at(0);
    EXPECT_NEAR(frame.angle, 2.0 * half, 1e-6);
    EXPECT_LE((vectorOf(frame.x_axis) - Vector3d(-1, 0, 0)).norm(), 2e-7);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorFrames);

} // namespace
