// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "ray_query_scenes.h"

#include <pcl/gpu/utils/pose.h>

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

/** \brief A hit in double precision. */
struct ExactHit {
  double distance;
  double inside; ///< the least of the three weights; below 0 outside
};

ExactHit
hitExactly(const Ray& ray, const Vector3d& a, const Vector3d& b, const Vector3d& c)
{
  const Vector3d origin = Vector3f::Map(ray.origin).cast<double>();
  const Vector3d direction = Vector3f::Map(ray.direction).cast<double>();
  const Vector3d p = direction.cross(c - a);
  const double determinant = p.dot(b - a);
  const Vector3d q = (origin - a).cross(b - a);
  const double u = p.dot(origin - a) / determinant;
  const double v = q.dot(direction) / determinant;
  return {q.dot(c - a) / determinant, std::min({u, v, 1.0 - u - v})};
}

/** \brief Certain hits, and hits that are possible if weights have some error. */
struct ExactAnswer {
  double certain_distance = INFINITY;
  double possible_distance = INFINITY;
  int certain_count = 0;
  int possible_count = 0;

  void
  add(const ExactHit& hit)
  {
    constexpr double tolerance = 1e-3;
    if (hit.inside > tolerance && hit.distance > 1e-4) {
      certain_distance = std::min(certain_distance, hit.distance);
      ++certain_count;
    }
    if (hit.inside > -tolerance && hit.distance > -1e-4) {
      possible_distance = std::min(possible_distance, hit.distance);
      ++possible_count;
    }
  }
};

} // namespace

class RayQueryScenes : public DeviceTest {};

TEST_P(RayQueryScenes, InstancesInDoublePrecision)
{
  Random random(31);
  const HostMesh meshes[2] = {randomTriangles(random, 300, 1.0f, 0.4f), octasphere(2)};
  MeshScene scene;
  for (const HostMesh& mesh : meshes)
    scene.addMesh(uploaded(mesh));
  std::vector<std::vector<Vector3d>> corners;
  for (int i = 0; i < 7; ++i) {
    Pose pose = Pose::Identity();
    pose.translate(randomPoint(random, 3.0f));
    pose.rotate(Eigen::AngleAxisf(0.7f * i, randomPoint(random, 1.0f).normalized()));
    const HostMesh& mesh = meshes[i % 2];
    scene.addInstance(i % 2, pose);
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
      corners.emplace_back();
      for (int k = 0; k < 3; ++k)
        corners.back().push_back(
            pose.cast<double>() *
            mesh.vertices[mesh.triangles[t + k]].getVector3fMap().cast<double>());
    }
  }
  const std::vector<Ray> rays = randomRays(random, 2000, 4.0f);
  const Answers answers = ask(scene, rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ExactAnswer exact;
    for (const auto& triangle : corners)
      exact.add(hitExactly(rays[i], triangle[0], triangle[1], triangle[2]));
    SCOPED_TRACE(i);
    ASSERT_GE(answers.counts[i], exact.certain_count);
    ASSERT_LE(answers.counts[i], exact.possible_count);
    ASSERT_EQ(answers.occluded[i], answers.counts[i] > 0 ? 1 : 0);
    if (answers.counts[i] == 0)
      continue;
    const RayHit& hit = answers.hits[i];
    ASSERT_GE(hit.distance, exact.possible_distance - 1e-4);
    ASSERT_LE(hit.distance, exact.certain_distance + 1e-4);
    // The point on the ray is the point in the triangle.
    const auto& triangle = corners.at(hit.triangle);
    const Vector3d on_ray = (Vector3f::Map(rays[i].origin) +
                             hit.distance * Vector3f::Map(rays[i].direction))
                                .cast<double>();
    const Vector3d in_triangle =
        (1.0 - hit.u - hit.v) * triangle[0] + hit.u * triangle[1] + hit.v * triangle[2];
    ASSERT_LT((on_ray - in_triangle).norm(), 1e-4);
  }
}

TEST_P(RayQueryScenes, EmptyScenes)
{
  const std::vector<Ray> rays = {ray({0, 0, 0}, {0, 0, 1})};
  MeshScene scene;
  EXPECT_EQ(ask(scene, rays).hits[0].triangle, -1);
  scene.addMesh(uploaded(octasphere(1)));
  EXPECT_EQ(ask(scene, rays).counts[0], 0);
  scene.addInstance(scene.addMesh(TriangleMesh()));
  EXPECT_EQ(ask(scene, rays).occluded[0], 0);
}

TEST_P(RayQueryScenes, NoRays)
{
  MeshRayQuery query;
  query.setInputMesh(uploaded(octasphere(1)));
  query.build();
  const Answers answers = ask(query, {});
  EXPECT_TRUE(answers.hits.empty());
  EXPECT_EQ(answers.starts, std::vector<std::uint32_t>{0});
}

