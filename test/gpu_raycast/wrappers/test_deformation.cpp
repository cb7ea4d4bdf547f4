// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>

#include <Eigen/Geometry>

#include <cmath>
#include <cstring>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

constexpr Deformation all_kinds[] = {
    Deformation::Wave, Deformation::Twist, Deformation::Bend, Deformation::Noise};

const Eigen::Vector3f center(1.0f, -2.0f, 0.5f);
constexpr float radius = 0.4f;

/** \brief A sphere in the region, with its normals. */
TriangleMesh
ball(int level)
{
  std::vector<PointXYZ> vertices, normals;
  std::vector<int> indices;
  const TesselatedSphere sphere = makeTesselatedSphere(level);
  for (const Eigen::Vector3f& direction : sphere.vertices) {
    normals.emplace_back(direction.x(), direction.y(), direction.z());
    const Eigen::Vector3f vertex = center + radius * direction;
    vertices.emplace_back(vertex.x(), vertex.y(), vertex.z());
  }
  for (const auto& triangle : sphere.triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  TriangleMesh mesh;
  mesh.vertices = uploaded(vertices);
  mesh.triangles = uploaded(indices);
  mesh.normals = uploaded(normals);
  return mesh;
}

MeshDeformation
deformation(Deformation kind)
{
  MeshDeformation result;
  change(result, [&](auto& p) {
    p.kind = kind;
    p.center = center;
    p.radius = radius;
  });
  return result;
}

/** \brief The definition, in double precision. */
Eigen::Vector3d
exact(Deformation kind, double phase, const Eigen::Vector3d& q)
{
  const double cycle = 2.0 * M_PI * phase;
  if (kind == Deformation::Wave)
    return {q.x(), q.y() + 0.15 * std::sin(1.5 * M_PI * q.x() - cycle), q.z()};
  if (kind == Deformation::Twist)
    return Eigen::AngleAxisd(1.2 * std::sin(cycle) * q.y(), Eigen::Vector3d::UnitY()) *
           q;
  // Bend: the y axis is an arc of curvature k; x is measured across it.
  const double k = 0.7 * std::sin(cycle);
  const double angle = k * q.y();
  if (std::abs(k) < 1e-9)
    return q;
  return {1.0 / k - (1.0 / k - q.x()) * std::cos(angle),
          (1.0 / k - q.x()) * std::sin(angle),
          q.z()};
}

class MeshDeformations : public DeviceTest {};

TEST_P(MeshDeformations, FollowTheirFormulas)
{
  const TriangleMesh rest = ball(3);
  const auto before = downloaded(rest.vertices);
  for (Deformation kind : {Deformation::Wave, Deformation::Twist, Deformation::Bend})
    for (float phase : {0.0f, 0.1f, 0.5f, 0.8f, 3.8f, -0.2f}) {
      TriangleMesh mesh;
      deformation(kind).compute(rest, phase, mesh);
      const auto after = downloaded(mesh.vertices);
      ASSERT_EQ(after.size(), before.size());
      for (std::size_t i = 0; i < after.size(); ++i) {
        const Eigen::Vector3d q =
            (before[i].getVector3fMap() - center).cast<double>() / radius;
        const Eigen::Vector3d expected =
            center.cast<double>() + radius * exact(kind, phase, q);
        EXPECT_LT((after[i].getVector3fMap().cast<double>() - expected).norm(), 2e-6);
      }
    }
}

TEST_P(MeshDeformations, TurnNormalsWithTheSurface)
{
  const TriangleMesh rest = ball(5);
  for (Deformation kind : all_kinds) {
    TriangleMesh mesh;
    deformation(kind).compute(rest, 0.3f, mesh);
    const auto vertices = downloaded(mesh.vertices);
    const auto normals = downloaded(mesh.normals);
    const auto indices = downloaded(mesh.triangles);
    ASSERT_EQ(normals.size(), vertices.size());
    std::vector<Eigen::Vector3d> sums(vertices.size(), Eigen::Vector3d::Zero());
    for (std::size_t i = 0; i < indices.size(); i += 3) {
      const auto corner = [&](int c) -> Eigen::Vector3d {
        return vertices[indices[i + c]].getVector3fMap().cast<double>();
      };
      const Eigen::Vector3d area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
      for (int c = 0; c < 3; ++c)
        sums[indices[i + c]] += area;
    }
    for (std::size_t i = 0; i < normals.size(); ++i) {
      EXPECT_NEAR(normals[i].getVector3fMap().norm(), 1.0f, 1e-5f);
      EXPECT_GT(sums[i].normalized().dot(normals[i].getVector3fMap().cast<double>()),
                0.99)
          << static_cast<int>(kind);
    }
  }
}

TEST_P(MeshDeformations, OfNoiseAreSmoothBoundedAndWander)
{
  const TriangleMesh rest = ball(5);
  TriangleMesh mesh, later;
  deformation(Deformation::Noise).compute(rest, 0.3f, mesh);
  deformation(Deformation::Noise).compute(rest, 0.31f, later);
  const auto before = downloaded(rest.vertices);
  const auto after = downloaded(mesh.vertices);
  const auto moved = downloaded(later.vertices);
  const auto indices = downloaded(rest.triangles);
  double total = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Eigen::Vector3f way = after[i].getVector3fMap() - before[i].getVector3fMap();
    EXPECT_LE(way.cwiseAbs().maxCoeff(), 0.12f * radius + 1e-6f);
    total += way.norm() / radius;
    EXPECT_LT((moved[i].getVector3fMap() - after[i].getVector3fMap()).norm(),
              0.02f * radius);
  }
  EXPECT_GT(total / static_cast<double>(after.size()), 0.03);
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const int a = indices[i], b = indices[i + 1];
    const float apart =
        (before[a].getVector3fMap() - before[b].getVector3fMap()).norm();
    const Eigen::Vector3f difference =
        (after[a].getVector3fMap() - before[a].getVector3fMap()) -
        (after[b].getVector3fMap() - before[b].getVector3fMap());
    EXPECT_LT(difference.norm(), 1.5f * apart);
  }
}

