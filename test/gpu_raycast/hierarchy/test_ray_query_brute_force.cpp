// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "ray_query_brute_force.h"

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;
using pcl::PointXYZ;

namespace {

void
expectBruteForce(const HostMesh& mesh, const std::vector<Ray>& rays)
{
  expectSameAnswers(ask(*sceneOf(mesh), rays), bruteForce(mesh, rays));
}

/** \brief Small whole numbers: planes, edges and vertices coincide all the time. */
Vector3f
randomGridPoint(Random& random, int range)
{
  std::uniform_int_distribution<int> coordinate(-range, range);
  const int x = coordinate(random);
  const int y = coordinate(random);
  return Eigen::Vector3i(x, y, coordinate(random)).cast<float>();
}

/** \brief Directions along axes, and within the planes of two axes, and others. */
std::vector<Ray>
gridRays(Random& random, int count, int range)
{
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const Vector3f origin = 0.5f * randomGridPoint(random, 2 * range);
    rays.push_back(ray(origin, randomGridPoint(random, 1 + i % range)));
    rays.back().nearest = i % 3 == 0 ? -std::numeric_limits<float>::infinity() : 0.0f;
  }
  return rays;
}

} // namespace

class RayQueryBruteForce : public DeviceTest {};

TEST_P(RayQueryBruteForce, RandomTrianglesAndRays)
{
  Random random(1);
  for (const float size : {0.02f, 0.3f, 2.0f}) {
    SCOPED_TRACE(size);
    const HostMesh mesh = randomTriangles(random, 2000, 1.0f, size);
    expectBruteForce(mesh, randomRays(random, 2000, 1.2f));
  }
}

TEST_P(RayQueryBruteForce, AnyNumberOfTriangles)
{
  Random random(2);
  const std::vector<Ray> rays = randomRays(random, 200, 1.2f);
  std::vector<int> counts = {0,
                             127,
                             128,
                             129,
                             255,
                             256,
                             257,
                             511,
                             512,
                             513,
                             1025,
                             2047,
                             2048,
                             2049,
                             2303,
                             2305,
                             4097};
  for (int i = 1; i <= 100; ++i)
    counts.push_back(i);
  for (const int count : counts) {
    SCOPED_TRACE(count);
    expectBruteForce(randomTriangles(random, count, 1.0f, 0.5f), rays);
  }
}

TEST_P(RayQueryBruteForce, SeveralLevelsOfNodes)
{
  Random random(3);
  expectBruteForce(randomTriangles(random, 20000, 1.0f, 0.05f),
                   randomRays(random, 300, 1.2f));
}

TEST_P(RayQueryBruteForce, TrianglesOnAGridWithRaysInTheirPlanes)
{
  Random random(4);
  HostMesh mesh;
  for (int i = 0; i < 1500; ++i) {
    const Vector3f corner = randomGridPoint(random, 6);
    const Vector3f b = corner + randomGridPoint(random, 1);
    mesh.addTriangle(corner, b, corner + randomGridPoint(random, 1));
  }
  expectBruteForce(mesh, gridRays(random, 4000, 7));
}

TEST_P(RayQueryBruteForce, CoplanarTrianglesAndRaysInTheFacesOfTheirBoxes)
{
  Random random(5);
  for (int axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    HostMesh mesh;
    for (int i = 0; i < 800; ++i) {
      Vector3f corners[3];
      for (Vector3f& corner : corners) {
        corner = randomGridPoint(random, 8);
        corner[axis] = 3.0f;
      }
      mesh.addTriangle(corners[0], corners[1], corners[2]);
    }
    expectBruteForce(mesh, gridRays(random, 1500, 9));
  }
}

TEST_P(RayQueryBruteForce, IdenticalTriangles)
{
  Random random(6);
  HostMesh mesh;
  for (int i = 0; i < 700; ++i)
    mesh.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  std::vector<Ray> rays = randomRays(random, 500, 0.7f);
  rays.push_back(ray({0.25f, 0.25f, 1.0f}, {0.0f, 0.0f, -1.0f}));
  expectBruteForce(mesh, rays);
  const Answers answers = ask(*sceneOf(mesh), rays);
  EXPECT_EQ(answers.hits.back().triangle, 0);
  EXPECT_EQ(answers.counts.back(), 700);
}

