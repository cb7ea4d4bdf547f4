// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_scenes.h"
#include "capsule_shapes.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

/** \brief Compares both ways to cast the rays of a scene at the capsules of its first
 * sample.
 * \return number of rays that hit
 */
int
expectBothWaysAgree(const CapsuleScene& scene, int most_pairs)
{
  int hits = 0;
  const std::size_t pairs = scene.points.size() * scene.capsules_per_sample;
  const std::size_t step = pairs / most_pairs + 1;
  for (std::size_t pair = 0; pair < pairs; pair += step) {
    const std::size_t i = pair / scene.capsules_per_sample;
    const TaperedCapsule& capsule = scene.capsules[pair % scene.capsules_per_sample];
    const Vector3f x = scene.points[i].getVector3fMap();
    const Eigen::Matrix<long double, 3, 1> p = scene.viewpoint.cast<long double>();
    // A search does not tell that the ray starts on the surface.
    if (scene.weightOf(i) == 0 || std::abs(signedDistance(p, capsule)) < 1e-12L)
      continue;
    const ReferenceHit closed = castAtCapsule(scene.viewpoint, x, capsule);
    const ReferenceHit searched = castByBisection(scene.viewpoint, x, capsule);
    if (closed.exists && !searched.exists) {
      // The search finds none that but touch: then the solid is not entered.
      const Eigen::Matrix<long double, 3, 1> v =
          (x.cast<long double>() - p).normalized();
      const long double distance = signedDistance(p + v * closed.length, capsule);
      EXPECT_NEAR(static_cast<double>(distance), 0.0, 1e-12)
          << i << ": only one way hits";
      continue;
    }
    EXPECT_EQ(closed.exists, searched.exists) << "point " << i;
    const long double tolerance = 1e-9L * (1 + std::abs(closed.length));
    EXPECT_LE(std::abs(closed.length - searched.length), tolerance) << "point " << i;
    EXPECT_LE(std::abs(closed.offset - searched.offset), tolerance) << "point " << i;
    hits += closed.exists ? 1 : 0;
  }
  return hits;
}

ReferenceHit
castAlongZ(const Vector3f& viewpoint, const TaperedCapsule& capsule)
{
  return castAtCapsule(viewpoint, viewpoint + Vector3f(0, 0, 1), capsule);
}

} // namespace

TEST(CapsuleReference, ClosedFormAgreesWithSearch)
{
  int hits = 0;
  for (const bool two_radii : {false, true})
    for (int kind = 0; kind < scene_kinds; ++kind)
      for (std::uint32_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(nameOf(SceneKind(kind)) + std::string(", seed ") +
                     std::to_string(seed) + (two_radii ? ", two radii" : ""));
        hits += expectBothWaysAgree(randomScene(SceneKind(kind), seed, two_radii), 40);
      }
  EXPECT_GT(hits, 300);
}

TEST(CapsuleReference, SignedDistanceOfPlainCapsules)
{
  const TaperedCapsule capsule = capsuleOf({0, 0, 0}, {4, 0, 0}, 0.5f);
  EXPECT_NEAR(static_cast<double>(signedDistance({2, 3, 0}, capsule)), 2.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(signedDistance({7, 4, 0}, capsule)), 4.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(signedDistance({-3, 0, 4}, capsule)), 4.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(signedDistance({1, 0, 0}, capsule)), -0.5, 1e-15);
}

TEST(CapsuleReference, RaysThatTouchHit)
{
  // Between the ends, at an end, and along the side.
  const TaperedCapsule across = capsuleOf({-2, 0, 0}, {2, 0, 0}, 1.0f);
  EXPECT_TRUE(castAlongZ({1, 1, -4}, across).exists);
  EXPECT_EQ(castAlongZ({1, 1, -4}, across).length, 4);
  EXPECT_EQ(castAlongZ({3, 0, -4}, across).length, 4);
  EXPECT_EQ(castAlongZ({1, 0, -4}, capsuleOf({0, 0, 0}, {0, 0, 2}, 1.0f)).length, 4);
  EXPECT_FALSE(castAlongZ({1, 1, -4}, across).uncertain);
  EXPECT_FALSE(
      castAlongZ({1, 1, -4}, capsuleOf({-2, 0, 0}, {2, 0, 0}, 0x1.fffffep-1f)).exists);
  // Slanted: the shortest way between the lines is 3 units of (0, 1, 0) long.
  const TaperedCapsule slanted = capsuleOf({-3, 3, -4}, {3, 3, 4}, 3.0f);
  EXPECT_EQ(castAlongZ({0, 0, -10}, slanted).length, 10);
  EXPECT_FALSE(castAlongZ({0, 0, -10}, slanted).uncertain);
}

