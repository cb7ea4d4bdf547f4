// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "registration/alignment_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace pcl::device;

using pcl::gpu::test::not_a_number;

namespace {

using E = OverlapEvidence;

/** \brief A plate of 21 x 21 points, 10 mm apart, across the z axis at z = 1, whose
 * normals face the origin. */
class Plate : public ::testing::Test {
protected:
  static constexpr int side = 21;
  static constexpr float spacing = 0.01f;

  Plate()
  {
    for (int v = 0; v < side; ++v)
      for (int u = 0; u < side; ++u) {
        points.push_back(
            {spacing * (u - side / 2), spacing * (v - side / 2), 0.0f, 0.0f});
        normals.push_back({0.0f, 0.0f, -1.0f, 0.0f});
      }
    surface.points = points.data();
    surface.normals = normals.data();
    surface.count = side * side;
    surface.center[2] = 1.0f;
    SurfaceGrid& grid = surface.grid;
    grid.cell = spacing;
    for (int i = 0; i < 3; ++i) {
      grid.size[i] = i < 2 ? 35 : 15;
      grid.lower[i] = surface.center[i] - 0.5f * spacing * grid.size[i];
    }
    keys.resize(grid.cells());
    nearest.resize(grid.cells());
    GridTask task{};
    task.points = surface.points;
    task.count = surface.count;
    task.center[2] = 1.0f;
    task.grid = grid;
    task.reach = 6;
    task.keys = keys.data();
    task.nearest = nearest.data();
    host::fillGrid(task);
    grid.nearest = nearest.data();
    parameters.tolerance = spacing;
    parameters.lateral = 1.5f * spacing;
    parameters.min_cosine = 0.8f;
    parameters.is_oriented = true;
  }

  /** \brief Lays a point on the plate. */
  OverlapEvidence
  evidenceOf(float x, float z, const Vector3& normal = {0.0f, 0.0f, -1.0f}) const
  {
    OverlapEvidence evidence;
    addPoint(surface, parameters, {{x, 0.0f, z}, normal}, evidence);
    return evidence;
  }

  std::vector<Float4> points, normals;
  std::vector<std::uint64_t> keys;
  std::vector<int> nearest;
  ScannedSurface surface{};
  OverlapParameters parameters{};
};

TEST_F(Plate, HasTheNearestPointInItsGrid)
{
  for (int z = 0; z < surface.grid.size[2]; ++z)
    for (int y = 0; y < surface.grid.size[1]; ++y)
      for (int x = 0; x < surface.grid.size[0]; ++x) {
        const SurfaceGrid& grid = surface.grid;
        const Vector3 middle = {grid.lower[0] + (x + 0.5f) * grid.cell,
                                grid.lower[1] + (y + 0.5f) * grid.cell,
                                grid.lower[2] + (z + 0.5f) * grid.cell};
        float least = std::numeric_limits<float>::infinity();
        for (const Float4& point : points) {
          const Vector3 apart = middle - vectorOf(surface.center) - vectorOf(point);
          least = std::fmin(least, std::sqrt(dot(apart, apart)));
        }
        const int number = nearestPoint(grid, middle);
        if (least > 6.01f * spacing) {
          EXPECT_EQ(number, -1);
        }
        else if (least < 5.99f * spacing) {
          ASSERT_GE(number, 0);
          const Vector3 apart =
              middle - vectorOf(surface.center) - vectorOf(points[number]);
          EXPECT_NEAR(std::sqrt(dot(apart, apart)), least, 1e-6f);
        }
      }
  for (const Vector3& outside : {Vector3{1.0f, 0.0f, 1.0f},
                                 Vector3{0.0f, -1.0f, 1.0f},
                                 Vector3{0.0f, 0.0f, 0.0f},
                                 Vector3{not_a_number, 0.0f, 1.0f}})
    EXPECT_EQ(nearestPoint(surface.grid, outside), -1);
}

TEST_F(Plate, CountsPointsOnItThatWeighLessTheFartherOff)
{
  EXPECT_FLOAT_EQ(evidenceOf(0.0f, 1.0f).sums[E::Weight], 1.0f);
  EXPECT_NEAR(evidenceOf(0.0f, 1.005f).sums[E::Weight], 0.75f, 1e-4f);
  EXPECT_NEAR(evidenceOf(0.0f, 0.995f).sums[E::Weight], 0.75f, 1e-4f);
  EXPECT_EQ(evidenceOf(0.0f, 0.991f).sums[E::Inliers], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.989f).sums[E::Elsewhere], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 1.011f).sums[E::Elsewhere], 1.0f);
}

