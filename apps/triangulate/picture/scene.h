// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/view/picture.h"
#include "../mesh_writer.h"

namespace pcl::gpu::apps {

/** \brief Picture of a frame: the mesh from beside the sensor, and in a column its
 * depth, its normals and its triangles from close by.
 */
class Scene {
public:
  /** \brief Prepares a frame for drawing.
   * \param[in] frame the frame; must outlive the scene
   * \param[in] mesh its mesh; coloured by depth if it has no colour
   */
  Scene(const TriangulatedFrame& frame, CompactMesh mesh);

  /** \brief Draws everything into a window, the mesh into a renderer that it has.
   * \param[in,out] window the window
   * \param[in,out] main the renderer for the mesh
   */
  void
  fill(vtkRenderWindow& window, vtkRenderer& main) const;

private:
  void
  addCloseUp(vtkRenderWindow& window, const Panel& panel) const;

  const TriangulatedFrame& frame_;
  CompactMesh mesh_;
};

} // namespace pcl::gpu::apps
