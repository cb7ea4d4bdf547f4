// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "picture.h"
#include "x_server.h"

#include <vtkSmartPointer.h>

#include <memory>
#include <set>
#include <string>

class vtkProp;

namespace pcl::visualization {
class PCLVisualizer;
}

namespace pcl::gpu::apps {

/** \brief Display of a program's scenes: in the window of --view, in the pictures of
 * --screenshot, in both or not at all.
 *
 * The window is that of PCL's visualizer, with its keys and mouse (h prints them, q
 * closes).
 */
class Display {
public:
  /** \brief Opens the window, and prepares drawing without one.
   * \param[in] title title of the window
   * \param[in] view true opens a window
   * \param[in] screenshot file name of pictures; empty without pictures
   * \param[in] width columns of window and pictures
   * \param[in] height rows of window and pictures
   * \throws std::runtime_error if there is no display, or pictures cannot be drawn here
   */
  Display(const std::string& title,
          bool view,
          const std::string& screenshot,
          int width,
          int height);

  ~Display();

  /** \brief Draws a picture and writes it as PNG. Call it only with a screenshot.
   * \param[in] fill draws the scene
   * \param[in] path the file
   * \throws InputError, std::runtime_error if drawing or writing fails
   */
  void
  save(const FillWindow& fill, const std::string& path) const;

  /** \brief Replaces the contents of the window, if there is one.
   * \param[in] fill draws the scene
   */
  void
  show(const FillWindow& fill);

  /** \brief Returns whether there is a window. */
  bool
  hasWindow() const;

  /** \brief Returns whether the user has closed the window. */
  bool
  isClosed() const;

  /** \brief Waits until the user closes the window, if there is one. */
  void
  waitUntilClosed();

private:
  void
  openWindow(const std::string& title);

  void
  clearWindow();

  int width_;
  int height_;
  // In this order: windows go before the server that they are on.
  std::unique_ptr<XServer> server_;
  vtkSmartPointer<vtkRenderer> main_;
  vtkSmartPointer<vtkRenderWindow> window_;
  std::unique_ptr<visualization::PCLVisualizer> visualizer_; ///< null without a window
  std::set<vtkProp*> own_props_; ///< PCL's, which it adds before the first frame
};

} // namespace pcl::gpu::apps
