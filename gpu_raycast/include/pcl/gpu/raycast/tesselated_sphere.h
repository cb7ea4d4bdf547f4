// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <array>
#include <vector>

namespace pcl::gpu {

/** \brief The unit sphere around the origin as triangles of nearly one size.
 *
 * Starts from an icosahedron. Each level divides every triangle into four; new vertices
 * lie on the sphere.
 *
 * \ingroup gpu_raycast
 */
struct TesselatedSphere {
  /** \brief The finest level: 1.3 million triangles. */
  static constexpr int max_level = 8;

  /** \brief Unit vectors: 10 * 4^level + 2, those of a coarser level first. */
  std::vector<Eigen::Vector3f> vertices;
  /** \brief Vertex numbers, counterclockwise seen from outside: 20 * 4^level
   * triangles. */
  std::vector<std::array<int, 3>> triangles;
};

/** \brief Makes a tessellated sphere, the same one each time.
 * \param[in] level 0 to TesselatedSphere::max_level; 0 is the icosahedron
 * \return the sphere
 * \throws pcl::BadArgumentException naming the level
 * \ingroup gpu_raycast
 */
PCL_EXPORTS TesselatedSphere
makeTesselatedSphere(int level);

} // namespace pcl::gpu