TEST_F(Plate, CountsPointsThatFaceElsewhereAsElsewhere)
{
  const auto turned = [](float degrees) {
    const float angle = degrees * 0.0174532925f;
    return Vector3{std::sin(angle), 0.0f, -std::cos(angle)};
  };
  EXPECT_EQ(evidenceOf(0.0f, 1.0f, turned(36.0f)).sums[E::Inliers], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 1.0f, turned(38.0f)).sums[E::Elsewhere], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 1.0f, turned(180.0f)).sums[E::Elsewhere], 1.0f);
  parameters.is_oriented = false;
  EXPECT_EQ(evidenceOf(0.0f, 1.0f, turned(180.0f)).sums[E::Inliers], 1.0f);
}

TEST_F(Plate, IsContradictedByPointsBeforeIt)
{
  EXPECT_EQ(evidenceOf(0.0f, 0.981f).sums[E::Elsewhere], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.979f).sums[E::Contradicted], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.95f).sums[E::Contradicted], 1.0f);
  // Not beyond its reach, nor beside it.
  EXPECT_EQ(evidenceOf(0.0f, 0.93f).sums[E::Elsewhere], 0.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.93f).sums[E::Contradicted], 0.0f);
  EXPECT_EQ(evidenceOf(0.12f, 0.975f).sums[E::Elsewhere], 1.0f);
}

TEST_F(Plate, IsContradictedByPointsBehindItUnlessACameraSawIt)
{
  EXPECT_EQ(evidenceOf(0.0f, 1.03f).sums[E::Contradicted], 1.0f);
  const std::vector<float> depth(81, 1.0f);
  surface.seen = {{9, 9, depth.data(), 9 * sizeof(float)},
                  {20.0f, 20.0f, 4.0f, 4.0f, 9, 9}};
  EXPECT_EQ(evidenceOf(0.0f, 1.03f).sums[E::Elsewhere], 1.0f);
  // A camera says more about points before it.
  EXPECT_EQ(evidenceOf(0.0f, 0.96f).sums[E::Free], 1.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.96f).sums[E::Contradicted], 0.0f);
  EXPECT_EQ(evidenceOf(0.0f, 0.8f).sums[E::Free], 1.0f);
}

TEST_F(Plate, SpeaksForAPoseAsFarAsNothingSpeaksAgainstIt)
{
  OverlapEvidence evidence;
  evidence.sums[E::Points] = 20.0f;
  evidence.sums[E::Weight] = 6.0f;
  EXPECT_FLOAT_EQ(evidence.overlap(), 0.3f);
  EXPECT_FLOAT_EQ(evidence.fit(), 1.0f);
  evidence.sums[E::Elsewhere] = 4.0f;
  EXPECT_FLOAT_EQ(evidence.fit(), 6.0f / 8.0f);
  evidence.sums[E::Contradicted] = 1.0f;
  evidence.sums[E::Free] = 1.0f;
  evidence.sums[E::Unseen] = 2.0f;
  EXPECT_FLOAT_EQ(evidence.fit(), 6.0f / 25.0f);
  EXPECT_EQ(OverlapEvidence().fit(), 0.0f);
  EXPECT_EQ(OverlapEvidence().overlap(), 0.0f);
}

