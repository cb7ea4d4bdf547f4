// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "../common/files/image_reader.h"
#include "mesh_reader.h"
#include "options.h"
#include "picture_renderer.h"

#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/point_cloud.h>

#include <memory>
#include <optional>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Images of one camera, in host memory; empty unless an output needs them. */
struct RayCastFrame {
  int width = 0;
  int height = 0;
  std::size_t hits = 0;     ///< pixels that show a triangle
  std::vector<float> depth; ///< metres; NaN without a hit
  std::vector<int> triangles;
  PointCloud<PointXYZRGBNormal> cloud; ///< in the camera's frame
  ColorImage picture;
};

/** \brief The option that shortens frames and pictures, in words. */
constexpr const char* smaller_picture = "half the --size takes a quarter of the time";

/** \brief Sequence of frames: deforms meshes, casts rays at them, and measures the
 * times. */
class RayCastSequence {
public:
  /** \brief Makes a scene of the meshes.
   * \param[in] options the user's options
   * \param[in] meshes on the current device
   * \param[in] timings receives the times of the stages
   */
  RayCastSequence(const RaycastOptions& options,
                  const std::vector<InputMesh>& meshes,
                  Timings& timings);

  /** \brief Returns the number of triangles of the scene. */
  std::size_t
  triangles() const;

  /** \brief Makes one frame.
   * \param[in] number of the frame, from 0
   * \param[in] view its camera
   */
  RayCastFrame
  run(int number, const CameraView& view);

private:
  void
  deform(int number);

  /** \brief Casts once more and measures each stage. */
  void
  timeStages(const CameraView& view);

  const RaycastOptions& options_;
  const std::vector<InputMesh>& meshes_;
  Timings& timings_;
  Stream stream_;
  bool wants_cloud_;

  std::shared_ptr<MeshScene> scene_;
  std::vector<MeshDeformation> deformations_; // one a mesh
  std::vector<TriangleMesh> deformed_;
  MeshRayCaster ray_caster_;
  RayCastImages images_;
  std::optional<PictureRenderer> picture_renderer_; // if pictures are wanted
};

} // namespace pcl::gpu::apps
