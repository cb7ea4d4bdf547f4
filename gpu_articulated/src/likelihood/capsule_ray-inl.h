// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_ARTICULATED_CAPSULE_RAY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_ARTICULATED_CAPSULE_RAY_INL_H
#undef PCL_GPU_ARTICULATED_CAPSULE_RAY_INL_H
#else
#define PCL_GPU_ARTICULATED_CAPSULE_RAY_INL_H
#endif

#include "capsules/capsule_types.hpp"

#include <pcl/gpu/utils/internal/device/element_math.hpp>

#ifdef __CUDACC__
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#else
#include <pcl/gpu/utils/internal/device/lanes-inl.h>
#endif

// Rays and capsules in single precision, one ray or a register full of them: appendix A
// of the paper, counted from the observed point instead of the viewpoint. Rounding
// errors are then relative to tau, the radius and the length of a bone.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

template <typename Float>
struct ObservedRay {
  Float x, y, z;
  Float direction_x, direction_y, direction_z;
};

/** \brief The place where a ray enters a capsule. */
template <typename Float>
struct Entry {
  Float distance; ///< from the observed point, negative before it; NaN for a miss
  /** \brief Excess of the discriminant over its error in single precision: below 0 the
   * distance may be wrong. */
  Float margin;
};

/** \brief Numbers of a ray and an axis. */
template <typename Float>
struct RayAndAxis {
  /** \brief Origin x of distances on the ray, counted from the point. */
  Float start;
  Float slope;  ///< of the ray along the axis, v.c
  Float height; ///< of x along the axis, (x - a).c
  /** \brief Coefficients of equation 10, with the ray counted from x: |v_perp|^2,
   * v_perp.w_perp and |w_perp|^2 - r^2, where w = x - a. */
  Float square, half, constant;
};

template <typename Float>
PCL_GPU_ELEMENT Float
dotProduct(Float ax, Float ay, Float az, Float bx, Float by, Float bz)
{
  return mulAdd(az, bz, mulAdd(ay, by, ax * bx));
}

/** \brief Compares a ray with the axis of a capsule.
 * \tparam far_points the point may be far from the capsule: the ray is then counted
 * from its point nearest to a, since squares of a long way would take all digits
 * \param[in] minus_radius_square addend of |w_perp|^2
 */
template <bool far_points, typename Float, typename Capsule>
PCL_GPU_ELEMENT RayAndAxis<Float>
compare(const ObservedRay<Float>& ray,
        const Capsule& capsule,
        Float minus_radius_square)
{
  const Float cx(capsule.axis[0]), cy(capsule.axis[1]), cz(capsule.axis[2]);
  Float wx = ray.x - Float(capsule.a[0]);
  Float wy = ray.y - Float(capsule.a[1]);
  Float wz = ray.z - Float(capsule.a[2]);
  const Float &vx = ray.direction_x, &vy = ray.direction_y, &vz = ray.direction_z;
  RayAndAxis<Float> result;
  result.start = Float(0.0f);
  if (far_points) {
    const Float back = dotProduct(wx, wy, wz, vx, vy, vz);
    wx = negativeMulAdd(back, vx, wx);
    wy = negativeMulAdd(back, vy, wy);
    wz = negativeMulAdd(back, vz, wz);
    result.start = -back;
  }
  result.slope = dotProduct(vx, vy, vz, cx, cy, cz);
  result.height = dotProduct(wx, wy, wz, cx, cy, cz);
  // Both are made perpendicular, though one would suffice: for an axis along the ray
  // the rounding error of the other direction would count.
  const Float px = negativeMulAdd(result.slope, cx, vx);
  const Float py = negativeMulAdd(result.slope, cy, vy);
  const Float pz = negativeMulAdd(result.slope, cz, vz);
  const Float qx = negativeMulAdd(result.height, cx, wx);
  const Float qy = negativeMulAdd(result.height, cy, wy);
  const Float qz = negativeMulAdd(result.height, cz, wz);
  result.square = dotProduct(px, py, pz, px, py, pz);
  result.half = dotProduct(px, py, pz, qx, qy, qz);
  result.constant = mulAdd(qz, qz, mulAdd(qy, qy, mulAdd(qx, qx, minus_radius_square)));
  return result;
}

/** \brief Returns the bound below which the sign of a discriminant is unsure.
 *
 * It is a difference of squares, with an error of a few 1e-7 of them. If it is small,
 * both are about the square of the middle coefficient. The error of w_perp adds twice
 * the radius times at most 1e-7 of w, and twice that of the way to the origin of the
 * ray.
 * \param[in] w about the largest length of w that matters
 */
template <bool far_points, typename Float>
PCL_GPU_ELEMENT Float
unsureBelow(float radius, float w, Float half_square, Float start)
{
  const Float least(radius * (1e-6f * radius + 2e-7f * w));
  return mulAdd(half_square,
                Float(1e-6f),
                far_points ? mulAdd(absolute(start), Float(4e-7f * radius), least)
                           : least);
}

/** \brief Returns the distance of a point from what its ray meets first: a capsule or
 * the background.
 * \param[in] nearest the capsule, counted from the point, or a number beyond all others
 * \param[in] background counted from the point; for an unknown one the distance of a
 * ray that meets nothing: something may be seen before the body, but not through it
 */
template <typename Float>
PCL_GPU_ELEMENT Float
occludingDistance(Float nearest, Float background, float truncation_distance)
{
  return minimum(absolute(minimum(nearest, background)), Float(truncation_distance));
}

/** \brief Returns whether a condition holds for all rays of a register or warp. All
 * lanes of a warp must call. */
