// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh/host_mesh.cpp"
#include "mesh/mesh.h"

#include <utility>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "host_tile-inl.h"
#include "mesh/edges-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Stores the bits of the quads at the first \a count pixels of a register. */
HWY_INLINE void
storeValidity(FloatLanes bits, int count, std::uint8_t* to)
{
  const hn::Rebind<std::int32_t, FloatTag> int_tag;
  const hn::Rebind<std::uint8_t, FloatTag> byte_tag;
  alignas(64) std::uint8_t bytes[float_lanes];
  hn::StoreU(
      hn::DemoteTo(byte_tag, hn::ConvertTo(int_tag, bits.value)), byte_tag, bytes);
  std::memcpy(to, bytes, count);
}

/** \brief The four vertices of a tile's quads: a tile each, and where in it they start.
 *
 * All are the same tile with its halo, unless the quads are larger than that.
 */
struct TileVertices {
  const PointTile* points[4];
  const PointTile* normals[4];
  int offset[4];

  HWY_INLINE Vertex<FloatLanes>
  at(int vertex, int offset_in_tile) const
  {
    const int i = offset[vertex] + offset_in_tile;
    return {loadVector(*points[vertex], i), loadVector(*normals[vertex], i)};
  }
};

/** \brief Reads the register of points that starts at a pixel of the image or outside
 * it. */
HWY_NOINLINE HWY_ATTR Vector3<FloatLanes>
loadDistant(const PtrStepSz<const Float4>& cloud, int x, int y)
{
  const FloatTag tag;
  alignas(64) float to[3][2 * float_lanes];
  const bool inside = y >= 0 && y < cloud.rows;
  loadPointRow(
      inside ? cloud.ptr(y) : nullptr, cloud.cols, x, float_lanes, to[0], to[1], to[2]);
  return {load(tag, to[0]), load(tag, to[1]), load(tag, to[2])};
}

template <bool TestNormals, Cut Way>
HWY_INLINE void
classifyTile(const MeshTask& task,
             const EdgeThresholds& thresholds,
             const TileArea& area,
             const TileVertices& vertices)
{
  const MeshParameters& parameters = task.parameters;
  const Vector3<FloatLanes> viewpoint = {
      parameters.viewpoint[0], parameters.viewpoint[1], parameters.viewpoint[2]};
  PtrStep<std::uint8_t> validity = task.validity;
  for (int y = 0; y < area.rows; ++y) {
    std::uint8_t* row = validity.ptr(area.y0 + y) + area.x0;
    if ((area.y0 + y) % parameters.row_step != 0) {
      std::fill_n(row, area.columns, std::uint8_t(0));
      continue;
    }
    for (int x = 0; x < area.columns; x += float_lanes) {
      const int offset = y * tile_stride + x;
      const auto point_at = [&](int columns, int rows) HWY_ATTR {
        return loadDistant(task.cloud,
                           area.x0 + x + columns * parameters.column_step,
                           area.y0 + y + rows * parameters.row_step);
      };
      const QuadVertices<FloatLanes> quad = {vertices.at(0, offset),
                                             vertices.at(1, offset),
                                             vertices.at(2, offset),
                                             vertices.at(3, offset)};
      LaneMask<FloatTag> valid[6]{};
      forEachEdge<Way>([&](QuadEdge edge) HWY_ATTR {
        const auto test = testEdge<TestNormals>(quad, edge, viewpoint, thresholds);
        valid[edge] = test.is_valid;
        if (thresholds.follows_surface && anyOf(test.is_long))
          valid[edge] =
              test.is_valid |
              isLongEdgeValid(test.is_long, edge, point_at, viewpoint, thresholds);
      });
      const FloatLanes bits =
          validityOf<FloatLanes, Way>(valid, isRightDiagonalShorter(quad));
      storeValidity(bits, std::min(float_lanes, area.columns - x), row + x);
    }
    if (parameters.column_step > 1)
      for (int x = 0; x < area.columns; ++x)
        if ((area.x0 + x) % parameters.column_step != 0)
          row[x] = 0;
  }
}

