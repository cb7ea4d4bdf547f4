// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "meshes.h"

#include "common/devices.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace pcl::gpu::test {

using Eigen::Vector3f;

namespace {

PointXYZ
asPoint(const Vector3f& v)
{
  return {v.x(), v.y(), v.z()};
}

/** \brief Triangles that know their vertices by position: equal ones become one. */
class SharedVertices {
public:
  int
  add(const Vector3f& v)
  {
    const std::array<float, 3> key = {v.x(), v.y(), v.z()};
    const auto found = numbers_.emplace(key, static_cast<int>(mesh.vertices.size()));
    if (found.second)
      mesh.vertices.push_back(asPoint(v));
    return found.first->second;
  }

  void
  addTriangle(const Vector3f& a, const Vector3f& b, const Vector3f& c)
  {
    for (const Vector3f& v : {a, b, c})
      mesh.triangles.push_back(add(v));
  }

  HostMesh mesh;

private:
  std::map<std::array<float, 3>, int> numbers_;
};

/** \brief Splits each triangle in four, again and again, with new vertices at length
 * 1. */
HostMesh
subdividedSphere(HostMesh mesh, int subdivisions)
{
  for (int i = 0; i < subdivisions; ++i) {
    const std::size_t first_new = mesh.vertices.size();
    mesh = quadrupled(mesh);
    for (std::size_t v = first_new; v < mesh.vertices.size(); ++v)
      mesh.vertices[v].getVector3fMap().normalize();
  }
  return mesh;
}

/** \brief One kind of random triangle of a soup. */
std::array<Vector3f, 3>
randomTriangle(std::mt19937& random, const HostMesh& before)
{
  const auto uniform = [&](float from, float to) {
    return std::uniform_real_distribution<float>(from, to)(random);
  };
  const auto pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  // Coordinates one by one: compilers evaluate arguments in different orders.
  const auto inFront = [&](float least_z, float most_z) {
    const float z = uniform(least_z, most_z);
    const float y = uniform(-1.2f, 1.2f), x = uniform(-1.2f, 1.2f);
    return Vector3f(x * z, y * z, z);
  };
  const auto around = [&](const Vector3f& center, float size) -> Vector3f {
    const float z = uniform(-1, 1), y = uniform(-1, 1), x = uniform(-1, 1);
    return center + size * Vector3f(x, y, z);
  };
  const Vector3f a = inFront(1.0f, 10.0f);
  const Vector3f b = around(a, 2.0f);
  switch (pick(12)) {
  case 0: // degenerate: a point
    return {a, a, a};
  case 1: // degenerate: a line, or all but one
    return {a, b, a + uniform(-1.0f, 2.0f) * (b - a)};
  case 2: // one that exists
    if (!before.triangles.empty()) {
      const int copied = pick(before.triangleCount());
      std::array<Vector3f, 3> copy;
      for (int i = 0; i < 3; ++i)
        copy[i] = before.vertices[before.triangles[3 * copied + i]].getVector3fMap();
      return copy;
    }
    return {a, b, around(a, 2.0f)};
  case 3: { // huge
    const float size = std::pow(10.0f, uniform(2.0f, 6.0f));
    return {around(a, size), around(a, size), around(a, size)};
  }
  case 4: { // tiny
    const float size = std::pow(10.0f, uniform(-6.0f, -2.0f));
    return {a, around(a, size), around(a, size)};
  }
  case 5: { // aligned to an axis, at a round coordinate that others share
    const int axis = pick(3);
    std::array<Vector3f, 3> flat = {a, b, around(a, 3.0f)};
    const float level = axis == 2 ? 2.0f + pick(4) : 0.5f * (pick(5) - 2);
    for (Vector3f& v : flat)
      v[axis] = level;
    return flat;
  }
  case 6: { // of a common slanted plane
    std::array<Vector3f, 3> coplanar = {a, b, around(a, 3.0f)};
    for (Vector3f& v : coplanar)
      v.z() = 5.0f + 0.25f * v.x() - 0.5f * v.y();
    return coplanar;
  }
  case 7: // across the camera's plane
    return {inFront(0.5f, 5.0f), around(Vector3f::Zero(), 3.0f), inFront(-5.0f, -0.1f)};
  case 8: // behind the camera
    return {inFront(-9.0f, -1.0f), inFront(-9.0f, -1.0f), inFront(-9.0f, -1.0f)};
  case 9: // a sliver
    return {a, b, around(b, 1e-3f)};
  case 10: // with a vertex of one that exists
    return {
        before.vertices.empty()
            ? a
            : Vector3f(before.vertices[pick(static_cast<int>(before.vertices.size()))]
                           .getVector3fMap()),
        b,
        around(a, 2.0f)};
  default:
    return {a, b, around(a, 2.0f)};
  }
}

} // namespace

