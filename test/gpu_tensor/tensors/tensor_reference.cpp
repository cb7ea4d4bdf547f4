// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor_reference.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/** \brief All p with normal . p <= offset, in a plane. */
struct HalfPlane {
  Vector2d normal; ///< a unit vector
  double offset;
};

/** \brief The half planes that a triangle and a box leave in the triangle's plane. */
class HalfPlanes {
public:
  void
  add(const Vector2d& normal, double offset)
  {
    const double length = normal.norm();
    all_[count_++] = {normal / length, offset / length};
  }

  /** \brief Area of their common part. */
  double
  area() const
  {
    std::array<Vector2d, 36> corners;
    int found = 0;
    for (int i = 0; i < count_; ++i)
      for (int j = i + 1; j < count_; ++j) {
        const Vector2d &n = all_[i].normal, &m = all_[j].normal;
        const double determinant = n.x() * m.y() - n.y() * m.x();
        if (std::abs(determinant) < 1e-13)
          continue;
        const Vector2d crossing(
            (all_[i].offset * m.y() - all_[j].offset * n.y()) / determinant,
            (n.x() * all_[j].offset - m.x() * all_[i].offset) / determinant);
        if (isInside(crossing, i, j))
          corners[found++] = crossing;
      }
    return hullArea(corners, found);
  }

private:
  bool
  isInside(const Vector2d& p, int i, int j) const
  {
    for (int k = 0; k < count_; ++k)
      if (k != i && k != j && all_[k].normal.dot(p) > all_[k].offset + 1e-10)
        return false;
    return true;
  }

  /** \brief Area of a convex polygon whose corners come in any order. */
  static double
  hullArea(std::array<Vector2d, 36>& corners, int count)
  {
    if (count < 3)
      return 0.0;
    Vector2d middle = Vector2d::Zero();
    for (int i = 0; i < count; ++i)
      middle += corners[i] / count;
    std::sort(corners.begin(),
              corners.begin() + count,
              [&middle](const Vector2d& a, const Vector2d& b) {
                return std::atan2(a.y() - middle.y(), a.x() - middle.x()) <
                       std::atan2(b.y() - middle.y(), b.x() - middle.x());
              });
    double twice = 0.0;
    for (int i = 0; i < count; ++i) {
      const Vector2d a = corners[i] - middle, b = corners[(i + 1) % count] - middle;
      twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * std::abs(twice);
  }

  std::array<HalfPlane, 9> all_;
  int count_ = 0;
};

Vector3d
vectorOf(const float* v)
{
  return Eigen::Map<const Eigen::Vector3f>(v).cast<double>();
}

} // namespace

ReferenceFrame
referenceFrame(const OrientedCloud& cloud, const PointPair& pair)
{
  const Vector3d p = vectorOf(cloud.points.data[pair.first].data);
  const Vector3d q = vectorOf(cloud.points.data[pair.second].data);
  const Vector3d n = vectorOf(cloud.normals.data[pair.first].data);
  const Vector3d m = vectorOf(cloud.normals.data[pair.second].data);
  ReferenceFrame frame;
  frame.origin = 0.5 * (p + q);
  frame.z_axis = (n + m).normalized();
  frame.height = frame.z_axis.dot(q - p);
  frame.in_order = frame.height > 0.0;
  frame.x_axis = (frame.in_order ? n.cross(m) : m.cross(n)).normalized();
  frame.y_axis = frame.z_axis.cross(frame.x_axis);
  frame.angle = std::atan2(n.cross(m).norm(), n.dot(m));
  return frame;
}

std::vector<Corners>
gridTriangles(const std::vector<PointXYZ>& points,
              const Triangles& triangles,
              const TensorFrame& frame,
              int grid_size)
{
  Eigen::Matrix3d axes;
  axes.row(0) = vectorOf(frame.x_axis);
  axes.row(1) = vectorOf(frame.y_axis);
  axes.row(2) = vectorOf(frame.z_axis);
  const Vector3d origin = vectorOf(frame.origin);
  std::vector<Corners> result;
  for (const auto& triangle : triangles) {
    Corners corners;
    bool finite = true;
    for (int i = 0; i < 3; ++i) {
      const Vector3d p = vectorOf(points[triangle[i]].data);
      corners[i] = axes * (p - origin) / static_cast<double>(frame.voxel_size) +
                   Vector3d::Constant(0.5 * grid_size);
      finite = finite && corners[i].allFinite();
    }
    if (finite)
      result.push_back(corners);
  }
  return result;
}

