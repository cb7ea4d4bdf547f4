// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "embree_reference.h"
#include "ray_query_scenes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RayQueryMeshes : public DeviceTest {};

TEST_P(RayQueryMeshes, BunnyAsEmbreeSeesIt)
{
  const HostMesh mesh = loadMesh("bunny_69k.ply.xz");
  const EmbreeScene embree(mesh);
  Eigen::Array3f least = Eigen::Array3f::Constant(INFINITY);
  Eigen::Array3f most = -least;
  for (const pcl::PointXYZ& vertex : mesh.vertices) {
    least = least.min(vertex.getArray3fMap());
    most = most.max(vertex.getArray3fMap());
  }
  Random random(41);
  std::vector<Ray> rays;
  for (int i = 0; i < 200000; ++i) {
    const auto point = [&] {
      const Eigen::Array3f unit = randomPoint(random, 0.6f).array() + 0.5f;
      return Vector3f(least + (most - least) * unit);
    };
    const Vector3f origin = point();
    rays.push_back(ray(origin, point() - origin));
  }
  const Answers answers = ask(*sceneOf(mesh), rays);
  int hits = 0;
  int other_misses = 0;
  int other_triangles = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const RayHit expected = embree.cast(rays[i]);
    const RayHit& hit = answers.hits[i];
    if (hit.triangle < 0 || expected.triangle < 0) {
      other_misses += hit.triangle != expected.triangle ? 1 : 0;
      continue;
    }
    ++hits;
    other_triangles += hit.triangle != expected.triangle ? 1 : 0;
    if (hit.triangle == expected.triangle) {
      ASSERT_NEAR(hit.distance, expected.distance, 1e-4f * expected.distance + 1e-6f);
      ASSERT_NEAR(hit.u, expected.u, 2e-2f);
      ASSERT_NEAR(hit.v, expected.v, 2e-2f);
    }
  }
  EXPECT_GT(hits, 100000);
  // Rays may pass edges on the other side: the sheared vertices are rounded differently.
  EXPECT_LE(other_misses, 3);
  EXPECT_LE(other_triangles, 10);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryMeshes);
