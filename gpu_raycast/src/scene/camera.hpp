// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/scene.hpp"

// The test of a ray and a triangle for one of each; see ray_math-inl.h.

namespace pcl::device {

/** \brief A hit of a ray and a triangle (a, b, c). */
struct TriangleHit {
  float t; ///< along the ray, in lengths of its direction
  float u; ///< weight of b
  float v; ///< weight of c
};

/** \brief A weight with the right sign, where the rounded one is 0 for p and q. */
PCL_GPU_HOST_DEVICE float
exactWeight(float rounded, const PlanePoint& p, const PlanePoint& q)
{
  return rounded != 0.0f ? rounded
                         : static_cast<float>(static_cast<double>(p.x) * q.y -
                                              static_cast<double>(p.y) * q.x);
}

/** \brief Returns whether the z axis passes through a sheared triangle, edges included.
 * \param[in] a a vertex in the plane, as \a b and \a c
 * \param[in] heights of the vertices above the plane
 * \param[out] hit where, if it does; t lies within the range of heights
 */
PCL_GPU_HOST_DEVICE bool
hitsShearedTriangle(const PlanePoint& a,
                    const PlanePoint& b,
                    const PlanePoint& c,
                    const Vector3& heights,
                    Culling culling,
                    TriangleHit& hit)
{
  CornerWeights<float> weights = roundedWeights(a, b, c);
  if (weights.a == 0.0f || weights.b == 0.0f || weights.c == 0.0f)
    weights = {exactWeight(weights.a, b, c),
               exactWeight(weights.b, c, a),
               exactWeight(weights.c, a, b)};
  const WeightSigns<bool> signs = signsOf(weights);
  if (signs.negative == signs.positive)
    return false;
  // Not a switch: CUDA would branch for each triangle.
  if ((culling == Culling::Back && signs.positive) ||
      (culling == Culling::Front && signs.negative))
    return false;
  const float sum = weights.a + weights.b + weights.c;
  hit.t = heightOfHit(weights,
                      sum,
                      heights.x,
                      heights.y,
                      heights.z,
                      minimum(heights.x, minimum(heights.y, heights.z)),
                      maximum(heights.x, maximum(heights.y, heights.z)));
  hit.u = weights.b / sum;
  hit.v = weights.c / sum;
  return true;
}

} // namespace pcl::device

// Rays and projections of a gpu::CameraView. A point (x, y, z) of the camera's frame is
// seen at u = fx x / w + cx, where w is z for a pinhole and 1 for an orthographic
// camera.

