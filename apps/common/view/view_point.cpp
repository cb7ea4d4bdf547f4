// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "view_point.h"

#include <pcl/common/angles.h>

#include <Eigen/Geometry>
#include <vtkCamera.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

// Returns the value below which a given part of all values lies.
float
quantile(std::vector<float>& values, float part)
{
  const auto at = static_cast<std::ptrdiff_t>(part * (values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

struct Extent {
  float low, high;
};

// Returns the range of a slope (x / z or y / z) as seen from a camera. Leaves out
// outliers, and points beside and behind the camera, which have no slope.
Extent
slopeExtent(const std::vector<Eigen::Vector3f>& points,
            const Eigen::Isometry3f& to_camera,
            int axis)
{
  std::vector<float> slopes;
  slopes.reserve(points.size());
  for (const Eigen::Vector3f& point : points) {
    const Eigen::Vector3f p = to_camera * point;
    if (p.z() > 0.0f)
      slopes.push_back(p[axis] / p.z());
  }
  if (slopes.empty())
    return {-0.5f, 0.5f};
  return {quantile(slopes, 0.01f), quantile(slopes, 0.99f)};
}

// Returns a camera in the usual frame: z forward, x right, y down.
Eigen::Isometry3f
lookAlong(const Eigen::Vector3f& position,
          const Eigen::Vector3f& forward,
          const Eigen::Vector3f& up)
{
  Eigen::Isometry3f to_world = Eigen::Isometry3f::Identity();
  const Eigen::Vector3f z = forward.normalized();
  const Eigen::Vector3f x = z.cross(up).normalized();
  to_world.linear() << x, z.cross(x), z;
  to_world.translation() = position;
  return to_world.inverse();
}

} // namespace

void
ViewPoint::applyTo(vtkCamera& camera) const
{
  camera.SetPosition(position.x(), position.y(), position.z());
  camera.SetFocalPoint(focal_point.x(), focal_point.y(), focal_point.z());
  camera.SetViewUp(up.x(), up.y(), up.z());
  camera.SetViewAngle(view_angle);
}

ViewPoint
besideSensor(const std::vector<Eigen::Vector3f>& points, float aspect)
{
  ViewPoint view;
  if (points.empty())
    return view;

  // Turn about the nearer part of the scene: then the background moves aside, and the
  // holes behind foreground edges open least.
  std::vector<float> depths;
  depths.reserve(points.size());
  for (const Eigen::Vector3f& point : points)
    depths.push_back(point.z());
  const float pivot_depth = quantile(depths, 0.35f);
  const Eigen::Vector3f pivot(0.0f, 0.0f, pivot_depth);

  // The sensor's own y axis stays up: turning about the true vertical would make the
  // pictures of a sensor that looks down at a table lean.
  const float aside = deg2rad(9.0f), above = deg2rad(5.0f);
  constexpr float further = 1.15f;
  const Eigen::Vector3f up = -Eigen::Vector3f::UnitY();
  Eigen::Vector3f forward = Eigen::AngleAxisf(-aside, Eigen::Vector3f::UnitY()) *
                            Eigen::AngleAxisf(-above, Eigen::Vector3f::UnitX()) *
                            Eigen::Vector3f::UnitZ();
  const Eigen::Vector3f position = pivot - further * pivot_depth * forward;

  // Aim at the middle of the visible points, then open the lens just as far as needed.
  Eigen::Isometry3f to_camera = lookAlong(position, forward, up);
  Extent x = slopeExtent(points, to_camera, 0), y = slopeExtent(points, to_camera, 1);
  forward = to_camera.linear().transpose() *
            Eigen::Vector3f(0.5f * (x.low + x.high), 0.5f * (y.low + y.high), 1.0f);
  to_camera = lookAlong(position, forward, up);
  x = slopeExtent(points, to_camera, 0);
  y = slopeExtent(points, to_camera, 1);
  constexpr float margin = 1.05f;
  const float slope =
      margin * std::max({y.high, -y.low, x.high / aspect, -x.low / aspect});

  view.position = position;
  view.focal_point = position + pivot_depth * forward.normalized();
  view.up = up;
  view.view_angle = std::clamp(rad2deg(2.0f * std::atan(slope)), 1.0f, 100.0f);
  return view;
}

} // namespace pcl::gpu::apps