TEST_P(RayQueryBruteForce, HugeAndTinyTriangles)
{
  Random random(7);
  HostMesh mesh;
  std::uniform_real_distribution<float> exponent(-30.0f, 10.5f);
  for (int i = 0; i < 1200; ++i) {
    const float range = std::pow(10.0f, exponent(random));
    const float size = std::pow(10.0f, exponent(random));
    const Vector3f center = randomPoint(random, range);
    const Vector3f a = center + randomPoint(random, size);
    const Vector3f b = center + randomPoint(random, size);
    mesh.addTriangle(a, b, center + randomPoint(random, size));
  }
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) {
    const Vector3f origin = randomPoint(random, std::pow(10.0f, exponent(random)));
    const PointXYZ& goal = mesh.vertices[random() % mesh.vertices.size()];
    rays.push_back(ray(origin, goal.getVector3fMap() - origin));
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, SmallTrianglesFarFromTheOrigin)
{
  Random random(8);
  const Vector3f far(1e5f, -3e4f, 2e6f);
  HostMesh mesh = randomTriangles(random, 3000, 1.0f, 0.3f);
  for (PointXYZ& v : mesh.vertices)
    v.getVector3fMap() += far;
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) {
    const Vector3f origin =
        i % 2 ? randomPoint(random, 5.0f) : Vector3f(far + randomPoint(random, 2.0f));
    rays.push_back(ray(origin, far + randomPoint(random, 1.0f) - origin));
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, RaysFromFarAway)
{
  Random random(19);
  HostMesh mesh = randomTriangles(random, 1500, 1.0f, 0.02f);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < 500; ++i) {
      Vector3f corners[3];
      for (Vector3f& corner : corners) {
        corner = randomPoint(random, 1.0f);
        corner[axis] = 0.25f;
      }
      mesh.addTriangle(corners[0], corners[1], corners[2]);
    }
  std::vector<Ray> rays;
  std::uniform_real_distribution<float> exponent(2.0f, 8.0f);
  for (int i = 0; i < 3000; ++i) {
    const Vector3f origin = randomPoint(random, std::pow(10.0f, exponent(random)));
    const PointXYZ& goal = mesh.vertices[random() % mesh.vertices.size()];
    rays.push_back(ray(origin, goal.getVector3fMap() - origin));
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, DegenerateTriangles)
{
  Random random(9);
  HostMesh mesh = randomTriangles(random, 400, 1.0f, 0.5f);
  for (int i = 0; i < 300; ++i) {
    const Vector3f a = randomPoint(random, 1.0f);
    const Vector3f b = randomPoint(random, 1.0f);
    mesh.addTriangle(a, a, a);
    mesh.addTriangle(a, b, a);
    mesh.addTriangle(a, b, 0.5f * (a + b));
  }
  std::vector<Ray> rays = randomRays(random, 1000, 1.2f);
  for (int i = 0; i < 1000; ++i) {
    const Vector3f origin = randomPoint(random, 2.0f);
    const PointXYZ& goal = mesh.vertices[random() % mesh.vertices.size()];
    rays.push_back(ray(origin, goal.getVector3fMap() - origin));
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, VerticesThatAreNotFiniteOrTooFar)
{
  Random random(10);
  HostMesh mesh = randomTriangles(random, 3000, 1.0f, 0.2f);
  const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e11f, 3e38f, 1e11f};
  for (int i = 0; i < 2000; ++i)
    mesh.vertices[random() % mesh.vertices.size()].data[random() % 3] = bad[i % 6];
  expectBruteForce(mesh, randomRays(random, 1000, 1.2f));
  for (PointXYZ& vertex : mesh.vertices)
    vertex.x = NAN;
  expectBruteForce(mesh, randomRays(random, 100, 1.2f));
}

