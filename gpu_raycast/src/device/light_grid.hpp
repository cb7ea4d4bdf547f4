// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy_build.hpp"

#include <cstdint>

// A grid of the directions in which a light sees triangles, for shadow rays that all run to
// one point, or all in one direction. As the paper's tiles are to the camera, its cells are
// to the light, and so that nothing lies outside of it: a light has six faces, one for each
// way along an axis of the world, and those on which it sees the scene share the cells.
//
// A ray belongs to the face that makeRayFrame() gives it: its z axis is the one that the ray
// runs along most. Where it passes through a plane across that axis, in the middle of what
// the face sees, is its cell. A triangle is in all cells that its projection from the light
// onto the plane touches.
//
// What is in doubt. hitsTriangle() finds a hit only if there are weights, none negative,
// with which the sheared corners add up to zero; so the same mean Q of the real corners lies
// beside the ray by no more than what shearing rounds. With u = 2^-24, the start S, the light
// L, the plane's middle C, and d no less than any coordinate of S - C or of a corner's
// difference to C:
//  - Q is within 10 u d of the line that starts at S with the ray's rounded slope;
//  - that slope is the one from L to S but for 3 u, so the line misses L by 3 u (z + 2 d) at
//    most, where z is the depth of Q as the light sees it;
//  - so where this line passes the plane, and where the line from L through Q does, is less
//    than u d (16 + 16 d / z) apart; computing both takes u d (16 + 8 d / z) more, as far as
//    slopes of 2. Corners beyond lie outside of the face, with or without rounding.
// Cells are found with a margin of 64 u d (1 + d / z). All is measured from C: that a light
// is far away does no harm, and a parallel light is one at infinity.
//
// Triangles that reach into the plane of the light, where z changes its sign, have no
// projection. If they may hide the light from a ray of the face, which small ones do only
// close to the light, they are tested by all rays, as those are that touch very many cells.

