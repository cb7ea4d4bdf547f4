// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "expect_cast.h"

#include <Eigen/Geometry>

#include <cstdint>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief A closed mesh around the origin, every ray from which hits it once. */
HostMesh
starShaped(HostMesh sphere, unsigned int seed, bool powers_of_two)
{
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> exponent(-2, 2);
  std::uniform_real_distribution<float> factor(0.4f, 1.6f);
  for (PointXYZ& v : sphere.vertices)
    v.getVector3fMap() *=
        powers_of_two ? std::ldexp(1.0f, exponent(random)) : factor(random);
  return sphere;
}

/** \brief Vertices at integers. */
HostMesh
snapped(HostMesh mesh, float scale, const Eigen::Vector3f& center)
{
  for (PointXYZ& v : mesh.vertices)
    v.getVector3fMap() = (scale * v.getVector3fMap() + center).array().round();
  return mesh;
}

/** \brief Returns whether any triangle that does not look like a line has a pixel, its
 * border included; vertices are integers, and so this is exact. */
bool
coversExactly(const HostMesh& mesh, int x, int y)
{
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    std::int64_t px[3], py[3];
    for (int i = 0; i < 3; ++i) {
      const PointXYZ& v = mesh.vertices[mesh.triangles[3 * t + i]];
      px[i] = static_cast<std::int64_t>(v.x) - x;
      py[i] = static_cast<std::int64_t>(v.y) - y;
    }
    bool negative = false, positive = false;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const std::int64_t edge = px[i] * py[j] - py[i] * px[j];
      negative = negative || edge < 0;
      positive = positive || edge > 0;
    }
    if (negative != positive)
      return true;
  }
  return false;
}

/** \brief The six directions along axes, and the turns of a camera that looks there. */
std::vector<Pose>
rightAngledPoses()
{
  std::vector<Pose> poses;
  for (int axis = 0; axis < 3; ++axis)
    for (float side : {-1.0f, 1.0f}) {
      Pose pose = Pose::Identity();
      pose.linear().setZero();
      pose.linear()(axis, 2) = side;
      pose.linear()((axis + 1) % 3, 0) = 1.0f;
      pose.linear()((axis + 2) % 3, 1) = side;
      poses.push_back(pose);
    }
  return poses;
}

class Watertight : public CastTest {
protected:
  /** \brief Expects hits at exactly those pixels that integer arithmetic covers. */
  void
  expectCovered(const HostMesh& mesh) const
  {
    MeshRayCaster caster = newCaster(mesh);
    const CastResult result = cast(caster, CameraView(orthographic(128, 128)));
    int wrong = 0;
    for (int y = 0; y < 128; ++y)
      for (int x = 0; x < 128; ++x)
        wrong += coversExactly(mesh, x, y) != (result.triangles.at(y, x) >= 0);
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(countHits(result), 1000);
  }

  void
  expectAllHit(MeshRayCaster& caster, const CameraView& view) const
  {
    change(caster, [&](auto& p) { p.outputs = TrianglesOutput; });
    EXPECT_EQ(countHits(cast(caster, view)),
              static_cast<long>(view.getWidth()) * view.getHeight());
  }
};

TEST_P(Watertight, ParallelRaysThroughVerticesAndEdgesOfASphere)
{
  for (int subdivisions = 0; subdivisions <= 3; ++subdivisions)
    expectCovered(
        snapped(icosphere(subdivisions, 1.0f, {0, 0, 0}), 60.0f, {64, 64, 100}));
}

TEST_P(Watertight, ParallelRaysThroughVerticesAndEdgesOfACube)
{
  const HostMesh cube = gridCube(8);
  expectCovered(snapped(cube, 40.0f, {64, 64, 100}));
  HostMesh turned = cube;
  for (unsigned int seed = 1; seed <= 5; ++seed) {
    const Pose pose = randomPose(seed, 0.0f);
    for (std::size_t i = 0; i < cube.vertices.size(); ++i)
      turned.vertices[i].getVector3fMap() = pose * cube.vertices[i].getVector3fMap();
    expectCovered(snapped(turned, 35.0f, {64, 64, 100}));
  }
}

TEST_P(Watertight, ParallelRaysThroughVerticesAndEdgesOfRandomStars)
{
  for (unsigned int seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    expectCovered(snapped(
        starShaped(icosphere(2, 1.0f, {0, 0, 0}), seed, false), 35.0f, {64, 64, 100}));
  }
}

