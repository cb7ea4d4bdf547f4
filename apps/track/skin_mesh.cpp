// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "skin_mesh.h"

#include "../common/view/poly_data.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

constexpr int columns = 24; // around the axis
constexpr int cap_rows = 8; // from a pole to the side
constexpr float pi = 3.14159265f;

void
addRing(const Vector3f& center,
        float radius,
        const Vector3f& axis,
        float angle,
        PolyDataBuilder& mesh)
{
  const Vector3f side = axis.unitOrthogonal();
  const Vector3f other = axis.cross(side);
  for (int column = 0; column < columns; ++column) {
    const float turn = 2.0f * pi * column / columns;
    const Vector3f normal =
        -std::cos(angle) * axis +
        std::sin(angle) * (std::cos(turn) * side + std::sin(turn) * other);
    mesh.addPoint(center + radius * normal);
    mesh.addNormal(normal);
  }
}

void
addCapsule(const TaperedCapsule& capsule, vtkIdType first, PolyDataBuilder& mesh)
{
  const Vector3f a(capsule.a[0], capsule.a[1], capsule.a[2]);
  const Vector3f b(capsule.b[0], capsule.b[1], capsule.b[2]);
  const float length = (b - a).norm();
  const float tapering = capsule.radius_a - capsule.radius_b;
  const Vector3f axis = length > 0.0f ? Vector3f((b - a) / length) : Vector3f::UnitZ();
  // Angle at a and b between the axis behind a and the circle on which the side touches
  // the sphere. A sphere that holds the other one is all of the surface.
  const float tangent =
      std::acos(std::min(1.0f, std::max(-1.0f, -tapering / std::max(length, 1e-9f))));
  for (int row = 0; row <= cap_rows; ++row)
    addRing(a, capsule.radius_a, axis, tangent * row / cap_rows, mesh);
  for (int row = 0; row <= cap_rows; ++row)
    addRing(b, capsule.radius_b, axis, tangent + (pi - tangent) * row / cap_rows, mesh);
  for (vtkIdType row = 0; row <= 2 * cap_rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const vtkIdType ring = first + row * columns, next = (column + 1) % columns;
      mesh.addCell({ring + column, ring + next, ring + columns + next});
      mesh.addCell({ring + column, ring + columns + next, ring + columns + column});
    }
}

bool
isFinite(const TaperedCapsule& capsule)
{
  float sum = capsule.radius_a + capsule.radius_b;
  for (int axis = 0; axis < 3; ++axis)
    sum += capsule.a[axis] + capsule.b[axis];
  return std::isfinite(sum);
}

} // namespace

vtkSmartPointer<vtkPolyData>
skinMesh(const std::vector<TaperedCapsule>& capsules)
{
  PolyDataBuilder mesh;
  vtkIdType first = 0;
  for (const TaperedCapsule& capsule : capsules)
    if (isFinite(capsule)) {
      addCapsule(capsule, first, mesh);
      first += 2 * (cap_rows + 1) * columns;
    }
  return mesh.data();
}

} // namespace pcl::gpu::apps
