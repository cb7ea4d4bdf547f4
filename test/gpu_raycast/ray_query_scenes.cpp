// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "ray_query_scenes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>

namespace pcl {
namespace gpu {
namespace test {

namespace {

PointXYZ
asPoint(const Eigen::Vector3f& v)
{
  return {v.x(), v.y(), v.z()};
}

/** \brief Number of the vertex between two others; made when first asked for. */
int
middleOf(HostMesh& mesh, std::map<std::pair<int, int>, int>& middles, int a, int b)
{
  const auto edge = std::minmax(a, b);
  const auto known = middles.find(edge);
  if (known != middles.end())
    return known->second;
  const Eigen::Vector3f middle =
      mesh.vertices[a].getVector3fMap() + mesh.vertices[b].getVector3fMap();
  mesh.vertices.push_back(asPoint(middle.normalized()));
  return middles[edge] = static_cast<int>(mesh.vertices.size()) - 1;
}

} // namespace

void
HostMesh::add(const Eigen::Vector3f& a,
              const Eigen::Vector3f& b,
              const Eigen::Vector3f& c)
{
  for (const Eigen::Vector3f& v : {a, b, c}) {
    triangles.push_back(static_cast<int>(vertices.size()));
    vertices.push_back(asPoint(v));
  }
}

TriangleMesh
HostMesh::upload() const
{
  TriangleMesh mesh;
  mesh.vertices.upload(vertices);
  mesh.triangles.upload(triangles);
  return mesh;
}

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
  return answers;
}

Answers
ask(const MeshScene& scene, const std::vector<Ray>& rays, Culling culling)
{
  MeshRayQuery query;
  query.setScene(std::make_shared<MeshScene>(scene));
  query.setCulling(culling);
  query.build();
  return ask(query, rays);
}

MeshScene
sceneOf(const HostMesh& mesh)
{
  MeshScene scene;
  scene.addInstance(scene.addMesh(mesh.upload()));
  return scene;
}

void
expectSameAnswers(const Answers& actual, const Answers& expected)
{
  ASSERT_EQ(actual.hits.size(), expected.hits.size());
  std::size_t differences = 0;
  for (std::size_t i = 0; i < expected.hits.size(); ++i) {
    const RayHit& hit = actual.hits[i];
    const RayHit& wanted = expected.hits[i];
    // NaN are all alike: processors give them different signs.
    const auto same = [](float a, float b) {
      return (a != a && b != b) || std::memcmp(&a, &b, sizeof(a)) == 0;
    };
    if (same(hit.distance, wanted.distance) && hit.triangle == wanted.triangle &&
        same(hit.u, wanted.u) && same(hit.v, wanted.v) &&
        actual.occluded[i] == expected.occluded[i] &&
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
    mesh.add(a, b, center + randomPoint(random, size));
  }
  return mesh;
}

HostMesh
ball(int subdivisions)
{
  HostMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (float sign : {1.0f, -1.0f})
      mesh.vertices.push_back(asPoint(sign * Eigen::Vector3f::Unit(axis)));
  for (int octant = 0; octant < 8; ++octant) {
    const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2);
    // From outside counterclockwise: an odd number of mirrorings turns it around.
    const bool turned = ((octant ^ octant >> 1 ^ octant >> 2) & 1) != 0;
    mesh.triangles.insert(mesh.triangles.end(), {x, turned ? z : y, turned ? y : z});
  }
  for (int i = 0; i < subdivisions; ++i) {
    std::map<std::pair<int, int>, int> middles;
    std::vector<int> finer;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
      const int a = mesh.triangles[t];
      const int b = mesh.triangles[t + 1];
      const int c = mesh.triangles[t + 2];
      const int ab = middleOf(mesh, middles, a, b);
      const int bc = middleOf(mesh, middles, b, c);
      const int ca = middleOf(mesh, middles, c, a);
      finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    mesh.triangles = finer;
  }
  return mesh;
}

} // namespace test
} // namespace gpu
} // namespace pcl
