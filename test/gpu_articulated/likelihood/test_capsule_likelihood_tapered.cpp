// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

double
distanceOf(const TaperedCapsule& capsule,
           const Vector3f& point,
           const Vector3f& viewpoint)
{
  CapsuleScene scene;
  scene.viewpoint = viewpoint;
  scene.points.assign(64, {point.x(), point.y(), point.z()});
  scene.capsules = {capsule};
  scene.truncation_distance = 16.0f;
  const LikelihoodMode mode{CapsuleDistance::Absolute};
  const double distance = sumsOf(scene, mode, true)[0] / 64;
  // For tau below the ray length single precision suffices for most.
  for (const float less : {0.5f, 0.03125f}) {
    scene.truncation_distance = less;
    const std::vector<double> sums = sumsOf(scene, mode, true);
    EXPECT_NEAR(sums[0] / 64, std::min<double>(distance, less), 1e-6);
    expectSameBits(sumsOf(scene,
                          {mode.distance, mode.visibility, CapsuleSearch::BruteForce},
                          true),
                   sums);
  }
  return distance;
}

} // namespace

/** \brief Capsules with a radius at each end. */
class TaperedCapsules : public DeviceTest {};

TEST_P(TaperedCapsules, SideOfACone)
{
  // h = (3 - 0.6 x) / 0.8 from the axis, between x = 1.8 and the tip at 5.
  const TaperedCapsule cone = {{0, 0, 0}, 3.0f, {5, 0, 0}, 0.0f};
  const TaperedCapsule turned = {{5, 0, 0}, 0.0f, {0, 0, 0}, 3.0f};
  for (const TaperedCapsule& capsule : {cone, turned}) {
    EXPECT_NEAR(distanceOf(capsule, {3, 0, -2}, {3, 0, -10}), 0.5, 1e-6);
    EXPECT_NEAR(distanceOf(capsule, {4, 0, -1}, {4, 0, -10}), 0.25, 1e-6);
    // The ball, outside of the cone.
    EXPECT_NEAR(distanceOf(capsule, {1, 0, -4}, {1, 0, -10}), 4 - std::sqrt(8.0), 1e-6);
    EXPECT_EQ(distanceOf(capsule, {5.01f, 0, -1}, {5.01f, 0, -10}), 16.0);
  }
}

TEST_P(TaperedCapsules, SeenAlongTheAxis)
{
  const TaperedCapsule cone = {{0, 0, 0}, 3.0f, {5, 0, 0}, 0.5f};
  EXPECT_NEAR(distanceOf(cone, {6, 0, 0}, {9, 0, 0}), 0.5, 1e-6);
  EXPECT_NEAR(distanceOf(cone, {-4, 0, 0}, {-9, 0, 0}), 1.0, 1e-6);
}

TEST_P(TaperedCapsules, SeenAlongTheSide)
{
  // These rays are parallel to the cone's side: only one of its two halves is ahead.
  const TaperedCapsule cone = {{2, 1.75f, -1.75f}, 0.5f, {-0.5f, 1.5f, 0.75f}, 0.75f};
  for (const float y : {-1.75f, 0.75f, 1.0f, 1.5f, 2.25f, 2.5f}) {
    const Vector3f viewpoint(-1.25f, y, 0);
    const Vector3f x(1, y, -2.25f);
    const ReferenceHit hit = castAtCapsule(viewpoint, x, cone);
    EXPECT_NEAR(distanceOf(cone, x, viewpoint),
                hit.exists ? std::abs(static_cast<double>(hit.offset)) : 16.0,
                1e-6)
        << y;
  }
}

TEST_P(TaperedCapsules, SeenFromInside)
{
  const TaperedCapsule cone = {{0, 0, 0}, 3.0f, {5, 0, 0}, 0.5f};
  EXPECT_NEAR(distanceOf(cone, {5, 0, 0}, {1, 0, 0}), 0.5, 1e-6);
  EXPECT_NEAR(distanceOf(cone, {-1, 0, 0}, {1, 0, 0}), 2.0, 1e-6);
}

TEST_P(TaperedCapsules, OneBallWithinTheOther)
{
  const TaperedCapsule ball = {{0, 0, 1}, 1.0f, {0, 0, 0}, 2.0f};
  EXPECT_NEAR(distanceOf(ball, {0, 0, -3}, {0, 0, -10}), 1.0, 1e-6);
  EXPECT_NEAR(distanceOf(ball, {0, 0, 3}, {0, 0, 10}), 1.0, 1e-6);
  EXPECT_EQ(distanceOf(ball, {2.5f, 0, 3}, {2.5f, 0, 10}), 16.0);
  // Same centers.
  const TaperedCapsule centered = {{0, 0, 0}, 2.0f, {0, 0, 0}, 1.0f};
  EXPECT_NEAR(distanceOf(centered, {0, 0, -3}, {0, 0, -10}), 1.0, 1e-6);
}

TEST_P(TaperedCapsules, NumbersThatMakeThemVanish)
{
  for (int i = 0; i < 8; ++i)
    for (const float bad : {not_a_number, infinity, -infinity}) {
      float numbers[8] = {0, 0, 0, 3, 5, 0, 0, 1};
      numbers[i] = bad;
      const TaperedCapsule capsule = {{numbers[0], numbers[1], numbers[2]},
                                      numbers[3],
                                      {numbers[4], numbers[5], numbers[6]},
                                      numbers[7]};
      EXPECT_EQ(distanceOf(capsule, {3, 0, -2}, {3, 0, -10}), 16.0) << i;
    }
  EXPECT_EQ(distanceOf({{0, 0, 0}, -3, {5, 0, 0}, 1}, {3, 0, -2}, {3, 0, -10}), 16.0);
  EXPECT_EQ(distanceOf({{0, 0, 0}, 3, {5, 0, 0}, -1}, {3, 0, -2}, {3, 0, -10}), 16.0);
}

TEST_P(TaperedCapsules, EqualRadiiAreACapsule)
{
  for (int kind = 0; kind < scene_kinds; ++kind)
    for (const std::uint32_t seed : {1, 2, 3}) {
      SCOPED_TRACE(nameOf(SceneKind(kind)));
      const CapsuleScene scene = randomScene(SceneKind(kind), seed);
      const std::vector<double> plain = sumsOf(scene);
      const std::vector<double> two_radii = sumsOf(scene, {}, true);
      const double least = 1e-3 * static_cast<double>(scene.totalWeight()) *
                           std::pow(std::min(scene.truncation_distance, 1.0f), 2);
      for (std::size_t j = 0; j < plain.size(); ++j)
        EXPECT_NEAR(plain[j], two_radii[j], 1e-5 * std::max(plain[j], least));
    }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TaperedCapsules);
