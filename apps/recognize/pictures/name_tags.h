// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/view/view_point.h"

#include <array>
#include <string>
#include <vector>

class vtkRenderer;

namespace pcl::gpu::apps {

/** \brief Name of a thing in a picture. */
struct NameTag {
  std::string text;
  Eigen::Vector3f place; ///< the tag is above it
  std::array<double, 3> color;
};

/** \brief Writes names above things. None covers another one in the given view. They
 * stay with their things when the camera moves.
 * \param[in,out] renderer the renderer
 * \param[in] tags any number of names
 * \param[in] view the camera
 * \param[in] width of the renderer, pixels
 * \param[in] height of the renderer, pixels
 * \param[in] letters height of letters, pixels
 */
void
addNameTags(vtkRenderer& renderer,
            const std::vector<NameTag>& tags,
            const ViewPoint& view,
            int width,
            int height,
            int letters);

} // namespace pcl::gpu::apps
