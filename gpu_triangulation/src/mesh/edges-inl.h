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

/** \brief The limits for the edge from p to q. */
template <typename Float>
PCL_GPU_ELEMENT SquaredLengths<Float>
lengthsOf(const Vector3<Float>& p,
          const Vector3<Float>& q,
          const Vector3<Float>& ray,
          const EdgeThresholds& thresholds)
{
  if (!thresholds.by_distance)
    return {Float(thresholds.squared_length_tolerance),
            Float(thresholds.max_squared_length)};
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
 * \param[in] needed whether the result counts
 * \param[in] point_at gives the points of the line through the edge, p's by 0 and q's
 * by 1; NaN outside the cloud
 * \param[in] tolerance square of the error that is allowed, metres
 */
template <typename Float, typename Mask, typename PointAt>
PCL_GPU_ELEMENT Continuation<Mask>
continuesSurface(const Mask& needed,
                 const PointAt& point_at,
                 const Vector3<Float>& viewpoint,
                 Float tolerance)
{
  constexpr int most_points = 5;
  const auto before_p = [&](int i) { return inverseDistance(point_at(-i), viewpoint); };
  const auto after_q = [&](int i) {
    return inverseDistance(point_at(1 + i), viewpoint);
  };
  const Float at_p = before_p(0);
  const Float at_q = after_q(0);
  const Float scale = at_p * at_q;
  const Float limit = tolerance * scale * scale;
  const Float least_points(3.0f);
  const SurfaceLine<Float> from_p = fitSurfaceLine(at_p, before_p, most_points);
  const Float at_q_off = from_p.before(1.0f) - at_q;
  const Mask p_is_known = from_p.points >= least_points;
  const Mask p_holds = p_is_known & (at_q_off * at_q_off <= limit);
  if (!anyOf(needed & !p_holds))
    return {p_holds, p_is_known};
  const SurfaceLine<Float> from_q = fitSurfaceLine(at_q, after_q, most_points);
  const Float at_p_off = from_q.before(1.0f) - at_p;
  const Mask q_is_known = from_q.points >= least_points;
  const Mask q_holds = q_is_known & (at_p_off * at_p_off <= limit);
  const Mask holds = p_holds | q_holds;
  const Mask is_known = p_is_known | q_is_known;
  return {holds, is_known};
}

/** \brief Result of eq. (5) for an edge. */
template <typename Mask>
struct EdgeTest {
  Mask is_valid;
  Mask is_long; ///< valid but for its length
};

/** \brief Eq. (5): tests the edge from p to q.
 *
 * The paper's |n_p . n_q| <= cos eps_n is meant as n_p . n_q >= cos eps_n, and its
 * |p - q|^2 <= T_d as |p - q| <= T_d. All tests fail on NaN.
 */
template <bool TestNormals, typename Float>
PCL_GPU_ELEMENT auto
testEdge(const Vertex<Float>& p,
         const Vertex<Float>& q,
         const Vector3<Float>& viewpoint,
         const EdgeThresholds& thresholds)
    -> EdgeTest<decltype(p.position.x < q.position.x)>
{
  const Vector3<Float> edge = q.position - p.position;
  const Vector3<Float> ray = p.position - viewpoint;
  const Float along = dot(edge, ray);
  const Float squared_length = dot(edge, edge);
  const SquaredLengths<Float> lengths =
      lengthsOf(p.position, q.position, ray, thresholds);
  auto valid = (along * along <=
                Float(thresholds.max_squared_cosine) * squared_length * dot(ray, ray)) |
               (squared_length <= lengths.tolerance);
  if (TestNormals) {
    const Vector3<Float> chord = q.normal - p.normal;
    valid = valid & (dot(chord, chord) <= Float(thresholds.max_squared_chord));
  }
  using Mask = decltype(p.position.x < q.position.x);
  const Mask is_valid = valid & (squared_length <= lengths.longest);
  const Mask is_long = valid & (squared_length > lengths.longest);
  return {is_valid, is_long};
}

/** \brief Edges of a quad, and its two diagonals. */
enum QuadEdge { TopEdge, LeftEdge, BottomEdge, RightEdge, LeftDiagonal, RightDiagonal };

/** \brief Place of an edge, in columns and rows of quads from the quad's own point. */
struct EdgePlace {
  int x, y;   ///< of its start
  int dx, dy; ///< from there to its end
};

PCL_GPU_ELEMENT EdgePlace
placeOf(QuadEdge edge)
{
  const bool is_row = edge == TopEdge || edge == BottomEdge;
  return {edge == RightEdge || edge == LeftDiagonal,
          edge == BottomEdge,
          edge == LeftDiagonal ? -1 : is_row || edge == RightDiagonal,
          !is_row};
}

/** \brief Calls visit with the edges that polygons of a cut have. */
template <Cut Way, typename Visit>
PCL_GPU_ELEMENT void
forEachEdge(const Visit& visit)
{
  visit(TopEdge);
  visit(LeftEdge);
  visit(BottomEdge);
  visit(RightEdge);
  if (Way == Cut::Left || Way == Cut::Adaptive)
    visit(LeftDiagonal);
  if (Way == Cut::Right || Way == Cut::Adaptive)
    visit(RightDiagonal);
}

/** \brief Vertices of a quad: its own, right of that, below, and across. */
template <typename Float>
using QuadVertices = Vertex<Float>[4];

/** \brief Tests an edge of a quad by eq. (5). */
template <bool TestNormals, typename Float>
PCL_GPU_ELEMENT auto
testEdge(const QuadVertices<Float>& vertices,
         QuadEdge edge,
         const Vector3<Float>& viewpoint,
         const EdgeThresholds& thresholds)
{
  const EdgePlace at = placeOf(edge);
  const int start = at.x + 2 * at.y;
  return testEdge<TestNormals>(
      vertices[start], vertices[start + at.dx + 2 * at.dy], viewpoint, thresholds);
}

/** \brief Whether an edge that is long is valid because it continues the surface.
 * \param[in] point_at gives the point at a column and row of quads from the quad's own;
 * NaN outside the cloud
 */
template <typename Float, typename Mask, typename PointAt>
PCL_GPU_ELEMENT Mask
isLongEdgeValid(const Mask& is_long,
                QuadEdge edge,
                const PointAt& point_at,
                const Vector3<Float>& viewpoint,
                const EdgeThresholds& thresholds)
{
  const EdgePlace at = placeOf(edge);
  const auto on_line = [&](int edges) {
    return point_at(at.x + edges * at.dx, at.y + edges * at.dy);
  };
  const Vector3<Float> p = on_line(0);
  const SquaredLengths<Float> lengths =
      lengthsOf(p, on_line(1), p - viewpoint, thresholds);
  const auto surface = continuesSurface(is_long, on_line, viewpoint, lengths.longest);
  // The triangle's other edges decide on a diagonal that nothing is known of.
  if (at.dx * at.dy != 0)
    return is_long & (surface.holds | !surface.is_known);
  return is_long & surface.holds;
}

/** \brief QuadValidity bits of a quad, as a number of the vertices' type.
 * \param[in] valid edges, by QuadEdge
 * \param[in] right_is_shorter whether the right diagonal is shorter than the left
 */
template <typename Float, Cut Way, typename Mask>
PCL_GPU_ELEMENT Float
validityOf(const Mask (&valid)[6], Mask right_is_shorter)
{
  const Float none(0.0f);
  const Mask top = valid[TopEdge], left = valid[LeftEdge];
  const Mask bottom = valid[BottomEdge], right = valid[RightEdge];
  if (Way == Cut::Quad)
    return select(top & left & bottom & right, Float(4.0f), none);

  const auto bits = [&](Mask upper, Mask lower) {
    return select(upper, Float(1.0f), none) + select(lower, Float(2.0f), none);
  };
  const Mask down_left = valid[LeftDiagonal];
  const Float left_cut = bits(top & left & down_left, bottom & right & down_left);
  if (Way == Cut::Left)
    return left_cut;
  const Mask down_right = valid[RightDiagonal];
  const Float right_bits = bits(top & right & down_right, left & bottom & down_right);
  const Float right_cut = select(right_bits > none, right_bits + Float(8.0f), none);
  if (Way == Cut::Right)
    return right_cut;
  const auto polygons = [&](Float cut) {
    return select(
        cut > Float(2.0f), Float(2.0f), select(cut > none, Float(1.0f), none));
  };
  const Float in_left = polygons(left_cut);
  const Float in_right = polygons(right_bits);
  const auto prefer_right =
      (in_right > in_left) |
      ((in_right >= in_left) & (in_right > none) & right_is_shorter);
  return select(prefer_right, right_cut, left_cut);
}

/** \brief Whether a quad's right diagonal is shorter than the left. */
template <typename Float>
PCL_GPU_ELEMENT auto
isRightDiagonalShorter(const QuadVertices<Float>& vertices)
{
  const Vector3<Float> left = vertices[2].position - vertices[1].position;
  const Vector3<Float> right = vertices[3].position - vertices[0].position;
  return dot(right, right) < dot(left, left);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
