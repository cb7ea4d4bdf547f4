// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu {

/** \brief The points x with n x <= d.
 *
 * \ingroup gpu_scenespace
 */
struct HalfSpace {
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ(); ///< n, of any length but 0
  float distance = 0.0f; ///< d, metres where n has a length of 1
};

/** \brief The query volume V(p) of an output pixel: a part of the scene, whose samples
 * are the pixel's.
 *
 * A frustum has all that the pixel sees. The other volumes lie about the pixel's own
 * point, which follows from a depth of the pixel, in metres along the axes of the
 * output camera: x to the right, y down, z forward. Their surfaces belong to them.
 *
 * Section 4.2 of Klose et al. 2015 has boxes for the L1 distance. That has octahedra,
 * of eight half-spaces |x| + |y| + |z| <= d; boxes are those of the largest coordinate.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS QueryVolume {
public:
  /** \brief Kinds of volumes. */
  enum class Shape {
    Frustum,    ///< a QueryFrustum
    Polyhedron, ///< intersection of half-spaces
    Sphere      ///< a ball
  };

  /** \brief The most half-spaces of a polyhedron. */
  static constexpr int max_half_spaces = 16;

  /** \brief A frustum 3 pixels wide and of any depth. */
  QueryVolume() = default;

  /** \brief Makes the volume that the pixel and its surroundings see.
   * \param[in] frustum its width and its depths
   * \return the volume
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  static QueryVolume
  frustum(const QueryFrustum& frustum);

  /** \brief A box around the pixel's point: a polyhedron of six half-spaces.
   * \param[in] half_size half of its edges' lengths along x, y and z, metres, above 0
   * \return the volume
   * \throws pcl::BadArgumentException naming the half that is not a positive number, or
   * if one is less than a hundred-thousandth of another
   */
  static QueryVolume
  box(const Eigen::Vector3f& half_size);

  /** \brief A ball around the pixel's point.
   * \param[in] radius metres, above 0
   * \return the volume
   * \throws pcl::BadArgumentException if \a radius is not a positive number
   */
  static QueryVolume
  sphere(float radius);

  /** \brief A convex polyhedron about the pixel's point or beside it.
   * \param[in] half_spaces 4 to max_half_spaces, whose points in common are the volume
   * \return the volume
   * \throws pcl::BadArgumentException naming the fault: too few half-spaces or too
   * many, a normal or a distance that is none, no points in common, or nothing thicker
   * than a hundred-thousandth of the largest distance, points in common without end
   */
  static QueryVolume
  polyhedron(const std::vector<HalfSpace>& half_spaces);

  /** \return the kind of volume */
  Shape
  getShape() const;

  /** \return the frustum; one of the default if it is another volume */
  const QueryFrustum&
  getFrustum() const
  {
    return frustum_;
  }

  /** \return of a polyhedron; none if it is another volume */
  const std::vector<HalfSpace>&
  getHalfSpaces() const
  {
    return half_spaces_;
  }

  /** \return metres, of a sphere; 0 if it is another volume */
  float
  getRadius() const
  {
    return radius_;
  }

private:
  Shape shape_ = Shape::Frustum;
  QueryFrustum frustum_;
  std::vector<HalfSpace> half_spaces_;
  float radius_ = 0.0f;
};

} // namespace pcl::gpu
