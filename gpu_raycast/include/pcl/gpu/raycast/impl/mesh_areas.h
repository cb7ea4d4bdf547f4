// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/kernel_containers.h>
#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/pcl_exports.h>

#include <vector>

/** \file
 * \brief Place of a mesh, and the part of it that is seen. Part of the host wrappers'
 * implementation: not for use elsewhere.
 */

namespace pcl::gpu::detail {

/** \brief The areas of a mesh's triangles. Those that are invisible have none. */
class PCL_EXPORTS MeshAreas {
public:
  /** \brief Measures no mesh. */
  MeshAreas() = default;

  /** \brief Measures a mesh. */
  explicit MeshAreas(const TriangleMesh& mesh);

  /** \brief Returns the centre of gravity of the surface; the origin if it has no
   * area. */
  Eigen::Vector3f
  center() const
  {
    return center_.cast<float>();
  }

  /** \brief Returns the largest side of the bounding box of all visible triangles,
   * metres. */
  float
  largestSide() const
  {
    return size_.maxCoeff();
  }

  /** \brief Returns square metres of all triangles. */
  double
  total() const
  {
    return total_;
  }

  /** \brief The part of the surface that belongs to triangles with a pixel in an image.
   * \param[in] triangles ids, -1 where nothing is hit
   * \param[in] first_row of the image
   * \return 0 to 1; 0 if the mesh has no area
   */
  float
  seenPart(PtrStep<const int> triangles, int first_row, int rows, int columns);

private:
  std::vector<double> areas_;
  std::vector<int> last_seen_in_; ///< number of the image, counted through
  int images_ = 0;
  double total_ = 0.0;
  Eigen::Vector3d center_ = Eigen::Vector3d::Zero();
  Eigen::Vector3f size_ = Eigen::Vector3f::Zero();
};

} // namespace pcl::gpu::detail
