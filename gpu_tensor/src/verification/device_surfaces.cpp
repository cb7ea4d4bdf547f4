// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/device_surfaces.h"
#include "verification/model_surface.h"

#include <pcl/gpu/raycast/tesselated_sphere.h>

#include <Eigen/Geometry>

#include <algorithm>

namespace pcl::gpu {

namespace {

void
append(const std::vector<Eigen::Vector3f>& from, std::vector<device::Float4>& to)
{
  for (const Eigen::Vector3f& v : from)
    to.push_back({v.x(), v.y(), v.z(), 0.0f});
}

template <typename T>
void
upload(const std::vector<T>& from, DeviceArray<T>& to)
{
  if (!from.empty())
    to.upload(from);
}

} // namespace

DeviceSurfaces::DeviceSurfaces(const std::vector<TensorModel>& models,
                               bool have_outlines)
: device_(currentDevice())
, have_outlines_(have_outlines)
{
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> surfaces;
  std::vector<device::Float4> points, normals, beside, axes;
  std::vector<std::uint32_t> starts{0}, visible;
  for (const TensorModel& model : models) {
    VisibleSurface surface = findVisiblePoints(model.points, directions);
    if (have_outlines)
      findOutline(surface);
    const Eigen::Vector3f& center = surface.center;
    centers_.push_back(center);
    surfaces.push_back({{center.x(), center.y(), center.z()},
                        surface.radius,
                        static_cast<int>(points.size()),
                        static_cast<int>(surface.points.size()),
                        surface.spacing});
    append(surface.points, points);
    append(surface.normals, normals);
    append(surface.beside, beside);
    for (const std::vector<std::uint32_t>& list : surface.visible) {
      visible.insert(visible.end(), list.begin(), list.end());
      starts.push_back(static_cast<std::uint32_t>(visible.size()));
      max_visible_ = std::max(max_visible_, static_cast<int>(list.size()));
    }
  }
  append(directions, axes);
  upload(surfaces, models_);
  upload(points, points_);
  upload(normals, normals_);
  upload(beside, beside_);
  upload(axes, directions_);
  upload(starts, starts_);
  upload(visible, visible_);
}

device::ModelSurfaces
DeviceSurfaces::view() const
{
  return {models_.ptr(),
          static_cast<int>(models_.size()),
          points_.ptr(),
          normals_.ptr(),
          beside_.ptr(),
          directions_.ptr(),
          static_cast<int>(directions_.size()),
          starts_.ptr(),
          visible_.ptr(),
          max_visible_};
}

device::ModelPose
DeviceSurfaces::aboutCenter(int model, const Pose& pose) const
{
  const Eigen::Quaternionf rotation = Eigen::Quaternionf(pose.linear()).normalized();
  const Eigen::Vector3f center = pose * centers_[model];
  return {{rotation.x(), rotation.y(), rotation.z(), rotation.w()},
          {center.x(), center.y(), center.z()},
          model};
}

} // namespace pcl::gpu
