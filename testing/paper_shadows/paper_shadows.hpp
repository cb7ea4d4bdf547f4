// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"
#include "hierarchy/ray.hpp"
#include "tile_grid/tile_grid.hpp"

// Algorithm 4 of Patidar and Narayanan 2008: shadow rays that go through the grid of
// the camera's tiles by drawing a line. It is here to be measured, and answers as
// MeshRayQuery::testOcclusion() does, bit for bit. For that it departs from the paper:
//
//  - A frame's grid has only triangles that pixels' rays can hit: of those between
//    pixels it knows nothing. So the grid is made with listingCamera(), which has all
//    triangles in sight.
//  - A triangle is in the slab of its nearest depth only, however deep it reaches. So
//    of each tile on its way a ray has to look at all slabs up to its own depth there;
//    and since slabs are but an order, lists here are in order of depth.
//  - Each ray has its own list of tiles; those of a tile's rays are not merged.
//  - Where the grid does not know, before the near plane (below), behind the camera and
//    beside the image, the ray goes on through a hierarchy.
//
// Proof that no hit is lost. hitsTriangle() finds a hit only if the rounded vertices
// surround the ray. In exact numbers the triangle then has a point P near the ray's
// line. In the camera's frame, rounding moves P away from the line as the image shows
// it by less than 64 u times the reach along each axis, where u = 2^-24: 21 for the
// corners, which are transformed to the world and to the camera, 9 for the ray, which
// is transformed as well, 9 for shearing. The reach is a sum of all that is rounded:
// the ray's coordinates and length, the triangles' sides, the translations between the
// frames. Behind the near plane that is less than a quarter of a pixel. Another quarter
// is for drawing the line: behind the same plane u times the reach is less than 1/256
// of a pixel, and some twenty of these add up. Hence triangles are put into tiles with
// a margin of half a pixel.
//
// The distance that hitsTriangle() gives may be that of any point of the triangle:
// where it is seen nearly edge-on, rounding decides. So P may lie before or behind that
// distance by the longest side of any triangle, but for wide ones, which every ray is
// tested with. By so much the line is drawn longer than the ray, and where it is cut
// the ray goes on so much earlier.

namespace pcl::gpu::test {

namespace device = pcl::device;

/** \brief Pixels by which the image of a triangle is widened in all directions when it
 * is put into tiles. */
constexpr float listing_margin = 0.5f;

/** \brief A camera's grid as shadow rays go through it. All arrays live on one device.
 */
struct ShadowGrid {
  device::GridLayout layout;
  device::CameraModel camera; ///< a pinhole's
  device::RigidTransform to_camera;
  const unsigned int* starts; ///< of the tiles' lists, and the end of the last one
  const device::TileEntry* entries; ///< the tiles' lists, each in order of least_z
  const device::WideTriangle* wide; ///< those that every ray is tested with
  const unsigned int* wide_count;
  device::WorldTriangles world;
  float longest_side; ///< the greatest longestSide()
  float translation;  ///< the largest of all transforms between mesh, world and camera
};

/** \brief A camera for which pixelBounds() gives all pixels whose area a triangle
 * touches, not only those whose middle it may cover. */
inline device::CameraModel
listingCamera(device::CameraModel camera)
{
  camera.column_offsets = {camera.cx - listing_margin, camera.cx + listing_margin};
  camera.row_offsets = {camera.cy - listing_margin, camera.cy + listing_margin};
  return camera;
}

/** \brief Returns the sum of a translation's magnitudes. */
PCL_GPU_HOST_DEVICE float
translationOf(const device::RigidTransform& transform)
{
  return fabsf(transform.m[0][3]) + fabsf(transform.m[1][3]) + fabsf(transform.m[2][3]);
}

/** \brief Returns the longest side of a triangle's box in the world; 0 if the triangle
 * is invisible, or touches so many tiles that every ray is tested with it.
 * \param[in] in_camera the same triangles in the frame of a listingCamera()
 */
PCL_GPU_HOST_DEVICE float
longestSide(const device::WorldTriangles& in_world,
            const device::WorldTriangles& in_camera,
            const device::CameraModel& camera,
            const device::GridLayout& layout,
            std::uint32_t id)
{
  device::Triangle triangle;
  if (loadTriangle(in_camera, id, triangle)) {
    const device::PixelRectangle pixels = pixelBounds(camera, triangle);
    if (pixelCount(pixels) > 0 &&
        tileCount(placeOf(layout, pixels, 0.0f)) > device::max_tiles_of_triangle)
      return 0.0f;
  }
  if (!loadTriangle(in_world, id, triangle))
    return 0.0f;
  const device::Box box = boxOf(triangle);
  float longest = 0.0f;
  for (int i = 0; i < 3; ++i)
    longest = device::maximum(longest, box.most[i] - box.least[i]);
  return longest;
}

/** \brief A number that changes along a ray. */
struct Linear {
  float at_origin;
  float slope; ///< in lengths of the ray's direction

