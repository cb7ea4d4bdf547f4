// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_PLANE_FIT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_PLANE_FIT_INL_H
#undef PCL_GPU_TRIANGULATION_PLANE_FIT_INL_H
#else
#define PCL_GPU_TRIANGULATION_PLANE_FIT_INL_H
#endif

#include <pcl/gpu/utils/device/element_math.hpp>

#ifndef __CUDACC__
#include <pcl/gpu/utils/device/lanes-inl.h>
#endif

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A point in double precision; weight 1, or all 0 where it does not count. */
template <typename Double>
struct WeightedPoint {
  Double weight, x, y, z;
};

/** \brief Sums over points that a plane fit needs, about an origin near them. */
template <typename Double>
struct Moments {
  Double n, x, y, z, xx, xy, xz, yy, yz, zz;
};

template <typename Double>
PCL_GPU_ELEMENT Moments<Double>
noMoments()
{
  const Double zero(0.0);
  return {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
}

template <typename Double>
PCL_GPU_ELEMENT void
add(Moments<Double>& sum, const WeightedPoint<Double>& p)
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

/** \brief Adds a point unless its depth differs from \a z by more than \a max_change. */
template <typename Double>
PCL_GPU_ELEMENT void
addWithinDepthChange(Moments<Double>& sum,
                     const WeightedPoint<Double>& p,
                     Double z,
                     Double max_change)
{
  const auto near = absolute(p.z - z) <= max_change;
  const Double zero(0.0);
  add(sum,
      WeightedPoint<Double>{select(near, p.weight, zero),
                            select(near, p.x, zero),
                            select(near, p.y, zero),
                            select(near, p.z, zero)});
}

/** \brief Square of the rounding of a point's coordinates, (2^-22 |p|)^2.
 * \return NaN for a point of weight 0
 */
template <typename Double>
PCL_GPU_ELEMENT Double
roundingNoise(Double weight, Double x, Double y, Double z)
{
  constexpr double squared_rounding = 5.6843418860808015e-14; // 2^-44
  const Double squared_length = mulAdd(x, x, mulAdd(y, y, z * z));
  return select(
      weight > Double(0.0), squared_length * Double(squared_rounding), Double(NAN));
}

template <typename Double>
PCL_GPU_ELEMENT Moments<Double>
operator+(const Moments<Double>& a, const Moments<Double>& b)
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

/** \brief Sums of one column over the windows of Rows output rows, one below the other.
 *
 * The rows that all windows share are summed once; those before and after are summed
 * cumulatively. No row is ever subtracted, so that a wild value stays in its own windows.
 *
 * \param[in] row returns the WeightedPoint of row i, 0 <= i < 2 radius + Rows
 * \param[in] emit takes the output row and its Moments
 */
template <int Rows, typename Double, typename Row, typename Emit>
PCL_GPU_ELEMENT void
sumColumn(int radius, const Row& row, const Emit& emit)
{
  Moments<Double> shared = noMoments<Double>();
  for (int i = Rows - 1; i <= 2 * radius; ++i)
    add(shared, row(i));

  Moments<Double> before[Rows];
  before[Rows - 1] = shared;
  Moments<Double> sum = shared;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int i = Rows - 2; i >= 0; --i) {
    add(sum, row(i));
    before[i] = sum;
  }
  Moments<Double> after = noMoments<Double>();
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

/** \brief Cross product of two rows of a symmetric matrix, and its squared length. */
template <typename Double>
struct NullVector {
  Double x, y, z, squared_length;
};

template <typename Double>
PCL_GPU_ELEMENT NullVector<Double>
cross(Double ax, Double ay, Double az, Double bx, Double by, Double bz)
{
  NullVector<Double> c;
  c.x = negativeMulAdd(az, by, ay * bz);
  c.y = negativeMulAdd(ax, bz, az * bx);
  c.z = negativeMulAdd(ay, bx, ax * by);
  c.squared_length = mulAdd(c.x, c.x, mulAdd(c.y, c.y, c.z * c.z));
  return c;
}

template <typename Double>
PCL_GPU_ELEMENT NullVector<Double>
longer(const NullVector<Double>& a, const NullVector<Double>& b)
{
  const auto first = a.squared_length >= b.squared_length;
  return {select(first, a.x, b.x),
          select(first, a.y, b.y),
          select(first, a.z, b.z),
          select(first, a.squared_length, b.squared_length)};
}

/** \brief A number near the least root of x^3 - x^2 + b x - c.
 *
 * The least root of the quadratic that is left without x^3: near it if it is small, also
 * where the next root is not far. It lies a little above, where Newton's iteration may
 * start only if that leads back below; else 0 is a start that is always safe.
 */
template <typename Double>
PCL_GPU_ELEMENT Double
firstRoot(Double b, Double c)
{
  using Float = decltype(narrow(b));
  const Float linear = narrow(b);
  const Float constant = narrow(c);
  const Float discriminant =
      negativeMulAdd(Float(4.0f), constant, linear * linear);
  const Float x = Float(2.0f) * constant /
                  (linear + squareRoot(maximum(discriminant, Float(0.0f))));
  const Float slope = mulAdd(mulAdd(x, Float(3.0f), Float(-2.0f)), x, linear);
  const Float change = x * x; // of x, in units of the slope, by the first step
  return widen(select(slope >= Float(2.0f) * change, x, Float(0.0f)));
}

/** \brief Least root of x^3 - x^2 + b x - c, a polynomial with three roots in [0, 1].
 *
 * From below, Newton's iteration rises to the least root without passing it. Its steps
 * need few digits of the derivative, so that is inverted in single precision.
 *
 * After a step s an error of about s^2 / slope is left. It must vanish beside the root,
 * which becomes the curvature; and beside the distance to the next root, which is about
 * the slope: their ratio is the error of the normal in radians.
 */
template <typename Double>
PCL_GPU_ELEMENT Double
leastRoot(Double b, Double c)
{
  constexpr int max_iterations = 48; // for a double root, where each halves the error
  constexpr double root_precision = 1e-8;
  constexpr double normal_precision = 3e-5; // the square root of the error in radians
  constexpr double least_root = 1e-8;
  constexpr double least_slope = 1e-30;
  Double root = firstRoot(b, c);
  for (int i = 0; i < max_iterations; ++i) {
    const Double value = mulAdd(mulAdd(root - Double(1.0), root, b), root, -c);
    const Double slope =
        maximum(mulAdd(mulAdd(root, Double(3.0), Double(-2.0)), root, b),
                Double(least_slope));
    const Double step = value * roughReciprocal(slope);
    root = root - step;
    const Double relevant = maximum(root, Double(least_root)) * Double(root_precision);
    if (allOf((step * step <= relevant * slope) &
              (absolute(step) <= slope * Double(normal_precision))))
      break;
  }
  return minimum(maximum(root, Double(0.0)), Double(1.0 / 3.0));
}

/** \brief Fits a plane to the points of \a sum by principal component analysis.
 * \param[in] noise square of the coordinates' rounding: with a second eigenvalue not
 * above it the points lie on a line, and there is no normal; NaN if there is to be none
 * \param[in] to_viewpoint from the point to the viewpoint: where the normal is to point
 */
template <typename Double>
PCL_GPU_ELEMENT auto
fitPlane(const Moments<Double>& sum,
         Double noise,
         Double to_viewpoint_x,
         Double to_viewpoint_y,
         Double to_viewpoint_z) -> PlaneFit<decltype(narrow(sum.n))>
{
  using Float = decltype(narrow(sum.n));
  // n^2 times the covariance; then scaled to a trace of 1.
  const Double n = sum.n;
  Double xx = negativeMulAdd(sum.x, sum.x, n * sum.xx);
  Double xy = negativeMulAdd(sum.x, sum.y, n * sum.xy);
  Double xz = negativeMulAdd(sum.x, sum.z, n * sum.xz);
  Double yy = negativeMulAdd(sum.y, sum.y, n * sum.yy);
  Double yz = negativeMulAdd(sum.y, sum.z, n * sum.yz);
  Double zz = negativeMulAdd(sum.z, sum.z, n * sum.zz);
  const Double trace = xx + yy + zz;
  // With no extent at all everything stays 0, which the rank test below rejects.
  const auto extended = trace > Double(0.0);
  const Double scale = select(extended, Double(1.0) / trace, Double(0.0));
  xx = xx * scale;
  xy = xy * scale;
  xz = xz * scale;
  yy = yy * scale;
  yz = yz * scale;
  zz = zz * scale;

  const Double minor_x = negativeMulAdd(yz, yz, yy * zz);
  const Double minor_y = negativeMulAdd(xz, xz, xx * zz);
  const Double minor_z = negativeMulAdd(xy, xy, xx * yy);
  const Double b = minor_x + minor_y + minor_z;
  const Double det = mulAdd(xx,
                            minor_x,
                            mulAdd(xy,
                                   negativeMulAdd(xy, zz, yz * xz),
                                   xz * negativeMulAdd(yy, xz, xy * yz)));
  const Double least = leastRoot(b, maximum(det, Double(0.0)));

  // The other two eigenvalues have this sum and product.
  const Double remaining = Double(1.0) - least;
  const Float sum23 = narrow(remaining);
  const Float product23 = narrow(negativeMulAdd(least, remaining, b));
  const Float root = squareRoot(
      maximum(negativeMulAdd(Float(4.0f), product23, sum23 * sum23), Float(0.0f)));
  const Double second = widen(product23 * Float(2.0f) / (sum23 + root));
  const auto exists = (n >= Double(3.0)) & (second * trace > noise * n * n);

  // The rows of C - least I span the plane; their longest cross product is the normal.
  xx = xx - least;
  yy = yy - least;
  zz = zz - least;
  const NullVector<Double> normal = longer(longer(cross(xx, xy, xz, xy, yy, yz),
                                                  cross(xx, xy, xz, xz, yz, zz)),
                                           cross(xy, yy, yz, xz, yz, zz));
  const Double towards = mulAdd(
      normal.x,
      to_viewpoint_x,
      mulAdd(normal.y, to_viewpoint_y, normal.z * to_viewpoint_z));
  // One NaN makes all four numbers NaN.
  const Float sign = narrow(
      select(exists,
             select(towards < Double(0.0), Double(-1.0), Double(1.0)),
             Double(NAN)));
  const Float inverse = sign / squareRoot(narrow(normal.squared_length));
  return {narrow(normal.x) * inverse,
          narrow(normal.y) * inverse,
          narrow(normal.z) * inverse,
          narrow(least) * sign * sign};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
