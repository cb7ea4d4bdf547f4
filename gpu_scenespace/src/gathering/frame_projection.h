// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <pcl/gpu/scenespace/scene_view.h>

namespace pcl::gpu {

/** \brief Returns the rows of a task's matrix, to write to. */
template <typename Number>
Eigen::Map<Eigen::Matrix<Number, 3, 4, Eigen::RowMajor>>
rowsOf(Number (&matrix)[3][4])
{
  return Eigen::Map<Eigen::Matrix<Number, 3, 4, Eigen::RowMajor>>(&matrix[0][0]);
}

/** \brief From (x d, y d, d, 1) of an input pixel to its point in the output camera's
 * frame.
 * \param[in] source the input frame's camera
 * \param[in] view the output camera
 */
Eigen::Matrix<double, 3, 4>
pointMatrix(const SceneView& source, const SceneView& view);

/** \brief From a point in the output camera's frame and 1 to (x d, y d, d) of an input
 * pixel: the inverse of pointMatrix().
 */
Eigen::Matrix<double, 3, 4>
pixelMatrix(const SceneView& source, const SceneView& view);

/** \brief Returns the projection of an input frame's pixels into an output camera.
 * \param[in] source the input frame's camera
 * \param[in] view the output camera
 */
device::FrameProjection
frameProjection(const SceneView& source, const SceneView& view);

} // namespace pcl::gpu
