// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "ray_query_scenes.h"
#include "common/change_parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace pcl::gpu::test {

Answers
ask(MeshRayQuery& query, const std::vector<Ray>& rays)
{
  DeviceArray<Ray> device_rays;
  device_rays.upload(rays);
  DeviceArray<RayHit> hits;
  DeviceArray<std::uint8_t> occluded;
  DeviceArray<int> counts;
  Answers answers;
  answers.hits.assign(rays.size(), RayHit{-7.0f, -7, -7.0f, -7.0f});
  answers.occluded.assign(rays.size(), 77);
  answers.counts.assign(rays.size(), -7);
  hits.upload(answers.hits);
  occluded.upload(answers.occluded);
  counts.upload(answers.counts);
  query.castRays(device_rays, hits);
  query.testOcclusion(device_rays, occluded);
  query.countHits(device_rays, counts);
  hits.download(answers.hits);
  occluded.download(answers.occluded);
  counts.download(answers.counts);
  RayHitList list;
  query.listHits(device_rays, list);
  list.hits.download(answers.all_hits);
  list.starts.download(answers.starts);
  list.rays.download(answers.rays_of_all);
  return answers;
}

Answers
ask(const MeshScene& scene, const std::vector<Ray>& rays, Culling culling)
{
  MeshRayQuery query;
  query.setScene(std::make_shared<MeshScene>(scene));
  change(query, [&](auto& p) { p.culling = culling; });
  query.build();
  return ask(query, rays);
}

namespace {

/** \brief Returns whether hits have the same bits. NaN are all alike: processors give
 * them different signs. */
bool
isSame(const RayHit& hit, const RayHit& other)
{
  const auto same = [](float a, float b) {
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof(a)) == 0;
  };
  return same(hit.distance, other.distance) && hit.triangle == other.triangle &&
         same(hit.u, other.u) && same(hit.v, other.v);
}

} // namespace

void
expectSameAnswers(const Answers& actual, const Answers& expected)
{
  ASSERT_EQ(actual.hits.size(), expected.hits.size());
  std::size_t differences = 0;
  for (std::size_t i = 0; i < expected.hits.size(); ++i) {
    const RayHit& hit = actual.hits[i];
    const RayHit& wanted = expected.hits[i];
    if (isSame(hit, wanted) && actual.occluded[i] == expected.occluded[i] &&
        actual.counts[i] == expected.counts[i])
      continue;
    if (++differences <= 5)
      ADD_FAILURE() << "ray " << i << ": triangle " << hit.triangle << " at "
                    << hit.distance << " (" << hit.u << ", " << hit.v << "), occluded "
                    << int(actual.occluded[i]) << ", " << actual.counts[i]
                    << " hits; expected triangle " << wanted.triangle << " at "
                    << wanted.distance << " (" << wanted.u << ", " << wanted.v
                    << "), occluded " << int(expected.occluded[i]) << ", "
                    << expected.counts[i] << " hits";
  }
  EXPECT_EQ(differences, 0u) << "of " << expected.hits.size() << " rays";
  EXPECT_EQ(actual.starts, expected.starts);
  EXPECT_EQ(actual.rays_of_all, expected.rays_of_all);
  EXPECT_TRUE(std::equal(actual.all_hits.begin(),
                         actual.all_hits.end(),
                         expected.all_hits.begin(),
                         expected.all_hits.end(),
                         &isSame));
}

Eigen::Vector3f
randomPoint(Random& random, float range)
{
  std::uniform_real_distribution<float> coordinate(-range, range);
  const float x = coordinate(random);
  const float y = coordinate(random);
  return {x, y, coordinate(random)};
}

Ray
ray(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction)
{
  Ray result{};
  result.farthest = std::numeric_limits<float>::infinity();
  for (int i = 0; i < 3; ++i) {
    result.origin[i] = origin[i];
    result.direction[i] = direction[i];
  }
  return result;
}

std::vector<Ray>
randomRays(Random& random, int count, float range)
{
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3f origin = randomPoint(random, range);
    rays.push_back(ray(origin, randomPoint(random, range) - origin));
  }
  return rays;
}

HostMesh
randomTriangles(Random& random, int count, float range, float size)
{
  HostMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3f center = randomPoint(random, range);
    const Eigen::Vector3f a = center + randomPoint(random, size);
    const Eigen::Vector3f b = center + randomPoint(random, size);
    mesh.addTriangle(a, b, center + randomPoint(random, size));
  }
  return mesh;
}

} // namespace pcl::gpu::test
