// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene.hpp"

// The test of a ray and a triangle of Woop, Benthin and Wald (Watertight Ray/Triangle
// Intersection, JCGT 2013). The vertices are sheared so that the ray becomes the z axis;
// what is left is whether the origin lies in a triangle in the plane. Each vertex is
// sheared alike in all triangles that share it, and the sign of an edge function of two
// rounded points is always that of its exact value: the products round monotonously, and
// where they come out equal, double precision tells them apart. So the plane's rounded
// triangles fit without gaps.

namespace pcl::device {

/** \brief What a ray may hit: the order of gpu::Culling. */
enum class HitSides : int { Both, Front, Back };

/** \brief A hit of a ray and a triangle (a, b, c). */
struct TriangleHit {
  float t; ///< along the ray, in lengths of its direction
  float u; ///< weight of b
  float v; ///< weight of c
};

struct PlanePoint {
  float x, y;
};

/** \brief Twice the area of (origin, p, q); 0 may stand for a number near 0. */
PCL_GPU_HOST_DEVICE float
edgeFunction(const PlanePoint& p, const PlanePoint& q)
{
  return roundedArea(p.x, p.y, q.x, q.y);
}

/** \brief The same with the right sign, for where edgeFunction() is 0. */
PCL_GPU_HOST_DEVICE float
exactEdgeFunction(const PlanePoint& p, const PlanePoint& q)
{
  return static_cast<float>(static_cast<double>(p.x) * q.y -
                            static_cast<double>(p.y) * q.x);
}

/** \brief Whether the z axis passes through a sheared triangle, edges included.
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
  float weight_a = edgeFunction(b, c);
  float weight_b = edgeFunction(c, a);
  float weight_c = edgeFunction(a, b);
  if (weight_a == 0.0f || weight_b == 0.0f || weight_c == 0.0f) {
    weight_a = weight_a == 0.0f ? exactEdgeFunction(b, c) : weight_a;
    weight_b = weight_b == 0.0f ? exactEdgeFunction(c, a) : weight_b;
    weight_c = weight_c == 0.0f ? exactEdgeFunction(a, b) : weight_c;
  }
  const bool some_negative = weight_a < 0.0f || weight_b < 0.0f || weight_c < 0.0f;
  const bool some_positive = weight_a > 0.0f || weight_b > 0.0f || weight_c > 0.0f;
  // Both: outside. Neither: the ray lies in the triangle's plane.
  if (some_negative == some_positive)
    return false;
  // With x to the right and y down, clockwise as the eye sees it is positive.
  if ((sides == HitSides::Front && some_positive) ||
      (sides == HitSides::Back && some_negative))
    return false;
  const float sum = weight_a + weight_b + weight_c;
  hit.t = heightOfHit(weight_a,
                      weight_b,
                      weight_c,
                      sum,
                      heights.x,
                      heights.y,
                      heights.z,
                      lesser(heights.x, lesser(heights.y, heights.z)),
                      greater(heights.x, greater(heights.y, heights.z)));
  hit.u = weight_b / sum;
  hit.v = weight_c / sum;
  return true;
}

} // namespace pcl::device
