// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "embree_reference.h"
#include "ray_query_scenes.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RayQueryMeshes : public DeviceTest {};

namespace {

void
expectEmbreesHits(const std::string& name)
{
  SCOPED_TRACE(name);
  const HostMesh mesh = loadMesh(name);
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
  EXPECT_GT(hits, 50000);
  // Rays may pass edges on the other side: the sheared vertices are rounded
  // differently.
  EXPECT_LE(other_misses, 3);
  EXPECT_LE(other_triangles, 10);
}

} // namespace

TEST_P(RayQueryMeshes, HitsAreEmbrees)
{
  for (const char* name :
       {"bunny_69k", "horse_97k", "happy_99k", "armadillo_100k", "dragon_871k"})
    expectEmbreesHits(std::string(name) + ".ply.xz");
}

TEST_P(RayQueryMeshes, HitsInSoupsAreEmbrees)
{
  int rays_asked = 0, hits = 0, others = 0;
  for (unsigned int seed = 1; seed <= 200; ++seed) {
    const HostMesh soup = randomSoup(seed, 60);
    const EmbreeScene embree(soup);
    Random random(seed);
    std::vector<Ray> rays;
    for (int i = 0; i < 1000; ++i) {
      const Vector3f origin = randomPoint(random, 4.0f);
      rays.push_back(ray(origin, randomPoint(random, 4.0f) - origin));
    }
    const Answers answers = ask(*sceneOf(soup), rays);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const bool hit = answers.hits[i].triangle >= 0;
      ++rays_asked;
      hits += hit;
      others += hit != (embree.cast(rays[i]).triangle >= 0);
      EXPECT_EQ(hit, answers.occluded[i]);
    }
  }
  EXPECT_GT(hits, rays_asked / 10);
  EXPECT_LE(others, 1e-5 * rays_asked);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryMeshes);
