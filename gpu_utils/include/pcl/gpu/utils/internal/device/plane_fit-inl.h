// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_UTILS_DEVICE_PLANE_FIT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_UTILS_DEVICE_PLANE_FIT_INL_H
#undef PCL_GPU_UTILS_DEVICE_PLANE_FIT_INL_H
#else
#define PCL_GPU_UTILS_DEVICE_PLANE_FIT_INL_H
#endif

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

#ifndef __CUDACC__
// Functions of single numbers, as well as those of registers.
using device::absolute;
using device::allOf;
using device::maximum;
using device::minimum;
using device::mulAdd;
using device::narrow;
using device::narrowMask;
using device::negativeMulAdd;
using device::roughReciprocal;
using device::roughSquareRoot;
using device::select;
using device::squareRoot;
using device::widen;
#endif

/** \brief A point in double precision; weight 1, or all 0 where it does not count. */
template <typename Double, typename Count = Double>
struct WeightedPoint {
  Count weight;
  Double x, y, z;
};

/** \brief Sums over points that a plane fit needs, about an origin near them. */
template <typename Double, typename Count = Double>
struct Moments {
  Count n;
  Double x, y, z, xx, xy, xz, yy, yz, zz;
};

/** \brief Number of sums but the count. */
constexpr int moment_sums = 9;

template <typename Double, typename Count = Double>
PCL_GPU_ELEMENT Moments<Double, Count>
noMoments()
{
  const Double zero(0.0);
  return {Count(0), zero, zero, zero, zero, zero, zero, zero, zero, zero};
}

template <typename Double, typename Count>
PCL_GPU_ELEMENT void
add(Moments<Double, Count>& sum, const WeightedPoint<Double, Count>& p)
{
  sum.n = sum.n + p.weight;
  sum.x = sum.x + p.x;
  sum.y = sum.y + p.y;
  sum.z = sum.z + p.z;
  sum.xx = mulAdd(p.x, p.x, sum.xx);
  sum.xy = mulAdd(p.x, p.y, sum.xy);
  sum.xz = mulAdd(p.x, p.z, sum.xz);
  sum.yy = mulAdd(p.y, p.y, sum.yy);
  sum.yz = mulAdd(p.y, p.z, sum.yz);
  sum.zz = mulAdd(p.z, p.z, sum.zz);
}

/** \brief Adds a point unless its depth differs from \a z by more than \a
 * max_change. */
template <typename Double, typename Count>
PCL_GPU_ELEMENT void
addWithinDepthChange(Moments<Double, Count>& sum,
                     const WeightedPoint<Double, Count>& p,
                     Double z,
                     Double max_change)
{
  const auto near = absolute(p.z - z) <= max_change;
  const Double zero(0.0);
  add(sum,
      WeightedPoint<Double, Count>{select(near, p.weight, Count(0)),
                                   select(near, p.x, zero),
                                   select(near, p.y, zero),
                                   select(near, p.z, zero)});
}

/** \brief Square of the rounding of a point's coordinates, (2^-22 |p|)^2. */
template <typename Float>
PCL_GPU_ELEMENT Float
roundingNoise(Float x, Float y, Float z)
{
  constexpr float squared_rounding = 5.68434189e-14f; // 2^-44
  return mulAdd(x, x, mulAdd(y, y, z * z)) * Float(squared_rounding);
}

template <typename Double, typename Count>
PCL_GPU_ELEMENT Moments<Double, Count>
operator+(const Moments<Double, Count>& a, const Moments<Double, Count>& b)
{
  return {a.n + b.n,
          a.x + b.x,
          a.y + b.y,
          a.z + b.z,
          a.xx + b.xx,
          a.xy + b.xy,
          a.xz + b.xz,
          a.yy + b.yy,
          a.yz + b.yz,
          a.zz + b.zz};
}

/** \brief Calls visit with the number and each of the sums but the count. */
template <typename Sums, typename Visit>
PCL_GPU_ELEMENT void
visitSums(Sums& sums, const Visit& visit)
{
  visit(0, sums.x);
  visit(1, sums.y);
  visit(2, sums.z);
  visit(3, sums.xx);
  visit(4, sums.xy);
  visit(5, sums.xz);
  visit(6, sums.yy);
  visit(7, sums.yz);
  visit(8, sums.zz);
}