namespace pcl::device {

/** \brief The integer next to a number of at most 2^22. */
PCL_GPU_HOST_DEVICE int
nearestInteger(float a)
{
  // At 1.5 * 2^23 floats are integers: the sum is rounded to one.
  const float shifted = a + 12582912.0f;
  return static_cast<int>(bitsOf(shifted) - 0x4b400000u);
}

/** \brief Offsets of a coordinate on the image, half a pixel and some margin. They make
 * the next integer the first, or last, pixel whose ray may pass beyond. */
struct PixelOffsets {
  float first, last;
};

/** \brief Offsets with a margin of some units in the last place of a coordinate. */
inline PixelOffsets
pixelOffsets(int size, float center)
{
  const double margin =
      std::ldexp(size + std::fabs(static_cast<double>(center)) + 1, -20);
  return {static_cast<float>(center + 0.5 - margin),
          static_cast<float>(center - 0.5 + margin)};
}

struct CameraModel {
  float fx, fy, cx, cy;
  float inverse_fx, inverse_fy;
  PixelOffsets column_offsets, row_offsets;
  int width, height;
  float nearest;  ///< hits at this depth or less do not count; min_depth at least
  float farthest; ///< hits beyond do not count
  bool orthographic;
  Culling culling;
};

/** \brief A camera, and its place. */
struct View {
  CameraModel camera;
  RigidTransform to_world;
};

/** \brief Least depth that is seen, metres: depths have a reciprocal. */
constexpr float min_depth = 1e-30f;

/** \brief Pixels from first to last, both included; empty if first > last. */
struct PixelRectangle {
  int first_x, first_y, last_x, last_y;
};

PCL_GPU_HOST_DEVICE float
weightOf(const CameraModel& camera, const Vector3& v)
{
  return camera.orthographic ? 1.0f : v.z;
}

PCL_GPU_HOST_DEVICE PlanePoint
pixelSlopes(const CameraModel& camera, int x, int y)
{
  return {slopeAt(static_cast<float>(x), camera.cx, camera.inverse_fx),
          slopeAt(static_cast<float>(y), camera.cy, camera.inverse_fy)};
}

/** \brief Moves a vertex along the plane so that a pixel's ray becomes the z axis. */
PCL_GPU_HOST_DEVICE PlanePoint
shear(const CameraModel& camera, const PlanePoint& slopes, const Vector3& v)
{
  return sheared(v.x, v.y, weightOf(camera, v), slopes);
}

/** \brief The hit of a pixel's ray and a triangle in the camera's frame; t is its
 * depth. */
PCL_GPU_HOST_DEVICE bool
hitsTriangle(const CameraModel& camera,
             const PlanePoint& slopes,
             const Triangle& triangle,
             TriangleHit& hit)
{
  const Vector3 depths = {triangle.a.z, triangle.b.z, triangle.c.z};
  return hitsShearedTriangle(shear(camera, slopes, triangle.a),
                             shear(camera, slopes, triangle.b),
                             shear(camera, slopes, triangle.c),
                             depths,
                             camera.culling,
                             hit) &&
         hit.t > camera.nearest && hit.t <= camera.farthest;
}

/** \brief A range of numbers that grows. */
struct Range {
  float least = INFINITY;
  float most = -INFINITY;

  PCL_GPU_HOST_DEVICE void
  include(float a)
  {
    least = minimum(least, a);
    most = maximum(most, a);
  }
};

/** \brief Largest distances that shearing to any pixel between two moves a point of
 * weight 1: rounding errors are relative to them. */
PCL_GPU_HOST_DEVICE PlanePoint
largestSlopes(const PlanePoint& first, const PlanePoint& last)
{
  return {maximum(fabsf(first.x), fabsf(last.x)),
          maximum(fabsf(first.y), fabsf(last.y))};
}

/** \brief Includes the place, at infinity, at which an edge from behind enters the
 * image.
 * \param[in] front x (or y) of the end before the camera, at depth \a front_z
 * \param[in] back x (or y) of the end behind the camera, at depth \a back_z <=
 * min_depth
 * \param[in] slope largest of any pixel
 */
PCL_GPU_HOST_DEVICE void
includeCrossing(
    float front, float front_z, float back, float back_z, float slope, Range& range)
{
  // x of the crossing of the camera's plane, times a positive number
  const float crossing = front * -back_z + back * front_z;
  // Shearing rounds in units of its subtrahend, not of its argument.
  const float reach = (fabsf(front) + slope * front_z) * fabsf(back_z) +
                      (fabsf(back) + slope * fabsf(back_z)) * front_z;
  const float doubt = 1e-6f * reach + min_depth;
  // The negations hold for NaN as well: then nothing is known.
  if (!(crossing > doubt))
    range.include(-INFINITY);
  if (!(crossing < -doubt))
    range.include(INFINITY);
}

/** \brief Returns whether the depths that hitsTriangle() finds on a triangle which
 * reaches behind the camera have the right sign.
 *
 * Exactly, depth is the determinant of the vertices over the sum of the weights. Where
 * the triangle's plane all but contains the camera, rounding can turn the sign, and a
 * ray hit what its other half points at.
 * \param[in] slopes largest of any column and row
 */
PCL_GPU_HOST_DEVICE bool
hasCertainSide(const Triangle& triangle, const PlanePoint& slopes)
{
  const Vector3* const vertices[3] = {&triangle.a, &triangle.b, &triangle.c};
  Vector3 reach = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < 3; ++i) {
    const Vector3& v = *vertices[i];
    reach.x = maximum(reach.x, fabsf(v.x) + slopes.x * fabsf(v.z));
    reach.y = maximum(reach.y, fabsf(v.y) + slopes.y * fabsf(v.z));
    reach.z = maximum(reach.z, fabsf(v.z));
  }
  const float determinant = dot(triangle.a, cross(triangle.b, triangle.c));
  return fabsf(determinant) > 1e-5f * (reach.x * reach.y * reach.z);
}

