// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/image_reader.h"

#include <pcl/gpu/raycast/camera_view.h>

#include <Eigen/Core>

#include <vector>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief What a camera sees of surfaces, pixel by pixel, row by row. */
struct SurfaceImage {
  int width = 0;
  int height = 0;
  std::vector<PointXYZ> normals; ///< in the camera's frame; NaN where nothing is seen
  std::vector<RGB> colors;
};

/** \brief Lights surfaces that scatter light evenly: one lamp above left, one at the
 * camera, a little light from everywhere; before a plain background.
 * \param[in] surfaces what is seen, so many pixels for one of the picture in each direction
 * \param[in] view the camera of \a surfaces
 * \param[in] samples pixels of \a surfaces for one of the picture, in each direction
 * \return the picture, whose pixels are the mean of the samples
 */
ColorImage
shade(const SurfaceImage& surfaces, const CameraView& view, int samples);

} // namespace apps
} // namespace gpu
} // namespace pcl
