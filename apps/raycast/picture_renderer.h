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

/** \brief Makes the pictures of --image: meshes, and a ground if wanted, in light. */
class PictureRenderer {
public:
  /** \brief Makes a scene of the meshes as they are at rest.
   * \param[in] options the user's options
   * \param[in] meshes on the current device
   */
  PictureRenderer(const RaycastOptions& options, const std::vector<InputMesh>& meshes);

  /** \brief Exchanges a mesh for its deformed self.
   * \param[in] number of the mesh
   * \param[in] deformed its new arrays
   */
  void
  setMesh(int number, const TriangleMesh& deformed);

  /** \brief Makes a picture, each of whose pixels is the mean of several.
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