/** \brief The pixels of a column or row whose slopes lie within a range. */
PCL_GPU_HOST_DEVICE void
pixelsWithin(const Range& slopes,
             float focal_length,
             const PixelOffsets& offsets,
             int size,
             int& first,
             int& last)
{
  const float most = static_cast<float>(size);
  const float from = slopes.least * focal_length + offsets.first;
  const float to = slopes.most * focal_length + offsets.last;
  first = nearestInteger(minimum(maximum(from, 0.0f), most));
  last = nearestInteger(maximum(minimum(to, most - 1.0f), -1.0f));
}

/** \brief The slopes under which a triangle is seen that comes from behind the camera.
 * \return false if rounding may let it be seen anywhere
 */
PCL_GPU_HOST_DEVICE bool
slopesAcrossCamera(const CameraModel& camera,
                   const Triangle& triangle,
                   Range& x,
                   Range& y)
{
  const PlanePoint slopes =
      largestSlopes(pixelSlopes(camera, 0, 0),
                    pixelSlopes(camera, camera.width - 1, camera.height - 1));
  if (!hasCertainSide(triangle, slopes))
    return false;
  const Vector3* const vertices[3] = {&triangle.a, &triangle.b, &triangle.c};
  for (int i = 0; i < 3; ++i) {
    const Vector3& front = *vertices[i];
    if (front.z <= min_depth)
      continue;
    const float inverse = roughReciprocal(front.z);
    x.include(front.x * inverse);
    y.include(front.y * inverse);
    for (int j = 0; j < 3; ++j) {
      const Vector3& back = *vertices[j];
      if (back.z <= min_depth) {
        includeCrossing(front.x, front.z, back.x, back.z, slopes.x, x);
        includeCrossing(front.y, front.z, back.y, back.z, slopes.y, y);
      }
    }
  }
  return true;
}

/** \brief The pixels whose rays can hit a triangle; all that do are among them.
 *
 * hitsTriangle() finds a hit only if the sheared vertices lie on either side of the ray
 * in x and in y, and no rounding there moves a vertex across by more than three units
 * in the last place of the slope. So the bounds need to allow only for that and for
 * their own rounding, whatever the triangle looks like: PixelOffsets have that margin.
 * \return pixels, also in part outside of the image if empty; see pixelCount()
 */
PCL_GPU_HOST_DEVICE PixelRectangle
pixelBounds(const CameraModel& camera, const Triangle& triangle)
{
  const Vector3 &a = triangle.a, &b = triangle.b, &c = triangle.c;
  PixelRectangle pixels = {0, 0, -1, -1};
  const float least_z = minimum(a.z, minimum(b.z, c.z));
  const float most_z = maximum(a.z, maximum(b.z, c.z));
  if (!(most_z > camera.nearest && least_z <= camera.farthest))
    return pixels;

  Range x, y;
  if (camera.orthographic || least_z > min_depth) {
    const float inverse_a = roughReciprocal(weightOf(camera, a));
    const float inverse_b = roughReciprocal(weightOf(camera, b));
    const float inverse_c = roughReciprocal(weightOf(camera, c));
    x = {a.x * inverse_a, a.x * inverse_a};
    x.include(b.x * inverse_b);
    x.include(c.x * inverse_c);
    y = {a.y * inverse_a, a.y * inverse_a};
    y.include(b.y * inverse_b);
    y.include(c.y * inverse_c);
  }
  else if (!slopesAcrossCamera(camera, triangle, x, y)) {
    return {0, 0, camera.width - 1, camera.height - 1};
  }
  pixelsWithin(
      x, camera.fx, camera.column_offsets, camera.width, pixels.first_x, pixels.last_x);
  pixelsWithin(
      y, camera.fy, camera.row_offsets, camera.height, pixels.first_y, pixels.last_y);
  return pixels;
}

