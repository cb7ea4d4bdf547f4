// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Points, rays and hits in rows without gaps.

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"

#include <pcl/gpu/raycast/ray_rows.h>

#include <limits>
#include <memory>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr std::uint32_t nothing = 0xffffffffu;

} // namespace

class RayRows : public DeviceTest {};

TEST_P(RayRows, BecomePoints)
{
  std::vector<float> rows;
  for (int i = 0; i < 3 * 2000; ++i)
    rows.push_back(static_cast<float>(i));
  DeviceArray<pcl::PointXYZ> points;
  toPoints(uploaded(rows), points);
  const std::vector<pcl::PointXYZ> host = downloaded(points);
  ASSERT_EQ(host.size(), 2000u);
  for (std::size_t i = 0; i < host.size(); ++i) {
    EXPECT_EQ(host[i].x, rows[3 * i]);
    EXPECT_EQ(host[i].y, rows[3 * i + 1]);
    EXPECT_EQ(host[i].z, rows[3 * i + 2]);
  }
  toPoints({}, points);
  EXPECT_TRUE(points.empty());
  rows.push_back(0.0f);
  expectBadArgument("number of numbers", [&] { toPoints(uploaded(rows), points); });
}

TEST_P(RayRows, BecomeRays)
{
  DeviceArray<Ray> rays;
  toRays(uploaded<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), rays, 0.5f, 9.0f);
  const std::vector<Ray> host = downloaded(rays);
  ASSERT_EQ(host.size(), 2u);
  EXPECT_EQ(host[1].origin[0], 7.0f);
  EXPECT_EQ(host[1].direction[2], 12.0f);
  EXPECT_EQ(host[0].nearest, 0.5f);
  EXPECT_EQ(host[0].farthest, 9.0f);
  expectBadArgument("number of numbers", [&] {
    toRays(uploaded<float>({1, 2, 3, 4, 5}), rays);
  });
}

TEST_P(RayRows, HoldHitsOfTwoInstances)
{
  // A square of two triangles in the plane z = 0, counterclockwise seen from z > 0; one
  // instance at z = 1, and one behind it that is turned around x.
  TriangleMesh mesh;
  mesh.vertices =
      uploaded<pcl::PointXYZ>({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}});
  mesh.triangles = uploaded<int>({0, 1, 2, 0, 2, 3});
  const auto scene = std::make_shared<MeshScene>();
  const int square = scene->addMesh(mesh);
  Pose front = Pose::Identity(), back = Pose::Identity();
  front.translation() = Eigen::Vector3f(0, 0, 1);
  back.linear() = Eigen::Vector3f(1, -1, -1).asDiagonal();
  back.translation() = Eigen::Vector3f(5, 0, 3);
  scene->addInstance(square, front);
  scene->addInstance(square, back);
  MeshRayQuery query;
  query.setScene(scene);
  RayHitArrays arrays;
  expectBadArgument("built", [&] { query.splitHits({}, arrays); });
  query.build();

  DeviceArray<Ray> rays;
  toRays(uploaded<float>({0.5f,
                          0.25f,
                          -1,
                          0,
                          0,
                          2, //
                          4.5f,
                          0.25f,
                          9,
                          0,
                          0,
                          -1, //
                          20.0f,
                          0,
                          0,
                          0,
                          0,
                          1}),
         rays);
  DeviceArray<RayHit> hits;
  query.castRays(rays, hits);
  query.splitHits(hits, arrays);

  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(downloaded(arrays.distances), (std::vector<float>{1, 6, infinity}));
  EXPECT_EQ(downloaded(arrays.instances), (std::vector<std::uint32_t>{0, 1, nothing}));
  // Of (-0.5, 0.25) turned, which is (-0.5, -0.25), the first triangle holds neither.
  EXPECT_EQ(downloaded(arrays.triangles), (std::vector<std::uint32_t>{0, 1, nothing}));
  EXPECT_EQ(downloaded(arrays.normals),
            (std::vector<float>{0, 0, 1, 0, 0, -1, 0, 0, 0}));
  const std::vector<float> weights = downloaded(arrays.barycentrics);
  EXPECT_EQ(weights[4], 0.0f);
  // (0.5, 0.25) = a + u (b - a) + v (c - a): u = 0.125, v = 0.625.
  EXPECT_NEAR(weights[0], 0.125f, 1e-6f);
  EXPECT_NEAR(weights[1], 0.625f, 1e-6f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayRows);
