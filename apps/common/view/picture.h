// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../files/image_reader.h"

#include <functional>
#include <string>

class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief A part of a window, from 0 to 1 in each direction, counted from below. */
struct Panel {
  double left, bottom, right, top;
};

/** \brief Lights a renderer with a warm key light, a cool fill light and a weak light
 * from the camera, before a plain background.
 * \param[in,out] renderer the renderer
 */
void
lightScene(vtkRenderer& renderer);

/** \brief Shows an image in a part of a window.
 * \param[in,out] window the window
 * \param[in] panel the part
 * \param[in] image shown as large as fits
 * \return the renderer of that part; the window owns it
 */
vtkRenderer&
addImagePanel(vtkRenderWindow& window, const Panel& panel, const ColorImage& image);

/** \brief Writes a caption into the lower left corner of a renderer.
 * \param[in,out] renderer the renderer
 * \param[in] text the caption
 * \param[in] pixels height of the letters
 */
void
addCaption(vtkRenderer& renderer, const std::string& text, int pixels);

/** \brief Function that draws a scene into a window and its main renderer. Letters and
 * lines must follow the window's size, which is not the picture's. */
using FillWindow = std::function<void(vtkRenderWindow&, vtkRenderer&)>;

/** \brief Draws a picture without showing it, and writes it as PNG. Needs an XServer.
 * \param[in] fill draws the scene
 * \param[in] width columns
 * \param[in] height rows
 * \param[in] path the file
 * \throws InputError, std::runtime_error if drawing or writing fails
 */
void
writePicture(const FillWindow& fill, int width, int height, const std::string& path);

} // namespace pcl::gpu::apps
