// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "ray_query_scenes.h"

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RayQueryClosedMesh : public DeviceTest {};

TEST_P(RayQueryClosedMesh, NoRayEscapesThroughVerticesAndEdges)
{
  const HostMesh mesh = octasphere(5);
  for (const Vector3f& center : {Vector3f(0.0f, 0.0f, 0.0f),
                                 Vector3f(0.3f, -0.2f, 0.1f),
                                 Vector3f(1e-3f, 0.7f, 0.0f)}) {
    std::vector<Ray> rays;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
      const Vector3f a = mesh.vertices[mesh.triangles[i]].getVector3fMap();
      const Vector3f b = mesh.vertices[mesh.triangles[next]].getVector3fMap();
      rays.push_back(ray(center, a - center));
      rays.push_back(ray(center, 0.5f * (a + b) - center));
      rays.push_back(ray(center, 0.3f * a + 0.7f * b - center));
    }
    const Answers answers = ask(*sceneOf(mesh), rays);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_NEAR(answers.hits[i].distance, 1.0f, 1e-3f) << "ray " << i;
      ASSERT_EQ(answers.occluded[i], 1) << "ray " << i;
      ASSERT_GE(answers.counts[i], 1) << "ray " << i;
    }
  }
}

TEST_P(RayQueryClosedMesh, RaysThroughVerticesHitAllTrianglesThere)
{
  const HostMesh mesh = octasphere(3);
  std::vector<int> degrees(mesh.vertices.size(), 0);
  for (const int vertex : mesh.triangles)
    ++degrees[vertex];
  std::vector<Ray> rays;
  for (const pcl::PointXYZ& vertex : mesh.vertices)
    rays.push_back(ray(Vector3f::Zero(), vertex.getVector3fMap()));
  const Answers answers = ask(*sceneOf(mesh), rays);
  // Along the axes there is no rounding.
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(answers.counts[i], degrees[i]);
    EXPECT_EQ(answers.hits[i].distance, 1.0f);
  }
}

TEST_P(RayQueryClosedMesh, CountsAreOddInsideAndEvenOutside)
{
  Random random(21);
  const HostMesh mesh = octasphere(5);
  std::vector<Ray> rays = randomRays(random, 50000, 1.5f);
  const Answers answers = ask(*sceneOf(mesh), rays);
  int tested = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const float radius = Vector3f::Map(rays[i].origin).norm();
    if (radius > 0.99f && radius < 1.01f)
      continue; // the mesh is not quite a sphere
    ASSERT_EQ(answers.counts[i] % 2, radius < 1.0f ? 1 : 0) << "ray " << i;
    ++tested;
  }
  EXPECT_GT(tested, 40000);
}

TEST_P(RayQueryClosedMesh, DistancesAreThoseOfASphere)
{
  Random random(22);
  const HostMesh mesh = octasphere(6);
  std::vector<Ray> rays;
  for (int i = 0; i < 20000; ++i)
    rays.push_back(ray(randomPoint(random, 0.5f), randomPoint(random, 3.0f)));
  const Answers answers = ask(*sceneOf(mesh), rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const Eigen::Vector3d origin = Vector3f::Map(rays[i].origin).cast<double>();
    const Eigen::Vector3d direction = Vector3f::Map(rays[i].direction).cast<double>();
    const double a = direction.squaredNorm();
    const double b = origin.dot(direction);
    const double c = origin.squaredNorm() - 1.0;
    const double distance = (-b + std::sqrt(b * b - a * c)) / a;
    ASSERT_NEAR(answers.hits[i].distance / distance, 1.0, 2e-3) << "ray " << i;
  }
}

TEST_P(RayQueryClosedMesh, SidesAsSeenFromTheRay)
{
  Random random(23);
  const HostMesh mesh = octasphere(3);
  std::vector<Ray> rays;
  for (int i = 0; i < 1000; ++i)
    rays.push_back(ray(randomPoint(random, 0.4f), randomPoint(random, 1.0f)));
  const Answers from_behind = ask(*sceneOf(mesh), rays, Culling::Back);
  const Answers behind_only = ask(*sceneOf(mesh), rays, Culling::Front);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(from_behind.counts[i], 0);
    ASSERT_EQ(behind_only.counts[i], 1);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryClosedMesh);