MeshScene::Ptr
sceneOf(const HostMesh& mesh, const Pose& pose)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(mesh)), pose);
  return scene;
}

HostMesh
triangle(const Vector3f& a, const Vector3f& b, const Vector3f& c)
{
  HostMesh mesh;
  mesh.addTriangle(a, b, c);
  return mesh;
}

HostMesh
wall(float left, float right, float top, float bottom, float z)
{
  HostMesh mesh;
  mesh.vertices = {
      {left, top, z}, {right, top, z}, {right, bottom, z}, {left, bottom, z}};
  mesh.triangles = {0, 2, 1, 0, 3, 2};
  return mesh;
}

HostMesh
icosphere(int subdivisions, float radius, const Vector3f& center)
{
  const float g = 0.5f * (1.0f + std::sqrt(5.0f));
  HostMesh mesh;
  mesh.vertices = {{-1, g, 0},
                   {1, g, 0},
                   {-1, -g, 0},
                   {1, -g, 0},
                   {0, -1, g},
                   {0, 1, g},
                   {0, -1, -g},
                   {0, 1, -g},
                   {g, 0, -1},
                   {g, 0, 1},
                   {-g, 0, -1},
                   {-g, 0, 1}};
  for (PointXYZ& vertex : mesh.vertices)
    vertex.getVector3fMap().normalize();
  // The faces are the triples of vertices at the length of an edge.
  const auto at = [&](int i) { return mesh.vertices[i].getVector3fMap(); };
  const float edge = 1.1f * (at(0) - at(1)).norm();
  const auto near = [&](int i, int j) { return (at(i) - at(j)).norm() < edge; };
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k)
        if (near(i, j) && near(j, k) && near(k, i)) {
          const bool outwards = at(i).dot(at(j).cross(at(k))) > 0.0f;
          mesh.triangles.insert(mesh.triangles.end(),
                                {i, outwards ? j : k, outwards ? k : j});
        }
  mesh = subdividedSphere(mesh, subdivisions);
  mesh.normals = mesh.vertices;
  for (PointXYZ& vertex : mesh.vertices)
    vertex = asPoint(center + radius * vertex.getVector3fMap());
  return mesh;
}

HostMesh
octasphere(int subdivisions)
{
  HostMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (float sign : {1.0f, -1.0f})
      mesh.vertices.push_back(asPoint(sign * Vector3f::Unit(axis)));
  for (int octant = 0; octant < 8; ++octant) {
    const int x = octant & 1, y = 2 + (octant >> 1 & 1), z = 4 + (octant >> 2);
    // From outside counterclockwise: an odd number of mirrorings turns it around.
    const bool turned = ((octant ^ octant >> 1 ^ octant >> 2) & 1) != 0;
    mesh.triangles.insert(mesh.triangles.end(), {x, turned ? z : y, turned ? y : z});
  }
  return subdividedSphere(mesh, subdivisions);
}

HostMesh
gridCube(int cells)
{
  SharedVertices cube;
  for (int axis = 0; axis < 3; ++axis)
    for (float side : {-1.0f, 1.0f}) {
      const auto at = [&](int i, int j) {
        Vector3f v;
        v[axis] = side;
        v[(axis + 1) % 3] = static_cast<float>(2 * i - cells) / cells;
        v[(axis + 2) % 3] = static_cast<float>(2 * j - cells) / cells;
        return v;
      };
      for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
          const Vector3f corners[4] = {
              at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
          const int b = side > 0.0f ? 1 : 3;
          cube.addTriangle(corners[0], corners[b], corners[2]);
          cube.addTriangle(corners[0], corners[2], corners[4 - b]);
        }
    }
  return cube.mesh;
}

HostMesh
randomSoup(unsigned int seed, int triangles)
{
  std::mt19937 random(seed);
  HostMesh soup;
  for (int i = 0; i < triangles; ++i) {
    const auto corners = randomTriangle(random, soup);
    soup.addTriangle(corners[0], corners[1], corners[2]);
  }
  return soup;
}

Pose
randomPose(unsigned int seed, float distance)
{
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const auto vector = [&] {
    const float z = normal(random), y = normal(random), x = normal(random);
    return Vector3f(x, y, z);
  };
  const Vector3f imaginary = vector();
  Pose pose = Pose::Identity();
  pose.linear() =
      Eigen::Quaternionf(normal(random), imaginary.x(), imaginary.y(), imaginary.z())
          .normalized()
          .toRotationMatrix();
  pose.translation() = distance * vector().normalized();
  return pose;
}

HostMesh
loadMesh(const std::string& name)
{
  return readMesh(dataPath("meshes/" + name));
}

} // namespace pcl::gpu::test
