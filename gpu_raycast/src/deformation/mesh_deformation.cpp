// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "deformation/deformation.hpp"

#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>

namespace pcl::gpu {

void
MeshDeformationParameters::validate() const
{
  checkEnumerator("kind of deformation", kind, Deformation::Noise);
  checkArgument(center.allFinite(), "center", center.transpose(), "finite numbers");
  checkPositive("radius", radius);
  checkBetween("strength", strength, 0.0f, 10.0f, "0 to 10");
}

void
MeshDeformation::compute(const TriangleMesh& rest,
                         float phase,
                         TriangleMesh& deformed,
                         const Stream& stream) const
{
  checkArgument(std::isfinite(phase), "phase", phase, "a finite number");
  checkArgument(rest.normals.empty() || rest.normals.size() == rest.vertices.size(),
                "number of normals",
                rest.normals.size(),
                "one for each vertex, or none");
  checkApart("the mesh's vertices", rest.vertices, deformed.vertices);
  checkApart("the mesh's normals", rest.normals, deformed.normals);
  const Device device = deviceOf(rest.vertices);
  checkDevice("normals", rest.normals, "vertices", device);
  const ScopedDevice scope(device);

  deformed.triangles = rest.triangles;
  deformed.triangle_count = rest.triangle_count;
  deformed.colors = rest.colors;
  deformed.texture_coordinates = rest.texture_coordinates;
  createOn(device, deformed.vertices, rest.vertices.size());
  createOn(device, deformed.normals, rest.normals.size());

  using device::Float4;
  device::DeformationTask task{};
  const Eigen::Vector3f& center = parameters_.center;
  task.kind = static_cast<device::DeformationKind>(parameters_.kind);
  task.center = {center.x(), center.y(), center.z()};
  task.radius = parameters_.radius;
  task.strength = parameters_.strength;
  // Whole cycles change nothing, and sines of large numbers are less exact.
  task.phase = phase - std::floor(phase);
  task.vertices = reinterpret_cast<const Float4*>(rest.vertices.ptr());
  task.normals = reinterpret_cast<const Float4*>(rest.normals.ptr());
  task.deformed_vertices = reinterpret_cast<Float4*>(deformed.vertices.ptr());
  task.deformed_normals = reinterpret_cast<Float4*>(deformed.normals.ptr());
  parallelFor(device, rest.vertices.size(), device::DeformVertices{task}, stream);
}

} // namespace pcl::gpu
