// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "reference.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

double
cross(const Vector2d& a, const Vector2d& b)
{
  return a.x() * b.y() - a.y() * b.x();
}

double
distanceToEdge(const Vector2d& a, const Vector2d& b)
{
  const Vector2d along = b - a;
  const double square = along.squaredNorm();
  const double at = square > 0.0 ? -a.dot(along) / square : 0.0;
  return (a + std::min(std::max(at, 0.0), 1.0) * along).norm();
}

} // namespace

ReferenceCast::ReferenceCast(const CameraView& view) : view_(view) {}

void
ReferenceCast::addInstance(const HostMesh& mesh, const Pose& pose)
{
  const Eigen::Isometry3d camera = view_.getPose().cast<double>();
  const Eigen::Isometry3d to_camera =
      camera.inverse() * Eigen::Isometry3d(pose.cast<double>());
  const double own_scale = std::max(camera.translation().cwiseAbs().maxCoeff(),
                                    to_camera.translation().cwiseAbs().maxCoeff());
  for (int t = 0; t < mesh.triangleCount(); ++t) {
    bool visible = true;
    double scale = own_scale;
    for (int i = 0; i < 3; ++i) {
      const int index = mesh.triangles[3 * t + i];
      Vector3d v = Vector3d::Constant(std::nan(""));
      if (index >= 0 && index < static_cast<int>(mesh.vertices.size())) {
        const Vector3d own =
            mesh.vertices[index].getVector3fMap().template cast<double>();
        v = to_camera * own;
        scale = std::max({scale, own.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff()});
      }
      visible = visible && v.allFinite() && v.cwiseAbs().maxCoeff() <= 1e11;
      corners_.push_back(v);
    }
    if (!visible)
      corners_[corners_.size() - 3].setConstant(std::nan(""));
    scales_.push_back(scale);
  }
}

Vector2d
ReferenceCast::slopes(int x, int y) const
{
  return {(x - static_cast<double>(view_.getCx())) / view_.getFx(),
          (y - static_cast<double>(view_.getCy())) / view_.getFy()};
}

Sight
ReferenceCast::examine(int triangle, int x, int y) const
{
  Sight sight;
  const Vector3d* const corners = &corners_[3 * triangle];
  if (std::isnan(corners[0].x()))
    return sight;
  const Vector2d slope = slopes(x, y);
  const double largest_slope = slope.cwiseAbs().maxCoeff();
  Vector2d p[3];
  double scale = scales_[triangle];
  for (int i = 0; i < 3; ++i) {
    const double w = view_.isOrthographic() ? 1.0 : corners[i].z();
    p[i] = corners[i].head<2>() - w * slope;
    scale = std::max(scale, largest_slope * std::abs(w));
  }
  const double tolerance = tolerance_ulps * std::ldexp(scale, -23);
  for (int axis = 0; axis < 2; ++axis)
    if (std::min({p[0][axis], p[1][axis], p[2][axis]}) > tolerance ||
        std::max({p[0][axis], p[1][axis], p[2][axis]}) < -tolerance)
      return sight;

  const double weights[3] = {cross(p[1], p[2]), cross(p[2], p[0]), cross(p[0], p[1])};
  const double area = weights[0] + weights[1] + weights[2];
  bool inside = area != 0.0;
  double distance = HUGE_VAL;
  double longest = 0.0;
  for (int i = 0; i < 3; ++i) {
    inside = inside && weights[i] * area >= 0.0;
    distance = std::min(distance, distanceToEdge(p[i], p[(i + 1) % 3]));
    longest = std::max(longest, (p[i] - p[(i + 1) % 3]).norm());
  }
  sight.may_hit = inside || distance <= tolerance;
  sight.must_hit = inside && distance > tolerance;
  // With x to the right and y down a positive area is clockwise to the eye: the back.
  const double certain_area = tolerance * longest;
  if ((culling == Culling::Back && area > certain_area) ||
      (culling == Culling::Front && area < -certain_area))
    return Sight();
  if ((culling == Culling::Back && area > -certain_area) ||
      (culling == Culling::Front && area < certain_area))
    sight.must_hit = false;

  const double z[3] = {corners[0].z(), corners[1].z(), corners[2].z()};
  sight.nearest = std::min({z[0], z[1], z[2]}) - tolerance;
  sight.farthest = std::max({z[0], z[1], z[2]}) + tolerance;
  // Seen all but edge-on, any depth within the triangle is as good as another.
  if (std::abs(area) > 16.0 * tolerance * longest) {
    const double depth =
        (weights[0] * z[0] + weights[1] * z[1] + weights[2] * z[2]) / area;
    const Vector3d e(p[1].x() - p[0].x(), p[1].y() - p[0].y(), z[1] - z[0]);
    const Vector3d f(p[2].x() - p[0].x(), p[2].y() - p[0].y(), z[2] - z[0]);
    const Vector3d normal = e.cross(f);
    const double steepness = normal.head<2>().norm() / std::abs(normal.z());
    double doubt = 2.0 * tolerance * (1.0 + steepness);
    // In slivers the products that weights are made of are much larger than the
    // weights.
    for (int i = 0; i < 3; ++i) {
      const Vector2d& q = p[(i + 1) % 3];
      const Vector2d& r = p[(i + 2) % 3];
      const double products = std::abs(q.x() * r.y()) + std::abs(q.y() * r.x());
      doubt += tolerance_ulps * std::ldexp(products, -23) * std::abs(z[i] - depth) /
               std::abs(area);
    }
    sight.nearest = std::max(sight.nearest, depth - doubt);
    sight.farthest = std::min(sight.farthest, depth + doubt);
  }
  return sight;
}

bool
ReferenceCast::admits(const Answer& answer, int x, int y) const
{
  double limit = HUGE_VAL;
  if (answer.id >= 0) {
    if (answer.id >= triangleCount() || !(answer.depth > nearest) ||
        !(answer.depth <= farthest))
      return false;
    const Sight sight = examine(answer.id, x, y);
    if (!sight.may_hit || answer.depth < sight.nearest || answer.depth > sight.farthest)
      return false;
    limit = answer.depth;
  }
  for (int i = 0; i < triangleCount(); ++i) {
    const Sight sight = examine(i, x, y);
    if (sight.must_hit && sight.nearest > nearest && sight.farthest <= farthest &&
        sight.farthest < limit)
      return false;
  }
  return true;
}

} // namespace pcl::gpu::test
