// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#if defined(PCL_GPU_TRIANGULATION_RAY_WINDOWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PCL_GPU_TRIANGULATION_RAY_WINDOWS_INL_H
#undef PCL_GPU_TRIANGULATION_RAY_WINDOWS_INL_H
#else
#define PCL_GPU_TRIANGULATION_RAY_WINDOWS_INL_H
#endif

#include "normals/ray_blocks.hpp"

#include <pcl/gpu/utils/internal/device/lanes-inl.h>

#include <limits>
#include <utility>

// Planes are fitted to inverse depth over the directions of rays: the points (x, y, z)
// of a plane fulfil 1/z = a x/z + b y/z + c, and (a, b, c) is normal to it. A sensor
// that measures disparity errs by the same deviation of 1/z at every depth.

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief A point as its ray sees it: all 0 where it is missing. */
template <typename Float>
struct RaySample {
  Float there; ///< 1 or 0
  Float u, v;  ///< x/z and y/z
  Float w;     ///< 1/z
};

/** \brief Count and means of samples, and their sums of products about the means. */
template <typename Float>
struct RayMoments {
  Float n, u, v, w, uu, uv, vv, uw, vw, ww;
};

/** \brief Calls visit with the number and each member of moments. */
template <typename Moments, typename Visit>
PCL_GPU_ELEMENT void
visitMoments(Moments& m, const Visit& visit)
{
  visit(0, m.n);
  visit(1, m.u);
  visit(2, m.v);
  visit(3, m.w);
  visit(4, m.uu);
  visit(5, m.uv);
  visit(6, m.vv);
  visit(7, m.uw);
  visit(8, m.vw);
  visit(9, m.ww);
}

/** \brief Returns the sample of a point. Points behind the camera, far beside it, and
 * farther than numbers can be squared count as missing. */
template <typename Float>
PCL_GPU_ELEMENT RaySample<Float>
raySample(Float x, Float y, Float z)
{
  constexpr float least_z = 1e-9f, most_z = 1e9f, most_tangent = 1e3f;
  const auto there = (z >= Float(least_z)) & (z <= Float(most_z)) &
                     (absolute(x) + absolute(y) <= z * Float(most_tangent));
  const Float zero(0.0f), one(1.0f);
  const Float w = roughQuotient(one, select(there, z, one));
  return {select(there, one, zero),
          select(there, x * w, zero),
          select(there, y * w, zero),
          select(there, w, zero)};
}

template <typename Float>
PCL_GPU_ELEMENT RayMoments<Float>
momentsOf(const RaySample<Float>& a)
{
  const Float zero(0.0f);
  return {a.there, a.u, a.v, a.w, zero, zero, zero, zero, zero, zero};
}

template <typename Float>
PCL_GPU_ELEMENT RayMoments<Float>
momentsOf(const RaySample<Float>& a, const RaySample<Float>& b)
{
  // Missing samples are 0: the mean of two is half their sum.
  const Float half = Float(0.5f) * a.there * b.there;
  const Float share = Float(1.0f) - half;
  const Float u = b.u - a.u, v = b.v - a.v, w = b.w - a.w;
  const Float half_u = half * u, half_v = half * v;
  return {a.there + b.there,
          share * (a.u + b.u),
          share * (a.v + b.v),
          share * (a.w + b.w),
          half_u * u,
          half_u * v,
          half_v * v,
          half_u * w,
          half_v * w,
          half * w * w};
}

template <typename Float>
PCL_GPU_ELEMENT RayMoments<Float>
operator+(const RayMoments<Float>& a, const RayMoments<Float>& b)
{
  const Float n = a.n + b.n;
  const Float share = roughQuotient(b.n, maximum(n, Float(1.0f)));
  const Float u = b.u - a.u, v = b.v - a.v, w = b.w - a.w;
  const Float factor = a.n * share;
  const Float factor_u = factor * u, factor_v = factor * v;
  return {n,
          mulAdd(share, u, a.u),
          mulAdd(share, v, a.v),
          mulAdd(share, w, a.w),
          mulAdd(factor_u, u, a.uu + b.uu),
          mulAdd(factor_u, v, a.uv + b.uv),
          mulAdd(factor_v, v, a.vv + b.vv),
          mulAdd(factor_u, w, a.uw + b.uw),
          mulAdd(factor_v, w, a.vw + b.vw),
          mulAdd(factor * w, w, a.ww + b.ww)};
}

