// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "skin_mesh.h"

#include <Eigen/Geometry>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

constexpr int columns = 24; // around the axis
constexpr int cap_rows = 8; // from a pole to where the side begins
constexpr float pi = 3.14159265f;

/** \brief Adds points and triangles of capsules to a mesh. */
class SkinBuilder {
public:
  void
  add(const TaperedCapsule& capsule)
  {
    const Vector3f a(capsule.a[0], capsule.a[1], capsule.a[2]);
    const Vector3f b(capsule.b[0], capsule.b[1], capsule.b[2]);
    if (!std::isfinite(a.sum() + b.sum() + capsule.radius_a + capsule.radius_b))
      return;
    const float length = (b - a).norm();
    const float tapering = capsule.radius_a - capsule.radius_b;
    const Vector3f axis =
        length > 0.0f ? Vector3f((b - a) / length) : Vector3f::UnitZ();
    // Seen from a or b, the angle from behind a to where the side touches both spheres.
    // Where one sphere holds the other, all of it belongs to that one.
    const float tangent =
        std::acos(std::min(1.0f, std::max(-1.0f, -tapering / std::max(length, 1e-9f))));
    const vtkIdType first = points_->GetNumberOfPoints();
    for (int row = 0; row <= cap_rows; ++row)
      addRing(a, capsule.radius_a, axis, tangent * row / cap_rows);
    for (int row = 0; row <= cap_rows; ++row)
      addRing(b, capsule.radius_b, axis, tangent + (pi - tangent) * row / cap_rows);
    for (vtkIdType row = 0; row <= 2 * cap_rows; ++row)
      for (int column = 0; column < columns; ++column)
        addQuad(first + row * columns, column);
  }

  vtkSmartPointer<vtkPolyData>
  mesh() const
  {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points_);
    data->SetPolys(triangles_);
    data->GetPointData()->SetNormals(normals_);
    return data;
  }

  SkinBuilder() { normals_->SetNumberOfComponents(3); }

private:
  void
  addRing(const Vector3f& center, float radius, const Vector3f& axis, float angle)
  {
    const Vector3f side = axis.unitOrthogonal();
    const Vector3f other = axis.cross(side);
    for (int column = 0; column < columns; ++column) {
      const float turn = 2.0f * pi * column / columns;
      const Vector3f normal =
          -std::cos(angle) * axis +
          std::sin(angle) * (std::cos(turn) * side + std::sin(turn) * other);
      const Vector3f point = center + radius * normal;
      points_->InsertNextPoint(point.data());
      normals_->InsertNextTuple(normal.data());
    }
  }

  void
  addQuad(vtkIdType ring, int column)
  {
    const int next = (column + 1) % columns;
    const vtkIdType corners[2][3] = {
        {ring + column, ring + next, ring + columns + next},
        {ring + column, ring + columns + next, ring + columns + column}};
    triangles_->InsertNextCell(3, corners[0]);
    triangles_->InsertNextCell(3, corners[1]);
  }

  vtkNew<vtkPoints> points_;
  vtkNew<vtkFloatArray> normals_;
  vtkNew<vtkCellArray> triangles_;
};

} // namespace

vtkSmartPointer<vtkPolyData>
skinMesh(const std::vector<TaperedCapsule>& capsules)
{
  SkinBuilder builder;
  for (const TaperedCapsule& capsule : capsules)
    builder.add(capsule);
  return builder.mesh();
}

} // namespace pcl::gpu::apps
