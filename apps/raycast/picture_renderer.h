// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/files/image_reader.h"
#include "mesh_reader.h"
#include "options.h"

#include <pcl/gpu/raycast/mesh_renderer.h>

#include <Eigen/Geometry>

#include <memory>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Renderer of the pictures of --image: lit meshes, on a ground if wanted. */
class PictureRenderer {
public:
  /** \brief Makes a scene of the undeformed meshes.
   * \param[in] options the user's options
   * \param[in] meshes on the current device
   */
  PictureRenderer(const RaycastOptions& options, const std::vector<InputMesh>& meshes);

  /** \brief Replaces a mesh by its deformed vertices.
   * \param[in] number of the mesh
   * \param[in] deformed its new arrays
   */
  void
  setMesh(int number, const TriangleMesh& deformed);

  /** \brief Returns the time that a picture is expected to take, seconds: measures a
   * coarse one. */
  double
  expectedSeconds(const CameraView& view, const Stream& stream);

  /** \brief Makes a picture. Its pixels are means of several finer ones.
   * \param[in] view the camera
   * \param[in] stream the queue to join
   */
  ColorImage
  render(const CameraView& view, const Stream& stream);

private:
  void
  addGround();

  void
  setMaterials(int meshes);

  void
  placeLights(const CameraView& view);

  const RaycastOptions& options_;
  std::shared_ptr<MeshScene> scene_;
  Eigen::AlignedBox3f box_; ///< of all meshes, in the world
  Eigen::Vector3f up_;
  float lowest_; ///< least height of all meshes along up_
  float radius_; ///< half the diagonal of the box
  MeshRendererParameters parameters_;
  MeshRenderer renderer_;
  DeviceArray2D<LinearColor> fine_;
};

} // namespace pcl::gpu::apps