template <typename Mask>
PCL_GPU_ELEMENT bool
holdsForAll(const Mask& condition)
{
#if defined(__CUDA_ARCH__)
  return __all_sync(all_lanes, condition);
#else
  return allOf(condition);
#endif
}

/** \brief Returns the entry of a ray into a capsule whose length and radius are of the
 * order of the distances that count, seen from outside.
 * \tparam far_points rays are compared from the viewpoint on, so that points may be far
 * \tparam may_be_far the capsule may be far from the ray, which is then worth a test
 * \param[in] capsule with any sign of the radius
 */
template <bool far_points, bool may_be_far, typename Float>
PCL_GPU_ELEMENT Entry<Float>
enterCapsule(const ObservedRay<Float>& ray,
             const PreparedCapsule& capsule,
             float truncation_distance)
{
  const RayAndAxis<Float> r =
      compare<far_points>(ray, capsule, Float(-capsule.radius * capsule.radius));
  const Float half_square = r.half * r.half;
  const Float discriminant = negativeMulAdd(r.square, r.constant, half_square);
  const float radius = fabsf(capsule.radius);
  const float w = capsule.length + 2.0f * truncation_distance;
  if constexpr (may_be_far)
    if (holdsForAll(discriminant <
                    -unsureBelow<far_points>(radius, w, half_square, r.start)))
      return {Float(NAN), Float(1.0f)};
  const Float side = roughQuotient(-r.half - squareRoot(discriminant), r.square);
  const Float side_height = mulAdd(side, r.slope, r.height);

  // A ray that enters the endless cylinder below a can only enter the ball at a; beyond
  // b that at b.
  const auto below = side_height < Float(0.0f);
  const auto beyond = side_height > Float(capsule.length);
  const Float end_height = select(beyond, r.height - Float(capsule.length), r.height);
  const Float end_half = mulAdd(end_height, r.slope, r.half);
  const Float end_half_square = end_half * end_half;
  const Float end_discriminant =
      end_half_square - mulAdd(end_height, end_height, r.constant);
  const Float end = -end_half - squareRoot(end_discriminant);

  const auto at_end = below | beyond;
  Entry<Float> entry;
  entry.distance = select(at_end, end, side) + r.start;
  entry.margin = absolute(select(at_end, end_discriminant, discriminant)) -
                 unsureBelow<far_points>(
                     radius, w, select(at_end, end_half_square, half_square), r.start);
  if constexpr (may_be_far) {
    // Hits beyond this distance do not matter.
    const Float reach(far_points ? endless : 2.0f * truncation_distance);
    // The place of the ray nearest to the axis or its end.
    const auto far = absolute(select(at_end, end_half, r.half)) >
                     reach * select(at_end, Float(1.0f), r.square);
    entry.margin = select(far, Float(1.0f), entry.margin);
  }
  return entry;
}

/** \brief Returns the entry into a capsule with two radii: the nearest entry into the
 * balls and, between them, the cone that touches both. */
template <bool far_points, bool may_be_far, typename Float>
PCL_GPU_ELEMENT Entry<Float>
enterCapsule(const ObservedRay<Float>& ray,
             const PreparedTaperedCapsule& capsule,
             float truncation_distance)
{
  const Float infinite(3.402823466e38f);
  const RayAndAxis<Float> r = compare<far_points>(ray, capsule, Float(0.0f));

  const Float half_a = mulAdd(r.height, r.slope, r.half);
  const Float rest_a =
      half_a * half_a -
      mulAdd(r.height, r.height, r.constant - Float(capsule.radius * capsule.radius));
  const Float height_b = r.height - Float(capsule.length);
  const Float half_b = mulAdd(height_b, r.slope, r.half);
  const Float rest_b =
      half_b * half_b - mulAdd(height_b,
                               height_b,
                               r.constant - Float(capsule.radius_b * capsule.radius_b));
  // (rho cos)^2 = (radius - y sin)^2
  const Float cosine_square(capsule.cosine * capsule.cosine);
  const Float tilt = r.slope * Float(capsule.sine);
  const Float reach = Float(capsule.radius) - r.height * Float(capsule.sine);
  const Float square = r.square * cosine_square - tilt * tilt;
  const Float half = mulAdd(tilt, reach, r.half * cosine_square);
  const Float constant = r.constant * cosine_square - reach * reach;
  const Float rest = half * half - square * constant;
  const Float lowest(capsule.radius * capsule.sine);
  const Float highest(capsule.length + capsule.radius_b * capsule.sine);

  const Float zero(0.0f);
  const Float end_a = select(rest_a >= zero, -half_a - squareRoot(rest_a), infinite);
  const Float end_b = select(rest_b >= zero, -half_b - squareRoot(rest_b), infinite);
  Float nearest = minimum(end_a, end_b);
  // One root is a quotient by the first coefficient, the other one of the last: neither
  // is a difference of equals, even along the side of the cone, with a first one of
  // about 0.
  const Float root = squareRoot(rest);
  const Float larger = select(half < zero, root - half, -half - root);
  const Float sides[2] = {roughQuotient(larger, square),
                          roughQuotient(constant, larger)};
  for (const Float& side : sides) {
    const Float height = mulAdd(side, r.slope, r.height);
    const auto there = (rest >= zero) & (height >= lowest) & (height <= highest);
    nearest = minimum(nearest, select(there, side, infinite));
  }

  const Float limit =
      unsureBelow<far_points>(capsule.largest_radius,
                              capsule.length + 2.0f * truncation_distance,
                              half * half + half_a * half_a + half_b * half_b,
                              r.start);
  Entry<Float> entry;
  entry.distance = nearest + r.start;
  entry.margin =
      minimum(minimum(absolute(rest_a), absolute(rest_b)), absolute(rest)) - limit;
  return entry;
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