  PCL_GPU_HOST_DEVICE float
  at(float distance) const
  {
    return at_origin + distance * slope;
  }
};

/** \brief a f + b g */
PCL_GPU_HOST_DEVICE Linear
combination(float a, const Linear& f, float b, const Linear& g)
{
  return {a * f.at_origin + b * g.at_origin, a * f.slope + b * g.slope};
}

/** \brief Part of a ray's line on the image that the grid covers.
 *
 * u / z and v / z are columns and rows from the image's upper left corner.
 */
struct ImageLine {
  Linear u, v, z;
  float from, to;     ///< distances along the ray; none if from > to
  bool cut_front;     ///< true: the grid does not cover the part before
  bool cut_back;      ///< true: the grid does not cover the part behind
  float overlap;      ///< by which the ray has to go on before it is cut
  float depth_margin; ///< by which a triangle may be nearer than its hit

  /** \brief Cuts off where a number is negative. */
  PCL_GPU_HOST_DEVICE void
  cutWhereNegative(const Linear& number)
  {
    const float zero = -number.at_origin / number.slope;
    if (number.slope > 0.0f && zero > from) {
      from = zero;
      cut_front = true;
    }
    if (number.slope < 0.0f && zero < to) {
      to = zero;
      cut_back = true;
    }
    if (number.slope == 0.0f && number.at_origin < 0.0f)
      to = -INFINITY;
  }
};

/** \brief Returns the largest slope of the image's borders, and so of all its pixels.
 */
PCL_GPU_HOST_DEVICE float
borderSlope(float center, int size, float inverse_focal_length)
{
  const float before = fabsf(center + 0.5f);
  const float behind = fabsf(static_cast<float>(size) - 0.5f - center);
  return device::maximum(before, behind) * inverse_focal_length;
}

/** \brief Computes the line of a ray.
 * \return false if the grid is of no use to the ray
 */
PCL_GPU_HOST_DEVICE bool
makeImageLine(const ShadowGrid& grid, const device::Ray& ray, ImageLine& line)
{
  // Metres: triangles within are usable in both frames, and nothing underflows.
  constexpr float largest = 1e9f;
  constexpr float least = 1e-15f;
  const device::CameraModel& camera = grid.camera;
  const device::Vector3& d = ray.direction;
  const float bounds = fabsf(ray.nearest) + fabsf(ray.farthest);
  const float reach = 1.01f * (device::sumOfMagnitudes(ray.origin) +
                               device::sumOfMagnitudes(d) * bounds +
                               6.0f * grid.longest_side + grid.translation);
  line.overlap = (grid.longest_side + 0x1p-20f * reach) /
                 device::maximum(fabsf(d.x), device::maximum(fabsf(d.y), fabsf(d.z)));
  // False for NaN as well.
  if (!(reach >= least && reach <= largest && bounds <= largest &&
        device::sumOfMagnitudes(d) <= largest && line.overlap <= largest))
    return false;

  const device::Vector3 origin = transformPoint(grid.to_camera, ray.origin);
  const device::Vector3 way = rotate(grid.to_camera, d);
  line.z = {origin.z, way.z};
  line.u = combination(camera.fx, {origin.x, way.x}, camera.cx + 0.5f, line.z);
  line.v = combination(camera.fy, {origin.y, way.y}, camera.cy + 0.5f, line.z);
  line.from = ray.nearest - line.overlap;
  line.to = ray.farthest + line.overlap;
  line.cut_front = false;
  line.cut_back = false;

  const float error = 0x1p-18f * reach;
  const float slope_x = borderSlope(camera.cx, camera.width, camera.inverse_fx);
  const float slope_y = borderSlope(camera.cy, camera.height, camera.inverse_fy);
  const float pixels_per_metre =
      device::maximum(camera.fx * (1.0f + slope_x), camera.fy * (1.0f + slope_y));
  const float near_plane = error * (1.0f + 2.0f / listing_margin * pixels_per_metre);
  line.depth_margin = 2.0f * error;
  line.cutWhereNegative({line.z.at_origin - near_plane, line.z.slope});
  line.cutWhereNegative(line.u);
  line.cutWhereNegative(line.v);
  const float width = static_cast<float>(camera.width);
  const float height = static_cast<float>(camera.height);
  line.cutWhereNegative(combination(width, line.z, -1.0f, line.u));
  line.cutWhereNegative(combination(height, line.z, -1.0f, line.v));
  return line.from <= line.to;
}

/** \brief Tiles along one axis of the image, as a line passes through them. */
struct TileSteps {
  Linear position, z; ///< position / z in pixels
  float tile_size;
  int tile, last_tile, step;