/** \brief Sums of one column over the windows of Rows output rows, one below the other.
 *
 * The rows that all windows share are summed once; those before and after are summed
 * cumulatively. No row is ever subtracted, so that a wild value stays in its own
 * windows.
 *
 * \param[in] row returns the WeightedPoint of row i, 0 <= i < 2 radius + Rows
 * \param[in] emit takes the output row and its Moments
 */
template <int Rows, typename Sums, typename Row, typename Emit>
PCL_GPU_ELEMENT void
sumColumn(int radius, const Sums& zero, const Row& row, const Emit& emit)
{
  Sums shared = zero;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int i = Rows - 1; i <= 2 * radius; ++i)
    add(shared, row(i));

  Sums before[Rows];
  before[Rows - 1] = shared;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int i = Rows - 2; i >= 0; --i) {
    add(shared, row(i));
    before[i] = shared;
  }
  Sums after = zero;
  emit(0, before[0]);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int i = 1; i < Rows; ++i) {
    add(after, row(2 * radius + i));
    emit(i, before[i] + after);
  }
}

/** \brief Normal and curvature; NaN if there is none. */
template <typename Float>
struct PlaneFit {
  Float x, y, z, curvature;
};

/** \brief A number near the least root of x^3 - x^2 + b x - c, of three in [0, 1].
 *
 * The least root of the quadratic that is left without x^3: near it if it is small,
 * also where the next root is not far. It lies a little above, where Newton's iteration
 * may start only if that leads back below; else 0 is a start that is always safe.
 */
template <typename Double>
PCL_GPU_ELEMENT Double
firstRoot(Double b, Double c)
{
  constexpr double least = 1e-30;
  const Double discriminant =
      maximum(negativeMulAdd(Double(4.0), c, b * b), Double(least));
  const Double divisor = maximum(b + roughSquareRoot(discriminant), Double(least));
  const Double x = Double(2.0) * c * roughReciprocal(divisor);
  const Double slope = mulAdd(mulAdd(x, Double(3.0), Double(-2.0)), x, b);
  const Double change = x * x; // of x, in units of the slope, by the first step
  return select(slope >= Double(2.0) * change, x, Double(0.0));
}

/** \brief Least root of x^3 - trace x^2 + b x - c, which has three roots in [0, 1].
 *
 * From below, Newton's iteration rises to the least root without passing it. Its steps
 * need few digits of the derivative, so that is inverted in single precision.
 *
 * After a step s an error of about s^2 / slope is left. It must vanish beside the root,
 * which becomes the curvature; and beside the distance to the next root, which is about
 * the slope: their ratio is the error of the normal in radians. Where that distance
 * itself vanishes there is no normal to be found.
 */
template <typename Double>
PCL_GPU_ELEMENT Double
leastRoot(Double trace, Double b, Double c)
{
  constexpr int max_iterations = 32; // near a double root each halves the error
  constexpr double root_precision = 1e-8;
  constexpr double normal_precision = 1e-9; // the error in radians
  constexpr double least_root = 1e-8;
  constexpr double least_slope = 1e-12;
  Double root = firstRoot(b, c);
  auto done = root < Double(0.0); // never
  for (int i = 0; i < max_iterations; ++i) {
    const Double value = mulAdd(mulAdd(root - trace, root, b), root, -c);
    const Double slope =
        maximum(mulAdd(mulAdd(root, Double(3.0), Double(-2.0) * trace), root, b),
                Double(least_slope));
    const Double step = value * roughReciprocal(slope);
    const Double next = root - step;
    const Double error =
        minimum(maximum(next, Double(least_root)) * Double(root_precision),
                slope * Double(normal_precision));
    // A lane that is done stays as it is: its bits do not depend on its neighbours.
    root = select(done, root, next);
    done = done | (step * step <= error * slope) | (slope <= Double(least_slope));
    if (allOf(done))
      break;
  }
  return maximum(root, Double(0.0));
}

/** \brief Fits a plane to the points of \a sum by principal component analysis.
 *
 * The normal is found as a column of the adjugate of C - least eigenvalue, which is the
 * normal times itself.
 *
 * \param[in] noise square of the coordinates' rounding: with a second eigenvalue not
 * above it the points lie on a line, and there is no normal; NaN if there is to be none
 * \param[in] to_viewpoint_x from the point to the viewpoint: where the normal is to
 * point
 */
