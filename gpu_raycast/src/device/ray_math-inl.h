// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The arithmetic between a vertex in memory and the depth of a hit, for numbers and for
// SIMD registers of them: both round alike, so both find the same hits, bit for bit. Read
// by vector.hpp for float, and by host_lanes-inl.h once for each SIMD target for Lanes;
// each opens its namespace, defines PCL_GPU_RAY_MATH, which goes before a function, and
// has choose() for its kind of number.

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

/** \brief A vertex' x or y, moved so that the ray of a slope becomes the z axis. */
template <typename T>
PCL_GPU_RAY_MATH T
shearedCoordinate(const T& coordinate, const T& slope, const T& w)
{
  return coordinate - slope * w;
}

/** \brief Twice the area of (origin, p, q), rounded: where it is 0 the sign is open. */
template <typename T>
PCL_GPU_RAY_MATH T
roundedArea(const T& px, const T& py, const T& qx, const T& qy)
{
  return px * qy - py * qx;
}

/** \brief The height at which the z axis passes through a triangle (a, b, c).
 * \param[in] weight_a of the vertex at \a height_a; those of the others alike
 * \param[in] sum of the weights
 * \param[in] lowest of the heights, beyond which rounding must not carry the hit
 * \param[in] highest of the heights
 */
template <typename T>
PCL_GPU_RAY_MATH T
heightOfHit(const T& weight_a,
            const T& weight_b,
            const T& weight_c,
            const T& sum,
            const T& height_a,
            const T& height_b,
            const T& height_c,
            const T& lowest,
            const T& highest)
{
  const T t = (weight_a * height_a + weight_b * height_b + weight_c * height_c) / sum;
  return choose(t >= lowest, choose(t <= highest, t, highest), lowest);
}
