// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "triangle_test.hpp"

// Rays and projections of a gpu::CameraView. A point (x, y, z) of the camera's frame is seen
// at u = fx x / w + cx, where w is z for a pinhole and 1 for an orthographic camera.

namespace pcl {
namespace device {

struct CameraModel {
  float fx, fy, cx, cy;
  float inverse_fx, inverse_fy;
  float margin_x, margin_y; ///< no pixel's ray errs by more from where it should pass
  int width, height;
  float nearest;  ///< hits at this depth or less do not count; min_depth at least
  float farthest; ///< hits beyond do not count
  bool orthographic;
  HitSides sides;
};

/** \brief Nothing is seen that is nearer, metres: depths have a reciprocal. */
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

/** \brief x / w along the ray of a pixel column; the same for rows with fy, cy. */
PCL_GPU_HOST_DEVICE float
slopeOf(int pixel, float center, float inverse_focal_length)
{
  return slopeAt(static_cast<float>(pixel), center, inverse_focal_length);
}

PCL_GPU_HOST_DEVICE PlanePoint
pixelSlopes(const CameraModel& camera, int x, int y)
{
  return {slopeOf(x, camera.cx, camera.inverse_fx),
          slopeOf(y, camera.cy, camera.inverse_fy)};
}

/** \brief Moves a vertex along the plane so that a pixel's ray becomes the z axis. */
PCL_GPU_HOST_DEVICE PlanePoint
shear(const CameraModel& camera, const PlanePoint& slopes, const Vector3& v)
{
  const float w = weightOf(camera, v);
  return {shearedCoordinate(v.x, slopes.x, w), shearedCoordinate(v.y, slopes.y, w)};
}

/** \brief The hit of a pixel's ray and a triangle in the camera's frame; t is its depth. */
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
                             camera.sides,
                             hit) &&
         hit.t > camera.nearest && hit.t <= camera.farthest;
}

/** \brief A range of numbers that grows. */
struct Range {
  float least = HUGE_VALF;
  float most = -HUGE_VALF;

  PCL_GPU_HOST_DEVICE void
  include(float a)
  {
    least = lesser(least, a);
    most = greater(most, a);
  }
};

/** \brief Where an edge that comes from behind the camera enters the image: at infinity.
 * \param[in] front x (or y) of the end before the camera, at depth \a front_z
 * \param[in] back x (or y) of the end behind the camera, at depth \a back_z <= min_depth
 */
PCL_GPU_HOST_DEVICE void
includeCrossing(float front, float front_z, float back, float back_z, Range& range)
{
  // x of the crossing of the camera's plane, times a positive number
  const float from_front = front * -back_z;
  const float from_back = back * front_z;
  const float crossing = from_front + from_back;
  const float doubt = 1e-5f * (fabsf(from_front) + fabsf(from_back)) + min_depth;
  if (crossing <= doubt)
    range.include(-HUGE_VALF);
  if (crossing >= -doubt)
    range.include(HUGE_VALF);
}

/** \brief First and last pixel within a range of coordinates, widened by a margin. */
PCL_GPU_HOST_DEVICE void
pixelsWithin(const Range& range, float margin, int size, int& first, int& last)
{
  const float from = greater(ceilf(range.least - margin), 0.0f);
  const float to = lesser(floorf(range.most + margin), static_cast<float>(size - 1));
  if (from <= to) {
    first = static_cast<int>(from);
    last = static_cast<int>(to);
  }
  else {
    first = 0;
    last = -1;
  }
}

/** \brief The pixels whose rays can hit a triangle; all that do are among them.
 *
 * hitsTriangle() finds a hit only if the sheared vertices lie on either side of the ray in
 * x and in y, and no rounding there moves a vertex across by more than three units in the
 * last place of the slope. So the bounds need to allow only for that and for their own
 * rounding, whatever the triangle looks like: that is the camera's margin.
 */
PCL_GPU_HOST_DEVICE PixelRectangle
pixelBounds(const CameraModel& camera, const Triangle& triangle)
{
  const Vector3* const vertices[3] = {&triangle.a, &triangle.b, &triangle.c};
  const PixelRectangle nothing = {0, 0, -1, -1};
  const float least_z = lesser(triangle.a.z, lesser(triangle.b.z, triangle.c.z));
  const float most_z = greater(triangle.a.z, greater(triangle.b.z, triangle.c.z));
  if (!(most_z > camera.nearest && least_z <= camera.farthest))
    return nothing;

  Range x, y;
  for (int i = 0; i < 3; ++i) {
    const float w = weightOf(camera, *vertices[i]);
    if (w > min_depth) {
      const float inverse = 1.0f / w;
      x.include(vertices[i]->x * inverse);
      y.include(vertices[i]->y * inverse);
    }
  }
  if (!camera.orthographic && least_z <= min_depth) {
    for (int i = 0; i < 3; ++i) {
      const Vector3& front = *vertices[i];
      for (int j = 0; j < 3; ++j) {
        const Vector3& back = *vertices[j];
        if (front.z > min_depth && back.z <= min_depth) {
          includeCrossing(front.x, front.z, back.x, back.z, x);
          includeCrossing(front.y, front.z, back.y, back.z, y);
        }
      }
    }
  }
  const Range columns = {x.least * camera.fx + camera.cx,
                         x.most * camera.fx + camera.cx};
  const Range rows = {y.least * camera.fy + camera.cy, y.most * camera.fy + camera.cy};
  PixelRectangle pixels;
  pixelsWithin(columns, camera.margin_x, camera.width, pixels.first_x, pixels.last_x);
  pixelsWithin(rows, camera.margin_y, camera.height, pixels.first_y, pixels.last_y);
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

/** \brief Whether a pixel of a rectangle may hit a triangle; only certain misses are false.
 *
 * Over the image an edge function is linear: its least and largest value are at corners.
 */
PCL_GPU_HOST_DEVICE bool
mayHitWithin(const CameraModel& camera,
             const PixelRectangle& pixels,
             const Triangle& triangle)
{
  // What rounding can do, relative to the products of which the function is a difference.
  constexpr float doubt = 1e-5f;
  float largest[3] = {0.0f, 0.0f, 0.0f};
  float least_area[3], most_area[3];
  for (int corner = 0; corner < 4; ++corner) {
    const PlanePoint slopes = pixelSlopes(camera,
                                          corner & 1 ? pixels.last_x : pixels.first_x,
                                          corner & 2 ? pixels.last_y : pixels.first_y);
    const PlanePoint points[3] = {shear(camera, slopes, triangle.a),
                                  shear(camera, slopes, triangle.b),
                                  shear(camera, slopes, triangle.c)};
    for (int i = 0; i < 3; ++i) {
      const PlanePoint& p = points[i];
      const PlanePoint& q = points[(i + 1) % 3];
      const float area = p.x * q.y - p.y * q.x;
      least_area[i] = corner == 0 ? area : lesser(least_area[i], area);
      most_area[i] = corner == 0 ? area : greater(most_area[i], area);
      largest[i] = greater(largest[i], fabsf(p.x * q.y) + fabsf(p.y * q.x));
    }
  }
  bool some_negative = false;
  bool some_positive = false;
  for (int i = 0; i < 3; ++i) {
    some_negative = some_negative || most_area[i] < -doubt * largest[i];
    some_positive = some_positive || least_area[i] > doubt * largest[i];
  }
  return !(some_negative && some_positive);
}

} // namespace device
} // namespace pcl
