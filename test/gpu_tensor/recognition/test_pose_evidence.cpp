// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "poses/model_surface.h"
#include "recognition/plane_extent.hpp"
#include "recognition/pose_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pcl::device;

using pcl::gpu::test::not_a_number;

namespace {

// What a wall across the view says of points and places, in closed form.

class WallEvidence : public ::testing::Test {
protected:
  static constexpr int size = 21, middle = 10;
  static constexpr float focal_length = 100.0f, distance = 0.8f, pixel = 0.008f;

  WallEvidence()
  : cloud_(size * size)
  , normals_(size * size, {0.0f, 0.0f, -1.0f, 0.0f})
  , extents_(size * size, 0.05f)
  {
    for (int v = 0; v < size; ++v)
      for (int u = 0; u < size; ++u)
        setDepth(v, u, distance);
    camera_ = {{size, size, cloud_.data(), size * sizeof(Float4)},
               {normals_.data(), size * sizeof(Float4)},
               {}};
    camera_.camera.fx = camera_.camera.fy = focal_length;
    camera_.camera.cx = camera_.camera.cy = middle;
  }

  void
  setDepth(int v, int u, float z)
  {
    cloud_[v * size + u] = {
        (u - middle) * z / focal_length, (v - middle) * z / focal_length, z, 1.0f};
  }

  /** \brief The scene; its depth deviates by 1 mm, and 2 mm are tolerated. */
  EvidenceScene
  scene() const
  {
    return {&camera_, extents_.data(), PixelGrid(camera_), {0.001f, 0.0f}, 2.0f};
  }

  PoseEvidence
  ofPoint(const Vector3& position, const Vector3& normal = {0.0f, 0.0f, -1.0f}) const
  {
    PoseEvidence evidence;
    addPoint(scene(), {position, normal}, diameter, evidence);
    EXPECT_EQ(evidence.sums[PoseEvidence::Points], 1.0f);
    return evidence;
  }

  /** \brief Expects that a point in the middle counts as one thing only. */
  void
  expectOnly(int sum, float value, float z) const
  {
    const PoseEvidence evidence = ofPoint({0.0f, 0.0f, z});
    for (int i = 1; i < PoseEvidence::Count; ++i)
      EXPECT_NEAR(evidence.sums[i], i == sum ? value : 0.0f, 1e-4f) << i << " " << z;
  }

  /** \brief Looks at a place two pixels right of the middle.
   * \param[in] z its depth
   * \param[in] height above the wall of the model's surface inside the contour
   */
  PoseEvidence
  ofPlace(float z = distance, float height = 0.0f, int pixels = 2) const
  {
    PoseEvidence evidence;
    // It faces elsewhere than the wall.
    addPlace(scene(),
             {pixels * z / focal_length, 0.0f, z},
             {{0.0f, 0.0f, distance - height}, {0.6f, 0.0f, -0.8f}},
             diameter,
             evidence);
    return evidence;
  }

  void
  expectPlace(float places, float filled, const PoseEvidence& evidence) const
  {
    EXPECT_EQ(evidence.sums[PoseEvidence::Places], places);
    EXPECT_EQ(evidence.sums[PoseEvidence::Filled], filled);
  }

