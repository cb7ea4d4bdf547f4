// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Core>

#include <array>
#include <vector>

namespace pcl::gpu {

/** \brief Cuts a polygon into triangles.
 *
 * The triangles are a fan around the first corner if such a fan covers the polygon, as
 * it does each convex one. Otherwise ears are clipped, in the plane across Newell's
 * normal. The number of triangles is the same for a polygon that crosses itself, has no
 * area, or has a corner that is not finite. Takes time linear in the number of corners
 * for fans, and up to quadratic for others.
 * \param[in] corners three or more, in order
 * \return numbers of corners, two triangles fewer than corners
 */
std::vector<std::array<int, 3>>
cutPolygon(const std::vector<Eigen::Vector3d>& corners);

} // namespace pcl::gpu