TEST_P(Watertight, RaysFromOneEyeThroughVerticesAndEdges)
{
  // Vertices of the front face are seen at every eighth pixel, whatever their distance.
  for (unsigned int seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const HostMesh mesh = starShaped(gridCube(16), seed, true);
    MeshRayCaster caster = newCaster(mesh);
    for (const Pose& pose : rightAngledPoses())
      expectAllHit(caster, CameraView(PinholeCamera{64, 64, 64, 64, 129, 129}, pose));
  }
}

TEST_P(Watertight, DepthsOfVerticesHitExactlyAreExact)
{
  const HostMesh mesh = starShaped(gridCube(16), 3, true);
  MeshRayCaster caster = newCaster(mesh);
  const CastResult result =
      cast(caster, CameraView(PinholeCamera{64, 64, 64, 64, 129, 129}));
  int vertices = 0;
  for (const PointXYZ& v : mesh.vertices)
    if (v.z > 0.0f && std::abs(v.x) <= v.z && std::abs(v.y) <= v.z) {
      const int x = static_cast<int>(64.0f * v.x / v.z) + 64;
      const int y = static_cast<int>(64.0f * v.y / v.z) + 64;
      EXPECT_EQ(result.depth.at(y, x), v.z) << x << ", " << y;
      ++vertices;
    }
  EXPECT_EQ(vertices, 17 * 17);
}

TEST_P(Watertight, RaysFromInsideInAllDirections)
{
  for (unsigned int seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    MeshRayCaster caster =
        newCaster(starShaped(icosphere(3, 1.0f, {0, 0, 0}), seed, false));
    expectAllHit(caster, CameraView(pinhole(128, 96), randomPose(seed, 0.0f)));
  }
}

TEST_P(Watertight, RaysAimedAtVerticesAndEdgesUpToRounding)
{
  const HostMesh mesh = starShaped(icosphere(1, 1.0f, {0, 0, 0}), 1, false);
  MeshRayCaster caster = newCaster(mesh);
  std::vector<Eigen::Vector3f> targets;
  for (int t = 0; t < mesh.triangleCount(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto& a = mesh.vertices[mesh.triangles[3 * t + i]].getVector3fMap();
      const auto& b =
          mesh.vertices[mesh.triangles[3 * t + (i + 1) % 3]].getVector3fMap();
      targets.push_back(a);
      targets.push_back(0.5f * (a + b));
      targets.push_back(a + 0.3f * (b - a));
    }
  change(caster, [&](auto& p) { p.outputs = TrianglesOutput; });
  for (const Eigen::Vector3f& target : targets) {
    Pose pose = Pose::Identity();
    pose.linear() = Eigen::Quaternionf::FromTwoVectors(Eigen::Vector3f::UnitZ(), target)
                        .toRotationMatrix();
    const CastResult result =
        cast(caster, CameraView(PinholeCamera{1e6f, 1e6f, 1, 1, 3, 3}, pose));
    ASSERT_EQ(countHits(result), 9) << target.transpose();
  }
}

TEST_P(Watertight, RaysThroughAllVerticesOfASheetUpToRounding)
{
  // Rounding decides on which side of a ray each vertex lies: it must do so only once.
  constexpr int columns = 64;
  constexpr int rows = 48;
  for (unsigned int seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto uniform = [&](float from, float to) {
      return std::uniform_real_distribution<float>(from, to)(random);
    };
    const bool parallel = seed % 4 == 3;
    const float far_off = seed % 4 == 2 ? 1e5f : 0.0f;
    const float f = uniform(10.0f, 1000.0f);
    const float cx = uniform(0.0f, columns) + far_off;
    const float cy = uniform(0.0f, rows) - far_off;
    HostMesh sheet;
    for (int y = -1; y <= rows; ++y)
      for (int x = -1; x <= columns; ++x) {
        const float z = uniform(1.0f, 2.0f);
        const float w = parallel ? 1.0f : z;
        const float px = (static_cast<float>(x) - cx) / f;
        const float py = (static_cast<float>(y) - cy) / f;
        sheet.vertices.push_back({px * w, py * w, z});
      }
    for (int y = 0; y <= rows; ++y)
      for (int x = 0; x <= columns; ++x) {
        const int a = y * (columns + 2) + x;
        const int c = a + columns + 2;
        sheet.triangles.insert(sheet.triangles.end(), {a, c, a + 1, a + 1, c, c + 1});
      }
    MeshRayCaster caster = newCaster(sheet);
    expectAllHit(caster,
                 parallel ? CameraView(OrthographicCamera{f, f, cx, cy, columns, rows})
                          : CameraView(PinholeCamera{f, f, cx, cy, columns, rows}));
  }
}

PCL_GPU_INSTANTIATE_CAST_TESTS(Watertight);

} // namespace