  static constexpr float diameter = 0.1f;
  std::vector<Float4> cloud_, normals_;
  std::vector<float> extents_;
  CameraCloud camera_{};
};

TEST_F(WallEvidence, OfPointsOnTheSurfaceWeighsLessTheFartherOffTheyAre)
{
  for (const float off : {0.0f, 0.001f, -0.001f, 0.0019f}) {
    const PoseEvidence evidence = ofPoint({0.0f, 0.0f, distance + off});
    const float share = off / 0.002f;
    EXPECT_EQ(evidence.sums[PoseEvidence::Inliers], 1.0f);
    EXPECT_NEAR(evidence.sums[PoseEvidence::Weight], 1.0f - share * share, 1e-3f);
  }
}

TEST_F(WallEvidence, OfPointsThatAreTurnedAwayWeighsLess)
{
  const auto weight = [&](float degrees) {
    const float angle = degrees / 57.29578f;
    return ofPoint({0.0f, 0.0f, distance}, {std::sin(angle), 0.0f, -std::cos(angle)})
        .sums[PoseEvidence::Weight];
  };
  EXPECT_NEAR(weight(30.0f), 1.0f, 1e-4f);
  EXPECT_NEAR(weight(45.0f), (std::cos(0.785398f) - 0.5f) / 0.35f, 1e-3f);
  EXPECT_EQ(weight(61.0f), 0.0f);
}

TEST_F(WallEvidence, OfPointsOffTheSurfaceIsFreeOrHidden)
{
  expectOnly(PoseEvidence::Free, 0.5f, distance - 0.003f);
  expectOnly(PoseEvidence::Free, 1.0f, distance - 0.005f);
  expectOnly(PoseEvidence::Hidden, 0.5f, distance + 0.003f);
  expectOnly(PoseEvidence::Hidden, 1.0f, distance + 0.005f);
}

TEST_F(WallEvidence, ToleratesMoreOfSurfacesThatAreSeenFlatly)
{
  const Vector3 normal = {0.866025f, 0.0f, -0.5f};
  const float off = 0.0039f;
  EXPECT_EQ(ofPoint({0.0f, 0.0f, distance - off}, normal).sums[PoseEvidence::Free],
            0.0f);
  EXPECT_EQ(ofPoint({0.0f, 0.0f, distance - off}).sums[PoseEvidence::Free], 0.5f);
}

TEST_F(WallEvidence, OfPointsWhereNothingIsMeasuredIsUnseen)
{
  setDepth(middle, middle, not_a_number);
  expectOnly(PoseEvidence::Unseen, 1.0f, distance);
}

TEST_F(WallEvidence, OfPointsBesideTheImageIsHidden)
{
  const PoseEvidence evidence = ofPoint({11.0f * pixel, 0.0f, distance});
  EXPECT_EQ(evidence.sums[PoseEvidence::Hidden], 1.0f);
  EXPECT_EQ(evidence.visible(), 1.0f) << "shares of none are shares of one";
}

TEST_F(WallEvidence, OfPointsInAPlaneThatIsTooLargeSpeaksAgainstThem)
{
  extents_[middle * size + middle] = 0.13f;
  expectOnly(PoseEvidence::Larger, 1.0f, distance);
  extents_[middle * size + middle] = 0.11f;
  EXPECT_EQ(ofPoint({0.0f, 0.0f, distance}).sums[PoseEvidence::Inliers], 1.0f);
}

TEST_F(WallEvidence, OfPlacesSaysWhetherTheSurfaceGoesOn)
{
  expectPlace(1.0f, 1.0f, ofPlace());
  expectPlace(1.0f, 0.0f, ofPlace(distance - 0.01f));
  expectPlace(0.0f, 0.0f, ofPlace(distance + 0.01f));
  expectPlace(1.0f, 0.0f, ofPlace(distance, 0.01f)); // it stands on the wall
  expectPlace(0.0f, 0.0f, ofPlace(distance, 0.0f, 20));
  extents_[middle * size + middle + 2] = 0.2f;
  expectPlace(1.0f, 0.0f, ofPlace());
  setDepth(middle, middle + 2, not_a_number);
  expectPlace(0.0f, 0.0f, ofPlace());
}

TEST_F(WallEvidence, OfPlacesSaysWhetherASlantedSurfaceGoesOn)
{
  // The wall leans back by 45 degrees.
  for (int v = 0; v < size; ++v)
    for (int u = 0; u < size; ++u)
      setDepth(v, u, distance / (1.0f - (u - middle) / focal_length));
  const Vector3 normal = {0.707107f, 0.0f, -0.707107f};
  std::fill(
      normals_.begin(), normals_.end(), Float4{0.707107f, 0.0f, -0.707107f, 0.0f});
  const auto evidence = [&](const SurfacePoint& inside) {
    PoseEvidence sums;
    addPlace(scene(), {3.0f * pixel, 0.0f, distance}, inside, diameter, sums);
    return sums;
  };
  expectPlace(1.0f, 1.0f, evidence({{0.0f, 0.0f, distance}, normal}));
  // One side of an edge does not go on beyond it.
  expectPlace(
      1.0f, 0.0f, evidence({{0.0f, 0.0f, distance}, {-0.707107f, 0.0f, -0.707107f}}));
  expectPlace(1.0f, 0.0f, evidence({{0.0f, 0.0f, distance - 0.02f}, normal}));
}

TEST_F(WallEvidence, FollowsAPlaneToItsEnd)
{
  const auto reach = [&](int column, int direction) {
    return planeReach(
        camera_, {0.001f, 0.0f}, PixelGrid(camera_), column, middle, direction);
  };
  EXPECT_NEAR(reach(middle, 0), 10.0f * pixel, 1e-5f);
  EXPECT_NEAR(reach(0, 0), 20.0f * pixel, 1e-5f);
  EXPECT_NEAR(reach(middle, 1), std::sqrt(2.0f) * 10.0f * pixel, 1e-5f);
  EXPECT_NEAR(reach(middle, 4), 10.0f * pixel, 1e-5f);
  EXPECT_EQ(reach(0, 4), 0.0f);
  setDepth(middle, middle + 3, distance - 0.1f);
  EXPECT_NEAR(reach(middle, 0), 10.0f * pixel, 1e-5f) << "one pixel may be wrong";
  setDepth(middle, middle + 4, not_a_number);
  EXPECT_NEAR(reach(middle, 0), 2.0f * pixel, 1e-5f);
  normals_[middle * size + middle + 1] = {0.6f, 0.0f, -0.8f, 0.0f};
  normals_[middle * size + middle + 2] = {0.6f, 0.0f, -0.8f, 0.0f};
  EXPECT_EQ(reach(middle, 0), 0.0f);
  setDepth(middle, middle, not_a_number);
  EXPECT_EQ(reach(middle, 4), 0.0f);
}

TEST(RanksOfPoses, AreInTheOrderOfTheirOdds)
{
  const std::vector<float> odds = {
      1e30f, 7.5f, 0.3f, 0.0f, -1e-20f, -0.3f, -7.5f, -1e30f};
  for (std::size_t i = 1; i < odds.size(); ++i)
    EXPECT_LT(rankOf(odds[i - 1]), rankOf(odds[i])) << odds[i];
  EXPECT_LT(rankOf(odds.back()), no_rank);
}

/** \brief Adds a rectangle of points, 5 mm apart, about a middle.
 * \param[in] along its half sides
 */
void
addSide(const Eigen::Vector3f& middle,
        const Eigen::Vector3f (&along)[2],
        pcl::gpu::TensorModel::Points& points)
{
  const auto steps = [](const Eigen::Vector3f& side) {
    return static_cast<int>(std::lround(side.norm() / 0.005f));
  };
  for (int i = -steps(along[0]); i <= steps(along[0]); ++i)
    for (int j = -steps(along[1]); j <= steps(along[1]); ++j) {
      pcl::PointNormal point;
      point.getVector3fMap() = middle + 0.005f * i * along[0].normalized() +
                               0.005f * j * along[1].normalized();
      point.getNormalVector3fMap() = middle.normalized();
      points.push_back(point);
    }
}

/** \brief Points of the upper side of a box of 0.1 x 0.1 x 0.04 m about the origin. */
pcl::gpu::TensorModel::Points
lid()
{
  pcl::gpu::TensorModel::Points points;
  addSide({0.0f, 0.0f, 0.02f}, {{0.05f, 0.0f, 0.0f}, {0.0f, 0.05f, 0.0f}}, points);
  return points;
}

std::vector<pcl::gpu::OutsidePlace>
contourOf(const pcl::gpu::VisibleSurface& surface, const Eigen::Vector3f& direction)
{
  return pcl::gpu::findContours(surface, {direction}, 64)[0];
}

TEST(ContoursOfModels, AreSurroundedEvenly)
{
  pcl::gpu::TensorModel::Points box = lid();
  for (const float side : {-0.05f, 0.05f}) {
    addSide({side, 0.0f, 0.0f}, {{0.0f, 0.05f, 0.0f}, {0.0f, 0.0f, 0.02f}}, box);
    addSide({0.0f, side, 0.0f}, {{0.05f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.02f}}, box);
  }
  const auto surface = pcl::gpu::findVisiblePoints(box, {Eigen::Vector3f::UnitZ()});
  const auto contour = contourOf(surface, Eigen::Vector3f::UnitZ());
  ASSERT_EQ(contour.size(), 64u);
  int sides[4] = {};
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Eigen::Vector3f& place = contour[i].place;
    const Eigen::Vector3f outside =
        (place.cwiseAbs().array() - 0.05f).max(0.0f).matrix();
    // Discs reach 1.3 spacings beyond the box, and places are 2.5 outside.
    EXPECT_NEAR(outside.head<2>().norm(), 3.8f * surface.spacing, surface.spacing);
    EXPECT_LE(contour[i].inside.head<2>().cwiseAbs().maxCoeff(), 0.0501f);
    if (i < 16)
      ++sides[std::abs(place.x()) > std::abs(place.y()) ? (place.x() > 0.0f ? 0 : 1)
                                                        : (place.y() > 0.0f ? 2 : 3)];
  }
  for (const int count : sides)
    EXPECT_GE(count, 2) << "the first 16 are spread";
}

TEST(ContoursOfModels, WhereAScanJustEndsAreUnknown)
{
  const auto surface = pcl::gpu::findVisiblePoints(lid(), {Eigen::Vector3f::UnitZ()});
  EXPECT_TRUE(contourOf(surface, Eigen::Vector3f::UnitZ()).empty());
}

TEST(ContoursOfModels, OfNothingAreEmpty)
{
  const auto surface = pcl::gpu::findVisiblePoints(lid(), {-Eigen::Vector3f::UnitZ()});
  EXPECT_TRUE(contourOf(surface, -Eigen::Vector3f::UnitZ()).empty());
  EXPECT_TRUE(contourOf({}, Eigen::Vector3f::UnitZ()).empty());
}

} // namespace
