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

/** \brief Makes the surface of a model for pictures: small discs around its points,
 * bent to follow neighbouring points. Thin parts keep both of their sides.
 *
 * It is a little nearer to the origin, the place of the scene's camera. O(points^2).
 * \param[in] points points of the model
 * \param[in] pose maps the points to the scene
 * \param[in] is_shown returns whether the scene shows the surface at a place: then
 * discs that fit badly, at edges and thin parts, are left out
 */
vtkSmartPointer<vtkPolyData>
splatSurface(const TensorModel::Points& points,
             const Pose& pose,
             const std::function<bool(const Eigen::Vector3f&)>& is_shown);

} // namespace pcl::gpu::apps
