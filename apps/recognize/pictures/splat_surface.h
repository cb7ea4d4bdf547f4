// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/utils/pose.h>

#include <vtkSmartPointer.h>

#include <Eigen/Core>

#include <functional>

class vtkPolyData;

namespace pcl::gpu::apps {

/** \brief The surface of a model for pictures: small discs around its points, bent so that
 * they follow the points around them. Thin parts keep both of their sides.
 *
 * It is a little nearer to the origin, where the camera of the scene is. O(points^2).
 * \param[in] points of the model
 * \param[in] pose maps them to where the surface shall be
 * \param[in] is_shown whether something else shows the surface there: discs are left out
 * where they would not fit well, at edges and thin parts
 */
vtkSmartPointer<vtkPolyData>
splatSurface(const TensorModel::Points& points,
             const Pose& pose,
             const std::function<bool(const Eigen::Vector3f&)>& is_shown);

} // namespace pcl::gpu::apps
