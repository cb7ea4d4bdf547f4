// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "likelihood/likelihood_task.h"

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
#include <cstring>

// From points to sorted points and bundles of rays.

namespace pcl::device {

/** \brief The key of points that are skipped; they come last. */
constexpr std::uint32_t skipped_key = 0xffffffffu;

/** \brief Returns a skipped point. No capsule is near NaN: no test for it is needed. */
PCL_GPU_HOST_DEVICE ObservedPoint
skippedPoint()
{
  return {NAN, NAN, NAN, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
}

/** \brief The ray from the viewpoint to a point. */
struct RayToPoint {
  double x, y, z;

  PCL_GPU_HOST_DEVICE
  RayToPoint(const ObservationTask& task, std::size_t number)
  : x(static_cast<double>(task.points[number].x) - task.observation.viewpoint.x)
  , y(static_cast<double>(task.points[number].y) - task.observation.viewpoint.y)
  , z(static_cast<double>(task.points[number].z) - task.observation.viewpoint.z)
  {}

  PCL_GPU_HOST_DEVICE double
  length() const
  {
    return sqrt(x * x + y * y + z * z);
  }
};

/** \brief Computes an observed point of a task by equation 5. */
PCL_GPU_HOST_DEVICE ObservedPoint
observedPoint(const ObservationTask& task, std::size_t number)
{
  const Float4 point = task.points[number];
  const float weight = task.weights ? task.weights[number] : 1.0f;
  const RayToPoint ray(task, number);
  const double length = ray.length();
  // NaN and infinity fail both.
  const bool seen = length > 1e-30 && length < 1e30 && weight > 0.0f && weight < 1e30f;
  if (!seen)
    return skippedPoint();
  return {point.x,
          point.y,
          point.z,
          weight,
          static_cast<float>(ray.x / length),
          static_cast<float>(ray.y / length),
          static_cast<float>(ray.z / length),
          static_cast<float>(length)};
}

/** \brief Returns the distance from a point on to the background; NaN if it is not
 * known. */
PCL_GPU_HOST_DEVICE float
backgroundOf(const ObservationTask& task, std::size_t number)
{
  const float length = task.backgrounds[number];
  if (!(length > 0.0f && length < 1e30f))
    return NAN;
  return static_cast<float>(length - RayToPoint(task, number).length());
}

/** \brief Returns the sums of one point. */
PCL_GPU_HOST_DEVICE BackgroundSums
backgroundSums(float weight, float background, float truncation_distance)
{
  if (!(weight > 0.0f && fabsf(background) < endless))
    return {0.0, 0.0};
  const double distance = fminf(fabsf(background), truncation_distance);
  return {weight * distance * distance, weight * distance};
}

/** \brief A place on the unit octahedron, unfolded to the square from -1 to 1. */
struct OctahedronPlace {
  float u, v;
};

PCL_GPU_HOST_DEVICE OctahedronPlace
octahedronPlace(float x, float y, float z)
{
  const float size = fabsf(x) + fabsf(y) + fabsf(z);
  const float u = x / size, v = y / size;
  if (z >= 0.0f)
    return {u, v};
  return {copysignf(1.0f - fabsf(v), u), copysignf(1.0f - fabsf(u), v)};
}

PCL_GPU_HOST_DEVICE std::uint32_t
wholeNumber(float value, float most)
{
  return static_cast<std::uint32_t>(value < 0.0f ? 0.0f : value > most ? most : value);
}

/** \brief Neighbours have similar keys: a Hilbert curve over the directions, with the
 * distance between its levels.
 *
 * Cells are angles, not metres, so that they suit scenes of any size. A cell's depth is
 * about twice its width: the compared piece of a ray has a length anyway.
 * \param[in] whole_rays rays are compared from the viewpoint on, so that distances do
 * not matter
 */
PCL_GPU_HOST_DEVICE std::uint32_t
sortKey(const ObservedPoint& point, bool whole_rays)
{
  if (!(point.weight > 0.0f))
    return skipped_key;
  const OctahedronPlace place =
      octahedronPlace(point.direction_x, point.direction_y, point.direction_z);
  std::uint32_t u = wholeNumber((place.u + 1.0f) * 1024.0f, 2047.0f);
  std::uint32_t v = wholeNumber((place.v + 1.0f) * 1024.0f, 2047.0f);
  // A float's bits grow about as its logarithm does: from 1/16 m on, in 16 binades.
  std::uint32_t bits;
#if defined(__CUDA_ARCH__)
  bits = __float_as_uint(point.length);
#else
  std::memcpy(&bits, &point.length, sizeof(bits));
#endif
  constexpr std::uint32_t sixteenth = 123u << 23;
  bits = bits > sixteenth ? bits - sixteenth : 0u;
  const std::uint32_t cell = bits >> 17 < 1023u ? bits >> 17 : 1023u;
  const std::uint32_t depth = whole_rays ? 0u : cell;
  // Three bits of depth, then three levels of both directions, then alternating bits.
  std::uint32_t key = depth >> 7;
  for (int level = 10; level >= 0; --level) {
    const std::uint32_t right = u >> level & 1u, upper = v >> level & 1u;
    key = key << 2 | ((3u * right) ^ upper);
    // The quarters of the curve are turned so that each begins at the end of the last.
    if (upper == 0u) {
      const std::uint32_t other = right == 1u ? 2047u - u : u;
      u = right == 1u ? 2047u - v : v;
      v = other;
    }
    const int depth_level = level - 2;
    if (depth_level >= 0 && depth_level < 7)
      key = key << 1 | (depth >> depth_level & 1u);
  }
  return key < skipped_key ? key : skipped_key - 1u;
}

PCL_GPU_HOST_DEVICE Vector3
directionOf(const ObservedPoint& point)
{
  return {point.direction_x, point.direction_y, point.direction_z};
}

/** \brief Two directions perpendicular to a third, for the spread of directions. */
struct DirectionFrame {
  Vector3 middle, right, up;
};

/** \param[in] sum of the directions; if they cancel out, the result is any frame */
PCL_GPU_HOST_DEVICE DirectionFrame
frameAround(const Vector3& sum)
{
  const float length = sqrtf(dot(sum, sum));
  const Vector3 middle =
      length > 1e-3f ? (1.0f / length) * sum : Vector3{0.0f, 0.0f, 1.0f};
  const Vector3 side =
      fabsf(middle.x) < 0.7f ? Vector3{1.0f, 0.0f, 0.0f} : Vector3{0.0f, 1.0f, 0.0f};
  const Vector3 right = cross(middle, side);
  const Vector3 unit_right = (1.0f / sqrtf(dot(right, right))) * right;
  return {middle, unit_right, cross(middle, unit_right)};
}

/** \brief Range of the directions of points. */
struct DirectionRange {
  float least_right, most_right, least_up, most_up;
};

/** \brief Returns the range of one point. */
PCL_GPU_HOST_DEVICE DirectionRange
rangeOf(const ObservedPoint& point, const DirectionFrame& frame)
{
  const float right = dot(directionOf(point), frame.right);
  const float up = dot(directionOf(point), frame.up);
  return {right, right, up, up};
}

// Numbers of several points are joined in any order.

PCL_GPU_HOST_DEVICE void
include(float& sum, float other)
{
  sum = sum + other;
}

PCL_GPU_HOST_DEVICE void
include(Vector3& sum, const Vector3& other)
{
  sum = sum + other;
}

PCL_GPU_HOST_DEVICE void
include(DirectionRange& range, const DirectionRange& other)
{
  range = {fminf(range.least_right, other.least_right),
           fmaxf(range.most_right, other.most_right),
           fminf(range.least_up, other.least_up),
           fmaxf(range.most_up, other.most_up)};
}

/** \brief Returns the direction in the middle of a range. */
PCL_GPU_HOST_DEVICE Vector3
middleOf(const DirectionRange& range, const DirectionFrame& frame)
{
  const float right = 0.5f * (range.least_right + range.most_right);
  const float up = 0.5f * (range.least_up + range.most_up);
  const float forward = sqrtf(fmaxf(0.0f, 1.0f - right * right - up * up));
  const Vector3 sum = forward * frame.middle + right * frame.right + up * frame.up;
  return (1.0f / sqrtf(dot(sum, sum))) * sum;
}

/** \brief Extent of a bundle. */
struct BundleExtent {
  float tangent_square; ///< of the angles between rays and axis; below 0: no points
  float nearest, farthest, least_length, greatest_length;
};

PCL_GPU_HOST_DEVICE void
include(BundleExtent& extent, const BundleExtent& other)
{
  extent = {fmaxf(extent.tangent_square, other.tangent_square),
            fminf(extent.nearest, other.nearest),
            fmaxf(extent.farthest, other.farthest),
            fminf(extent.least_length, other.least_length),
            fmaxf(extent.greatest_length, other.greatest_length)};
}

/** \brief Returns the piece of a point's ray within tau of it; that of no point is
 * empty. */
PCL_GPU_HOST_DEVICE BundleExtent
extentOf(const ObservedPoint& point, const Vector3& axis, float truncation_distance)
{
  if (!(point.weight > 0.0f))
    return {-1.0f, endless, -endless, endless, 0.0f};
  const Vector3 direction = directionOf(point);
  const float cosine = dot(direction, axis);
  const Vector3 aside = direction - cosine * axis;
  const float farthest = point.length + truncation_distance;
  const float nearest = point.length - truncation_distance;
  const float square = cosine * cosine;
  return {cosine > 0.0f && square > 1e-6f ? dot(aside, aside) / square : endless,
          fminf(nearest * cosine, farthest * cosine),
          fmaxf(nearest * cosine, farthest * cosine),
          point.length,
          point.length};
}

/** \brief Returns the bundle of an extent, with room for rounding errors. */
PCL_GPU_HOST_DEVICE RayBundle
makeBundle(const BundleExtent& extent,
           const Vector3& axis,
           float weight,
           float truncation_distance)
{
  if (extent.tangent_square < 0.0f)
    return {axis.x, axis.y, axis.z, 0.0f, 0.0f, endless, -endless, 0.0f};
  const float longest = extent.greatest_length + truncation_distance;
  const float margin = 4e-6f * longest + 1e-5f * truncation_distance;
  const bool is_near = extent.least_length <= 1.00001f * truncation_distance;
  RayBundle bundle = {axis.x,
                      axis.y,
                      axis.z,
                      longest + margin,
                      0.0f,
                      is_near ? -endless : extent.nearest - margin,
                      extent.farthest + margin,
                      weight};
  constexpr float widest = 4.0f; // beyond it tangents lose digits
  if (extent.tangent_square <= widest) {
    bundle.spread = sqrtf(extent.tangent_square);
    // Behind the viewpoint rays are as far from the axis as before it.
    const float behind = fmaxf(0.0f, -extent.nearest);
    bundle.radius = margin + 2.0f * bundle.spread * behind;
  }
  return bundle;
}

/** \brief Returns the bundle of points.
 * \param[in] over joins the numbers of these points with those of other threads
 */
template <int count, typename Over>
PCL_GPU_HOST_DEVICE RayBundle
bundleOf(const ObservedPoint* points,
         float weight,
         float truncation_distance,
         const Over& over)
{
  Vector3 sum = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < count; ++i)
    include(sum, directionOf(points[i]));
  const DirectionFrame frame = frameAround(over(sum));
  DirectionRange range = {2.0f, -2.0f, 2.0f, -2.0f}; // empty
  for (int i = 0; i < count; ++i)
    if (points[i].weight > 0.0f)
      include(range, rangeOf(points[i], frame));
  const Vector3 axis = middleOf(over(range), frame);
  BundleExtent extent = extentOf(skippedPoint(), axis, truncation_distance);
  for (int i = 0; i < count; ++i)
    include(extent, extentOf(points[i], axis, truncation_distance));
  return makeBundle(over(extent), axis, weight, truncation_distance);
}

} // namespace pcl::device