double
areaInBox(const Corners& triangle, const Vector3d& low, const Vector3d& high)
{
  const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  if (!(normal.norm() > 0.0))
    return 0.0;
  // Seen from the box's middle, as triangles may be far larger than the box.
  const Vector3d unit_normal = normal.normalized();
  const Vector3d middle = 0.5 * (low + high);
  const double distance = unit_normal.dot(triangle[0] - middle);
  if (std::abs(distance) > 0.5 * (high - low).norm() + 1e-9)
    return 0.0;
  const Vector3d start = middle + distance * unit_normal;
  const Vector3d e = (triangle[1] - triangle[0]).normalized();
  const Vector3d f = unit_normal.cross(e);
  HalfPlanes half_planes;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector2d slope(e[axis], f[axis]);
    if (slope.norm() < 1e-12) {
      if (start[axis] < low[axis] || start[axis] >= high[axis])
        return 0.0;
      continue;
    }
    half_planes.add(slope, high[axis] - start[axis]);
    half_planes.add(-slope, start[axis] - low[axis]);
  }
  std::array<Vector2d, 3> corners;
  for (int i = 0; i < 3; ++i)
    corners[i] = {e.dot(triangle[i] - start), f.dot(triangle[i] - start)};
  // Counter-clockwise, as f is to the left of e.
  for (int i = 0; i < 3; ++i) {
    const Vector2d edge = corners[(i + 1) % 3] - corners[i];
    const Vector2d outward(edge.y(), -edge.x());
    half_planes.add(outward, outward.dot(corners[i]));
  }
  return half_planes.area();
}

std::vector<double>
referenceAreas(const std::vector<Corners>& triangles, int grid_size)
{
  std::vector<double> areas(grid_size * grid_size * grid_size, 0.0);
  for (const Corners& triangle : triangles) {
    Eigen::Vector3i first, last;
    for (int axis = 0; axis < 3; ++axis) {
      const auto range =
          std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
      const double end = grid_size;
      first[axis] = static_cast<int>(std::clamp(std::floor(range.first), 0.0, end));
      last[axis] =
          static_cast<int>(std::clamp(std::floor(range.second), -1.0, end - 1));
    }
    for (int k = first.z(); k <= last.z(); ++k)
      for (int j = first.y(); j <= last.y(); ++j)
        for (int i = first.x(); i <= last.x(); ++i) {
          const Vector3d low(i, j, k);
          areas[(k * grid_size + j) * grid_size + i] +=
              areaInBox(triangle, low, low + Vector3d::Ones());
        }
  }
  return areas;
}

double
areaInGrid(const std::vector<Corners>& triangles, int grid_size)
{
  double sum = 0.0;
  for (const Corners& triangle : triangles)
    sum += areaInBox(triangle, Vector3d::Zero(), Vector3d::Constant(grid_size));
  return sum;
}

Triangles
connectedTriangles(const Image<PointXYZ>& points,
                   const Triangles& triangles,
                   const TensorFrame& frame,
                   int grid_size,
                   double least_area)
{
  // The least number of a triangle's vertices gives its row, as two of them are in it;
  // its column is that of the leftmost.
  const int rows = points.rows, columns = points.columns;
  std::vector<Triangles> of_quad(points.data.size());
  for (const auto& triangle : triangles) {
    int row = rows, column = columns;
    for (int number : triangle) {
      row = std::min(row, number / columns);
      column = std::min(column, number % columns);
    }
    of_quad[row * columns + column].push_back(triangle);
  }
  std::vector<bool> seen(points.data.size(), false);
  std::vector<int> waiting;
  const auto wait = [&](int row, int column) {
    if (row < 0 || row >= rows || column < 0 || column >= columns ||
        seen[row * columns + column])
      return;
    seen[row * columns + column] = true;
    waiting.push_back(row * columns + column);
  };
  for (int number : {frame.first, frame.second})
    for (int i = 0; i < 4; ++i)
      wait(number / columns - i / 2, number % columns - i % 2);
  Triangles connected;
  while (!waiting.empty()) {
    const int quad = waiting.back();
    waiting.pop_back();
    const double area = areaInGrid(
        gridTriangles(points.data, of_quad[quad], frame, grid_size), grid_size);
    if (area <= least_area)
      continue;
    connected.insert(connected.end(), of_quad[quad].begin(), of_quad[quad].end());
    for (int i = 0; i < 9; ++i)
      wait(quad / columns + i / 3 - 1, quad % columns + i % 3 - 1);
  }
  return connected;
}

} // namespace pcl::gpu::test
