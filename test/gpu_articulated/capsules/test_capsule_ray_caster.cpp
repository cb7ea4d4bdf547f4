// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/sanitizers.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/** \brief Returns the first hit of a ray from the origin on the surface of the union of
 * all spheres on a capsule's axis, in lengths of the direction. */
class SphereUnion {
public:
  SphereUnion(const Vector3d& a, double radius_a, const Vector3d& b, double radius_b)
  : a_(a)
  , b_(b)
  , radius_a_(radius_a)
  , radius_b_(radius_b)
  {}

  double
  firstHit(const Vector3d& direction) const
  {
    const double entry = least(direction, false), exit = -least(direction, true);
    return entry > 0.0 ? entry : exit > 0.0 ? exit : infinity;
  }

  /** \brief Distance at which a ray passes outside the capsule; below 0 inside. */
  double
  clearance(const Vector3d& direction) const
  {
    double best = infinity;
    for (int i = 0; i <= 10000; ++i) {
      const double s = i / 10000.0;
      const Vector3d center = a_ + s * (b_ - a_);
      const double off = center.cross(direction).norm() / direction.norm();
      best = std::min(best, off - radius_a_ - s * (radius_b_ - radius_a_));
    }
    return best;
  }

private:
  // The entry of the ray into one sphere; minus its exit.
  double
  crossing(double s, const Vector3d& direction, bool leaves) const
  {
    const Vector3d center = a_ + s * (b_ - a_);
    const double radius = radius_a_ + s * (radius_b_ - radius_a_);
    const double middle = center.dot(direction) / direction.squaredNorm();
    const double rest = radius * radius - (center - middle * direction).squaredNorm();
    if (rest < 0.0)
      return infinity;
    const double half = std::sqrt(rest / direction.squaredNorm());
    return leaves ? -middle - half : middle - half;
  }

  // Samples all spheres, then closes in on the least value.
  double
  least(const Vector3d& direction, bool leaves) const
  {
    double center = 0.5, width = 0.5, best = infinity;
    for (int round = 0; round < 8; ++round) {
      const double from = std::max(0.0, center - width),
                   to = std::min(1.0, center + width);
      const int steps = round == 0 ? 4000 : 40;
      for (int i = 0; i <= steps; ++i) {
        const double s = from + (to - from) * i / steps;
        const double t = crossing(s, direction, leaves);
        if (t < best) {
          best = t;
          center = s;
        }
      }
      width = 2.0 * (to - from) / steps;
    }
    return best;
  }

  Vector3d a_, b_;
  double radius_a_, radius_b_;
};

TaperedCapsule
makeCapsule(const Vector3f& a, float radius_a, const Vector3f& b, float radius_b)
{
  return {{a.x(), a.y(), a.z()}, radius_a, {b.x(), b.y(), b.z()}, radius_b};
}

TaperedCapsule
makeSphere(const Vector3f& center, float radius)
{
  return makeCapsule(center, radius, center, radius);
}

/** \brief A camera whose middle pixel looks along the axis. */
PinholeCamera
smallCamera(int size = 41)
{
  PinholeCamera camera;
  camera.fx = camera.fy = static_cast<float>(size);
  camera.cx = camera.cy = static_cast<float>(size / 2);
  camera.width = camera.height = size;
  return camera;
}

struct CastResult {
  Image<float> depth;
  Image<int> ids;
  Image<pcl::PointXYZ> normals;
};

CastResult
cast(const CapsuleRayCaster& caster, const std::vector<TaperedCapsule>& capsules)
{
  const int rows = caster.getParameters().camera.height,
            columns = caster.getParameters().camera.width;
  auto depth = poisoned<float>(rows, columns);
  auto ids = poisoned<int>(rows, columns);
  auto normals = poisoned<pcl::PointXYZ>(rows, columns);
  caster.cast(uploaded(capsules), depth, ids, normals);
  return {downloaded(depth), downloaded(ids), downloaded(normals)};
}

