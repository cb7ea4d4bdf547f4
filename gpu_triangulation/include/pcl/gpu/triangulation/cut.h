// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstdint>

namespace pcl::gpu {

/** \addtogroup gpu_triangulation_types
 * \{
 */

/** \brief Ways to cut a quad of four neighbouring pixels into polygons.
 *
 * The names and cuts are those of pcl::OrganizedFastMesh.
 */
enum class Cut {
  Left,     ///< two triangles along the diagonal from right to down, as in the paper
  Right,    ///< two triangles along the diagonal from the pixel to down-right
  Adaptive, ///< the cut that keeps more triangles, then the shorter diagonal, then Left
  Quad      ///< no cut: one polygon of four vertices
};

/** \brief Bits of OrganizedMesh::validity. */
enum QuadValidity : std::uint8_t {
  UpperTriangle = 1, ///< the triangle above the diagonal exists
  LowerTriangle = 2, ///< the triangle below the diagonal exists
  WholeQuad = 4,     ///< the uncut quad exists (Cut::Quad)
  RightCut = 8       ///< the quad is cut from the pixel to down-right
};

/** \} */

} // namespace pcl::gpu