template <bool TestNormals>
HWY_INLINE void
classifyTile(const MeshTask& task,
             const EdgeThresholds& thresholds,
             const TileArea& area,
             const TileVertices& vertices)
{
  switch (task.parameters.cut) {
  case Cut::Left:
    return classifyTile<TestNormals, Cut::Left>(task, thresholds, area, vertices);
  case Cut::Right:
    return classifyTile<TestNormals, Cut::Right>(task, thresholds, area, vertices);
  case Cut::Adaptive:
    return classifyTile<TestNormals, Cut::Adaptive>(task, thresholds, area, vertices);
  case Cut::Quad:
    return classifyTile<TestNormals, Cut::Quad>(task, thresholds, area, vertices);
  }
}

/** \brief Quads whose vertices fit one tile with its halo. */
HWY_INLINE void
classifySmallQuads(const MeshTask& task,
                   const EdgeThresholds& thresholds,
                   const TileArea& area)
{
  const int right = task.parameters.column_step;
  const int below = task.parameters.row_step;
  const int down = below * tile_stride;
  PointTile points;
  loadPoints(task.cloud, area, 0, right, below, points);
  const PointTile* p = &points;
  TileVertices vertices{{p, p, p, p}, {p, p, p, p}, {0, right, down, down + right}};
  if (!task.parameters.test_normals) {
    classifyTile<false>(task, thresholds, area, vertices);
    return;
  }
  PointTile normals;
  loadPoints(task.normals, area, 0, right, below, normals);
  std::fill_n(vertices.normals, 4, &normals);
  classifyTile<true>(task, thresholds, area, vertices);
}

/** \brief Quads of any size: a tile for each of the four vertices. */
HWY_INLINE void
classifyLargeQuads(const MeshTask& task,
                   const EdgeThresholds& thresholds,
                   const TileArea& area)
{
  PointTile points[4];
  PointTile normals[4];
  TileVertices vertices{};
  for (int i = 0; i < 4; ++i) {
    TileArea shifted = area;
    shifted.x0 += i % 2 * task.parameters.column_step;
    shifted.y0 += i / 2 * task.parameters.row_step;
    loadPoints(task.cloud, shifted, 0, 0, 0, points[i]);
    if (task.parameters.test_normals)
      loadPoints(task.normals, shifted, 0, 0, 0, normals[i]);
    vertices.points[i] = points + i;
    vertices.normals[i] = task.parameters.test_normals ? normals + i : points + i;
  }
  if (task.parameters.test_normals)
    classifyTile<true>(task, thresholds, area, vertices);
  else
    classifyTile<false>(task, thresholds, area, vertices);
}

HWY_ATTR void
classifyQuads(const MeshTask& task, const EdgeThresholds& thresholds)
{
  const bool small =
      task.parameters.row_step <= max_halo && task.parameters.column_step <= max_halo;
  const int tiles = tileCount(task.cloud.cols, task.cloud.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, task.cloud.cols, task.cloud.rows);
    if (small)
      classifySmallQuads(task, thresholds, area);
    else
      classifyLargeQuads(task, thresholds, area);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(classifyQuads);

std::size_t
host::meshScratchBytes(const MeshTask& task)
{
  return sizeof(int) * task.cloud.rows;
}

void
host::triangulate(const MeshTask& task)
{
  HWY_DYNAMIC_DISPATCH(classifyQuads)
  (task, resolveThresholds(task.parameters, task.statistics));

  // Rows count their polygons, take their places one after the other, and fill them.
  const int rows = task.cloud.rows;
  const int columns = task.cloud.cols;
  const MeshParameters& parameters = task.parameters;
  int* row_begin = static_cast<int*>(task.scratch);
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; ++y) {
    const std::uint8_t* row = task.validity.ptr(y);
    int count = 0;
    for (int x = 0; x < columns; ++x)
      count += polygonCount(row[x]);
    row_begin[y] = count;
  }
  int total = 0;
  for (int y = 0; y < rows; ++y)
    total += std::exchange(row_begin[y], total);
  *task.polygon_count = total;

  const int vertices = parameters.cut == Cut::Quad ? 4 : 3;
  const int down = parameters.row_step * columns;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < rows; ++y) {
    const std::uint8_t* row = task.validity.ptr(y);
    int* to = task.indices + static_cast<std::size_t>(row_begin[y]) * vertices;
    for (int x = 0; x < columns; ++x) {
      writePolygons(row[x], y * columns + x, parameters.column_step, down, to);
      to += polygonCount(row[x]) * vertices;
    }
  }
}

} // namespace pcl::device
#endif
