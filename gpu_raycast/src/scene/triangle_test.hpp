// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/scene.hpp"

// The test of a ray and a triangle for one of each; see ray_math-inl.h.

namespace pcl::device {

/** \brief A hit of a ray and a triangle (a, b, c). */
struct TriangleHit {
  float t; ///< along the ray, in lengths of its direction
  float u; ///< weight of b
  float v; ///< weight of c
};

/** \brief Moves a point along the plane so that a line through the origin becomes the z
 * axis. */
PCL_GPU_HOST_DEVICE PlanePoint
sheared(const Vector3& v, const PlanePoint& slopes)
{
  return sheared(v.x, v.y, v.z, slopes);
}

/** \brief A weight with the right sign, where the rounded one is 0 for p and q. */
PCL_GPU_HOST_DEVICE float
exactWeight(float rounded, const PlanePoint& p, const PlanePoint& q)
{
  return rounded != 0.0f ? rounded
                         : static_cast<float>(static_cast<double>(p.x) * q.y -
                                              static_cast<double>(p.y) * q.x);
}

/** \brief Returns whether the z axis passes through a sheared triangle, edges included.
 * \param[in] a a vertex in the plane, as \a b and \a c
 * \param[in] heights of the vertices above the plane
 * \param[out] hit where, if it does; t lies within the range of heights
 */
PCL_GPU_HOST_DEVICE bool
hitsShearedTriangle(const PlanePoint& a,
                    const PlanePoint& b,
                    const PlanePoint& c,
                    const Vector3& heights,
                    HitSides sides,
                    TriangleHit& hit)
{
  CornerWeights<float> weights = roundedWeights(a, b, c);
  if (weights.a == 0.0f || weights.b == 0.0f || weights.c == 0.0f)
    weights = {exactWeight(weights.a, b, c),
               exactWeight(weights.b, c, a),
               exactWeight(weights.c, a, b)};
  const WeightSigns<bool> signs = signsOf(weights);
  if (signs.negative == signs.positive)
    return false;
  // Not a switch: CUDA would branch for each triangle.
  if ((sides == HitSides::Front && signs.positive) ||
      (sides == HitSides::Back && signs.negative))
    return false;
  const float sum = weights.a + weights.b + weights.c;
  hit.t = heightOfHit(weights,
                      sum,
                      heights.x,
                      heights.y,
                      heights.z,
                      minimum(heights.x, minimum(heights.y, heights.z)),
                      maximum(heights.x, maximum(heights.y, heights.z)));
  hit.u = weights.b / sum;
  hit.v = weights.c / sum;
  return true;
}

} // namespace pcl::device