  PCL_GPU_HOST_DEVICE
  TileSteps(const ImageLine& line, const Linear& p, int tile_shift, int tiles)
  : position(p)
  , z(line.z)
  , tile_size(static_cast<float>(1 << tile_shift))
  {
    tile = tileAt(line.from, tiles);
    last_tile = tileAt(line.to, tiles);
    step = tile < last_tile ? 1 : -1;
  }

  PCL_GPU_HOST_DEVICE int
  tileAt(float distance, int tiles) const
  {
    const float at = position.at(distance) / (z.at(distance) * tile_size);
    const float last = static_cast<float>(tiles - 1);
    // By rounding the line may begin or end just beside the image.
    return at > 0.0f ? static_cast<int>(at < last ? at : last) : 0;
  }

  PCL_GPU_HOST_DEVICE bool
  isLast() const
  {
    return tile == last_tile;
  }

  /** \brief Returns the distance at which the line leaves the tile; infinite for the
   * last one. */
  PCL_GPU_HOST_DEVICE float
  exit() const
  {
    if (isLast())
      return INFINITY;
    const float border = static_cast<float>(step > 0 ? tile + 1 : tile) * tile_size;
    return (border * z.at_origin - position.at_origin) /
           (position.slope - border * z.slope);
  }
};

/** \brief Draws a line from tile to tile (after Amanatides and Woo, A Fast Voxel
 * Traversal Algorithm for Ray Tracing, 1987; here distances are not linear in pixels).
 * \param[in] visit is called with the number of each tile, and the line's largest depth
 * in it, until it returns true
 * \return true if it did
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE bool
drawLine(const device::GridLayout& layout, const ImageLine& line, const Visitor& visit)
{
  TileSteps columns(line, line.u, layout.tile_shift, layout.tiles_x);
  TileSteps rows(line, line.v, layout.tile_shift, layout.tiles_y);
  float entry = line.from;
  for (;;) {
    const float column_exit = columns.exit();
    const float row_exit = rows.exit();
    const bool by_column =
        rows.isLast() || (!columns.isLast() && column_exit < row_exit);
    float exit = by_column ? column_exit : row_exit;
    // In this order NaN, of a line along a border, becomes the entry.
    exit = exit > entry ? exit : entry;
    exit = exit < line.to ? exit : line.to;
    const float depth = device::maximum(line.z.at(entry), line.z.at(exit));
    if (visit(rows.tile * layout.tiles_x + columns.tile, depth))
      return true;
    if (columns.isLast() && rows.isLast())
      return false;
    TileSteps& left = by_column ? columns : rows;
    left.tile += left.step;
    entry = exit;
  }
}

/** \brief Tests a ray with triangles of the grid. */
struct GridTest {
  const ShadowGrid& grid;
  const device::RayFrame& frame;
  float depth_margin;

  PCL_GPU_HOST_DEVICE bool
  hits(std::uint32_t id) const
  {
    device::Triangle triangle;
    device::TriangleHit hit;
    return loadTriangle(grid.world, id, triangle) &&
           hitsTriangle(frame, triangle, Culling::None, hit);
  }

  /** \brief Returns whether the ray hits a triangle that begins in a tile up to a
   * depth. */
  PCL_GPU_HOST_DEVICE bool
  operator()(int tile, float depth) const
  {
    const float most = depth + depth_margin;
    for (unsigned int i = grid.starts[tile]; i < grid.starts[tile + 1]; ++i) {
      const device::TileEntry entry = grid.entries[i];
      if (entry.least_z > most)
        return false;
      if (hits(entry.id))
        return true;
    }
    return false;
  }
};

/** \brief Returns whether a ray hits anything.
 * \param[in] go_on says whether a ray, of which only a part is asked for, hits anything
 * that the grid may not know
 */
template <typename GoOn>
PCL_GPU_HOST_DEVICE bool
isShadowed(const ShadowGrid& grid, const device::Ray& ray, const GoOn& go_on)
{
  device::RayFrame frame;
  if (!makeRayFrame(ray, frame))
    return false;
  ImageLine line;
  if (!makeImageLine(grid, ray, line))
    return go_on(ray);
  const GridTest test = {grid, frame, line.depth_margin};
  for (unsigned int i = 0; i < *grid.wide_count; ++i)
    if (test.hits(grid.wide[i].id))
      return true;
  if (drawLine(grid.layout, line, test))
    return true;
  device::Ray front = ray;
  front.farthest = device::minimum(ray.farthest, line.from + line.overlap);
  if (line.cut_front && front.farthest > ray.nearest && go_on(front))
    return true;
  device::Ray back = ray;
  back.nearest = device::maximum(ray.nearest, line.to - line.overlap);
  return line.cut_back && back.nearest < ray.farthest && go_on(back);
}

} // namespace pcl::gpu::test
