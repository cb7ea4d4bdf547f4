// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_shapes.h"

#include "gpu_tensor/tensors/tensor_scenes.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace pcl::gpu::test {

using Eigen::Vector3f;

namespace {

void
addBox(HostMesh& mesh, const Vector3f& from, const Vector3f& to)
{
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back((i & 1) != 0 ? to.x() : from.x(),
                               (i & 2) != 0 ? to.y() : from.y(),
                               (i & 4) != 0 ? to.z() : from.z());
  for (int corner : {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                     2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5})
    mesh.triangles.push_back(first + corner);
}

/** \brief A triangular rib between the planes x = from.x and z = from.z. */
void
addRib(HostMesh& mesh, const Vector3f& from, const Vector3f& to)
{
  Vector3f sides[2][3];
  for (int side = 0; side < 2; ++side) {
    const float y = side == 0 ? from.y() : to.y();
    sides[side][0] = {from.x(), y, from.z()};
    sides[side][1] = {to.x(), y, from.z()};
    sides[side][2] = {from.x(), y, to.z()};
  }
  const auto& a = sides[0];
  const auto& b = sides[1];
  mesh.addTriangle(a[0], a[1], a[2]);
  mesh.addTriangle(b[0], b[2], b[1]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    mesh.addTriangle(a[j], a[i], b[i]);
    mesh.addTriangle(a[j], b[i], b[j]);
  }
}

struct Circle {
  float x, y, z, radius;
};

void
addConeStep(HostMesh& mesh, const Circle& lower, const Circle& upper)
{
  constexpr int corners = 60;
  const auto corner = [](const Circle& circle, int i) {
    const float angle = 6.28318531f * static_cast<float>(i % corners) / corners;
    return Vector3f(circle.x + circle.radius * std::cos(angle),
                    circle.y + circle.radius * std::sin(angle),
                    circle.z);
  };
  const Vector3f bottom(lower.x, lower.y, lower.z), top(upper.x, upper.y, upper.z);
  for (int i = 0; i < corners; ++i) {
    const Vector3f a = corner(lower, i), b = corner(lower, i + 1);
    const Vector3f c = corner(upper, i), d = corner(upper, i + 1);
    mesh.addTriangle(a, b, d);
    mesh.addTriangle(a, d, c);
    mesh.addTriangle(bottom, b, a);
    mesh.addTriangle(top, c, d);
  }
}

Eigen::AlignedBox3f
boxOf(const HostMesh& mesh)
{
  Eigen::AlignedBox3f box;
  for (const PointXYZ& vertex : mesh.vertices)
    box.extend(Vector3f(vertex.getVector3fMap()));
  return box;
}

} // namespace

HostMesh
shapeMesh(const std::string& name)
{
  HostMesh mesh;
  if (name == "block") {
    addBox(mesh, {0.0f, 0.0f, 0.0f}, {0.22f, 0.08f, 0.07f});
    addBox(mesh, {0.0f, 0.08f, 0.0f}, {0.08f, 0.16f, 0.07f});
  }
  else if (name == "bracket") {
    addBox(mesh, {0.0f, 0.0f, 0.0f}, {0.2f, 0.12f, 0.012f});
    addBox(mesh, {0.0f, 0.0f, 0.012f}, {0.012f, 0.12f, 0.15f});
    addRib(mesh, {0.012f, 0.03f, 0.012f}, {0.12f, 0.045f, 0.1f});
  }
  else if (name == "cone") {
    addConeStep(mesh, {0.0f, 0.0f, 0.0f, 0.09f}, {0.0f, 0.0f, 0.06f, 0.075f});
    addConeStep(mesh, {0.02f, 0.0f, 0.06f, 0.052f}, {0.02f, 0.0f, 0.13f, 0.042f});
    addConeStep(mesh, {0.03f, 0.015f, 0.13f, 0.026f}, {0.03f, 0.015f, 0.21f, 0.018f});
  }
  else if (name == "table") {
    addBox(mesh, {-0.45f, -0.45f, -0.01f}, {0.45f, 0.45f, 0.0f});
  }
  else if (name == "corner") {
    addBox(mesh, {-0.01f, -0.01f, -0.01f}, {0.9f, 0.9f, 0.0f});
    addBox(mesh, {-0.01f, -0.01f, 0.0f}, {0.9f, 0.0f, 0.9f});
    addBox(mesh, {-0.01f, 0.0f, 0.0f}, {0.0f, 0.9f, 0.9f});
  }
  else if (name == "screen") {
    addBox(mesh, {0.0f, -0.15f, 0.0f}, {0.3f, 0.15f, 0.01f});
  }
  else {
    throw std::logic_error("there is no shape " + name);
  }
  return mesh;
}

Vector3f
middleOf(const std::string& name)
{
  return boxOf(shapeMesh(name)).center();
}

MeshPoint
nearestPoint(const HostMesh& mesh, const Vector3f& to)
{
  MeshPoint nearest = {std::numeric_limits<float>::infinity(), Vector3f::Zero()};
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    Vector3f corners[3];
    for (int k = 0; k < 3; ++k)
      corners[k] = mesh.vertices[mesh.triangles[i + k]].getVector3fMap();
    const Vector3f normal =
        (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    // Above the triangle it is the foot point, else the nearest point of a side.
    bool is_above = true;
    float distance = std::numeric_limits<float>::infinity();
    for (int k = 0; k < 3; ++k) {
      const Vector3f a = corners[k], side = corners[(k + 1) % 3] - a;
      is_above = is_above && normal.cross(side).dot(to - a) >= 0.0f;
      const float along =
          std::min(std::max(side.dot(to - a) / side.squaredNorm(), 0.0f), 1.0f);
      distance = std::min(distance, (a + along * side - to).norm());
    }
    if (is_above)
      distance = std::abs(normal.dot(to - corners[0]));
    if (distance < nearest.distance)
      nearest = {distance, normal};
  }
  return nearest;
}

TensorParameters
shapeParameters()
{
  return recognitionParameters(0.0035f);
}

PoseDifference
poseDifference(const std::string& name, const Pose& a, const Pose& b)
{
  const Vector3f middle = middleOf(name);
  const Eigen::Matrix3d turn = (a.linear().transpose() * b.linear()).cast<double>();
  return {(a * middle - b * middle).norm(),
          static_cast<float>(Eigen::AngleAxisd(turn).angle())};
}

Pose
poseAt(const std::string& name, const Vector3f& middle, std::uint32_t seed)
{
  Pose pose = Pose::Identity();
  pose.linear() = randomRotation(seed).cast<float>();
  pose.translation() = middle - pose.linear() * middleOf(name);
  return pose;
}

} // namespace pcl::gpu::test