Vector3d
rayOf(const PinholeCamera& camera, int column, int row)
{
  return {(column - double(camera.cx)) / camera.fx,
          (row - double(camera.cy)) / camera.fy,
          1.0};
}

class CapsuleRayCasterTest : public DeviceTest {
protected:
  CapsuleRayCasterTest() { caster_.setParameters({smallCamera()}); }

  /** \brief Returns the depth of the middle pixel. */
  float
  depthAhead(const std::vector<TaperedCapsule>& capsules)
  {
    return cast(caster_, capsules).depth.at(20, 20);
  }

  CapsuleRayCaster caster_;
};

} // namespace

TEST_P(CapsuleRayCasterTest, SeesTheFrontOfASphere)
{
  EXPECT_FLOAT_EQ(depthAhead({makeSphere({0, 0, 3}, 0.5f)}), 2.5f);
}

TEST_P(CapsuleRayCasterTest, SeesTheSideAndTheEndOfACapsule)
{
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({-1, 0, 3}, 0.25f, {1, 0, 3}, 0.25f)}),
                  2.75f);
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({0, 0, 3}, 0.25f, {0, 0, 5}, 0.25f)}), 2.75f);
}

TEST_P(CapsuleRayCasterTest, SeesTheSideOfATaperedCapsuleInClosedForm)
{
  // The tangent of two circles at x = -1 and 1 touches them at angle asin((r_a - r_b) /
  // 2).
  const double slope = std::asin((0.5 - 0.1) / 2.0);
  const double middle = 0.5 * (0.5 + 0.1) / std::cos(slope);
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({-1, 0, 3}, 0.5f, {1, 0, 3}, 0.1f)}),
                  static_cast<float>(3.0 - middle));
}

TEST_P(CapsuleRayCasterTest, SeesTheLargerSphereWhereItHoldsTheOther)
{
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({0, 0, 3}, 1.0f, {0, 0, 3.2f}, 0.5f)}), 2.0f);
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({0, 0, 3.2f}, 0.5f, {0, 0, 3}, 1.0f)}), 2.0f);
}

TEST_P(CapsuleRayCasterTest, SeesFromInsideWhereRaysLeave)
{
  EXPECT_FLOAT_EQ(depthAhead({makeCapsule({0, 0, -1}, 0.5f, {0, 0, 2}, 0.5f)}), 2.5f);
}

TEST_P(CapsuleRayCasterTest, DoesNotSeeWhatIsBehindTheCamera)
{
  EXPECT_TRUE(std::isnan(depthAhead({makeSphere({0, 0, -3}, 0.5f)})));
  EXPECT_TRUE(std::isnan(depthAhead({makeSphere({0, 0, -0.5f}, 0.5f)})));
}

TEST_P(CapsuleRayCasterTest, SeesATouchingRay)
{
  EXPECT_FLOAT_EQ(depthAhead({makeSphere({0.5f, 0, 3}, 0.5f)}), 3.0f);
}

TEST_P(CapsuleRayCasterTest, LeavesOutCapsulesThatAreNotThere)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<TaperedCapsule> capsules{
      makeSphere({0, nan, 1}, 0.5f),
      makeSphere({0, 0, 1}, nan),
      makeSphere({0, 0, 1}, -0.5f),
      makeSphere({0, 0, 1}, inf),
      makeCapsule({0, 0, 1}, 0.5f, {inf, 0, 1}, 0.5f),
      makeSphere({0, 0, 3}, 0.5f)};
  const CastResult result = cast(caster_, capsules);
  EXPECT_FLOAT_EQ(result.depth.at(20, 20), 2.5f);
  EXPECT_EQ(result.ids.at(20, 20), 5);
}

