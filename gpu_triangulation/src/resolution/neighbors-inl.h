// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_NEIGHBORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_NEIGHBORS_INL_H
#undef PCL_GPU_TRIANGULATION_NEIGHBORS_INL_H
#else
#define PCL_GPU_TRIANGULATION_NEIGHBORS_INL_H
#endif

#include "vector-inl.h"

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Sums over those neighbours of one pixel that exist. */
template <typename Float>
struct NeighborSum {
  Float sum;
  Float count;
  Float least; ///< infinite if there is none
};

/** \brief Adds a neighbour's value; NaN and infinity mean that it is missing. */
template <typename Float>
PCL_GPU_ELEMENT void
add(NeighborSum<Float>& neighbors, Float value)
{
  const auto there = isFinite(value);
  neighbors.sum = neighbors.sum + select(there, value, Float(0.0f));
  neighbors.count = neighbors.count + select(there, Float(1.0f), Float(0.0f));
  neighbors.least = select(value < neighbors.least, value, neighbors.least);
}

/** \brief The distance of the nearer of two neighbours; NaN or infinite if both are
 * missing. */
template <typename Float>
PCL_GPU_ELEMENT Float
nearer(Float a, Float b)
{
  return select((a < b) | !isFinite(b), a, b);
}

template <typename Float>
PCL_GPU_ELEMENT Float
distance(const Vector3<Float>& p, const Vector3<Float>& q)
{
  const Vector3<Float> e = q - p;
  return squareRoot(dot(e, e));
}

/** \brief asin(x) / x by x^2, for x in [0, 1/2]: a minimax polynomial, within 2e-7. */
template <typename Float>
PCL_GPU_ELEMENT Float
arcSineRatio(Float square)
{
  Float p = mulAdd(square, Float(4.99532247e-2f), Float(4.00349353e-2f));
  p = mulAdd(square, p, Float(7.54053191e-2f));
  p = mulAdd(square, p, Float(1.66655800e-1f));
  return mulAdd(square, p, Float(1.0f));
}

/** \brief Angle between unit normals, radians.
 *
 * By the length of the chord, 2 asin(|q - p| / 2): unlike the arc cosine of the dot
 * product it keeps its digits at small angles, and the normals' own rounding enters
 * only squared.
 */
template <typename Float>
PCL_GPU_ELEMENT Float
angleBetween(const Vector3<Float>& p, const Vector3<Float>& q)
{
  const Vector3<Float> e = q - p;
  const Float square = Float(0.25f) * dot(e, e);
  const Float chord = Float(2.0f) * squareRoot(square);
  Float angle = chord * arcSineRatio(square);
  // Above 60 degrees, which is rare, by asin x = pi/2 - 2 asin sqrt((1 - x) / 2).
  const auto wide = square > Float(0.25f);
  if (anyOf(wide)) {
    const Float x = minimum(Float(0.5f) * chord, Float(1.0f));
    const Float rest = mulAdd(x, Float(-0.5f), Float(0.5f));
    const Float wide_angle =
        mulAdd(squareRoot(rest) * arcSineRatio(rest), Float(-4.0f), Float(pi));
    // No unit vectors, infinite ones maybe, if they are further apart.
    const Float checked = select(square < Float(4.0f), wide_angle, Float(NAN));
    angle = select(wide, checked, angle);
  }
  return angle;
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
