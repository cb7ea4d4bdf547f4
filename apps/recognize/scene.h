// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "recognizer.h"

#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPolyData;
class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief Picture of a scene: its surface in grey, and the objects in colours with
 * their names. */
class Scene {
public:
  /** \brief Makes the surfaces.
   * \param[in] scene scene with the objects found
   * \param[in] library models of it
   */
  Scene(const RecognizedScene& scene, const TensorLibrary& library);

  /** \brief Draws the picture.
   * \param[in,out] window the window
   * \param[in,out] main the window's renderer
   */
  void
  fill(vtkRenderWindow& window, vtkRenderer& main) const;

private:
  struct Object {
    std::string name;
    vtkSmartPointer<vtkPolyData> surface;
    Eigen::Vector3f top; ///< place of its name
  };

  std::vector<Eigen::Vector3f> points_; ///< in the picture
  vtkSmartPointer<vtkPolyData> surface_;
  std::vector<Object> objects_;
  std::string caption_;
};

} // namespace pcl::gpu::apps
