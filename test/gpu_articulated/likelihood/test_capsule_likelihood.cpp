// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include "testing/image.h"

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

constexpr double miss = 16.0; // the truncation distance of distanceOf()
constexpr double tight = 1e-6;

/** \brief One length of it is not 1: the paper's bound for the cylinder's end is. */
Capsule
acrossAt(float z, float half_length = 1.5f, float radius = 0.5f)
{
  return makeCapsule({-half_length, 0, z}, {half_length, 0, z}, radius);
}

} // namespace

/** \brief Hits of rays on capsules, by closed form. */
class CapsuleRays : public DeviceTest {};

TEST_P(CapsuleRays, SphereSeenFrontally)
{
  const Capsule sphere = makeCapsule({0, 0, 3}, {0, 0, 3}, 0.5f);
  EXPECT_NEAR(distanceOf({sphere}, {0, 0, 2.25f}), 0.25, tight);
  EXPECT_NEAR(distanceOf({sphere}, {0, 0, 2.75f}), 0.25, tight);
  EXPECT_EQ(distanceOf({sphere}, {0, 0, 2.5f}), 0.0);
  // Behind it the front counts.
  EXPECT_NEAR(distanceOf({sphere}, {0, 0, 4.5f}), 2.0, tight);
}

TEST_P(CapsuleRays, SphereSeenAside)
{
  const Capsule sphere = makeCapsule({0, 0, 3}, {0, 0, 3}, 0.5f);
  const Vector3f x(0.25f, 0.125f, 2.5f);
  const double length = x.cast<double>().norm();
  const double along = 3 * 2.5 / length;
  const double hit = along - std::sqrt(along * along - (9 - 0.25));
  EXPECT_NEAR(distanceOf({sphere}, x), std::abs(hit - length), tight);
}

TEST_P(CapsuleRays, SideOfACylinder)
{
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 2.25f}), 0.25, tight);
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0.25f, 0, 2.25f}, {0.25f, 0, 0}), 0.25, tight);
}

TEST_P(CapsuleRays, LongCylinderEndsAtItsLength)
{
  // 2.5 along an axis of length 3, and 0.5.
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {1, 0, 2.25f}, {1, 0, 0}), 0.25, tight);
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {-1, 0, 2.25f}, {-1, 0, 0}), 0.25, tight);
}

TEST_P(CapsuleRays, ShortCylinderEndsAtItsLength)
{
  const Capsule capsule = acrossAt(3, 0.125f, 0.25f);
  // 0.3 beyond the end: past its sphere, too, but within length 1.
  EXPECT_EQ(distanceOf({capsule}, {0.425f, 0, 2.75f}, {0.425f, 0, 0}), miss);
  // 0.15 beyond the end: the sphere is hit 0.2 before its center.
  EXPECT_NEAR(distanceOf({capsule}, {0.275f, 0, 2.5f}, {0.275f, 0, 0}), 0.3, tight);
}

TEST_P(CapsuleRays, AlongTheAxis)
{
  const Capsule capsule = makeCapsule({0, 0, 2}, {0, 0, 4}, 1.25f);
  EXPECT_NEAR(distanceOf({capsule}, {0, 0, 1}), 0.25, tight);
  // Beside the axis: 0.75, 1, 1.25.
  EXPECT_NEAR(distanceOf({capsule}, {0.75f, 0, 3}, {0.75f, 0, -1}), 2.0, tight);
  EXPECT_EQ(distanceOf({capsule}, {1.5f, 0, 3}, {1.5f, 0, -1}), miss);
}

TEST_P(CapsuleRays, AllButAlongTheAxis)
{
  const Capsule capsule = makeCapsule({0, 0, 2}, {1e-6f, -1e-6f, 4}, 1.25f);
  EXPECT_NEAR(distanceOf({capsule}, {0.75f, 0, 3}, {0.75f, 0, -1}), 2.0, 1e-5);
}

TEST_P(CapsuleRays, TouchingASphere)
{
  const Capsule sphere = makeCapsule({0, 2, 3}, {0, 2, 3}, 2.0f);
  EXPECT_NEAR(distanceOf({sphere}, {0, 0, 2}), 1.0, tight);
  const Capsule smaller = makeCapsule({0, 2, 3}, {0, 2, 3}, std::nextafter(2.0f, 0.0f));
  EXPECT_EQ(distanceOf({smaller}, {0, 0, 2}), miss);
}

TEST_P(CapsuleRays, TouchingTheSideOfACylinder)
{
  const Capsule capsule = makeCapsule({-2, 2, 3}, {2, 2, 3}, 2.0f);
  EXPECT_NEAR(distanceOf({capsule}, {1, 0, 2}, {1, 0, 0}), 1.0, tight);
  const Capsule smaller =
      makeCapsule({-2, 2, 3}, {2, 2, 3}, std::nextafter(2.0f, 0.0f));
  EXPECT_EQ(distanceOf({smaller}, {1, 0, 2}, {1, 0, 0}), miss);
}