TEST(CapsuleReference, TapersByClosedForm)
{
  // h = (3 - 0.6 z) / 0.8 from the axis, between z = 1.8 and the tip at 5.
  const TaperedCapsule cone = {{0, 0, 0}, 3.0f, {5, 0, 0}, 0.0f};
  EXPECT_NEAR(static_cast<double>(castAlongZ({3, 0, -10}, cone).length), 8.5, 1e-15);
  EXPECT_NEAR(static_cast<double>(castAlongZ({1, 0, -10}, cone).length),
              10 - std::sqrt(8.0),
              1e-15);
  EXPECT_EQ(castAlongZ({5, 0, -10}, cone).length, 10);
  EXPECT_FALSE(castAlongZ({5.001f, 0, -10}, cone).exists);
  // The other way round, along the axis, and from inside.
  const TaperedCapsule turned = {{5, 0, 0}, 0.0f, {0, 0, 0}, 3.0f};
  EXPECT_NEAR(static_cast<double>(castAlongZ({3, 0, -10}, turned).length), 8.5, 1e-15);
  EXPECT_EQ(castAtCapsule({9, 0, 0}, {8, 0, 0}, cone).length, 4);
  EXPECT_EQ(castAtCapsule({-9, 0, 0}, {-8, 0, 0}, cone).length, 6);
  EXPECT_EQ(castAtCapsule({1, 0, 0}, {2, 0, 0}, cone).length, 4);
  // One ball within the other.
  const TaperedCapsule ball = {{0, 0, 1}, 1.0f, {0, 0, 0}, 2.0f};
  EXPECT_EQ(castAlongZ({0, 0, -10}, ball).length, 8);
  EXPECT_EQ(castAtCapsule({0, 0, 10}, {0, 0, 9}, ball).length, 8);
}

TEST(CapsuleReference, RaysAlongTheSideOfACone)
{
  // The polynomial has no square.
  const TaperedCapsule cone = {{2, 1.75f, -1.75f}, 0.5f, {-0.5f, 1.5f, 0.75f}, 0.75f};
  for (const float y : {-1.75f, 0.75f, 1.0f, 1.5f, 2.25f, 2.5f}) {
    const Vector3f viewpoint(-1.25f, y, 0);
    const Vector3f x(1, y, -2.25f);
    const ReferenceHit closed = castAtCapsule(viewpoint, x, cone);
    const ReferenceHit searched = castByBisection(viewpoint, x, cone);
    EXPECT_EQ(closed.exists, searched.exists) << y;
    EXPECT_NEAR(static_cast<double>(closed.length - searched.length), 0.0, 1e-12) << y;
  }
}

TEST(CapsuleReference, ViewpointsOnTheSurfaceLookIntoIt)
{
  const TaperedCapsule capsule = capsuleOf({-2, 0, 0}, {2, 0, 0}, 1.0f);
  EXPECT_EQ(castAlongZ({1, 0, -1}, capsule).length, 2);
  EXPECT_FALSE(castAlongZ({1, 0, 1}, capsule).exists);
  EXPECT_FALSE(castAlongZ({1, 1, 0}, capsule).exists);
  EXPECT_EQ(castAlongZ({1, 0, 0}, capsule).length, 1);
  EXPECT_FALSE(castAlongZ({1, 0, 2}, capsule).exists);
}

TEST(CapsuleReference, SegmentsAreHitWhereTheyAreMet)
{
  const TaperedCapsule segment = capsuleOf({-2, 0, 0}, {2, 0, 0}, 0.0f);
  EXPECT_EQ(castAlongZ({1, 0, -4}, segment).length, 4);
  EXPECT_EQ(castAlongZ({2, 0, -4}, segment).length, 4);
  EXPECT_FALSE(castAlongZ({1, 0x1p-20f, -4}, segment).exists);
  EXPECT_FALSE(castAlongZ({2.25f, 0, -4}, segment).exists);
  EXPECT_EQ(castAtCapsule({-5, 0, 0}, {-1, 0, 0}, segment).length, 3);
  EXPECT_EQ(castAlongZ({1, 2, -4}, capsuleOf({1, 2, 3}, {1, 2, 3}, 0.0f)).length, 7);
}

TEST(CapsuleReference, ScenesHaveHitsAndFewUncertainRays)
{
  for (const bool two_radii : {false, true})
    for (int kind = 0; kind < scene_kinds; ++kind) {
      SCOPED_TRACE(nameOf(SceneKind(kind)));
      long double sum = 0;
      long double outliers = 0;
      long double doubt = 0;
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const CapsuleScene scene = randomScene(SceneKind(kind), seed, two_radii);
        for (const ReferenceSums& sums : referenceSums(scene)) {
          sum += sums.sums[1][0] / scene.truncation_distance;
          doubt += sums.doubt[1][0] / scene.truncation_distance;
          outliers += scene.totalWeight();
        }
      }
      EXPECT_LT(sum, 0.995L * outliers);
      EXPECT_GT(sum, 0.02L * outliers);
      // The discriminant of a thin cone is a small difference of large numbers.
      const bool thin_cones = two_radii && SceneKind(kind) == SceneKind::Thin;
      EXPECT_LT(doubt, (thin_cones ? 0.5L : 0.01L) * outliers);
    }
}