TEST_P(CapsuleRayCasterTest, SeesNothingOfNoCapsules)
{
  const CastResult result = cast(caster_, {});
  for (std::size_t i = 0; i < result.depth.data.size(); ++i) {
    ASSERT_TRUE(std::isnan(result.depth.data[i]));
    ASSERT_EQ(result.ids.data[i], -1);
    ASSERT_TRUE(std::isnan(result.normals.data[i].x));
  }
}

TEST_P(CapsuleRayCasterTest, SeesTheFirstOfTwoAtOneDepth)
{
  const CastResult result =
      cast(caster_, {makeSphere({0, 0, 3}, 0.5f), makeSphere({0, 0, 3}, 0.5f)});
  EXPECT_EQ(result.ids.at(20, 20), 0);
}

TEST_P(CapsuleRayCasterTest, LooksFromWhereTheCameraIs)
{
  const Pose pose = lookAt({4, 1, 2}, {1, 1, 2});
  caster_.setParameters({smallCamera(), pose});
  const CastResult result = cast(caster_, {makeSphere({1, 1, 2}, 0.5f)});
  EXPECT_NEAR(result.depth.at(20, 20), 2.5f, 1e-6f);
  EXPECT_NEAR(result.normals.at(20, 20).z, -1.0f, 1e-6f);
}

TEST_P(CapsuleRayCasterTest, AgreesWithTheUnionOfSpheresInDoublePrecision)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  const PinholeCamera camera = smallCamera(23);
  int hits = 0;
  for (int scene = 0; scene < fewerUnderSanitizers(60); ++scene) {
    const Pose pose = lookAt({number(random), number(random), -2.0f + number(random)},
                             {number(random), number(random), 1.0f});
    const Eigen::Isometry3d to_camera = pose.cast<double>().inverse();
    caster_.setParameters({camera, pose});
    const Vector3f a(number(random), number(random), number(random));
    const Vector3f b(number(random), number(random), number(random));
    // Radii from line segments to spheres that hold each other or the camera.
    const float scale = scene % 3 == 0 ? 3.0f : 0.5f;
    const float radius_a = scale * std::abs(number(random));
    const float radius_b = scene % 5 == 0 ? radius_a : scale * std::abs(number(random));
    const CastResult result = cast(caster_, {makeCapsule(a, radius_a, b, radius_b)});
    const SphereUnion truth(
        to_camera * a.cast<double>(), radius_a, to_camera * b.cast<double>(), radius_b);
    for (int row = 0; row < camera.height; ++row)
      for (int column = 0; column < camera.width; ++column) {
        const Vector3d ray = rayOf(camera, column, row);
        const double expected = truth.firstHit(ray);
        const float depth = result.depth.at(row, column);
        if (std::isnan(depth) != (expected == infinity)) {
          ASSERT_LT(std::abs(truth.clearance(ray)), 1e-6) << scene;
          continue;
        }
        if (std::isnan(depth))
          continue;
        ++hits;
        // A grazing ray's depth changes fast with its direction.
        const double steepness = std::abs(result.normals.at(row, column)
                                              .getVector3fMap()
                                              .cast<double>()
                                              .dot(ray.normalized()));
        ASSERT_NEAR(
            depth, expected, 1e-6 * (1.0 + expected) / std::max(steepness, 1e-3))
            << "scene " << scene << " row " << row << " column " << column;
      }
  }
  EXPECT_GT(hits, fewerUnderSanitizers(5000));
}

