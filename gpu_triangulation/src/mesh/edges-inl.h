// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_EDGES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_EDGES_INL_H
#undef PCL_GPU_TRIANGULATION_EDGES_INL_H
#else
#define PCL_GPU_TRIANGULATION_EDGES_INL_H
#endif

#include "mesh/quads.hpp"
#include "vector-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A vertex that edges are tested at. */
template <typename Float>
struct Vertex {
  Vector3<Float> position;
  Vector3<Float> normal;
};

/** \brief Squares of the lengths that one edge is compared with. */
template <typename Float>
struct SquaredLengths {
  Float tolerance; ///< up to this the angle to the line of sight does not matter
  Float longest;
};

/** \brief a |a|: the square of a length; of one below 0 a number that none is below. */
template <typename Float>
PCL_GPU_ELEMENT Float
signedSquare(Float a)
{
  return a * absolute(a);
}

/** \brief The limits for the edge from p to q, where they depend on its distance. */
template <typename Float>
PCL_GPU_ELEMENT SquaredLengths<Float>
lengthsAtDistance(const Vector3<Float>& p,
                  const Vector3<Float>& q,
                  const Vector3<Float>& ray,
                  const EdgeThresholds& thresholds)
{
  const LengthGrowth& growth = thresholds.growth;
  const Float d =
      growth.depth_is_distance ? maximum(p.z, q.z) : squareRoot(dot(ray, ray));
  const Float longest = mulAdd(mulAdd(Float(growth.squared), d, Float(growth.linear)),
                               d,
                               Float(thresholds.max_length));
  const Float tolerance = Float(thresholds.distance_tolerance) *
                          (growth.tolerance_grows ? d * d : Float(1.0f));
  return {signedSquare(tolerance), signedSquare(longest)};
}

/** \brief Eq. (5): whether the edge from p to q is valid.
 *
 * The paper's |n_p . n_q| <= cos eps_n is meant as n_p . n_q >= cos eps_n, and its
 * |p - q|^2 <= T_d as |p - q| <= T_d. All tests fail on NaN.
 */
template <bool TestNormals, typename Float>
PCL_GPU_ELEMENT auto
isEdgeValid(const Vertex<Float>& p,
            const Vertex<Float>& q,
            const Vector3<Float>& viewpoint,
            const EdgeThresholds& thresholds) -> decltype(p.position.x < q.position.x)
{
  const Vector3<Float> edge = q.position - p.position;
  const Vector3<Float> ray = p.position - viewpoint;
  const Float along = dot(edge, ray);
  const Float squared_length = dot(edge, edge);
  SquaredLengths<Float> lengths{Float(thresholds.squared_length_tolerance),
                                Float(thresholds.max_squared_length)};
  if (thresholds.by_distance)
    lengths = lengthsAtDistance(p.position, q.position, ray, thresholds);
  auto valid = ((along * along <= Float(thresholds.max_squared_cosine) *
                                      squared_length * dot(ray, ray)) |
                (squared_length <= lengths.tolerance)) &
               (squared_length <= lengths.longest);
  if (TestNormals) {
    const Vector3<Float> chord = q.normal - p.normal;
    valid = valid & (dot(chord, chord) <= Float(thresholds.max_squared_chord));
  }
  return valid;
}

/** \brief QuadValidity bits of one quad, as a number of the vertices' type. */
template <bool TestNormals, Cut Way, typename Float>
PCL_GPU_ELEMENT Float
classifyQuad(const Vertex<Float>& own,
             const Vertex<Float>& right,
             const Vertex<Float>& down,
             const Vertex<Float>& down_right,
             const Vector3<Float>& viewpoint,
             const EdgeThresholds& thresholds)
{
  const auto valid = [&](const Vertex<Float>& p, const Vertex<Float>& q) {
    return isEdgeValid<TestNormals>(p, q, viewpoint, thresholds);
  };
  const Float none(0.0f);
  const auto top = valid(own, right);
  const auto left = valid(own, down);
  const auto bottom = valid(down, down_right);
  const auto far = valid(right, down_right);
  if (Way == Cut::Quad)
    return select(top & left & bottom & far, Float(4.0f), none);

  const auto bits = [&](auto upper, auto lower) {
    return select(upper, Float(1.0f), none) + select(lower, Float(2.0f), none);
  };
  if (Way == Cut::Left) {
    const auto diagonal = valid(right, down);
    return bits(top & left & diagonal, bottom & far & diagonal);
  }
  if (Way == Cut::Right) {
    const auto diagonal = valid(own, down_right);
    const Float cut = bits(top & far & diagonal, left & bottom & diagonal);
    return select(cut > none, cut + Float(8.0f), none);
  }
  const auto left_diagonal = valid(right, down);
  const auto right_diagonal = valid(own, down_right);
  const Float left_cut = bits(top & left & left_diagonal, bottom & far & left_diagonal);
  const Float right_cut =
      bits(top & far & right_diagonal, left & bottom & right_diagonal);
  const auto polygons = [&](Float cut) {
    return select(
        cut > Float(2.0f), Float(2.0f), select(cut > none, Float(1.0f), none));
  };
  const Float in_left = polygons(left_cut);
  const Float in_right = polygons(right_cut);
  const Vector3<Float> left_edge = down.position - right.position;
  const Vector3<Float> right_edge = down_right.position - own.position;
  const auto prefer_right = (in_right > in_left) |
                            ((in_right >= in_left) & (in_right > none) &
                             (dot(right_edge, right_edge) < dot(left_edge, left_edge)));
  return select(prefer_right, right_cut + Float(8.0f), left_cut);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