namespace pcl {
namespace device {

/** \brief Where shadow rays run to. */
struct GridLight {
  Vector3 position; ///< if directional, the direction of the rays
  bool is_directional;
};

/** \brief What a light sees along one axis of the world; coordinates are those of inFace(). */
struct LightFace {
  Vector3 center;         ///< C
  Vector3 to_center;      ///< C - L; unused if directional
  float slope_u, slope_v; ///< of all rays, if directional
  float first_u, first_v; ///< where the cells begin on the plane, from C
  float cells_per_metre;
  float extent; ///< d
  int columns, rows;
  std::uint32_t first_cell;
};

constexpr int light_faces = 6;

struct LightGrid {
  LightFace faces[light_faces];
  bool is_directional;
};

/** \brief A point's coordinates as a face names them: z is the face's axis, and grows away
 * from the light; u and v are the axes that follow in turn. */
PCL_GPU_HOST_DEVICE Vector3
inFace(int face, const Vector3& v)
{
  const int axis = face / 2;
  const float z = component(v, axis);
  return {component(v, axis == 2 ? 0 : axis + 1),
          component(v, axis == 0 ? 2 : axis - 1),
          face % 2 == 0 ? z : -z};
}

/** \brief The face of a ray to the light. */
PCL_GPU_HOST_DEVICE int
faceOf(const RayFrame& frame)
{
  return 2 * frame.z + (frame.z_sign > 0.0f ? 1 : 0);
}

/** \brief u and v over z along a ray, as its face names them. */
PCL_GPU_HOST_DEVICE PlanePoint
slopesInFace(const RayFrame& frame)
{
  if (frame.z_sign > 0.0f)
    return {-frame.slope_x, -frame.slope_y};
  return {frame.slope_y, frame.slope_x};
}

/** \brief Where the line through a point passes the plane.
 * \param[in] v the point, from C
 */
PCL_GPU_HOST_DEVICE PlanePoint
onPlane(const Vector3& v, const PlanePoint& slopes)
{
  return {v.x - slopes.x * v.z, v.y - slopes.y * v.z};
}

/** \brief The slopes of the line from the light to a point.
 * \param[in] v the point, from C
 */
PCL_GPU_HOST_DEVICE PlanePoint
slopesTo(const LightFace& face, const Vector3& v)
{
  const float inverse = roughReciprocal(v.z + face.to_center.z);
  return {(v.x + face.to_center.x) * inverse, (v.y + face.to_center.y) * inverse};
}

/** \brief A column or row; it never decreases with the place. */
PCL_GPU_HOST_DEVICE int
cellAt(float place, float first, float cells_per_metre, int count)
{
  const float cell = (place - first) * cells_per_metre;
  const float last = static_cast<float>(count - 1);
  return static_cast<int>(lesser(greater(cell, 0.0f), last));
}

/** \brief The cell of a ray to the light. */
PCL_GPU_HOST_DEVICE std::uint32_t
cellOfRay(const LightFace& face,
          int number,
          const RayFrame& frame,
          const Vector3& start)
{
  const PlanePoint at =
      onPlane(inFace(number, start) - face.center, slopesInFace(frame));
  const int column = cellAt(at.x, face.first_u, face.cells_per_metre, face.columns);
  const int row = cellAt(at.y, face.first_v, face.cells_per_metre, face.rows);
  return face.first_cell + static_cast<std::uint32_t>(row * face.columns + column);
}

/** \brief The cells of a face that a triangle may touch, and how near to the light, along
 * the face's axis, it begins. */
struct CellRectangle {
  int first_column, first_row, columns, rows;
  float least_depth;
};

enum class LightSight {
  Nowhere, ///< no ray of the face can hit the triangle on its way
  Cells,   ///< only rays of these cells can
  Anywhere ///< all may
};

/** \brief Depth from the light, but for a constant; so that depths compare exactly. */
PCL_GPU_HOST_DEVICE float
depthInFace(int face, const Vector3& v)
{
  return inFace(face, v).z;
}

/** \brief Whether a range of numbers is farther from zero than some distance. */
PCL_GPU_HOST_DEVICE bool
isBeside(const Range& range, float distance)
{
  return range.least > distance || range.most < -distance;
}

/** \brief Rounding, relative to what is rounded: 64 units in the last place. */
constexpr float grid_doubt = 0x1p-18f;

/** \brief Where the rays of a face can meet a triangle. */
PCL_GPU_HOST_DEVICE LightSight
seeTriangle(const LightGrid& grid,
            int number,
            const Triangle& triangle,
            CellRectangle& cells)
{
  const LightFace& face = grid.faces[number];
  const Vector3 corners[3] = {inFace(number, triangle.a) - face.center,
                              inFace(number, triangle.b) - face.center,
                              inFace(number, triangle.c) - face.center};
  float margin = grid_doubt * face.extent;
  Range u, v;
  if (grid.is_directional) {
    for (int i = 0; i < 3; ++i) {
      const PlanePoint at = onPlane(corners[i], {face.slope_u, face.slope_v});
      u.include(at.x);
      v.include(at.y);
    }
  }
  else {
    Range depth;
    for (int i = 0; i < 3; ++i)
      depth.include(corners[i].z + face.to_center.z);
    const float near = grid_doubt * (face.extent + face.to_center.z) + 1e-30f;
    // Beyond the light: hits there are later than the rays' ends.
    if (depth.most < -near)
      return LightSight::Nowhere;
    if (depth.least <= near) {
      for (int i = 0; i < 3; ++i) {
        u.include(corners[i].x + face.to_center.x);
        v.include(corners[i].y + face.to_center.y);
      }
      // Rays of the face have slopes of 1 at most, on either side of the light.
      const float reach =
          1.0001f * greater(fabsf(depth.least), fabsf(depth.most)) + near;
      return isBeside(u, reach) || isBeside(v, reach) ? LightSight::Nowhere
                                                      : LightSight::Anywhere;
    }
    const float doubt = grid_doubt * (1.0f + face.extent / depth.least);
    margin = doubt * face.extent;
    Range slope_u, slope_v;
    for (int i = 0; i < 3; ++i) {
      const PlanePoint slopes = slopesTo(face, corners[i]);
      slope_u.include(slopes.x);
      slope_v.include(slopes.y);
      const PlanePoint at = onPlane(corners[i], slopes);
      u.include(at.x);
      v.include(at.y);
    }
    if (isBeside(slope_u, 1.0f + doubt) || isBeside(slope_v, 1.0f + doubt))
      return LightSight::Nowhere;
  }
  const float scale = face.cells_per_metre;
  cells.first_column = cellAt(u.least - margin, face.first_u, scale, face.columns);
  cells.first_row = cellAt(v.least - margin, face.first_v, scale, face.rows);
  cells.columns = cellAt(u.most + margin, face.first_u, scale, face.columns) -
                  cells.first_column + 1;
  cells.rows =
      cellAt(v.most + margin, face.first_v, scale, face.rows) - cells.first_row + 1;
  cells.least_depth =
      lesser(depthInFace(number, triangle.a),
             lesser(depthInFace(number, triangle.b), depthInFace(number, triangle.c)));
  return LightSight::Cells;
}

PCL_GPU_HOST_DEVICE std::uint32_t
cellCount(const CellRectangle& cells)
{
  return static_cast<std::uint32_t>(cells.columns) *
         static_cast<std::uint32_t>(cells.rows);
}

/** \brief The i-th cell of a rectangle. */
PCL_GPU_HOST_DEVICE std::uint32_t
cellOf(const LightFace& face, const CellRectangle& cells, std::uint32_t i)
{
  const auto columns = static_cast<std::uint32_t>(cells.columns);
  const std::uint32_t row = static_cast<std::uint32_t>(cells.first_row) + i / columns;
  return face.first_cell + row * static_cast<std::uint32_t>(face.columns) +
         static_cast<std::uint32_t>(cells.first_column) + i % columns;
}

/** \brief The part of the plane that cells are made for: where triangles are seen. */
struct FaceWindow {
  float width, height; ///< metres
};

/** \brief Chooses the plane of a face, and the window on it.
 *
 * What is seen beside the window counts as in its outermost cells, so its size is a matter
 * of speed only.
 * \param[in] box of all triangles; empty if there are none
 */
PCL_GPU_HOST_DEVICE FaceWindow
makeFace(const GridLight& light, int number, const Box& box, LightFace& face)
{
  const bool is_empty = isEmpty(box);
  const Vector3 a = is_empty
                        ? Vector3{0.0f, 0.0f, 0.0f}
                        : inFace(number, {box.least[0], box.least[1], box.least[2]});
  const Vector3 b = is_empty ? Vector3{0.0f, 0.0f, 0.0f}
                             : inFace(number, {box.most[0], box.most[1], box.most[2]});
  const Vector3 least = {a.x, a.y, lesser(a.z, b.z)};
  const Vector3 most = {b.x, b.y, greater(a.z, b.z)};
  const Vector3 middle = 0.5f * least + 0.5f * most;
  const Vector3 position = inFace(number, light.position);
  face.center = middle;
  face.slope_u = face.slope_v = 0.0f;
  bool is_seen = true;
  if (light.is_directional) {
    RayFrame frame;
    const bool is_ray =
        makeRayFrame({{0.0f, 0.0f, 0.0f}, 0.0f, light.position, HUGE_VALF}, frame);
    is_seen = is_ray && faceOf(frame) == number;
    if (is_seen) {
      const PlanePoint slopes = slopesInFace(frame);
      face.slope_u = slopes.x;
      face.slope_v = slopes.y;
    }
  }
  else if (most.z > position.z) {
    // The middle of the depths that are seen, and there the middle of what is seen.
    const float z = 0.5f * greater(least.z, position.z) + 0.5f * most.z;
    const float reach = z - position.z;
    face.center = {0.5f * greater(least.x, position.x - reach) +
                       0.5f * lesser(most.x, position.x + reach),
                   0.5f * greater(least.y, position.y - reach) +
                       0.5f * lesser(most.y, position.y + reach),
                   z};
    is_seen = least.x <= position.x + (most.z - position.z) &&
              most.x >= position.x - (most.z - position.z) &&
              least.y <= position.y + (most.z - position.z) &&
              most.y >= position.y - (most.z - position.z);
  }
  else {
    is_seen = false;
  }
  face.to_center = face.center - position;

  const Vector3 lower = least - face.center;
  const Vector3 upper = most - face.center;
  // Starts of rays lie beside the triangles by some millionths of their coordinates.
  const float largest = greater(largestCoordinate(lower), largestCoordinate(upper));
  face.extent = 1.001f * largest +
                0x1p-18f * greater(largestCoordinate(least), largestCoordinate(most));
  Range u, v;
  for (int i = 0; is_seen && i < 8; ++i) {
    const Vector3 corner = {i & 1 ? lower.x : upper.x,
                            i & 2 ? lower.y : upper.y,
                            i & 4 ? lower.z : upper.z};
    PlanePoint at = {0.0f, 0.0f};
    if (light.is_directional)
      at = onPlane(corner, {face.slope_u, face.slope_v});
    else if (corner.z + face.to_center.z > 0.125f * face.to_center.z)
      at = onPlane(corner, slopesTo(face, corner));
    else
      at = {corner.x > 0.0f ? HUGE_VALF : -HUGE_VALF,
            corner.y > 0.0f ? HUGE_VALF : -HUGE_VALF};
    u.include(at.x);
    v.include(at.y);
  }
  if (is_seen && !light.is_directional) {
    // Rays of the face have slopes of 1 at most.
    const float reach = face.to_center.z;
    u = {greater(u.least, -face.to_center.x - reach),
         lesser(u.most, -face.to_center.x + reach)};
    v = {greater(v.least, -face.to_center.y - reach),
         lesser(v.most, -face.to_center.y + reach)};
  }
  is_seen = is_seen && u.least <= u.most && v.least <= v.most;
  face.first_u = is_seen ? u.least : 0.0f;
  face.first_v = is_seen ? v.least : 0.0f;
  return is_seen ? FaceWindow{u.most - u.least, v.most - v.least}
                 : FaceWindow{0.0f, 0.0f};
}

/** \brief The windows of all faces. */
struct FaceWindows {
  FaceWindow of[light_faces];
};

/** \brief Cuts the windows of all faces into square cells of one size.
 * \param[in] cells that there is room for, 64 at least
 */
PCL_GPU_HOST_DEVICE void
shareCells(const FaceWindows& windows, std::uint32_t cells, LightGrid& grid)
{
  float area = 0.0f;
  float sides = 0.0f;
  for (const FaceWindow& window : windows.of) {
    area += window.width * window.height;
    sides += window.width + window.height;
  }
  // With k cells a metre a face has no more than (1 + k width) (1 + k height).
  const float room = 0.99f * static_cast<float>(cells - light_faces);
  const float scale = 2.0f * room / (sides + sqrtf(sides * sides + 4.0f * area * room));
  const float cells_per_metre = scale <= largest_float ? scale : 0.0f;
  std::uint32_t first_cell = 0;
  for (int i = 0; i < light_faces; ++i) {
    LightFace& face = grid.faces[i];
    face.cells_per_metre = cells_per_metre;
    face.columns = 1 + static_cast<int>(windows.of[i].width * cells_per_metre);
    face.rows = 1 + static_cast<int>(windows.of[i].height * cells_per_metre);
    face.first_cell = first_cell;
    first_cell += static_cast<std::uint32_t>(face.columns * face.rows);
  }
}

} // namespace device
} // namespace pcl
