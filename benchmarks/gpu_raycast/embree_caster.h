// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_scene.h>

#include <memory>
#include <vector>

namespace benchmarks {

/** \brief How Embree follows a mesh that moves. */
enum class EmbreeUpdate { Rebuild, Refit };

/** \brief Casts the rays of a camera by Embree, as fast as it can: a dynamic scene over
 * the very arrays that we read too, and coherent packets of 16 rays. */
class EmbreeCaster {
public:
  /** \brief Builds the scene of a host mesh.
   * \param[in] mesh its arrays, which are shared
   * \param[in] update the way of update(): a build of low quality, or a refit
   * \param[in] threads for building and for tracing
   */
  EmbreeCaster(const pcl::gpu::TriangleMesh& mesh, EmbreeUpdate update, int threads);
  ~EmbreeCaster();

  /** \brief Follows the vertices to their present places. */
  void
  update();

  /** \brief Fills depth (NaN) and triangles (-1 where there is no hit). */
  void
  cast(const pcl::gpu::CameraView& view);

  /** \brief Depths along the camera's z axis, row by row. */
  const std::vector<float>&
  depth() const
  {
    return depth_;
  }

  /** \brief Triangle numbers, row by row. */
  const std::vector<int>&
  triangles() const
  {
    return triangles_;
  }

private:
  struct Scene;

  std::unique_ptr<Scene> scene_;
  int threads_;
  std::vector<float> depth_;
  std::vector<int> triangles_;
};

} // namespace benchmarks