TEST_P(CapsuleRays, TouchingASlantedCylinder)
{
  // 3 apart along y; (6, 0, 8) is 10 long.
  const Capsule capsule = makeCapsule({-3, 3, 6}, {3, 3, 14}, 3.0f);
  EXPECT_NEAR(distanceOf({capsule}, {0, 0, 8}), 2.0, tight);
  const Capsule smaller =
      makeCapsule({-3, 3, 6}, {3, 3, 14}, std::nextafter(3.0f, 0.0f));
  EXPECT_EQ(distanceOf({smaller}, {0, 0, 8}), miss);
}

TEST_P(CapsuleRays, TouchingAllAlongTheSide)
{
  const Capsule capsule = makeCapsule({1, 0, 2}, {1, 0, 4}, 1.0f);
  EXPECT_NEAR(distanceOf({capsule}, {0, 0, 3}), 1.0, tight);
}

TEST_P(CapsuleRays, NearlyTouching)
{
  // Deep by one part in 10^6: half a chord of 2 mm.
  const Capsule sphere = makeCapsule({0, 2, 3}, {0, 2, 3}, 2.000001f);
  const double radius = 2.000001f;
  EXPECT_NEAR(
      distanceOf({sphere}, {0, 0, 2}), 1.0 - std::sqrt(radius * radius - 4.0), tight);
}

TEST_P(CapsuleRays, ViewpointInside)
{
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 3.25f}, {0, 0, 2.75f}), 0.25, tight);
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 2}, {0, 0, 3}), 0.5, tight);
  // Along the axis it leaves at the far end, not at the ball around the near one.
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 3}, {-1.25f, 0, 3}), 2.0, tight);
}

TEST_P(CapsuleRays, ViewpointOnTheSurface)
{
  const Vector3f front(0, 0, 2.5f);
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 3}, front), 0.5, tight);
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 0, 2}, front), miss);
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 1, 2.5f}, front), miss);
}

TEST_P(CapsuleRays, CapsuleBehindTheViewpoint)
{
  EXPECT_EQ(distanceOf({acrossAt(-3)}, {0, 0, 3}), miss);
  EXPECT_EQ(distanceOf({acrossAt(-3)}, {0, 0, 0.5f}), miss);
}

TEST_P(CapsuleRays, PointNearerThanTauInFrontOfACapsuleBehindTheViewpoint)
{
  EXPECT_EQ(distanceOf({acrossAt(-1)}, {0, 0, 0.125f}, {0, 0, 0}, 4.0f), 4.0);
  EXPECT_NEAR(distanceOf({acrossAt(1)}, {0, 0, 0.125f}, {0, 0, 0}, 4.0f), 0.375, tight);
}

TEST_P(CapsuleRays, NoFartherThanTau)
{
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 0, 1.5f}, {0, 0, 0}, 1.0f), 1.0);
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 0, 1.25f}, {0, 0, 0}, 1.0f), 1.0);
  EXPECT_NEAR(distanceOf({acrossAt(3)}, {0, 0, 1.75f}, {0, 0, 0}, 1.0f), 0.75, tight);
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 0, 3.75f}, {0, 0, 0}, 1.0f), 1.0);
  EXPECT_EQ(distanceOf({acrossAt(3)}, {0, 2, 3}, {0, 0, 0}, 1.0f), 1.0);
}

TEST_P(CapsuleRays, Segment)
{
  const Capsule segment = makeCapsule({-2, 0, 3}, {2, 0, 3}, 0.0f);
  EXPECT_NEAR(distanceOf({segment}, {1, 0, 2}, {1, 0, 0}), 1.0, tight);
  EXPECT_NEAR(distanceOf({segment}, {2, 0, 2}, {2, 0, 0}), 1.0, tight);
  EXPECT_EQ(distanceOf({segment}, {1, 1e-6f, 2}, {1, 1e-6f, 0}), miss);
  EXPECT_EQ(distanceOf({segment}, {2.001f, 0, 2}, {2.001f, 0, 0}), miss);
  EXPECT_NEAR(distanceOf({segment}, {0, 0, 3}, {-5, 0, 3}), 2.0, tight);
  EXPECT_EQ(distanceOf({segment}, {2, 0, 3}, {2, 0, 0}), 0.0);
}

