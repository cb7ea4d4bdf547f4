// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"

#include <cstdint>

// A grid of the directions in which a light sees triangles, for shadow rays that all
// run to one point, or all in one direction. As the paper's tiles are to the camera,
// its cells are to the light, and so that nothing lies outside of it: a light has six
// faces, one for each way along an axis of the world, and those on which it sees the
// scene share the cells.
//
// A ray belongs to the face that makeRayFrame() gives it: its z axis is the one that
// the ray runs along most. Where it passes through a plane across that axis, in the
// middle of what the face sees, is its cell. A triangle is in all cells that its
// projection from the light onto the plane touches.
//
// Margins. hitsTriangle() finds a hit only if there are weights, none negative, with
// which the sheared corners add up to zero; so the same mean Q of the real corners lies
// beside the ray by no more than what shearing rounds. With u = 2^-24, the start S, the
// light L, the plane's middle C, and d no less than any coordinate of S - C or of a
// corner's difference to C:
//  - Q is within 10 u d of the line that starts at S with the ray's rounded slope;
//  - that slope is the one from L to S but for 3 u, so the line misses L by 3 u (z + 2
//    d) at most, where z is the depth of Q as the light sees it;
//  - so where this line passes the plane, and where the line from L through Q does, is
//    less than u d (16 + 16 d / z) apart; computing both takes u d (16 + 8 d / z) more,
//    as far as slopes of 2. Corners beyond lie outside of the face, with or without
//    rounding.
// Cells are found with a margin of 64 u d (1 + d / z). All is measured from C: that a
// light is far away does no harm, and a parallel light is one at infinity.
//
// Triangles that reach into the plane of the light, where z changes its sign, have no
// projection. If they may hide the light from a ray of the face, which small ones do
// only close to the light, they are tested by all rays, as those are that touch very
// many cells.