/** \brief Least-squares plane of a window. */
template <typename Float>
struct RayPlane {
  Float a, b, c;
  Float squares;  ///< sum of the squared residuals
  Float variance; ///< of a and b together, for samples of unit variance
  decltype(std::declval<Float>() > std::declval<Float>()) exists;
};

template <typename Float>
PCL_GPU_ELEMENT RayPlane<Float>
fitRayPlane(const RayMoments<Float>& m)
{
  // Samples near one line give no plane.
  constexpr float least_roundness = 0.02f;
  const Float extent = m.uu + m.vv;
  const Float determinant = negativeMulAdd(m.uv, m.uv, m.uu * m.vv);
  const decltype(extent > extent) exists =
      (m.n >= Float(3.0f)) & (determinant > extent * extent * Float(least_roundness));
  const Float inverse =
      roughQuotient(Float(1.0f), select(exists, determinant, Float(1.0f)));
  const Float a = negativeMulAdd(m.vw, m.uv, m.uw * m.vv) * inverse;
  const Float b = negativeMulAdd(m.uw, m.uv, m.vw * m.uu) * inverse;
  const Float squares = negativeMulAdd(a, m.uw, negativeMulAdd(b, m.vw, m.ww));
  return {a,
          b,
          negativeMulAdd(a, m.u, negativeMulAdd(b, m.v, m.w)),
          maximum(squares, Float(0.0f)),
          extent * inverse,
          exists};
}

/** \brief Returns the variance of the residuals in a window whose samples are mostly
 * there, to measure the noise by; negative for other windows, 0 if all samples are
 * equal. */
template <typename Float>
PCL_GPU_ELEMENT Float
residualVariance(const RayMoments<Float>& m, float window_samples)
{
  constexpr float least_share = 0.75f;
  constexpr float squared_rounding = 1e-15f;
  const RayPlane<Float> plane = fitRayPlane(m);
  const Float variance = plane.squares / maximum(m.n - Float(3.0f), Float(1.0f));
  const auto varies = variance > m.w * m.w * Float(squared_rounding);
  const auto counts = plane.exists & (m.n >= Float(least_share * window_samples));
  return select(counts, select(varies, variance, Float(0.0f)), Float(-1.0f));
}

/** \brief A window's plane and how far it is to be trusted. */
template <typename Float>
struct RayWindow {
  Float a, b, c;
  Float error;     ///< expected squared error of a and b; infinite without a plane
  Float misfit;    ///< squared error of a and b for a unit squared residual of a point
  Float curvature; ///< as PCL defines it
};

/** \brief Calls visit with the number and each member of a window. */
template <typename Window, typename Visit>
PCL_GPU_ELEMENT void
visitWindow(Window& window, const Visit& visit)
{
  visit(0, window.a);
  visit(1, window.b);
  visit(2, window.c);
  visit(3, window.error);
  visit(4, window.misfit);
  visit(5, window.curvature);
}

/** \brief Fits a window's plane and estimates its error from the variance of the noise
 * and from the residuals beyond it.
 *
 * Where the surface bends or jumps, the residuals' variance exceeds the noise's. A
 * quadratic surface with this excess differs in slope, between middle and corner of a
 * square window, by the square root of 30 / (variance of u and v together), times the
 * excess. The noise is taken as equal in areas of noise_area pixels.
 */
