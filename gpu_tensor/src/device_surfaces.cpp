// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "device_surfaces.h"
#include "model_surface.h"

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
  to = DeviceArray<T>();
  if (!from.empty())
    to.upload(from);
}

} // namespace

void
DeviceSurfaces::update(const TensorLibrary& library,
                       const Device& device,
                       bool have_outlines)
{
  if (device_ && *device_ == device && revision_ == library.getRevision() &&
      have_outlines_ == have_outlines)
    return;
  device_.reset();
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> models;
  std::vector<device::Float4> points, normals, beside, axes;
  std::vector<std::uint32_t> starts{0}, visible;
  centers_.clear();
  max_visible_ = 0;
  for (int i = 0; i < library.size(); ++i) {
    VisibleSurface surface = findVisiblePoints(library.getModel(i).points, directions);
    if (have_outlines)
      findOutline(surface);
    const Eigen::Vector3f& center = surface.center;
    centers_.push_back(center);
    models.push_back({{center.x(), center.y(), center.z()},
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
  upload(models, models_);
  upload(points, points_);
  upload(normals, normals_);
  upload(beside, beside_);
  upload(axes, directions_);
  upload(starts, starts_);
  upload(visible, visible_);
  revision_ = library.getRevision();
  have_outlines_ = have_outlines;
  device_ = device;
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
