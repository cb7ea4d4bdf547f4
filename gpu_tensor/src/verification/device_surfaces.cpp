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

DeviceSurfaces::DeviceSurfaces(const std::vector<TensorModel>& host_models,
                               bool have_outlines)
: device(currentDevice())
, have_outlines(have_outlines)
{
  // 162 directions: of any, one of them is within ten degrees.
  const std::vector<Eigen::Vector3f> host_directions = makeTesselatedSphere(2).vertices;
  std::vector<device::ModelSurface> surfaces;
  std::vector<device::Float4> all_points, all_normals, all_beside, axes;
  std::vector<std::uint32_t> firsts{0}, numbers;
  for (const TensorModel& model : host_models) {
    VisibleSurface surface = findVisiblePoints(model.points, host_directions);
    if (have_outlines)
      findOutline(surface);
    const Eigen::Vector3f& center = surface.center;
    centers.push_back(center);
    surfaces.push_back({{center.x(), center.y(), center.z()},
                        surface.radius,
                        static_cast<int>(all_points.size()),
                        static_cast<int>(surface.points.size()),
                        surface.spacing});
    append(surface.points, all_points);
    append(surface.normals, all_normals);
    append(surface.beside, all_beside);
    for (const std::vector<std::uint32_t>& list : surface.visible) {
      numbers.insert(numbers.end(), list.begin(), list.end());
      firsts.push_back(static_cast<std::uint32_t>(numbers.size()));
      max_visible = std::max(max_visible, static_cast<int>(list.size()));
    }
  }
  append(host_directions, axes);
  upload(surfaces, models);
  upload(all_points, points);
  upload(all_normals, normals);
  upload(all_beside, beside);
  upload(axes, directions);
  upload(firsts, starts);
  upload(numbers, visible);
}

device::ModelSurfaces
DeviceSurfaces::view() const
{
  return {models.ptr(),
          static_cast<int>(models.size()),
          points.ptr(),
          normals.ptr(),
          beside.ptr(),
          directions.ptr(),
          static_cast<int>(directions.size()),
          starts.ptr(),
          visible.ptr(),
          max_visible};
}

device::ModelPose
DeviceSurfaces::aboutCenter(int model, const Pose& pose) const
{
  const Eigen::Quaternionf rotation = Eigen::Quaternionf(pose.linear()).normalized();
  const Eigen::Vector3f center = pose * centers[model];
  return {{rotation.x(), rotation.y(), rotation.z(), rotation.w()},
          {center.x(), center.y(), center.z()},
          model};
}

} // namespace pcl::gpu
