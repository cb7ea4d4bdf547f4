// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gathering/volumes/convex_polyhedron.h"
#include "gpu_scenespace/volumes/random_half_spaces.h"

#include <pcl/gpu/scenespace/gathering/query_volume.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace pcl::gpu::test {

namespace {

/** \brief The box with two corners at -1 and 1. */
std::vector<HalfSpace>
unitBox()
{
  return boxHalfSpaces(Eigen::Vector3f::Ones());
}

TEST(QueryVolume, IsTheDefaultFrustumByDefault)
{
  const QueryVolume volume;
  EXPECT_EQ(volume.getShape(), QueryVolume::Shape::Frustum);
  EXPECT_EQ(volume.getFrustum().width, 3);
  EXPECT_TRUE(volume.getHalfSpaces().empty());
  EXPECT_EQ(volume.getRadius(), 0.0f);
}

TEST(QueryVolume, SaysWhatItIs)
{
  QueryFrustum frustum;
  frustum.width = 5;
  EXPECT_EQ(QueryVolume::frustum(frustum).getFrustum().width, 5);
  const QueryVolume sphere = QueryVolume::sphere(0.25f);
  EXPECT_EQ(sphere.getShape(), QueryVolume::Shape::Sphere);
  EXPECT_EQ(sphere.getRadius(), 0.25f);
  const QueryVolume box = QueryVolume::box({0.1f, 0.2f, 0.3f});
  EXPECT_EQ(box.getShape(), QueryVolume::Shape::Polyhedron);
  EXPECT_EQ(box.getHalfSpaces().size(), 6u);
}

TEST(QueryVolume, RejectsSizesThatAreNone)
{
  QueryFrustum frustum;
  frustum.width = 0;
  expectBadArgument("frustum width", [&] { QueryVolume::frustum(frustum); });
  expectBadArgument("half width", [] { QueryVolume::box({0.0f, 1.0f, 1.0f}); });
  expectBadArgument("half height", [] { QueryVolume::box({1.0f, -1.0f, 1.0f}); });
  expectBadArgument("half depth", [] { QueryVolume::box({1.0f, 1.0f, infinity}); });
  expectBadArgument("contents", [] { QueryVolume::box({1.0f, 1.0f, 1e-6f}); });
  expectBadArgument("radius", [] { QueryVolume::sphere(0.0f); });
  expectBadArgument("radius", [] { QueryVolume::sphere(std::nanf("")); });
}

TEST(QueryVolume, RejectsHalfSpacesThatAreNone)
{
  std::vector<HalfSpace> half_spaces = unitBox();
  half_spaces[2].normal.setZero();
  expectBadArgument("normal", [&] { QueryVolume::polyhedron(half_spaces); });
  half_spaces[2].normal.x() = std::nanf("");
  expectBadArgument("normal", [&] { QueryVolume::polyhedron(half_spaces); });
  half_spaces = unitBox();
  half_spaces[4].distance = infinity;
  expectBadArgument("distance", [&] { QueryVolume::polyhedron(half_spaces); });
}

TEST(QueryVolume, RejectsTooFewAndTooManyHalfSpaces)
{
  std::vector<HalfSpace> half_spaces = unitBox();
  half_spaces.resize(3);
  expectBadArgument("number", [&] { QueryVolume::polyhedron(half_spaces); });
  half_spaces = unitBox();
  half_spaces.resize(QueryVolume::max_half_spaces, half_spaces[0]);
  EXPECT_NO_THROW(QueryVolume::polyhedron(half_spaces));
  half_spaces.push_back(half_spaces[0]);
  expectBadArgument("number", [&] { QueryVolume::polyhedron(half_spaces); });
}

TEST(QueryVolume, RejectsPolyhedraWithoutEnd)
{
  std::vector<HalfSpace> half_spaces = unitBox();
  half_spaces.pop_back();
  expectBadArgument("without end", [&] { QueryVolume::polyhedron(half_spaces); });
  half_spaces = {{Eigen::Vector3f::UnitX(), 1.0f},
                 {-Eigen::Vector3f::UnitX(), 1.0f},
                 {Eigen::Vector3f::UnitY(), 1.0f},
                 {-Eigen::Vector3f::UnitY(), 1.0f}};
  expectBadArgument("without end", [&] { QueryVolume::polyhedron(half_spaces); });
  // A cone.
  half_spaces = {{{1.0f, 0.0f, -1.0f}, 1.0f},
                 {{-1.0f, 0.0f, -1.0f}, 1.0f},
                 {{0.0f, 1.0f, -1.0f}, 1.0f},
                 {{0.0f, -1.0f, -1.0f}, 1.0f}};
  expectBadArgument("without end", [&] { QueryVolume::polyhedron(half_spaces); });
}

TEST(QueryVolume, RejectsPolyhedraWithoutContents)
{
  std::vector<HalfSpace> half_spaces = unitBox();
  half_spaces[0].distance = -2.0f;
  expectBadArgument("without contents", [&] { QueryVolume::polyhedron(half_spaces); });
  half_spaces[0].distance = -half_spaces[1].distance; // flat
  expectBadArgument("without contents", [&] { QueryVolume::polyhedron(half_spaces); });
  for (HalfSpace& half_space : half_spaces)
    half_space.distance = 0.0f; // a point
  expectBadArgument("without contents", [&] { QueryVolume::polyhedron(half_spaces); });
}

TEST(Polyhedron, HasVerticesAndEdgesOfABox)
{
  const ConvexPolyhedron box = polyhedronAround(boxHalfSpaces({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(box.edges.size(), 12u);
  ASSERT_EQ(box.vertices.size(), 8u);
  for (const Eigen::Vector3d& vertex : box.vertices)
    EXPECT_TRUE(vertex.cwiseAbs().isApprox(Eigen::Vector3d(1.0, 2.0, 3.0), 1e-5));
}

TEST(Polyhedron, HasVerticesAndEdgesWhereMoreThanThreePlanesMeet)
{
  const ConvexPolyhedron octahedron = polyhedronAround(octahedronHalfSpaces(0.1f));
  EXPECT_EQ(octahedron.vertices.size(), 6u);
  EXPECT_EQ(octahedron.edges.size(), 12u);
}

TEST(Polyhedron, IgnoresHalfSpacesThatCutNothingOff)
{
  std::vector<HalfSpace> half_spaces = unitBox();
  half_spaces.push_back({Eigen::Vector3f::UnitX(), 2.0f});
  half_spaces.push_back({{2.0f, 2.0f, 0.0f}, 8.0f});
  const ConvexPolyhedron box = polyhedronAround(half_spaces);
  EXPECT_EQ(box.vertices.size(), 8u);
  EXPECT_EQ(box.edges.size(), 12u);
}

TEST(Polyhedron, ObeysEulerAndLiesAroundWhatHalfSpacesHaveInCommon)
{
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE("polyhedron " + std::to_string(i));
    const std::vector<HalfSpace> half_spaces =
        randomHalfSpaces(random, 4 + i % 13, 0.5f);
    const ConvexPolyhedron polyhedron = polyhedronAround(half_spaces);
    int faces = 0;
    for (const HalfSpace& half_space : half_spaces) {
      const Eigen::Vector3d normal = half_space.normal.cast<double>();
      int on_plane = 0;
      for (const Eigen::Vector3d& vertex : polyhedron.vertices) {
        const double beyond =
            (normal.dot(vertex) - half_space.distance) / normal.norm();
        EXPECT_LE(beyond, 1e-5);
        on_plane += beyond > -1e-9;
      }
      EXPECT_TRUE(on_plane == 0 || on_plane >= 3);
      faces += on_plane >= 3;
    }
    EXPECT_EQ(int(polyhedron.vertices.size()) - int(polyhedron.edges.size()) + faces,
              2);
  }
}

} // namespace

} // namespace pcl::gpu::test
