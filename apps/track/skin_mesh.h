// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule.h>

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <vector>

namespace pcl::gpu::apps {

/** \brief Returns the surfaces of capsules as triangles with normals.
 * \param[in] capsules capsules, of which those that are not finite are left out
 */
vtkSmartPointer<vtkPolyData>
skinMesh(const std::vector<TaperedCapsule>& capsules);

} // namespace pcl::gpu::apps