/** \brief Number of pixels; none if empty. */
PCL_GPU_HOST_DEVICE int
pixelCount(const PixelRectangle& pixels)
{
  const int columns = pixels.last_x - pixels.first_x + 1;
  const int rows = pixels.last_y - pixels.first_y + 1;
  return columns > 0 && rows > 0 ? columns * rows : 0;
}

/** \brief A vertex sheared to the pixels of a rectangle. */
struct ShearedVertex {
  float x[2]; ///< for the first and the last column
  float y[2]; ///< for the first and the last row
  /** \brief Largest rounding errors of x and y at any pixel between. */
  float doubt_x, doubt_y;

  /** \brief Largest |x| at any pixel between, rounding included. */
  PCL_GPU_HOST_DEVICE float
  largestX() const
  {
    return maximum(fabsf(x[0]), fabsf(x[1])) + doubt_x;
  }

  PCL_GPU_HOST_DEVICE float
  largestY() const
  {
    return maximum(fabsf(y[0]), fabsf(y[1])) + doubt_y;
  }
};

PCL_GPU_HOST_DEVICE ShearedVertex
shearToCorners(const CameraModel& camera,
               const PixelRectangle& pixels,
               const Vector3& v)
{
  const PlanePoint first = pixelSlopes(camera, pixels.first_x, pixels.first_y);
  const PlanePoint last = pixelSlopes(camera, pixels.last_x, pixels.last_y);
  const PlanePoint at_first = shear(camera, first, v);
  const PlanePoint at_last = shear(camera, last, v);
  const PlanePoint slopes = largestSlopes(first, last);
  const float w = fabsf(weightOf(camera, v));
  const float reach_x = fabsf(v.x) + slopes.x * w;
  const float reach_y = fabsf(v.y) + slopes.y * w;
  constexpr float doubt = 2e-6f;
  return {{at_first.x, at_last.x},
          {at_first.y, at_last.y},
          doubt * reach_x,
          doubt * reach_y};
}

/** \brief Returns whether a pixel of a rectangle may hit a triangle; only certain
 * misses are false.
 *
 * Over the image an edge function is linear: its least and largest value are at
 * corners, but for rounding.
 */
PCL_GPU_HOST_DEVICE bool
mayHitWithin(const CameraModel& camera,
             const PixelRectangle& pixels,
             const Triangle& triangle)
{
  const ShearedVertex vertices[3] = {shearToCorners(camera, pixels, triangle.a),
                                     shearToCorners(camera, pixels, triangle.b),
                                     shearToCorners(camera, pixels, triangle.c)};
  bool some_negative = false;
  bool some_positive = false;
  for (int i = 0; i < 3; ++i) {
    const ShearedVertex& p = vertices[i];
    const ShearedVertex& q = vertices[(i + 1) % 3];
    Range area;
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column)
        area.include(p.x[column] * q.y[row] - p.y[row] * q.x[column]);
    const float doubt = p.doubt_x * q.largestY() + q.doubt_y * p.largestX() +
                        p.doubt_y * q.largestX() + q.doubt_x * p.largestY();
    some_negative = some_negative || area.most < -doubt;
    some_positive = some_positive || area.least > doubt;
  }
  return !(some_negative && some_positive);
}

} // namespace pcl::device
