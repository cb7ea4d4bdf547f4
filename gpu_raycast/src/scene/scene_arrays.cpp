// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene/scene_arrays.h"

#include <pcl/gpu/utils/internal/camera_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

device::MeshArrays
arraysOf(const TriangleMesh& mesh)
{
  device::MeshArrays arrays{};
  arrays.vertices = reinterpret_cast<const device::Float4*>(mesh.vertices.ptr());
  arrays.indices = mesh.triangles.ptr();
  arrays.triangle_count = mesh.triangle_count.ptr();
  arrays.normals = reinterpret_cast<const device::Float4*>(mesh.normals.ptr());
  arrays.colors = reinterpret_cast<const std::uint32_t*>(mesh.colors.ptr());
  arrays.texture_coordinates =
      reinterpret_cast<const device::Float2*>(mesh.texture_coordinates.ptr());
  arrays.vertices_size = static_cast<int>(mesh.vertices.size());
  arrays.triangles_size = static_cast<int>(mesh.triangles.size() / 3);
  return arrays;
}

} // namespace

Device
deviceOf(const MeshScene& scene)
{
  for (int i = 0; i < scene.getNumberOfMeshes(); ++i) {
    const TriangleMesh& mesh = scene.getMesh(i);
    if (!mesh.vertices.empty())
      return deviceOf(mesh.vertices);
    if (!mesh.triangles.empty())
      return deviceOf(mesh.triangles);
  }
  return currentDevice();
}

void
appendInstances(const MeshScene& scene,
                const ExactPose& world_to_rays,
                std::vector<device::Instance>& instances,
                std::uint32_t first_triangle)
{
  for (int i = 0; i < scene.getNumberOfInstances(); ++i) {
    const ExactPose pose = world_to_rays * scene.getPose(i).cast<double>();
    const device::MeshArrays mesh = arraysOf(scene.getMesh(scene.getMeshOf(i)));
    instances.push_back({mesh, rigidTransform(pose), first_triangle});
    first_triangle += static_cast<std::uint32_t>(mesh.triangles_size);
  }
}

device::View
viewOf(const CameraView& view, float nearest, float farthest, Culling culling)
{
  device::View result{};
  result.camera = {view.getFx(),
                   view.getFy(),
                   view.getCx(),
                   view.getCy(),
                   1.0f / view.getFx(),
                   1.0f / view.getFy(),
                   device::pixelOffsets(view.getWidth(), view.getCx()),
                   device::pixelOffsets(view.getHeight(), view.getCy()),
                   view.getWidth(),
                   view.getHeight(),
                   std::max(nearest, device::min_depth),
                   farthest,
                   view.isOrthographic(),
                   culling};
  result.to_world = rigidTransform(view.getPose());
  return result;
}

} // namespace pcl::gpu