TEST_P(CapsuleRays, SlantedSegment)
{
  const Vector3f a(-1.5f, -1.75f, 3.75f), b(0.75f, 1.25f, 2);
  const Capsule segment = makeCapsule(a, b, 0.0f);
  const Vector3f viewpoint(0.25f, -2, -2.5f);
  EXPECT_EQ(distanceOf({segment}, a, viewpoint), 0.0);
  EXPECT_EQ(distanceOf({segment}, b, viewpoint), 0.0);
  EXPECT_EQ(distanceOf({segment}, 0.5f * (a + b), viewpoint), 0.0);
  // Its ends, at any place.
  const Vector3f c(1.58697581f, 1.14790189f, 4.43689108f);
  EXPECT_EQ(distanceOf({makeCapsule(a, c, 0.0f)}, c, viewpoint), 0.0);
  EXPECT_EQ(distanceOf({makeCapsule(c, a, 0.0f)}, c, viewpoint), 0.0);
}

TEST_P(CapsuleRays, ThinCapsule)
{
  // A tenth of a millimetre of radius, seen from the side at a slant.
  const Capsule thin = makeCapsule({-1, -1, 3}, {1, 1, 4}, 1e-4f);
  const Vector3f x(0.25f, 0.25f, 3.25f);
  const ReferenceHit hit = castAtCapsule({0.25f, -0.5f, 0}, x, tapered(thin));
  EXPECT_NEAR(distanceOf({thin}, x, {0.25f, -0.5f, 0}),
              hit.exists ? std::abs(static_cast<double>(hit.offset)) : miss,
              tight);
  const Vector3f on_axis(0.5f, 0.5f, 3.75f);
  const ReferenceHit front = castAtCapsule({0, 0, 0}, on_axis, tapered(thin));
  ASSERT_TRUE(front.exists);
  EXPECT_NEAR(distanceOf({thin}, on_axis), -static_cast<double>(front.offset), tight);
}

TEST_P(CapsuleRays, SinglePlace)
{
  const Capsule place = makeCapsule({1, 2, 3}, {1, 2, 3}, 0.0f);
  EXPECT_EQ(distanceOf({place}, {1, 2, 3}), 0.0);
  EXPECT_NEAR(distanceOf({place}, {1, 2, 2}, {1, 2, 0}), 1.0, tight);
  EXPECT_EQ(distanceOf({place}, {1, 2.25f, 3}, {1, 2, 0}), miss);
}

TEST_P(CapsuleRays, CapsulesThatAreNotThere)
{
  for (const float bad : {not_a_number, infinity, -infinity}) {
    Capsule capsule = acrossAt(3);
    capsule.radius = bad;
    EXPECT_EQ(distanceOf({capsule}, {0, 0, 2.5f}), miss);
    for (int i = 0; i < 3; ++i) {
      capsule = acrossAt(3);
      capsule.a[i] = bad;
      EXPECT_EQ(distanceOf({capsule}, {0, 0, 2.5f}), miss);
      EXPECT_EQ(distanceOf({capsule, acrossAt(3)}, {0, 0, 2.5f}), 0.0);
      EXPECT_EQ(distanceOf({acrossAt(3), capsule}, {0, 0, 2.5f}), 0.0);
      capsule = acrossAt(3);
      capsule.b[i] = bad;
      EXPECT_EQ(distanceOf({capsule}, {0, 0, 2.5f}), miss);
    }
  }
  EXPECT_EQ(distanceOf({acrossAt(3, 1.5f, -0.5f)}, {0, 0, 2.5f}), miss);
}

TEST_P(CapsuleRays, NearestToThePointOfSeveral)
{
  const std::vector<Capsule> capsules = {acrossAt(2), acrossAt(4), acrossAt(8)};
  EXPECT_NEAR(distanceOf(capsules, {0, 0, 3}), 0.5, tight);
  EXPECT_NEAR(distanceOf(capsules, {0, 0, 2}), 0.5, tight);
  EXPECT_NEAR(distanceOf(capsules, {0, 0, 5}), 1.5, tight);
  EXPECT_NEAR(distanceOf(capsules, {0, 0, 7}), 0.5, tight);
}

