// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <Eigen/Core>

#include <cstdint>
#include <random>
#include <vector>

namespace pcl {
namespace gpu {
namespace test {

/** \brief A mesh in host memory. */
struct HostMesh {
  std::vector<PointXYZ> vertices;
  std::vector<int> triangles;

  /** \brief Adds a triangle with vertices of its own. */
  void
  add(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);

  /** \brief Copies it to the current device. */
  TriangleMesh
  upload() const;
};

/** \brief The answers of all three queries. */
struct Answers {
  std::vector<RayHit> hits;
  std::vector<std::uint8_t> occluded;
  std::vector<int> counts;
};

/** \brief Asks all three queries on the current device, with outputs full of nonsense. */
Answers
ask(MeshRayQuery& query, const std::vector<Ray>& rays);

/** \brief Builds and asks. */
Answers
ask(const MeshScene& scene,
    const std::vector<Ray>& rays,
    Culling culling = Culling::None);

/** \brief A scene of one mesh in the world frame, on the current device. */
MeshScene
sceneOf(const HostMesh& mesh);

/** \brief Expects every bit to be the same. */
void
expectSameAnswers(const Answers& actual, const Answers& expected);

using Random = std::mt19937;

Eigen::Vector3f
randomPoint(Random& random, float range);

Ray
ray(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction);

/** \brief Rays from points in a cube around the origin to others. */
std::vector<Ray>
randomRays(Random& random, int count, float range);

/** \brief Triangles of about one size within a cube around the origin. */
HostMesh
randomTriangles(Random& random, int count, float range, float size);

/** \brief A closed surface around the origin, nearly a sphere of radius 1.
 * \param[in] subdivisions of the eight triangles that it starts from: each makes four of one
 */
HostMesh
ball(int subdivisions);

} // namespace test
} // namespace gpu
} // namespace pcl
