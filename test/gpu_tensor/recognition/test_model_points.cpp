// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "poses/model_pose.hpp"
#include "poses/model_surface.h"

#include <pcl/gpu/raycast/tesselated_sphere.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pcl::device;
using pcl::gpu::findVisiblePoints;
using pcl::gpu::TensorModel;
using pcl::gpu::VisibleSurface;

using pcl::gpu::test::not_a_number;

namespace {

TEST(Pixels, AreThoseThatShowAPoint)
{
  const std::vector<Float4> none(12);
  const CameraCloud scene = {
      {3, 4, none.data(), 4 * sizeof(Float4)}, {}, 100.0f, 100.0f, 1.5f, 1.0f};
  int x = 0, y = 0;
  const auto point = [](float u, float v, float z) {
    return Vector3{z * (u - 1.5f) / 100.0f, z * (v - 1.0f) / 100.0f, z};
  };
  ASSERT_TRUE(findPixel(scene, point(2.4f, 1.6f, 0.7f), x, y));
  EXPECT_EQ(x, 2);
  EXPECT_EQ(y, 2);
  ASSERT_TRUE(findPixel(scene, point(-0.49f, -0.49f, 1.0f), x, y));
  EXPECT_EQ(x + y, 0);
  ASSERT_TRUE(findPixel(scene, point(3.49f, 2.49f, 1.0f), x, y));
  EXPECT_EQ(x, 3);
  EXPECT_EQ(y, 2);
  for (const Vector3& outside : {point(-0.51f, 1.0f, 1.0f),
                                 point(3.51f, 1.0f, 1.0f),
                                 point(1.0f, 2.51f, 1.0f),
                                 point(1.0f, -0.51f, 1.0f),
                                 Vector3{0.0f, 0.0f, -1.0f},
                                 Vector3{0.0f, 0.0f, 0.0f},
                                 Vector3{not_a_number, 0.0f, 1.0f},
                                 Vector3{0.0f, 0.0f, not_a_number}})
    EXPECT_FALSE(findPixel(scene, outside, x, y));
}

/** \brief Points of a square plate of 0.1 m, 5 mm apart, that faces along z. */
void
addPlate(float z, float normal, TensorModel::Points& points)
{
  for (int i = 0; i <= 20; ++i)
    for (int j = 0; j <= 20; ++j) {
      pcl::PointNormal point;
      point.getVector3fMap() = Eigen::Vector3f(0.005f * i, 0.005f * j, z);
      point.getNormalVector3fMap() = Eigen::Vector3f(0.0f, 0.0f, normal);
      points.push_back(point);
    }
}

TEST(VisiblePointsOfModels, AreThoseThatFaceAViewerAndThatNothingHides)
{
  TensorModel::Points points;
  addPlate(0.0f, 1.0f, points);
  addPlate(0.05f, 1.0f, points);
  addPlate(-0.01f, -1.0f, points);
  constexpr std::uint32_t plate = 21 * 21;
  const VisibleSurface surface = findVisiblePoints(
      points, {{0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, -1.0f}, {0.995f, 0.0f, 0.0998f}});
  EXPECT_NEAR(surface.spacing, 0.005f, 1e-5f);
  EXPECT_LT((surface.center - Eigen::Vector3f(0.05f, 0.05f, 0.02f)).norm(), 1e-6f);
  EXPECT_NEAR(surface.radius, std::sqrt(2 * 0.05f * 0.05f + 0.03f * 0.03f), 1e-5f);
  ASSERT_EQ(surface.visible.size(), 3u);
  std::vector<std::uint32_t> upper, lower;
  for (std::uint32_t i = 0; i < plate; ++i) {
    upper.push_back(plate + i);
    lower.push_back(2 * plate + i);
  }
  EXPECT_EQ(surface.visible[0], upper) << "the plate below is hidden";
  EXPECT_EQ(surface.visible[1], lower) << "only this one faces down";
  EXPECT_TRUE(surface.visible[2].empty()) << "all are seen too flatly";
}

TEST(VisiblePointsOfModels, OfABallAreItsNearSide)
{
  TensorModel::Points points;
  for (const Eigen::Vector3f& direction : pcl::gpu::makeTesselatedSphere(3).vertices) {
    pcl::PointNormal point;
    point.getVector3fMap() = Eigen::Vector3f(1.0f, 2.0f, 3.0f) + 0.1f * direction;
    point.getNormalVector3fMap() = direction;
    points.push_back(point);
  }
  const auto directions = pcl::gpu::makeTesselatedSphere(1).vertices;
  const VisibleSurface surface = findVisiblePoints(points, directions);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const std::vector<std::uint32_t>& visible = surface.visible[i];
    for (std::uint32_t j = 0; j < points.size(); ++j) {
      const float cosine = directions[i].dot(surface.normals[j]);
      const bool is_visible = std::binary_search(visible.begin(), visible.end(), j);
      // Towards the limb, discs of neighbours stand out in front of a point.
      if (cosine > 0.35f) {
        EXPECT_TRUE(is_visible) << cosine;
      }
      if (cosine < 0.149f) {
        EXPECT_FALSE(is_visible) << cosine;
      }
    }
  }
}

TEST(VisiblePointsOfModels, LeaveOutPointsWithoutNormals)
{
  TensorModel::Points points;
  addPlate(0.0f, 1.0f, points);
  points[3].getNormalVector3fMap().setConstant(not_a_number);
  const VisibleSurface surface = findVisiblePoints(points, {{0.0f, 0.0f, 1.0f}});
  EXPECT_EQ(surface.points.size(), points.size() - 1);
  EXPECT_EQ(surface.visible[0].size(), points.size() - 1);
  points.resize(4);
  points.erase(points.begin(), points.begin() + 3);
  EXPECT_TRUE(findVisiblePoints(points, {{0.0f, 0.0f, 1.0f}}).points.empty());
}

TEST(VisiblePointsOfModels, AreAboutACenterThatSymmetriesLeaveInPlace)
{
  TensorModel::Points points;
  addPlate(0.0f, 1.0f, points);
  // Half a turn about an axis that is not in the middle of the bounding box.
  const Eigen::Vector3f at(0.04f, 0.03f, 0.0f);
  pcl::gpu::Pose turn = pcl::gpu::Pose::Identity();
  turn.rotate(Eigen::AngleAxisf(3.14159265f, Eigen::Vector3f::UnitZ()));
  turn.translation() = 2.0f * at;
  const VisibleSurface surface =
      findVisiblePoints(points, {{0.0f, 0.0f, 1.0f}}, {turn});
  EXPECT_LT((surface.center - at).norm(), 1e-6f);
  EXPECT_LT((surface.points[0] + at).norm(), 1e-6f);
}

TEST(VisiblePointsOfModels, InOnePlaceAreAllVisible)
{
  TensorModel::Points points;
  addPlate(0.0f, 1.0f, points);
  points.resize(5);
  std::fill(points.begin(), points.end(), points.front());
  const VisibleSurface surface = findVisiblePoints(points, {{0.0f, 0.0f, 1.0f}});
  EXPECT_EQ(surface.visible[0].size(), 5u);
  EXPECT_GT(surface.spacing, 0.0f);
}

} // namespace