TEST_P(CapsuleRayCasterTest, NormalsLeadAwayFromTheAxis)
{
  // Left of the middle the sphere of a, right of it the one of b, the cone between
  // them.
  const CastResult result =
      cast(caster_, {makeCapsule({-0.5f, 0, 3}, 0.6f, {0.5f, 0, 3}, 0.2f)});
  for (int row = 0; row < 41; ++row)
    for (int column = 0; column < 41; ++column) {
      if (result.ids.at(row, column) < 0)
        continue;
      const double depth = result.depth.at(row, column);
      const Vector3d point = depth * rayOf(caster_.getParameters().camera, column, row);
      const Vector3d normal =
          result.normals.at(row, column).getVector3fMap().cast<double>();
      ASSERT_NEAR(normal.norm(), 1.0, 1e-6);
      // From the surface inwards along the normal lies the centre of a sphere on the
      // axis.
      double nearest = infinity;
      for (int i = 0; i <= 20000; ++i) {
        const double s = i / 20000.0;
        const Vector3d center(-0.5 + s, 0.0, 3.0);
        nearest = std::min(nearest, (point - (0.6 - 0.4 * s) * normal - center).norm());
      }
      ASSERT_LT(nearest, 1e-4);
    }
}

TEST_P(CapsuleRayCasterTest, SeesEveryCapsuleOfMoreThanATile)
{
  std::vector<TaperedCapsule> capsules;
  for (int count : {1, 127, 128, 129, 300}) {
    capsules.clear();
    for (int i = 0; i < count; ++i) {
      const float angle = 0.02f * i;
      capsules.push_back(makeSphere(
          {2.0f * std::sin(angle), 2.0f * std::cos(angle), 5.0f + 0.001f * i}, 0.5f));
    }
    const CastResult together = cast(caster_, capsules);
    Image<float> nearest(41, 41, std::numeric_limits<float>::infinity());
    for (int i = 0; i < count; ++i) {
      const CastResult alone = cast(caster_, {capsules[i]});
      for (std::size_t p = 0; p < nearest.data.size(); ++p)
        nearest.data[p] = std::fmin(nearest.data[p], alone.depth.data[p]);
    }
    for (std::size_t p = 0; p < nearest.data.size(); ++p)
      ASSERT_TRUE(nearest.data[p] == together.depth.data[p] ||
                  (std::isinf(nearest.data[p]) && std::isnan(together.depth.data[p])));
  }
}

TEST_P(CapsuleRayCasterTest, WritesEveryPixelOfAnySize)
{
  for (const int width : {1, 15, 16, 17, 33})
    for (const int height : {1, 7, 8, 9}) {
      PinholeCamera camera = smallCamera();
      camera.width = width;
      camera.height = height;
      caster_.setParameters({camera});
      const CastResult result = cast(caster_, {makeSphere({0, 0, 0}, 2.0f)});
      ASSERT_EQ(result.depth.rows, height);
      ASSERT_EQ(result.depth.columns, width);
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
          ASSERT_NEAR(result.depth.at(row, column),
                      2.0 / rayOf(camera, column, row).norm(),
                      1e-6);
    }
}

TEST_P(CapsuleRayCasterTest, GivesTheSameDepthWithAndWithoutIds)
{
  const std::vector<TaperedCapsule> capsules{
      makeCapsule({-1, 0, 3}, 0.5f, {1, 1, 4}, 0.1f), makeSphere({0, -1, 3}, 0.4f)};
  DeviceArray2D<float> depth;
  caster_.cast(uploaded(capsules), depth);
  EXPECT_TRUE(sameBits(downloaded(depth), cast(caster_, capsules).depth));
}

TEST_P(CapsuleRayCasterTest, RefusesCamerasThatCannotBe)
{
  PinholeCamera camera = smallCamera();
  camera.width = 0;
  expectBadArgument("width", [&] { caster_.setParameters({camera}); });
  camera = smallCamera();
  camera.fx = -1.0f;
  expectBadArgument("-1", [&] { caster_.setParameters({camera}); });
  Pose pose = Pose::Identity();
  pose.linear() *= 2.0f;
  expectBadArgument("pose", [&] { caster_.setParameters({smallCamera(), pose}); });
  DeviceArray2D<float> depth;
  expectBadArgument("camera", [&] {
    CapsuleRayCaster().cast(uploaded(std::vector<TaperedCapsule>{}), depth);
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsuleRayCasterTest);
