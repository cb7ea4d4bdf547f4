// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <vtkSmartPointer.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

class vtkProp;
class vtkRenderer;
class vtkRenderWindow;

namespace pcl {

namespace visualization {
class PCLVisualizer;
}

namespace gpu::apps {

/** \brief A window of PCL's visualizer, with its keys and mouse (h prints them, q
 * closes).
 */
class Viewer {
public:
  /** \brief Opens the window.
   * \param[in] title its title
   * \param[in] width columns
   * \param[in] height rows
   * \throws std::runtime_error if there is no display
   */
  Viewer(const std::string& title, int width, int height);

  ~Viewer();

  /** \brief Replaces the contents of the window.
   * \param[in] fill draws into the window, and into the renderer that the mouse moves
   */
  void
  show(const std::function<void(vtkRenderWindow&, vtkRenderer&)>& fill);

  /** \brief Returns whether the user has closed the window. */
  bool
  isClosed() const;

  /** \brief Waits until the user closes the window. */
  void
  waitUntilClosed();

private:
  void
  clear();

  vtkSmartPointer<vtkRenderer> main_;
  vtkSmartPointer<vtkRenderWindow> window_;
  std::unique_ptr<visualization::PCLVisualizer> visualizer_;
  std::set<vtkProp*> own_props_; // PCL's, there before the first frame
};

} // namespace gpu::apps
} // namespace pcl