TEST_P(RayQueryScenes, EmptyInstancesKeepIdsInPlace)
{
  MeshScene scene;
  const int empty = scene.addMesh(TriangleMesh());
  const int full = scene.addMesh(uploaded(octasphere(0)));
  scene.addInstance(empty);
  scene.addInstance(full);
  scene.addInstance(empty);
  Pose pose = Pose::Identity();
  pose.translate(Vector3f(5.0f, 0.0f, 0.0f));
  scene.addInstance(full, pose);
  const std::vector<Ray> rays = {ray({0, 0, 0}, {0.1f, 0.2f, 1}),
                                 ray({5, 0, 0}, {0.1f, 0.2f, 1})};
  const Answers answers = ask(scene, rays);
  EXPECT_EQ(scene.findTriangle(answers.hits[0].triangle).instance, 1);
  EXPECT_EQ(answers.hits[1].triangle, answers.hits[0].triangle + 8);
}

TEST_P(RayQueryScenes, OnlyTrianglesThatAreThereAreHit)
{
  const std::vector<Ray> rays = {ray({0, 0, 0}, {0.1f, 0.2f, 1}),
                                 ray({0, 0, 0}, {-0.1f, -0.2f, -1})};
  TriangleMesh mesh = uploaded(octasphere(0));
  mesh.triangle_count.upload(std::vector<int>{1});
  MeshRayQuery query;
  query.setInputMesh(mesh);
  query.build();
  EXPECT_EQ(ask(query, rays).counts, (std::vector<int>{1, 0}));
  mesh.triangle_count.upload(std::vector<int>{1000});
  query.build();
  EXPECT_EQ(ask(query, rays).counts, (std::vector<int>{1, 1}));
  mesh.triangle_count.upload(std::vector<int>{-5});
  query.build();
  EXPECT_EQ(ask(query, rays).counts, (std::vector<int>{0, 0}));
}

TEST_P(RayQueryScenes, TrianglesWithIndicesThatAreNoVerticesAreInvisible)
{
  HostMesh mesh = octasphere(3);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 30)
    mesh.triangles[i] = i % 60 == 0 ? -1 : static_cast<int>(mesh.vertices.size());
  Random random(32);
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i)
    rays.push_back(ray(Vector3f::Zero(), randomPoint(random, 1.0f)));
  const Answers answers = ask(*sceneOf(mesh), rays);
  int misses = 0;
  for (const RayHit& hit : answers.hits) {
    if (hit.triangle >= 0) {
      ASSERT_NE(hit.triangle % 10, 0);
    }
    misses += hit.triangle < 0 ? 1 : 0;
  }
  EXPECT_NEAR(misses, 300, 60);
}

TEST_P(RayQueryScenes, VerticesAreLookedAtInEachBuild)
{
  HostMesh host_mesh = octasphere(3);
  const TriangleMesh mesh = uploaded(host_mesh);
  MeshRayQuery query;
  query.setInputMesh(mesh);
  for (int step = 1; step < 4; ++step) {
    for (pcl::PointXYZ& vertex : host_mesh.vertices)
      vertex.getVector3fMap() *= 2.0f;
    DeviceArray<pcl::PointXYZ> vertices = mesh.vertices;
    vertices.upload(host_mesh.vertices);
    query.build();
    EXPECT_EQ(ask(query, {ray({0, 0, 0}, {1, 0, 0})}).hits[0].distance,
              std::ldexp(1.0f, step));
  }
}

TEST_P(RayQueryScenes, SceneOfAnotherSizeInTheSameMemory)
{
  Random random(33);
  MeshRayQuery reused;
  const std::vector<Ray> rays = randomRays(random, 500, 1.2f);
  for (const int count : {5000, 3, 700, 6000, 33}) {
    SCOPED_TRACE(count);
    const MeshScene scene = *sceneOf(randomTriangles(random, count, 1.0f, 0.3f));
    reused.setScene(std::make_shared<MeshScene>(scene));
    reused.build();
    expectSameAnswers(ask(reused, rays), ask(scene, rays));
  }
}

TEST_P(RayQueryScenes, SameBitsFromRunToRun)
{
  Random random(34);
  const MeshScene scene = *sceneOf(randomTriangles(random, 20000, 1.0f, 0.1f));
  const std::vector<Ray> rays = randomRays(random, 5000, 1.2f);
  const Answers once = ask(scene, rays);
  for (int i = 0; i < 3; ++i)
    expectSameAnswers(ask(scene, rays), once);
}

TEST_P(RayQueryScenes, HostGivesTheSameBits)
{
  Random random(35);
  const HostMesh mesh = randomTriangles(random, 20000, 1.0f, 0.1f);
  const std::vector<Ray> rays = randomRays(random, 20000, 1.2f);
  const Answers here = ask(*sceneOf(mesh), rays);
  const auto host = useDevice("host");
  expectSameAnswers(here, ask(*sceneOf(mesh), rays));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryScenes);