template <typename Double, typename Count, typename Float>
PCL_GPU_ELEMENT PlaneFit<Float>
fitPlane(const Moments<Double, Count>& sum,
         Float noise,
         Float to_viewpoint_x,
         Float to_viewpoint_y,
         Float to_viewpoint_z)
{
  // n^2 times the covariance, then scaled to a trace of about 1.
  const Double n(sum.n);
  Double xx = negativeMulAdd(sum.x, sum.x, n * sum.xx);
  Double xy = negativeMulAdd(sum.x, sum.y, n * sum.xy);
  Double xz = negativeMulAdd(sum.x, sum.z, n * sum.xz);
  Double yy = negativeMulAdd(sum.y, sum.y, n * sum.yy);
  Double yz = negativeMulAdd(sum.y, sum.z, n * sum.yz);
  Double zz = negativeMulAdd(sum.z, sum.z, n * sum.zz);
  const Double extent = xx + yy + zz;
  // With no extent at all everything becomes 0, which the rank test below rejects.
  constexpr double least_extent = 1e-30;
  const Double scale = select(extent > Double(least_extent),
                              roughReciprocal(maximum(extent, Double(least_extent))),
                              Double(0.0));
  xx = xx * scale;
  xy = xy * scale;
  xz = xz * scale;
  yy = yy * scale;
  yz = yz * scale;
  zz = zz * scale;
  const Double trace = xx + yy + zz;

  // The adjugate of C; its trace and C's determinant give the eigenvalues.
  Double adj_xx = negativeMulAdd(yz, yz, yy * zz);
  Double adj_yy = negativeMulAdd(xz, xz, xx * zz);
  Double adj_zz = negativeMulAdd(xy, xy, xx * yy);
  Double adj_xy = negativeMulAdd(xy, zz, xz * yz);
  Double adj_xz = negativeMulAdd(xz, yy, xy * yz);
  Double adj_yz = negativeMulAdd(yz, xx, xy * xz);
  const Double b = adj_xx + adj_yy + adj_zz;
  const Double det = mulAdd(xx, adj_xx, mulAdd(xy, adj_xy, xz * adj_xz));
  const Double least = leastRoot(trace, b, maximum(det, Double(0.0)));

  // From the sum and the product of the other two eigenvalues: both are above the
  // noise.
  const Double sum23 = trace - least;
  const Double product23 = negativeMulAdd(least, sum23, b);
  const Double scaled_noise = widen(noise) * (n * n * scale);
  const auto exists = (n >= Double(3.0)) & (scaled_noise * Double(2.0) < sum23) &
                      (scaled_noise * (sum23 - scaled_noise) < product23);

  // The adjugate of C - least I, and of its columns the one with the largest diagonal.
  const Double shift = least - trace;
  adj_xx = mulAdd(least, xx + shift, adj_xx);
  adj_yy = mulAdd(least, yy + shift, adj_yy);
  adj_zz = mulAdd(least, zz + shift, adj_zz);
  adj_xy = mulAdd(least, xy, adj_xy);
  adj_xz = mulAdd(least, xz, adj_xz);
  adj_yz = mulAdd(least, yz, adj_yz);
  const auto first = adj_xx >= adj_yy;
  const auto third = adj_zz > maximum(adj_xx, adj_yy);
  const Float x = narrow(select(third, adj_xz, select(first, adj_xx, adj_xy)));
  const Float y = narrow(select(third, adj_yz, select(first, adj_xy, adj_yy)));
  const Float z = narrow(select(third, adj_zz, select(first, adj_xz, adj_yz)));

  const Float towards =
      mulAdd(x, to_viewpoint_x, mulAdd(y, to_viewpoint_y, z * to_viewpoint_z));
  const Float sign = select(towards < Float(0.0f), Float(-1.0f), Float(1.0f));
  const Float length = squareRoot(mulAdd(x, x, mulAdd(y, y, z * z)));
  const Float none(NAN);
  const auto defined = narrowMask(exists);
  const Float inverse = select(defined, sign / length, none);
  // 2 - trace is 1 / trace to all digits: the trace is so near to 1.
  return {x * inverse,
          y * inverse,
          z * inverse,
          select(defined, narrow(least * (Double(2.0) - trace)), none)};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
