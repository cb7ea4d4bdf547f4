// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "reference.h"

#include "testing/image.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>

#include <memory>

namespace pcl::gpu::test {

/** \brief A mesh in Embree, which answers in its robust mode. */
class EmbreeScene {
public:
  /** \param[in] mesh is copied */
  explicit EmbreeScene(const HostMesh& mesh);

  ~EmbreeScene();

  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene&
  operator=(const EmbreeScene&) = delete;

  /** \return the first hit; triangle -1 if there is none */
  RayHit
  cast(const Ray& ray) const;

  /** \return whether there is any hit */
  bool
  isOccluded(const Ray& ray) const;

private:
  struct Scene;

  std::unique_ptr<Scene> scene_;
};

/** \brief Embree's answers for all pixels of a camera.
 *
 * Embree gets the triangles in the camera's frame, taken there in float64 and then
 * rounded once, and rays from the origin along (slope, slope, 1): what it answers owes
 * nothing to the code under test, and distances along its rays are depths.
 * \param[in] reference whose triangles and camera are used
 */
Image<Answer>
castByEmbree(const ReferenceCast& reference);

} // namespace pcl::gpu::test
