// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <Eigen/Core>

namespace pcl::gpu {

/** \brief Appearance of a surface, for MeshRenderer. The default is dull and white.
 *
 * The transparency is the part of the visible light that comes through the surface or
 * is mirrored by it by Fresnel's equations, as in glass or water. The reflectivity is
 * the part of the rest that is mirrored, as in metal. The surface scatters the
 * remainder. Highlights are added to that.
 *
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS Material {
  /** \brief Red, green, blue, 0 to 1, linear: multiplies the colours of the vertices,
   * and with them the light that comes through. */
  Eigen::Vector3f diffuse = Eigen::Vector3f::Ones();
  float specular = 0.0f; ///< strength of highlights (Blinn's), 0 to 1
  int shininess = 32;    ///< 1 to max_shininess: the more, the smaller highlights are
  float reflectivity = 0.0f; ///< 0 to 1
  float transparency = 0.0f; ///< 0 to 1
  /** \brief Inside over outside (where vertices run counterclockwise), 0.1 to 10: 1.33
   * is water, 1.5 glass. The surface should be closed. */
  float refractive_index = 1.5f;
  /** \brief True if the surface stops light, even if transparent. Else light passes
   * straight through. */
  bool casts_shadow = true;

  /** \brief Largest shininess. */
  static constexpr int max_shininess = 4096;

  /** \brief Rejects values that no material has.
   * \throws pcl::BadArgumentException naming the member and its value
   */
  void
  validate() const;
};

} // namespace pcl::gpu