TEST_P(CapsuleRays, PointsOnNoCapsuleCountTheMissDistance)
{
  // Beside the capsule at 3 m, on it, 0.25 m and 2 m before it, 0.25 m and 2 m behind
  // it.
  const std::vector<pcl::PointXYZ> seen = {{4, 0, 3},
                                           {0, 0, 2.5f},
                                           {0, 0, 2.25f},
                                           {0, 0, 0.5f},
                                           {0, 0, 2.75f},
                                           {0, 0, 4.5f}};
  const std::vector<double> expected = {0.125, 0.0, 0.125, 0.125, 0.25, 1.0};
  DeviceArray<Capsule> capsules;
  capsules.upload(std::vector<Capsule>{acrossAt(3)});
  for (const auto search : {CapsuleSearch::Culled, CapsuleSearch::BruteForce})
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (const int count : {1, 64}) {
        DeviceArray<pcl::PointXYZ> points;
        points.upload(std::vector<pcl::PointXYZ>(count, seen[i]));
        CapsuleLikelihood likelihood;
        setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, 0.5f);
        setParameter(
            likelihood, &CapsuleLikelihoodParameters::truncation_distance, 1.0f);
        setParameter(likelihood,
                     &CapsuleLikelihoodParameters::distance,
                     CapsuleDistance::Absolute);
        setParameter(likelihood,
                     &CapsuleLikelihoodParameters::visibility,
                     CapsuleVisibility::Occluding);
        setParameter(likelihood, &CapsuleLikelihoodParameters::miss_distance, 0.125f);
        setParameter(likelihood, &CapsuleLikelihoodParameters::search, search);
        likelihood.setPoints(points, Vector3f::Zero());
        DeviceArray<double> sums;
        likelihood.compute(capsules, 1, sums);
        std::vector<double> sum;
        sums.download(sum);
        EXPECT_NEAR(sum[0] / -2.0 / count, expected[i], 1e-6) << "point " << i;
      }
}

TEST_P(CapsuleRays, MeetTheNearerOfBodyAndRoom)
{
  // The capsule's skin is at 2.5 m. The room, the point, and its distance from what a
  // camera would see.
  struct Case {
    float room, point;
    double occluding, each;
  };
  const std::vector<Case> cases = {
      {4.0f, 4.0f, 1.0, 0.0},       // the wall is seen through the body
      {4.0f, 2.5f, 0.0, 0.0},       // the body is seen before the wall
      {4.0f, 2.25f, 0.25, 0.25},    // a little before the body
      {2.0f, 2.0f, 0.0, 0.0},       // the wall hides the body
      {2.0f, 2.5f, 0.5, 0.0},       // the body is seen behind the wall
      {2.0f, 2.125f, 0.125, 0.125}, // behind the wall that hides the body
      {2.75f, 2.625f, 0.125, 0.125},
      {not_a_number, 2.0f, 0.5, 0.5}};
  DeviceArray<Capsule> capsules;
  capsules.upload(std::vector<Capsule>{acrossAt(3)});
  for (const auto visibility :
       {CapsuleVisibility::Occluding, CapsuleVisibility::EachCapsule})
    for (const auto search : {CapsuleSearch::Culled, CapsuleSearch::BruteForce})
      for (const Case& each : cases)
        for (const int count : {1, 64}) {
          CapsuleLikelihoodParameters parameters;
          parameters.sigma = 0.5f;
          parameters.truncation_distance = 1.0f;
          parameters.distance = CapsuleDistance::Absolute;
          parameters.visibility = visibility;
          parameters.search = search;
          CapsuleLikelihood likelihood;
          likelihood.setParameters(parameters);
          likelihood.setPoints(
              uploaded(std::vector<pcl::PointXYZ>(count, {0, 0, each.point})),
              {},
              uploaded(std::vector<float>(count, each.room)),
              Vector3f::Zero());
          DeviceArray<double> sums;
          likelihood.compute(capsules, 1, sums);
          EXPECT_NEAR(downloaded(sums)[0] / -2.0 / count,
                      visibility == CapsuleVisibility::Occluding ? each.occluding
                                                                 : each.each,
                      1e-6)
              << "room at " << each.room << ", point at " << each.point;
        }
}

TEST_P(CapsuleRays, NearestToTheViewpointHidesTheOthers)
{
  const auto distance = [](const std::vector<Capsule>& capsules,
                           const Vector3f& point,
                           const Vector3f& viewpoint,
                           float tau) {
    return distanceOf(capsules, point, viewpoint, tau, CapsuleVisibility::Occluding);
  };
  const Vector3f origin(0, 0, 0);
  const std::vector<Capsule> capsules = {acrossAt(8), acrossAt(4), acrossAt(2)};
  EXPECT_NEAR(distance(capsules, {0, 0, 3.5f}, origin, 16.0f), 2.0, tight);
  // Farther in front than tau: the point is an outlier, though it is on one's skin.
  EXPECT_EQ(distance(capsules, {0, 0, 3.5f}, origin, 1.0f), 1.0);
  EXPECT_EQ(distanceOf(capsules, {0, 0, 3.5f}, origin, 1.0f), 0.0);
  // Seen from inside the nearest one, whose far side hides the rest.
  EXPECT_NEAR(distance(capsules, {0, 0, 3.5f}, {0, 0, 2}, 16.0f), 1.0, tight);
  // A capsule behind the viewpoint hides nothing.
  EXPECT_EQ(distance({acrossAt(4), acrossAt(-1)}, {0, 0, 3.5f}, origin, 1.0f), 0.0);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsuleRays);
