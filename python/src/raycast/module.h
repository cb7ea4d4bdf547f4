// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/raycast/mesh_renderer.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/raycast/ray_cast_images.h>

#include <vector>

namespace pcl_gpu_python {

template <>
struct Element<pcl::gpu::Ray> {
  using Number = float;
  static constexpr std::int64_t count = 8;
};

template <>
struct Element<pcl::gpu::Barycentrics> {
  using Number = float;
  static constexpr std::int64_t count = 2;
};

template <>
struct Element<pcl::gpu::TextureCoordinate> {
  using Number = float;
  static constexpr std::int64_t count = 2;
};

template <>
struct Element<pcl::gpu::LinearColor> {
  using Number = float;
  static constexpr std::int64_t count = 4;
};

/** \brief A mesh, and the arrays of Python's that it is made of. */
struct BoundMesh {
  pcl::gpu::TriangleMesh mesh;
  std::vector<nb::object> owners;
};

/** \brief A scene, and the meshes of Python's in it. */
struct BoundScene {
  pcl::gpu::MeshScene::Ptr scene = std::make_shared<pcl::gpu::MeshScene>();
  std::vector<std::vector<nb::object>> owners; ///< of each mesh
};

/** \brief Takes the triangles of a mesh: shape (n, 3), int32 or uint32. */
Input<pcl::gpu::DeviceArray<int>>
trianglesFrom(const ArrayArgument& argument, const char* name);

void
bindScenes(nb::module_& module);

void
bindCasting(nb::module_& module);

void
bindRendering(nb::module_& module);

void
bindRaycastingScene(nb::module_& module);

} // namespace pcl_gpu_python
