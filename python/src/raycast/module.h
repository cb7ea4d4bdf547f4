// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"
#include "common/matrices.h"

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

/** \brief Makes the rays of a camera as Open3D's create_rays_pinhole() does. */
ArrayResult<float>
raysOfMatrices(const MatrixArgument<Eigen::Matrix3f>& intrinsics,
               const PoseMatrix& extrinsics,
               int width,
               int height);

/** \brief Makes the rays of a camera that looks at a point. */
ArrayResult<float>
raysOfFieldOfView(double degrees,
                  const MatrixArgument<Eigen::Vector3f>& center,
                  const MatrixArgument<Eigen::Vector3f>& eye,
                  const MatrixArgument<Eigen::Vector3f>& up,
                  int width,
                  int height);

/** \brief An algorithm that works on a scene, which it keeps. */
template <typename Algorithm>
struct WithScene : Algorithm {
  nb::object scene_of_python; ///< a MeshScene or TriangleMesh with its arrays
};

/** \brief Adds the input of a class that works on a scene.
 * \param[in] set_scene, set_mesh comments of the header
 */
template <typename Bound>
void
defineSceneInput(nb::class_<Bound>& algorithm,
                 const char* set_scene,
                 const char* set_mesh)
{
  algorithm
      .def(
          "set_scene",
          [](Bound& self, const BoundScene& scene) {
            self.setScene(scene.scene);
            self.scene_of_python = nb::find(scene);
          },
          nb::arg("scene"),
          set_scene)
      .def(
          "set_input_mesh",
          [](Bound& self, const BoundMesh& mesh) {
            self.setInputMesh(mesh.mesh);
            self.scene_of_python = nb::find(mesh);
          },
          nb::arg("mesh"),
          set_mesh);
}

void
bindScenes(nb::module_& module);

void
bindCasting(nb::module_& module);

void
bindRendering(nb::module_& module);

void
bindPartialViews(nb::module_& module);

void
bindRaycastingScene(nb::module_& module);

} // namespace pcl_gpu_python
