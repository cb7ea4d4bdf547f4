// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/raycast/mesh_scene.h>

#include <vector>

namespace benchmarks {

/** \brief The points of a mesh that a camera sees, row by row, in the world. */
class SeenPoints {
public:
  SeenPoints(const pcl::gpu::TriangleMesh& mesh, const pcl::gpu::CameraView& view);

  /** \brief From the camera through the points and beyond. */
  std::vector<pcl::gpu::Ray>
  raysFromCamera() const;

  /** \brief From just off the points up to a light. */
  std::vector<pcl::gpu::Ray>
  raysTo(const Eigen::Vector3f& light) const;

private:
  Eigen::Vector3f eye_;
  std::vector<Eigen::Vector3f> points_;
};

} // namespace benchmarks
