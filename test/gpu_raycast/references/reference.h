// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "meshes.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <Eigen/Core>

#include <limits>
#include <ostream>
#include <vector>

namespace pcl::gpu::test {

/** \brief Answer of float64 for one ray and one triangle. */
struct Sight {
  bool may_hit = false;  ///< hit if vertices move by the tolerance in one direction
  bool must_hit = false; ///< hit however vertices move by the tolerance
  double nearest = 0.0;  ///< range of depths that such vertices have at the ray
  double farthest = 0.0;
};

/** \brief Answer of a cast for one pixel; id -1 where nothing is hit. */
struct Answer {
  int id;
  double depth;
};

inline std::ostream&
operator<<(std::ostream& stream, const Answer& answer)
{
  return stream << "triangle " << answer.id << " at depth " << answer.depth;
}

/** \brief Ray casting in float64 by brute force, with error bounds: the truth.
 *
 * Vertices are taken into the camera's frame in float64. The tolerance of a triangle at
 * a pixel is tolerance_ulps units in the last place (2^-23) of the largest number that
 * a float computation has to round on its way: coordinates in the world, of the camera,
 * in the camera's frame, and what shearing to the ray subtracts. An answer is admitted
 * if vertices moved by that much can give it, and no triangle that is hit however
 * vertices move is certainly nearer. Depths may also err by what rounding the products
 * does of which the weights of a hit are differences.
 */
class ReferenceCast {
public:
  double tolerance_ulps = 1.0;
  float nearest = 0.0f;
  float farthest = std::numeric_limits<float>::infinity();
  Culling culling = Culling::None;

  /** \brief \param[in] view one camera; \a scene must be made of the meshes below */
  explicit ReferenceCast(const CameraView& view);

  /** \brief Appends the triangles of an instance. */
  void
  addInstance(const HostMesh& mesh, const Pose& pose = Pose::Identity());

  /** \brief One triangle at one pixel. */
  Sight
  examine(int triangle, int x, int y) const;

  /** \brief Returns whether an answer is right, up to the tolerance. O(triangles). */
  bool
  admits(const Answer& answer, int x, int y) const;

  /** \brief Slopes of a pixel's ray (or the point where it starts, if orthographic). */
  Eigen::Vector2d
  slopes(int x, int y) const;

  /** \brief Vertices in the camera's frame, three a triangle; NaN if it is
   * invisible. */
  const std::vector<Eigen::Vector3d>&
  corners() const
  {
    return corners_;
  }

  const CameraView&
  view() const
  {
    return view_;
  }

  int
  triangleCount() const
  {
    return static_cast<int>(scales_.size());
  }

private:
  CameraView view_;
  std::vector<Eigen::Vector3d> corners_;
  std::vector<double> scales_; ///< largest number rounded before the camera's frame
};

} // namespace pcl::gpu::test