TEST_F(Plate, LaidOnItselfInAnyPoseFitsFully)
{
  // Half a turn about the normal, given about the centre.
  const ModelPose turned = {{0.0f, 0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, 0};
  const OverlapEvidence evidence =
      gatherOverlap(host::SingleThread(), surface, surface, parameters, turned, 1000);
  EXPECT_EQ(evidence.sums[E::Points], surface.count);
  EXPECT_NEAR(evidence.overlap(), 1.0f, 1e-5f);
  EXPECT_NEAR(evidence.fit(), 1.0f, 1e-5f);
  EXPECT_NEAR(spreadOf(evidence), 0.0f, 1e-6f) << "one plane";
}

TEST_F(Plate, DrawsASurfaceThatIsTurnedAwayFromIt)
{
  RegistrationTask task{};
  task.source = task.target = surface;
  task.overlap = parameters;
  RefinementRounds rounds{};
  rounds.rounds = 8;
  rounds.points = 1000;
  for (int i = 0; i < rounds.rounds; ++i) {
    rounds.gates[i] = 0.03f;
    rounds.cosines[i] = 0.6f;
  }
  ModelPose pose = {rotationAbout({0.1f, 0.0f, 0.0f}), {0.0f, 0.0f, 1.012f}, 0};
  moveToSurface(host::SingleThread(), task, rounds, pose);
  EXPECT_NEAR(pose.center[2], 1.0f, 1e-4f);
  EXPECT_NEAR(std::abs(pose.rotation.w), 1.0f, 1e-5f);
}

TEST_F(Plate, HasThePoseOfTheTargetInTheSource)
{
  ScannedSurface source{};
  source.center[0] = 0.4f;
  source.center[1] = -0.2f;
  const ModelPose pose = {rotationAbout({0.3f, -0.5f, 0.2f}), {0.1f, 0.6f, 0.8f}, 0};
  const ModelPose back = inversePose(pose, source, surface);
  const Vector3 point = {0.2f, 0.3f, -0.7f}; // in the source's frame
  const Vector3 there = vectorOf(pose.center) +
                        matrixOf(pose.rotation) * (point - vectorOf(source.center));
  const Vector3 again = vectorOf(back.center) +
                        matrixOf(back.rotation) * (there - vectorOf(surface.center));
  EXPECT_NEAR(again.x, point.x, 1e-6f);
  EXPECT_NEAR(again.y, point.y, 1e-6f);
  EXPECT_NEAR(again.z, point.z, 1e-6f);
}

/** \brief A wall across the view, with pixels that can be changed. */
class CameraVerdicts : public ::testing::Test {
protected:
  static constexpr int size = 9;

  CameraVerdict
  verdict(float z, const Vector3& normal = {0.0f, 0.0f, -1.0f}, float u = 4.0f) const
  {
    const MeasuredDepth seen = {{size, size, depth.data(), size * sizeof(float)},
                                {100.0f, 100.0f, 4.0f, 4.0f, size, size}};
    return cameraVerdict(
        seen, {{z * (u - 4.0f) / 100.0f, 0.0f, z}, normal}, is_oriented, 0.01f);
  }

  std::vector<float> depth = std::vector<float>(size * size, 0.8f);
  bool is_oriented = true;
};

TEST_F(CameraVerdicts, OnPointsBeforeTheSurfaceAreThatTheyAreSeenThrough)
{
  EXPECT_EQ(verdict(0.791f), CameraVerdict::None);
  EXPECT_EQ(verdict(0.789f), CameraVerdict::Free);
  depth[3 * size + 3] = 0.78f;
  EXPECT_EQ(verdict(0.789f), CameraVerdict::None) << "not in all nine pixels";
  depth[3 * size + 3] = not_a_number;
  EXPECT_EQ(verdict(0.789f), CameraVerdict::Free) << "of those that are measured";
}

TEST_F(CameraVerdicts, OnPointsOnOrBehindTheSurfaceAreNone)
{
  EXPECT_EQ(verdict(0.8f), CameraVerdict::None);
  EXPECT_EQ(verdict(3.0f), CameraVerdict::None);
}

TEST_F(CameraVerdicts, OnPointsThatTheCameraCannotSeeAreNone)
{
  EXPECT_EQ(verdict(0.5f, {0.0f, 0.0f, 1.0f}), CameraVerdict::None);
  is_oriented = false;
  EXPECT_EQ(verdict(0.5f, {0.0f, 0.0f, 1.0f}), CameraVerdict::Free);
  is_oriented = true;
  EXPECT_EQ(verdict(0.5f, {0.995f, 0.0f, -0.0999f}), CameraVerdict::None);
  EXPECT_EQ(verdict(0.5f, {0.0f, 0.0f, -1.0f}, 8.0f), CameraVerdict::None);
  EXPECT_EQ(verdict(0.5f, {0.0f, 0.0f, -1.0f}, 40.0f), CameraVerdict::None);
  EXPECT_EQ(verdict(-0.5f), CameraVerdict::None);
}

TEST_F(CameraVerdicts, OnPointsWhereNothingWasMeasuredAreThatTheyAreUnseen)
{
  for (int v = 3; v <= 5; ++v)
    for (int u = 3; u <= 5; ++u)
      depth[v * size + u] = v == 4 ? 0.0f : not_a_number;
  EXPECT_EQ(verdict(0.8f), CameraVerdict::Unseen);
  EXPECT_EQ(verdict(0.8f, {0.0f, 0.0f, -1.0f}, 5.0f), CameraVerdict::None)
      << "there the pixels to the right are measured";
}

} // namespace
