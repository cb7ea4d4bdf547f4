// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "image_reader.h"

#include <vtkSmartPointer.h>

#include <functional>
#include <string>

class vtkRenderer;
class vtkRenderWindow;

namespace pcl::gpu::apps {

/** \brief A part of a window, from 0 to 1 in each direction, counted from below. */
struct Panel {
  double left, bottom, right, top;
};

/** \brief Lights a renderer like a photographer: one warm lamp, one cool one, a little
 * from everywhere, before a plain background.
 * \param[in,out] renderer what to light
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

/** \brief Writes a few words into the lower left corner of a renderer.
 * \param[in,out] renderer where
 * \param[in] text the words
 * \param[in] pixels height of the letters
 */
void
addCaption(vtkRenderer& renderer, const std::string& text, int pixels);

/** \brief Fills a window with what is to be seen. The window has its size, which is not
 * that of the picture: letters and lines must follow the former. */
using FillWindow = std::function<void(vtkRenderWindow&)>;

/** \brief Draws a picture without showing it, and writes it as PNG. Needs an XServer.
 * \param[in] fill draws
 * \param[in] width columns
 * \param[in] height rows
 * \param[in] path the file
 * \throws InputError, std::runtime_error if drawing or writing fails
 */
void
writePicture(const FillWindow& fill, int width, int height, const std::string& path);

} // namespace pcl::gpu::apps
