// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The arithmetic between a vertex in memory and the depth of a hit, for numbers and for
// SIMD registers of them: both round alike, so both find the same hits, bit for bit.
// Read by scene.hpp for float, and by host_lanes-inl.h once for each SIMD target for
// Lanes, in a namespace of the target's own; PCL_GPU_RAY_MATH goes before a function
// there.
//
// The test of a ray and a triangle is that of Woop, Benthin and Wald (Watertight
// Ray/Triangle Intersection, JCGT 2013). The vertices are sheared so that the ray
// becomes the z axis; what is left is whether the origin lies in a triangle in the
// plane. Each vertex is sheared alike in all triangles that share it, and the sign of
// an edge function of two rounded points is always that of its exact value: the
// products round monotonously, and if they come out equal, double precision decides. So
// the plane's rounded triangles fit without gaps.

/** \brief One coordinate of a point after a rotation.
 * \param[in] row of the matrix
 */
template <typename T>
PCL_GPU_RAY_MATH T
rotatedCoordinate(const float (&row)[4], const T& x, const T& y, const T& z)
{
  return row[0] * x + row[1] * y + row[2] * z;
}

/** \brief One coordinate of a point after a rigid transform. */
template <typename T>
PCL_GPU_RAY_MATH T
transformedCoordinate(const float (&row)[4], const T& x, const T& y, const T& z)
{
  return rotatedCoordinate(row, x, y, z) + row[3];
}

/** \brief x / w along the ray of a pixel column; the same for rows with fy, cy. */
template <typename T>
PCL_GPU_RAY_MATH T
slopeAt(const T& pixel, float center, float inverse_focal_length)
{
  return (pixel - center) * inverse_focal_length;
}

/** \brief A point of the plane. */
template <typename T>
struct PlanePointOf {
  T x, y;
};

/** \brief Moves a vertex along the plane so that the ray of some slopes becomes the z
 * axis.
 * \param[in] w of the vertex, that slopes are relative to
 */
template <typename T>
PCL_GPU_RAY_MATH PlanePointOf<T>
sheared(const T& x, const T& y, const T& w, const PlanePointOf<T>& slopes)
{
  return {x - slopes.x * w, y - slopes.y * w};
}

/** \brief Weights of a triangle's corners at the origin, but for a factor. */
template <typename T>
struct CornerWeights {
  T a, b, c;
};

/** \brief The weights of a triangle in the plane: twice the areas of the origin and the
 * opposite sides, rounded. Where one is 0 its sign is open. */
template <typename T>
PCL_GPU_RAY_MATH CornerWeights<T>
roundedWeights(const PlanePointOf<T>& a,
               const PlanePointOf<T>& b,
               const PlanePointOf<T>& c)
{
  return {b.x * c.y - b.y * c.x, c.x * a.y - c.y * a.x, a.x * b.y - a.y * b.x};
}

/** \brief Signs of the corners' weights: whether any is below 0, and whether any is
 * above. */
template <typename Mask>
struct WeightSigns {
  Mask negative, positive;
};

/** \brief Returns the signs of a triangle's weights.
 *
 * With both signs the origin lies outside. With neither the ray lies in the triangle's
 * plane. With x to the right and y down, clockwise as the eye sees it is positive.
 */
template <typename T>
PCL_GPU_RAY_MATH auto
signsOf(const CornerWeights<T>& weights)
{
  using Mask = decltype(weights.a < 0.0f);
  const Mask negative = (weights.a < 0.0f) | (weights.b < 0.0f) | (weights.c < 0.0f);
  const Mask positive = (weights.a > 0.0f) | (weights.b > 0.0f) | (weights.c > 0.0f);
  return WeightSigns<Mask>{negative, positive};
}

/** \brief The height at which the z axis passes through a triangle (a, b, c).
 * \param[in] sum of the weights
 * \param[in] a height of that corner; those of the others alike
 * \param[in] lowest of the heights, beyond which rounding must not carry the hit
 * \param[in] highest of the heights
 */
template <typename T>
PCL_GPU_RAY_MATH T
heightOfHit(const CornerWeights<T>& weights,
            const T& sum,
            const T& a,
            const T& b,
            const T& c,
            const T& lowest,
            const T& highest)
{
  const T t = (weights.a * a + weights.b * b + weights.c * c) / sum;
  return select(t >= lowest, select(t <= highest, t, highest), lowest);
}