namespace pcl::device {

/** \brief The light that shadow rays run to. */
struct GridLight {
  Vector3 position; ///< if directional, the direction of the rays
  bool is_directional;
};

/** \brief View of a light along one axis of the world; coordinates are those of
 * inFace(). */
struct LightFace {
  Vector3 center;         ///< C
  Vector3 to_center;      ///< C - L; unused if directional
  float slope_u, slope_v; ///< of all rays, if directional
  float first_u, first_v; ///< begin of the cells on the plane, from C
  float parts_per_metre;  ///< of cells
  float extent;           ///< d
  float steps_per_metre;  ///< of depth
  int columns, rows;
  std::uint32_t first_cell;
};

constexpr int light_faces = 6;

struct LightGrid {
  LightFace faces[light_faces];
  GridLight light;
  int seeing_face; ///< the only one, if directional
};

/** \brief A point's coordinates as a face names them: z is the face's axis, and grows
 * away from the light; u and v are the axes that follow in turn. */
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

/** \brief The slopes of the line from the light to a point.
 * \param[in] v the point, from C
 */
PCL_GPU_HOST_DEVICE PlanePoint
slopesTo(const LightFace& face, const Vector3& v)
{
  const float inverse = roughReciprocal(v.z + face.to_center.z);
  return {(v.x + face.to_center.x) * inverse, (v.y + face.to_center.y) * inverse};
}

/** \brief Number of parts that a cell is divided into each way. */
constexpr int parts = 16;

/** \brief Number of steps that depths are divided into. */
constexpr int depth_steps = 2048;

/** \brief A place on the plane in parts of cells; it never decreases with the place. */
PCL_GPU_HOST_DEVICE int
partAt(float place, float first, float parts_per_metre, int cells)
{
  constexpr float most = 1073741824.0f;
  const float part = minimum(maximum((place - first) * parts_per_metre, 0.0f), most);
  const int last = parts * cells - 1;
  const auto number = static_cast<int>(part);
  return number < last ? number : last;
}

/** \brief The step of a depth; it never decreases with the depth.
 * \param[in] z from C
 */
PCL_GPU_HOST_DEVICE int
depthStep(const LightFace& face, float z)
{
  const float step = (z + face.extent) * face.steps_per_metre;
  return static_cast<int>(minimum(maximum(step, 0.0f), float(depth_steps - 1)));
}

/** \brief A number of each of an entry's bounds side by side, with a bit between: of
 * depth eleven bits, of the others four. */
PCL_GPU_HOST_DEVICE std::uint32_t
packed(int depth_step, int u, int other_u, int v, int other_v)
{
  return static_cast<std::uint32_t>(depth_step << 20 | u << 15 | other_u << 10 |
                                    v << 5 | other_v);
}

/** \brief The bits between. */
constexpr std::uint32_t guards = 1u << 31 | 1u << 19 | 1u << 14 | 1u << 9 | 1u << 4;

/** \brief A ray to the light: its cell, and its place there. */
struct RayPlace {
  std::uint32_t cell;
  /** \brief Places at which it starts and passes, their distances from the ends, and
   * guards. */
  std::uint32_t bounds;
};

/** \brief A triangle in the list of a cell. */
struct alignas(8) LightEntry {
  std::uint32_t id;
  std::uint32_t bounds; ///< the depth where it begins, and the parts of the cell
};

/** \brief Returns whether a ray of the cell may hit a triangle: no bound is above the
 * ray's. */
PCL_GPU_HOST_DEVICE bool
mayHit(const LightEntry& entry, const RayPlace& ray)
{
  return ((ray.bounds - entry.bounds) & guards) == guards;
}

/** \brief The place of a ray to the light. */
PCL_GPU_HOST_DEVICE RayPlace
placeOfRay(const LightGrid& grid, const RayFrame& frame, const Vector3& start)
{
  const int number = faceOf(frame);
  const LightFace& face = grid.faces[number];
  const Vector3 from_center = inFace(number, start) - face.center;
  const PlanePoint at = sheared(from_center, slopesInFace(frame));
  const int u = partAt(at.x, face.first_u, face.parts_per_metre, face.columns);
  const int v = partAt(at.y, face.first_v, face.parts_per_metre, face.rows);
  const int cell = v / parts * face.columns + u / parts;
  constexpr int last = parts - 1;
  return {face.first_cell + static_cast<std::uint32_t>(cell),
          packed(depthStep(face, from_center.z),
                 u % parts,
                 last - u % parts,
                 v % parts,
                 last - v % parts) |
              guards};
}

/** \brief View of a triangle in a face: parts of cells, first to last, and the step of
 * depth at which it begins. */
struct SeenTriangle {
  int first_u, last_u, first_v, last_v;
  int depth_step;
};

enum class LightSight {
  Nowhere, ///< no ray of the face can hit the triangle on its way
  Cells,   ///< only rays that pass these parts of cells can
  Anywhere ///< all may
};

/** \brief Returns whether a range of numbers is farther from zero than some
 * distance. */
PCL_GPU_HOST_DEVICE bool
isBeside(const Range& range, float distance)
{
  return range.least > distance || range.most < -distance;
}

/** \brief Rounding, relative to what is rounded: 64 units in the last place. */
constexpr float grid_doubt = 0x1p-18f;

/** \brief Finds the places at which rays of a face can meet a triangle. */
PCL_GPU_HOST_DEVICE LightSight
seeTriangle(const LightGrid& grid,
            int number,
            const Triangle& triangle,
            SeenTriangle& seen)
{
  const LightFace& face = grid.faces[number];
  const Vector3 corners[3] = {inFace(number, triangle.a) - face.center,
                              inFace(number, triangle.b) - face.center,
                              inFace(number, triangle.c) - face.center};
  float margin = grid_doubt * face.extent;
  Range u, v;
  if (grid.light.is_directional) {
    for (int i = 0; i < 3; ++i) {
      const PlanePoint at = sheared(corners[i], {face.slope_u, face.slope_v});
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
          1.0001f * maximum(fabsf(depth.least), fabsf(depth.most)) + near;
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
      const PlanePoint at = sheared(corners[i], slopes);
      u.include(at.x);
      v.include(at.y);
    }
    if (isBeside(slope_u, 1.0f + doubt) || isBeside(slope_v, 1.0f + doubt))
      return LightSight::Nowhere;
  }
  const float scale = face.parts_per_metre;
  seen.first_u = partAt(u.least - margin, face.first_u, scale, face.columns);
  seen.last_u = partAt(u.most + margin, face.first_u, scale, face.columns);
  seen.first_v = partAt(v.least - margin, face.first_v, scale, face.rows);
  seen.last_v = partAt(v.most + margin, face.first_v, scale, face.rows);
  seen.depth_step =
      depthStep(face, minimum(corners[0].z, minimum(corners[1].z, corners[2].z)));
  return LightSight::Cells;
}

/** \brief The only face on which a triangle is seen, if that is quick to find; or none,
 * -1.
 *
 * Corners that are clearly within one face are clearly outside of all others, where
 * rays that hit the triangle in spite of it would have to miss it by more than rounding
 * does.
 */
PCL_GPU_HOST_DEVICE int
onlyFace(const LightGrid& grid, const Triangle& triangle)
{
  if (grid.light.is_directional)
    return grid.seeing_face;
  const Vector3& position = grid.light.position;
  const Vector3 a = triangle.a - position;
  const Vector3 size = {fabsf(a.x), fabsf(a.y), fabsf(a.z)};
  const int axis =
      size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  const int face = 2 * axis + (component(a, axis) < 0.0f ? 1 : 0);
  const Vector3 corners[3] = {inFace(face, a),
                              inFace(face, triangle.b - position),
                              inFace(face, triangle.c - position)};
  bool within = true;
  for (int i = 0; i < 3; ++i) {
    const Vector3& v = corners[i];
    within = within && maximum(fabsf(v.x), fabsf(v.y)) < 0.999f * v.z &&
             v.z > 0x1p-7f * grid.faces[face].extent;
  }
  return within ? face : -1;
}

/** \brief The cells that a triangle touches. */
struct CellRectangle {
  int first_column, first_row, columns, rows;
};

PCL_GPU_HOST_DEVICE CellRectangle
cellsOf(const SeenTriangle& seen)
{
  const int column = seen.first_u / parts;
  const int row = seen.first_v / parts;
  return {column, row, seen.last_u / parts - column + 1, seen.last_v / parts - row + 1};
}

PCL_GPU_HOST_DEVICE std::uint32_t
cellCount(const CellRectangle& cells)
{
  return static_cast<std::uint32_t>(cells.columns) *
         static_cast<std::uint32_t>(cells.rows);
}

/** \brief A cell, and the bounds of a triangle's entry in its list. */
struct CellBounds {
  std::uint32_t cell, bounds;
};

/** \brief Returns the cell of a column and row that a triangle is seen in. */
PCL_GPU_HOST_DEVICE CellBounds
boundsInCell(const LightFace& face, const SeenTriangle& seen, int column, int row)
{
  constexpr int last = parts - 1;
  const auto within = [](int part) { return part < 0 ? 0 : part < last ? part : last; };
  const int u = column * parts;
  const int v = row * parts;
  return {face.first_cell + static_cast<std::uint32_t>(row * face.columns + column),
          packed(seen.depth_step,
                 within(seen.first_u - u),
                 last - within(seen.last_u - u),
                 within(seen.first_v - v),
                 last - within(seen.last_v - v))};
}

/** \brief The part of the plane that cells are made for: where triangles are seen. */
struct FaceWindow {
  float width, height; ///< metres
  bool is_seen;
};

/** \brief Chooses the plane of a face, and the window on it.
 *
 * Triangles beside the window count as in its outermost cells, so its size is a matter
 * of speed only.
 * \param[in] box of all triangles; empty if there are none
 */
PCL_GPU_HOST_DEVICE FaceWindow
makeFace(const GridLight& light, int number, const Box& box, LightFace& face)
{
  const Box all = isEmpty(box) ? Box{} : box;
  const Vector3 a = inFace(number, {all.least[0], all.least[1], all.least[2]});
  const Vector3 b = inFace(number, {all.most[0], all.most[1], all.most[2]});
  const Vector3 least = {a.x, a.y, minimum(a.z, b.z)};
  const Vector3 most = {b.x, b.y, maximum(a.z, b.z)};
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
    const float z = 0.5f * maximum(least.z, position.z) + 0.5f * most.z;
    const float reach = z - position.z;
    face.center = {0.5f * maximum(least.x, position.x - reach) +
                       0.5f * minimum(most.x, position.x + reach),
                   0.5f * maximum(least.y, position.y - reach) +
                       0.5f * minimum(most.y, position.y + reach),
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
  const float largest = maximum(largestCoordinate(lower), largestCoordinate(upper));
  face.extent = 1.001f * largest +
                0x1p-18f * maximum(largestCoordinate(least), largestCoordinate(most));
  const float steps_per_metre = 0.5f * depth_steps / face.extent;
  face.steps_per_metre = steps_per_metre <= largest_float ? steps_per_metre : 0.0f;
  Range u, v;
  for (int i = 0; is_seen && i < 8; ++i) {
    const Vector3 corner = {i & 1 ? lower.x : upper.x,
                            i & 2 ? lower.y : upper.y,
                            i & 4 ? lower.z : upper.z};
    PlanePoint at = {0.0f, 0.0f};
    if (light.is_directional)
      at = sheared(corner, {face.slope_u, face.slope_v});
    else if (corner.z + face.to_center.z > 0.125f * face.to_center.z)
      at = sheared(corner, slopesTo(face, corner));
    else
      at = {corner.x > 0.0f ? HUGE_VALF : -HUGE_VALF,
            corner.y > 0.0f ? HUGE_VALF : -HUGE_VALF};
    u.include(at.x);
    v.include(at.y);
  }
  if (is_seen && !light.is_directional) {
    // Rays of the face have slopes of 1 at most.
    const float reach = face.to_center.z;
    u = {maximum(u.least, -face.to_center.x - reach),
         minimum(u.most, -face.to_center.x + reach)};
    v = {maximum(v.least, -face.to_center.y - reach),
         minimum(v.most, -face.to_center.y + reach)};
  }
  is_seen = is_seen && u.least <= u.most && v.least <= v.most;
  face.first_u = is_seen ? u.least : 0.0f;
  face.first_v = is_seen ? v.least : 0.0f;
  return is_seen ? FaceWindow{u.most - u.least, v.most - v.least, true}
                 : FaceWindow{0.0f, 0.0f, false};
}

/** \brief Cuts the windows of all faces into square cells of one size.
 * \param[in] cells that there is room for, 64 at least
 */
PCL_GPU_HOST_DEVICE void
shareCells(const GridLight& light,
           const FaceWindow (&windows)[light_faces],
           std::uint32_t cells,
           LightGrid& grid)
{
  grid.light = light;
  float area = 0.0f;
  float sides = 0.0f;
  for (const FaceWindow& window : windows) {
    area += window.width * window.height;
    sides += window.width + window.height;
  }
  // With k cells a metre a face has no more than (1 + k width) (1 + k height).
  const float room = 0.99f * static_cast<float>(cells - light_faces);
  const float scale = 2.0f * room / (sides + sqrtf(sides * sides + 4.0f * area * room));
  const float cells_per_metre = scale <= largest_float / parts ? scale : 0.0f;
  std::uint32_t first_cell = 0;
  grid.seeing_face = 0;
  for (int i = 0; i < light_faces; ++i) {
    LightFace& face = grid.faces[i];
    face.parts_per_metre = parts * cells_per_metre;
    face.columns = 1 + static_cast<int>(windows[i].width * cells_per_metre);
    face.rows = 1 + static_cast<int>(windows[i].height * cells_per_metre);
    face.first_cell = first_cell;
    if (windows[i].is_seen)
      grid.seeing_face = i;
    first_cell += static_cast<std::uint32_t>(face.columns * face.rows);
  }
}

} // namespace pcl::device
