// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/host_mesh.cpp"
#include "host_driver.h"

#include <utility>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "edges-inl.h"
#include "host_tile-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

HWY_INLINE Vertex<FloatLanes>
loadVertex(const PointTile& points, const PointTile& normals, int offset)
{
  const FloatTag tag;
  return {{load(tag, points.x + offset),
           load(tag, points.y + offset),
           load(tag, points.z + offset)},
          {load(tag, normals.x + offset),
           load(tag, normals.y + offset),
           load(tag, normals.z + offset)}};
}

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
struct QuadVertices {
  const PointTile* points[4];
  const PointTile* normals[4];
  int offset[4];

  HWY_INLINE Vertex<FloatLanes>
  at(int vertex, int offset_in_tile) const
  {
    return loadVertex(
        *points[vertex], *normals[vertex], offset[vertex] + offset_in_tile);
  }
};

template <bool TestNormals, QuadCut Cut>
HWY_INLINE void
classifyTile(const host::QuadTask& task,
             const TileArea& area,
             const QuadVertices& vertices)
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
      const FloatLanes bits = classifyQuad<TestNormals, Cut>(vertices.at(0, offset),
                                                             vertices.at(1, offset),
                                                             vertices.at(2, offset),
                                                             vertices.at(3, offset),
                                                             viewpoint,
                                                             task.thresholds);
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
classifyTile(const host::QuadTask& task,
             const TileArea& area,
             const QuadVertices& vertices)
{
  switch (task.parameters.cut) {
  case QuadCut::Left:
    return classifyTile<TestNormals, QuadCut::Left>(task, area, vertices);
  case QuadCut::Right:
    return classifyTile<TestNormals, QuadCut::Right>(task, area, vertices);
  case QuadCut::Adaptive:
    return classifyTile<TestNormals, QuadCut::Adaptive>(task, area, vertices);
  case QuadCut::Quad:
    return classifyTile<TestNormals, QuadCut::Quad>(task, area, vertices);
  }
}

/** \brief Quads whose vertices fit one tile with its halo. */
HWY_INLINE void
classifySmallQuads(const host::QuadTask& task, const TileArea& area)
{
  const int right = task.parameters.column_step;
  const int below = task.parameters.row_step;
  const int down = below * tile_stride;
  PointTile points;
  loadPoints(task.cloud, area, 0, right, below, points);
  const PointTile* p = &points;
  QuadVertices vertices{{p, p, p, p}, {p, p, p, p}, {0, right, down, down + right}};
  if (!task.parameters.test_normals) {
    classifyTile<false>(task, area, vertices);
    return;
  }
  PointTile normals;
  loadPoints(task.normals, area, 0, right, below, normals);
  std::fill_n(vertices.normals, 4, &normals);
  classifyTile<true>(task, area, vertices);
}

/** \brief Quads of any size: a tile for each of the four vertices. */
HWY_INLINE void
classifyLargeQuads(const host::QuadTask& task, const TileArea& area)
{
  PointTile points[4];
  PointTile normals[4];
  QuadVertices vertices{};
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
    classifyTile<true>(task, area, vertices);
  else
    classifyTile<false>(task, area, vertices);
}

HWY_ATTR void
classifyQuads(const host::QuadTask& task)
{
  const bool small =
      task.parameters.row_step <= max_halo && task.parameters.column_step <= max_halo;
  const int tiles = tilesAcross(task.cloud.cols) * tilesDown(task.cloud.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, task.cloud.cols, task.cloud.rows);
    if (small)
      classifySmallQuads(task, area);
    else
      classifyLargeQuads(task, area);
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(classifyQuads);

std::size_t
host::meshScratchBytes(int rows, int)
{
  return sizeof(int) * rows;
}

void
host::triangulate(const PtrStepSz<const Float4>& cloud,
                  PtrStep<const Float4> normals,
                  const ResolutionStatistics* statistics,
                  const MeshParameters& parameters,
                  void* scratch,
                  PtrStep<std::uint8_t> validity,
                  int* indices,
                  int* polygon_count)
{
  HWY_DYNAMIC_DISPATCH(classifyQuads)
  ({cloud,
    PtrStepSz<const Float4>(cloud.rows, cloud.cols, normals.data, normals.step),
    parameters,
    resolveThresholds(parameters, statistics),
    validity});

  // Rows count their polygons, take their places one after the other, and fill them.
  int* row_begin = static_cast<int*>(scratch);
#pragma omp parallel for schedule(static)
  for (int y = 0; y < cloud.rows; ++y) {
    const std::uint8_t* row = validity.ptr(y);
    int count = 0;
    for (int x = 0; x < cloud.cols; ++x)
      count += polygonCount(row[x]);
    row_begin[y] = count;
  }
  int total = 0;
  for (int y = 0; y < cloud.rows; ++y)
    total += std::exchange(row_begin[y], total);
  *polygon_count = total;

  const int vertices = parameters.cut == QuadCut::Quad ? 4 : 3;
  const int down = parameters.row_step * cloud.cols;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < cloud.rows; ++y) {
    const std::uint8_t* row = validity.ptr(y);
    int* to = indices + static_cast<std::size_t>(row_begin[y]) * vertices;
    for (int x = 0; x < cloud.cols; ++x) {
      writePolygons(row[x], y * cloud.cols + x, parameters.column_step, down, to);
      to += polygonCount(row[x]) * vertices;
    }
  }
}

} // namespace pcl::device
#endif
