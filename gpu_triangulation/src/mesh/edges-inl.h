// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_EDGES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_EDGES_INL_H
#undef PCL_GPU_TRIANGULATION_EDGES_INL_H
#else
#define PCL_GPU_TRIANGULATION_EDGES_INL_H
#endif

#include "mesh/quads.hpp"
#include "surface_line-inl.h"
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

template <typename Float>
PCL_GPU_ELEMENT Float
inverseDistance(const Vector3<Float>& p, const Vector3<Float>& viewpoint)
{
  const Vector3<Float> ray = p - viewpoint;
  return Float(1.0f) / squareRoot(dot(ray, ray));
}

/** \brief Whether an edge continues a surface, and whether one is known. */
template <typename Mask>
struct Continuation {
  Mask holds, is_known;
};

/** \brief Whether the edge from p to q continues the surface beyond one of its ends.
 *
 * Inverse distance is linear over the pixels of a plane, but for the second order of a
 * pixel's angle. The surface beyond an end so foretells the other end, whatever the
 * slant.
 * \param[in] beyond gives the points before p, by negative numbers of edges from p, and
 * after q, by positive ones from q; NaN if there is none
 * \param[in] tolerance square of the error that is allowed, metres
 */
template <typename Float, typename Beyond>
PCL_GPU_ELEMENT auto
continuesSurface(const Vector3<Float>& p,
                 const Vector3<Float>& q,
                 const Beyond& beyond,
                 const Vector3<Float>& viewpoint,
                 Float tolerance) -> Continuation<decltype(p.x < q.x)>
{
  const Float at_p = inverseDistance(p, viewpoint);
  const Float at_q = inverseDistance(q, viewpoint);
  constexpr int most_points = 5;
  const auto before_p = [&](int i) { return inverseDistance(beyond(-i), viewpoint); };
  const auto after_q = [&](int i) { return inverseDistance(beyond(i), viewpoint); };
  const SurfaceLine<Float> from_p = fitSurfaceLine(at_p, before_p, most_points);
  const SurfaceLine<Float> from_q = fitSurfaceLine(at_q, after_q, most_points);
  const Float at_q_off = from_p.before(1.0f) - at_q;
  const Float at_p_off = from_q.before(1.0f) - at_p;
  const Float scale = at_p * at_q;
  const Float limit = tolerance * scale * scale;
  using Mask = decltype(p.x < q.x);
  const Float least_points(3.0f);
  const Mask p_is_known = from_p.points >= least_points;
  const Mask q_is_known = from_q.points >= least_points;
  const Mask holds = (p_is_known & (at_q_off * at_q_off <= limit)) |
                     (q_is_known & (at_p_off * at_p_off <= limit));
  const Mask is_known = p_is_known | q_is_known;
  return {holds, is_known};
}

/** \brief Eq. (5): whether the edge from p to q is valid.
 *
 * The paper's |n_p . n_q| <= cos eps_n is meant as n_p . n_q >= cos eps_n, and its
 * |p - q|^2 <= T_d as |p - q| <= T_d. All tests fail on NaN.
 * \param[in] is_diagonal the triangle's other edges then decide on its length if
 * nothing is known of the surface
 * \param[in] beyond gives the points before p and after q, for continuesSurface()
 */
template <bool TestNormals, typename Float, typename Beyond>
PCL_GPU_ELEMENT auto
isEdgeValid(const Vertex<Float>& p,
            const Vertex<Float>& q,
            bool is_diagonal,
            const Beyond& beyond,
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
  auto valid = (along * along <=
                Float(thresholds.max_squared_cosine) * squared_length * dot(ray, ray)) |
               (squared_length <= lengths.tolerance);
  if (TestNormals) {
    const Vector3<Float> chord = q.normal - p.normal;
    valid = valid & (dot(chord, chord) <= Float(thresholds.max_squared_chord));
  }
  const auto is_long = squared_length > lengths.longest;
  if (!thresholds.follows_surface || !anyOf(valid & is_long))
    return valid & (squared_length <= lengths.longest);
  const auto continuation =
      continuesSurface(p.position, q.position, beyond, viewpoint, lengths.longest);
  auto follows = continuation.holds;
  if (is_diagonal)
    follows = follows | (!continuation.is_known);
  return valid & ((squared_length <= lengths.longest) | follows);
}

/** \brief QuadValidity bits of one quad, as a number of the vertices' type.
 * \param[in] point_at gives the point so many columns and rows of quads away from the
 * quad's own; NaN outside the cloud
 */
template <bool TestNormals, Cut Way, typename Float, typename PointAt>
PCL_GPU_ELEMENT Float
classifyQuad(const Vertex<Float>& own,
             const Vertex<Float>& right,
             const Vertex<Float>& down,
             const Vertex<Float>& down_right,
             const PointAt& point_at,
             const Vector3<Float>& viewpoint,
             const EdgeThresholds& thresholds)
{
  // From p, at column and row (x, y) of the quad, to q.
  const auto valid = [&](const Vertex<Float>& p,
                         const Vertex<Float>& q,
                         int x,
                         int y,
                         int dx,
                         int dy) {
    const auto beyond = [&](int edges) {
      if (edges > 0)
        ++edges; // q is one edge from p
      return point_at(x + edges * dx, y + edges * dy);
    };
    return isEdgeValid<TestNormals>(p, q, dx * dy != 0, beyond, viewpoint, thresholds);
  };
  const Float none(0.0f);
  const auto top = valid(own, right, 0, 0, 1, 0);
  const auto left = valid(own, down, 0, 0, 0, 1);
  const auto bottom = valid(down, down_right, 0, 1, 1, 0);
  const auto far = valid(right, down_right, 1, 0, 0, 1);
  if (Way == Cut::Quad)
    return select(top & left & bottom & far, Float(4.0f), none);

  const auto bits = [&](auto upper, auto lower) {
    return select(upper, Float(1.0f), none) + select(lower, Float(2.0f), none);
  };
  if (Way == Cut::Left) {
    const auto diagonal = valid(right, down, 1, 0, -1, 1);
    return bits(top & left & diagonal, bottom & far & diagonal);
  }
  if (Way == Cut::Right) {
    const auto diagonal = valid(own, down_right, 0, 0, 1, 1);
    const Float cut = bits(top & far & diagonal, left & bottom & diagonal);
    return select(cut > none, cut + Float(8.0f), none);
  }
  const auto left_diagonal = valid(right, down, 1, 0, -1, 1);
  const auto right_diagonal = valid(own, down_right, 0, 0, 1, 1);
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