TEST_P(MeshDeformations, ComeBackAfterACycleAndRestAtStrengthZero)
{
  const TriangleMesh rest = ball(2);
  for (Deformation kind : all_kinds) {
    TriangleMesh start, end;
    MeshDeformation deform = deformation(kind);
    deform.compute(rest, 0.25f, start);
    deform.compute(rest, 5.25f, end);
    const auto a = downloaded(start.vertices);
    const auto b = downloaded(end.vertices);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]), 0);

    change(deform, [&](auto& p) { p.strength = 0.0f; });
    deform.compute(rest, 0.25f, end);
    const auto before = downloaded(rest.vertices);
    const auto after = downloaded(end.vertices);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LT((before[i].getVector3fMap() - after[i].getVector3fMap()).norm(), 1e-6f);
  }
}

TEST_P(MeshDeformations, LeaveWhatIsNotFiniteAndShareTheRest)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  TriangleMesh rest;
  rest.vertices = uploaded(
      std::vector<PointXYZ>{{nan, 0, 0}, {0, infinity, 0}, {0, 0, 1e30f}, {0, 0, 0}});
  rest.triangles = uploaded(std::vector<int>{0, 1, 2, 1, 2, 3});
  rest.colors = uploaded(std::vector<pcl::RGB>(4));
  for (Deformation kind : all_kinds) {
    TriangleMesh mesh;
    deformation(kind).compute(rest, 0.2f, mesh);
    const auto vertices = downloaded(mesh.vertices);
    EXPECT_TRUE(std::isnan(vertices[0].x));
    EXPECT_EQ(vertices[1].y, infinity);
    EXPECT_EQ(vertices[2].z, 1e30f);
    EXPECT_TRUE(std::isfinite(vertices[3].x));
    EXPECT_EQ(mesh.triangles.ptr(), rest.triangles.ptr());
    EXPECT_EQ(mesh.colors.ptr(), rest.colors.ptr());
    EXPECT_TRUE(mesh.normals.empty());
  }
  TriangleMesh nothing;
  EXPECT_NO_THROW(MeshDeformation().compute(TriangleMesh(), 0.5f, nothing));
  EXPECT_TRUE(nothing.vertices.empty());
}

TEST_P(MeshDeformations, KeepMemoryThatFits)
{
  const TriangleMesh rest = ball(3);
  TriangleMesh mesh;
  MeshDeformation().compute(rest, 0.1f, mesh);
  const PointXYZ* const vertices = mesh.vertices.ptr();
  MeshDeformation().compute(rest, 0.2f, mesh);
  EXPECT_EQ(mesh.vertices.ptr(), vertices);
}

TEST_P(MeshDeformations, AreTheSameOnEveryDevice)
{
  if (device().isHost())
    GTEST_SKIP() << "the host is what others are compared with";
  const TriangleMesh rest = ball(5);
  for (Deformation kind : all_kinds) {
    TriangleMesh mesh, on_host;
    deformation(kind).compute(rest, 0.37f, mesh);
    {
      const ScopedDevice scope(Device::host());
      deformation(kind).compute(ball(5), 0.37f, on_host);
    }
    const auto a = downloaded(mesh.vertices), b = downloaded(on_host.vertices);
    const auto c = downloaded(mesh.normals), d = downloaded(on_host.normals);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]), 0);
    EXPECT_EQ(std::memcmp(c.data(), d.data(), c.size() * sizeof c[0]), 0);
  }
}

TEST_P(MeshDeformations, RefuseBadArgumentsByName)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  MeshDeformation deform;
  expectBadArgument("radius", [&] {
    change(deform, [&](auto& p) {
      p.center = {0, 0, 0};
      p.radius = 0.0f;
    });
  });
  expectBadArgument("center", [&] {
    change(deform, [&](auto& p) {
      p.center = {0, nan, 0};
      p.radius = 1.0f;
    });
  });
  expectBadArgument("strength",
                    [&] { change(deform, [&](auto& p) { p.strength = -1.0f; }); });
  expectBadArgument("strength",
                    [&] { change(deform, [&](auto& p) { p.strength = nan; }); });
  TriangleMesh mesh = ball(0), other;
  expectBadArgument("phase", [&] { deform.compute(mesh, nan, other); });
  other = mesh;
  expectBadArgument("vertices", [&] { deform.compute(mesh, 0.1f, other); });
  mesh.normals = DeviceArray<PointXYZ>(3);
  TriangleMesh third;
  expectBadArgument("normals", [&] { deform.compute(mesh, 0.1f, third); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MeshDeformations);

} // namespace