template <typename Float>
PCL_GPU_ELEMENT RayWindow<Float>
evaluateWindow(const RayMoments<Float>& m, float noise_variance)
{
  // Between white noise and that of sensors that smooth.
  constexpr float noise_area = 4.0f;
  constexpr float doubt = 2.0f;       // deviations of the residuals' variance
  constexpr float least_usual = 1.5f; // a frame's noise is not the same everywhere
  constexpr float bias_of_excess = 30.0f;
  constexpr float bias_of_point = 120.0f;
  const RayPlane<Float> plane = fitRayPlane(m);
  const Float zero(0.0f), one(1.0f), noise(noise_variance);
  const Float inverse_freedom =
      roughQuotient(one, maximum(m.n - Float(3.0f), Float(0.5f)));
  const Float deviation = squareRoot(inverse_freedom * Float(2.0f * noise_area));
  const Float usual = noise * mulAdd(Float(doubt), deviation, Float(least_usual));
  const Float excess = maximum(plane.squares * inverse_freedom - usual, zero);
  const Float inverse_extent =
      roughQuotient(m.n, select(plane.exists, m.uu + m.vv, one));
  const Float error = mulAdd(plane.variance,
                             noise * Float(noise_area),
                             Float(bias_of_excess) * inverse_extent * excess);

  // Variances of x, y and z together: of (u, v, 1) / w.
  const Float inverse_w = roughQuotient(one, select(plane.exists, m.w, one));
  const Float cross = mulAdd(m.u, m.uw, m.v * m.vw);
  const Float length = mulAdd(m.u, m.u, mulAdd(m.v, m.v, one));
  const Float spread = mulAdd(
      inverse_w, mulAdd(m.ww * length, inverse_w, Float(-2.0f) * cross), m.uu + m.vv);
  const Float slope =
      mulAdd(plane.a, plane.a, mulAdd(plane.b, plane.b, plane.c * plane.c));
  // Without a plane the other numbers are finite, and their weight is 0.
  return {plane.a,
          plane.b,
          plane.c,
          select(plane.exists, error, Float(std::numeric_limits<float>::infinity())),
          Float(bias_of_point) * inverse_extent,
          roughQuotient(plane.squares, select(plane.exists, slope * spread, one))};
}

/** \brief Mean of the planes of the windows around a point, weighted by the squared
 * inverse of their expected squared errors. */
template <typename Float>
struct PlaneMean {
  Float weight, a, b, c, curvature;
};

template <typename Float>
PCL_GPU_ELEMENT PlaneMean<Float>
noPlanes()
{
  const Float zero(0.0f);
  return {zero, zero, zero, zero, zero};
}

/** \brief Adds a window that holds the point.
 * \param[in] squared_z of the point
 * \param[in] share of the window beside others of its size, which falls towards its
 * border
 */
template <typename Float>
PCL_GPU_ELEMENT void
add(PlaneMean<Float>& mean,
    const RayWindow<Float>& window,
    const RaySample<Float>& point,
    Float squared_z,
    float noise_variance,
    Float share)
{
  constexpr float usual = 9.0f;        // squared deviations of a point's residual
  constexpr float least_error = 1e-9f; // radians^2
  const Float residual = negativeMulAdd(
      window.a, point.u, negativeMulAdd(window.b, point.v, point.w - window.c));
  const Float excess =
      maximum(mulAdd(residual, residual, Float(-usual * noise_variance)), Float(0.0f));
  const Float error = mulAdd(
      mulAdd(excess, window.misfit, window.error), squared_z, Float(least_error));
  const Float trust = roughQuotient(Float(1.0f), error);
  const Float weight = trust * trust * share;
  mean.weight = mean.weight + weight;
  mean.a = mulAdd(weight, window.a, mean.a);
  mean.b = mulAdd(weight, window.b, mean.b);
  mean.c = mulAdd(weight, window.c, mean.c);
  mean.curvature = mulAdd(weight, window.curvature, mean.curvature);
}

/** \brief Normal and curvature; NaN if there is none. */
template <typename Float>
struct RayNormal {
  Float x, y, z, curvature;
};

/** \brief Returns the unit normal of the mean plane, turned to the viewpoint.
 * \param[in] to_viewpoint_x from the point to the viewpoint
 */
template <typename Float>
PCL_GPU_ELEMENT RayNormal<Float>
normalOf(const PlaneMean<Float>& mean,
         Float there,
         Float to_viewpoint_x,
         Float to_viewpoint_y,
         Float to_viewpoint_z)
{
  const Float zero(0.0f), one(1.0f), none(std::numeric_limits<float>::quiet_NaN());
  const auto exists = (there > zero) & (mean.weight > zero);
  const Float inverse_weight = one / select(exists, mean.weight, one);
  const Float a = mean.a * inverse_weight;
  const Float b = mean.b * inverse_weight;
  const Float c = mean.c * inverse_weight;
  const Float towards =
      mulAdd(a, to_viewpoint_x, mulAdd(b, to_viewpoint_y, c * to_viewpoint_z));
  const Float length = squareRoot(mulAdd(a, a, mulAdd(b, b, c * c)));
  const Float sign = select(towards < zero, Float(-1.0f), one);
  const Float factor = select(exists, sign / length, none);
  return {a * factor,
          b * factor,
          c * factor,
          select(exists,
                 minimum(mean.curvature * inverse_weight, Float(1.0f / 3.0f)),
                 none)};
}

PCL_GPU_ELEMENT_NAMESPACE_END

#endif