TEST_P(RayQueryBruteForce, RaysFromSurfaces)
{
  Random random(11);
  const HostMesh mesh = octasphere(4);
  std::vector<Ray> rays;
  for (int i = 0; i < 4000; ++i) {
    const int* const corners = &mesh.triangles[3 * (random() % 2048)];
    Vector3f origin = Vector3f::Zero();
    for (int k = 0; k < 3; ++k)
      origin += mesh.vertices[corners[k]].getVector3fMap() / 3.0f;
    rays.push_back(ray(origin, randomPoint(random, 1.0f)));
    rays.back().nearest = i % 2 ? 0.0f : 1e-4f;
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, BoundsOfRays)
{
  Random random(12);
  const HostMesh mesh = randomTriangles(random, 2000, 1.0f, 0.3f);
  std::vector<Ray> rays = randomRays(random, 3000, 1.2f);
  const Answers all = bruteForce(mesh, rays);
  const float special[] = {
      NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 3e38f, -3e38f, 1e-40f};
  std::uniform_real_distribution<float> bound(-2.0f, 2.0f);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    rays[i].nearest = i % 5 == 0 ? special[random() % 8] : bound(random);
    rays[i].farthest = i % 7 == 0 ? special[random() % 8] : bound(random);
    if (i % 4 == 0)
      rays[i].nearest = all.hits[i].distance; // exactly: not a hit
    if (i % 4 == 1)
      rays[i].farthest = all.hits[i].distance; // exactly: a hit
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, DirectionsOfAnyLength)
{
  Random random(13);
  const HostMesh mesh = randomTriangles(random, 1000, 1.0f, 0.3f);
  std::vector<Ray> rays = randomRays(random, 2000, 1.2f);
  std::uniform_real_distribution<float> exponent(-44.0f, 38.0f);
  for (Ray& r : rays) {
    const float length = std::pow(10.0f, exponent(random));
    for (float& component : r.direction)
      component *= length;
  }
  expectBruteForce(mesh, rays);
}

TEST_P(RayQueryBruteForce, RaysThatHitNothing)
{
  Random random(14);
  const HostMesh mesh = octasphere(2);
  std::vector<Ray> rays;
  for (const float bad : {NAN, INFINITY, -INFINITY, 1.1e11f})
    for (int i = 0; i < 3; ++i) {
      rays.push_back(ray({0, 0, 0}, {1, 2, 3}));
      rays.back().origin[i] = bad;
      rays.push_back(ray({0, 0, 0}, {1, 2, 3}));
      if (!(std::abs(bad) < INFINITY))
        rays.back().direction[i] = bad;
      else
        rays.back().direction[0] = rays.back().direction[1] = rays.back().direction[2] =
            0.0f;
    }
  const Answers answers = ask(*sceneOf(mesh), rays);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(answers.hits[i].triangle, -1);
    EXPECT_TRUE(std::isnan(answers.hits[i].distance));
    EXPECT_TRUE(std::isnan(answers.hits[i].u));
    EXPECT_TRUE(std::isnan(answers.hits[i].v));
    EXPECT_EQ(answers.occluded[i], 0);
    EXPECT_EQ(answers.counts[i], 0);
  }
}

TEST_P(RayQueryBruteForce, CulledSides)
{
  Random random(15);
  const HostMesh mesh = randomTriangles(random, 1000, 1.0f, 0.3f);
  const std::vector<Ray> rays = randomRays(random, 1000, 1.2f);
  expectSameAnswers(ask(*sceneOf(mesh), rays, Culling::Back),
                    bruteForce(mesh, rays, Culling::Back));
  expectSameAnswers(ask(*sceneOf(mesh), rays, Culling::Front),
                    bruteForce(mesh, rays, Culling::Front));
}

TEST_P(RayQueryBruteForce, TrianglesSoSmallThatTheirAreasUnderflow)
{
  Random random(16);
  for (int exponent = -78; exponent <= -54; exponent += 3) {
    SCOPED_TRACE(exponent);
    const float scale = std::ldexp(1.0f, exponent);
    expectBruteForce(randomTriangles(random, 300, scale, 0.5f * scale),
                     randomRays(random, 600, 1.2f * scale));
  }
}

TEST_P(RayQueryBruteForce, DirectionsNextToThoseOfAxes)
{
  Random random(17);
  HostMesh mesh = randomTriangles(random, 500, 6.0f, 2.0f);
  for (int i = 0; i < 500; ++i) {
    const Vector3f corner = randomGridPoint(random, 6);
    const Vector3f b = corner + randomGridPoint(random, 1);
    mesh.addTriangle(corner, b, corner + randomGridPoint(random, 1));
  }
  const float slopes[] = {0.0f, -0.0f, 1e-45f, -1e-42f, 1e-38f, -1e-30f, 1e-20f, 1e-9f};
  std::vector<Ray> rays;
  for (int i = 0; i < 3000; ++i) {
    Vector3f direction(
        slopes[random() % 8], slopes[random() % 8], slopes[random() % 8]);
    direction[i % 3] = i % 2 == 0 ? 1.0f : -1.0f;
    rays.push_back(ray(0.5f * randomGridPoint(random, 14), direction));
  }
  expectBruteForce(mesh, rays);
}

// Rounding then moves the distances of hits by as much as triangles are long.
TEST_P(RayQueryBruteForce, RaysAlmostInThePlanesOfTriangles)
{
  Random random(18);
  std::vector<Ray> rays = randomRays(random, 40, 1.0f);
  HostMesh mesh;
  std::uniform_real_distribution<float> distance(-0.5f, 1.5f);
  for (int i = 0; i < 4000; ++i) {
    const Ray& along = rays[i % rays.size()];
    Vector3f corners[3];
    for (Vector3f& corner : corners)
      corner = Vector3f::Map(along.origin) +
               distance(random) * Vector3f::Map(along.direction) +
               randomPoint(random, i % 2 ? 1e-7f : 3e-8f);
    mesh.addTriangle(corners[0], corners[1], corners[2]);
  }
  for (int i = 0; i < 400; ++i) {
    rays.push_back(rays[i % 40]);
    rays.back().nearest = distance(random);
    rays.back().farthest = rays.back().nearest + 0.3f * distance(random);
  }
  expectBruteForce(mesh, rays);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryBruteForce);
