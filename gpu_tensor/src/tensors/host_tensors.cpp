// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensors/host_tensors.cpp"
#include "tensors/local_frame.hpp"
#include "tensors/tensor_task.h"

#include <pcl/gpu/utils/internal/device/scratch_pieces.hpp>

#include <hwy/foreach_target.h>
// foreach_target.h comes first; this is read once for each target.
#include "tensors/host_clipping-inl.h"

#include <algorithm>
#include <vector>

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Tensors that are computed before their places are known. */
constexpr int batch_size = 512;

struct TensorScratch {
  PointBounds* cells;
  PointBounds* blocks;
  MeshPlanes planes; // of an organized mesh
  std::size_t bytes;

  TensorScratch(const TensorTask& task, void* memory)
  {
    const MeshCells mesh = meshCells(task.mesh);
    ScratchPieces pieces(memory);
    cells = pieces.take<PointBounds>(mesh.cells());
    blocks = pieces.take<PointBounds>(mesh.blocks());
    planes = {};
    if (!task.mesh.triangles) {
      // One column and one row more are the right and lower corners of the last quads.
      planes.stride = (mesh.columns + 1) * mesh_cell_columns;
      planes.rows = mesh.rows * mesh_cell_rows + 1;
      const std::size_t points = std::size_t(planes.stride) * planes.rows;
      planes.x = pieces.take<float>(points);
      planes.y = pieces.take<float>(points);
      planes.z = pieces.take<float>(points);
      planes.triangles = pieces.take<std::uint8_t>(points);
    }
    bytes = pieces.bytes();
  }
};

/** \brief Fills one row of points. */
void
fillPoints(const TensorMesh& mesh, const MeshPlanes& planes, int y)
{
  const MeshPlanes row = planes.at(0, y);
  std::fill_n(row.x, planes.stride, 0.0f);
  std::fill_n(row.y, planes.stride, 0.0f);
  std::fill_n(row.z, planes.stride, 0.0f);
  if (y >= mesh.points.rows)
    return;
  const Float4* const points = mesh.points.ptr(y);
  for (int x = 0; x < mesh.points.cols; ++x) {
    const bool is_there = isFinite(vectorOf(points[x]));
    row.x[x] = is_there ? points[x].x : 0.0f;
    row.y[x] = is_there ? points[x].y : 0.0f;
    row.z[x] = is_there ? points[x].z : 0.0f;
  }
}

/** \brief Fills one row of triangles: those of the mesh that have all of their
 * corners. */
void
fillTriangles(const TensorMesh& mesh, const MeshPlanes& planes, int y)
{
  std::uint8_t* const triangles = planes.at(0, y).triangles;
  std::fill_n(triangles, planes.stride, std::uint8_t(0));
  if (y + 1 >= mesh.points.rows)
    return;
  const std::uint8_t* const validity = mesh.validity.ptr(y);
  const Float4* const top = mesh.points.ptr(y);
  const Float4* const bottom = mesh.points.ptr(y + 1);
  const auto isThere = [](const Float4& p) { return isFinite(vectorOf(p)); };
  for (int x = 0; x + 1 < mesh.points.cols; ++x) {
    const int bits = validity[x];
    if (bits == 0)
      continue;
    const int left = bits & right_cut_bit ? x : x + 1, right = 2 * x + 1 - left;
    const int existing = existingTriangles(bits,
                                           isThere(top[left]) && isThere(bottom[right]),
                                           isThere(top[right]),
                                           isThere(bottom[left]));
    triangles[x] = static_cast<std::uint8_t>(existing | (bits & right_cut_bit));
  }
}

void
fillBounds(const TensorMesh& mesh, const MeshCells& cells, const TensorScratch& scratch)
{
  const MeshPlanes& planes = scratch.planes;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int y = 0; y < planes.rows; ++y) {
      fillPoints(mesh, planes, y);
      fillTriangles(mesh, planes, y);
    }
#pragma omp for schedule(static)
    for (int cell = 0; cell < cells.cells(); ++cell) {
      if (!mesh.triangles) {
        const CellOrigin origin = cellOrigin(mesh, cells, cell);
        scratch.cells[cell] = boundsOfCell(planes.at(origin.x, origin.y));
        continue;
      }
      PointBounds bounds;
      for (int i = 0; i < mesh_cell_size; ++i)
        bounds.add(boundsOf(mesh, cells, cell, i));
      scratch.cells[cell] = bounds;
    }
  }
  for (int block = 0; block < cells.blocks(); ++block) {
    PointBounds bounds;
    for (int i = 0; i < mesh_block_size; ++i) {
      const int cell = cells.cellOfBlock(block, i);
      if (cell >= 0)
        bounds.add(scratch.cells[cell]);
    }
    scratch.blocks[block] = bounds;
  }
}

/** \brief An entry of a tensor. */
struct Entry {
  std::uint16_t voxel;
  float area;
};

/** \brief Computes tensors one after the other. Leaves its buffers uninitialized:
 * filling them would take longer than a small tensor. */
struct TensorComputation {
  const TensorTask& task;
  const TensorScratch& scratch;
  MeshCells cells = meshCells(task.mesh);
  GridRange<float> range = gridRange(task.grid_size, 0, task.grid_size);
  std::vector<std::uint64_t> units =
      std::vector<std::uint64_t>(voxelCount(task.grid_size));
  CellVoxels quads;
  TriangleBatch batch;
  LocalTriangles local, twice_cut;
  CutAreas areas;
  /** \brief The last tensor that saw each quad, where quads have to be connected. */
  std::vector<int> quad_seen = std::vector<int>(
      task.connects() ? std::size_t(task.mesh.points.rows) * task.mesh.points.cols : 0);
  std::vector<int> waiting;
  int tensor = 0;

  TensorComputation(const TensorTask& task, const TensorScratch& scratch)
  : task(task)
  , scratch(scratch)
  {}

  void
  compute(const TensorFrame& frame, std::vector<Entry>& entries)
  {
    const GridTransform grid = gridTransform(frame, task.grid_size);
    std::fill(units.begin(), units.end(), 0);
    if (task.connects())
      addConnected(frame, grid);
    else
      addAll(grid);
    for (int voxel = 0; voxel < static_cast<int>(units.size()); ++voxel) {
      if (units[voxel] == 0)
        continue;
      const float area = areaOfUnits(units[voxel]);
      if (area > task.min_area)
        entries.push_back({static_cast<std::uint16_t>(voxel), area});
    }
  }

  /** \brief Adds an area to a voxel; returns its whole number. */
  std::uint32_t
  addArea(int voxel, double area)
  {
    const std::uint32_t added = areaUnits(area);
    units[voxel] += added;
    return added;
  }

  /** \brief Cuts a triangle, and adds the parts; returns whether they have any area. */
  bool
  addCut(const MeshTriangle& triangle, const GridTransform& grid)
  {
    std::uint64_t sum = 0;
    const auto add = [this, &sum](int voxel, double area) {
      sum += addArea(voxel, area);
    };
    const LocalTriangle counted(triangle, grid, range);
    if (GridCuts<float>(counted.triangle, counted.range).is_flat)
      addToGrid(exactTriangle(triangle, grid), range, add);
    else
      addToGrid(counted.triangle, counted.range, add);
    return sum > 0;
  }

  /** \brief Adds a place of a cell; returns whether it has any area in the tensor. */
  bool
  add(int cell, int place, const GridTransform& grid)
  {
    bool any = false;
    const CellOrigin origin = cellOrigin(task.mesh, cells, cell);
    const int cut = addWithinVoxel(
        task.mesh, origin, place, grid, range, [this, &any](int voxel, double area) {
          any = addArea(voxel, area) > 0;
        });
    for (int i = 0; i < triangles_per_place; ++i)
      if (cut >> i & 1)
        any = addCut(cellTriangle(task.mesh, origin, place, i), grid) || any;
    return any;
  }

  /** \brief Adds a cell of an organized mesh; triangles that have to be cut wait. */
  void
  addQuads(int cell, const GridTransform& grid)
  {
    const CellOrigin origin = cellOrigin(task.mesh, cells, cell);
    findVoxels(scratch.planes.at(origin.x, origin.y), grid, range, quads);
    for (int place = 0; place < mesh_cell_size; ++place) {
      const int voxel = quads.voxels[place];
      if (voxel >= 0)
        addArea(voxel, quads.areas[place]);
      else if (voxel == several_voxels)
        for (int i = 0; i < triangles_per_place; ++i)
          waitForCut(origin, place, i, grid);
    }
  }

  void
  waitForCut(const CellOrigin& origin, int place, int i, const GridTransform& grid)
  {
    const MeshPlanes quad = scratch.planes.at(origin.x + place % mesh_cell_columns,
                                              origin.y + place / mesh_cell_columns);
    if (!(*quad.triangles >> i & 1))
      return;
    const int number = batch.count++;
    for (int k = 0; k < 3; ++k) {
      const QuadCorner corner = quadCorner(i, k, *quad.triangles & right_cut_bit);
      const int point = corner.down * quad.stride + corner.right;
      batch.rows[3 * k][number] = quad.x[point];
      batch.rows[3 * k + 1][number] = quad.y[point];
      batch.rows[3 * k + 2][number] = quad.z[point];
    }
    if (batch.count == TriangleBatch::size)
      cutBatch(grid);
  }

  void
  cutBatch(const GridTransform& grid)
  {
    makeLocal(batch, grid, local);
    cutOnce(local, range, true, areas);
    twice_cut.count = 0;
    for (int i = 0; i < batch.count; ++i) {
      if (areas.voxels[0][i] == inexact_voxel)
        addCut({true,
                batch.point<Vector3>(i, 0),
                batch.point<Vector3>(i, 1),
                batch.point<Vector3>(i, 2)},
               grid);
      else if (areas.voxels[0][i] == several_voxels) {
        const int number = twice_cut.count++;
        for (int row = 0; row <= LocalTriangles::area; ++row)
          twice_cut.rows[row][number] = local.rows[row][i];
      }
      else
        addParts(i);
    }
    batch.count = 0;
    if (twice_cut.count == 0)
      return;
    // Few of the parts have to be cut more than once.
    cutInThree(twice_cut, range, local);
    cutOnce(local, range, false, areas);
    for (int i = 0; i < local.count; ++i)
      if (areas.voxels[0][i] == several_voxels)
        addPart(i);
      else
        addParts(i);
  }

  /** \brief Adds both sides of the plane that cuts a triangle, if any does. */
  void
  addParts(int i)
  {
    for (int part = 0; part < 2; ++part)
      if (areas.voxels[part][i] >= 0)
        addArea(areas.voxels[part][i], areas.areas[part][i]);
  }

  /** \brief Adds a part of a triangle that is cut again and again. */
  void
  addPart(int i)
  {
    using Point = GridPoint<float>;
    const Point base = local.point<Point>(i, LocalTriangles::base);
    const GridTriangle<float> triangle = {local.point<Point>(i, 0),
                                          local.point<Point>(i, 1),
                                          local.point<Point>(i, 2),
                                          local.rows[LocalTriangles::area][i]};
    addToGrid(triangle, countedFrom(range, base), [this](int voxel, double area) {
      addArea(voxel, area);
    });
  }

  void
  addAll(const GridTransform& grid)
  {
    for (int block = 0; block < cells.blocks(); ++block) {
      if (!mayReach(scratch.blocks[block], grid))
        continue;
      for (int i = 0; i < mesh_block_size; ++i) {
        const int cell = cells.cellOfBlock(block, i);
        if (cell < 0 || !mayReach(scratch.cells[cell], grid))
          continue;
        if (!task.mesh.triangles)
          addQuads(cell, grid);
        else
          for (int j = 0; j < mesh_cell_size; ++j)
            add(cell, j, grid);
      }
    }
    cutBatch(grid);
  }

  /** \brief Grows over quads from those at the pair's points. */
  void
  addConnected(const TensorFrame& frame, const GridTransform& grid)
  {
    if (!isFrame(frame))
      return;
    ++tensor;
    const int columns = task.mesh.points.cols;
    waiting.clear();
    waitAround(frame.first % columns, frame.first / columns, 0);
    waitAround(frame.second % columns, frame.second / columns, 0);
    while (!waiting.empty()) {
      const int quad = waiting.back();
      waiting.pop_back();
      const int x = quad % columns, y = quad / columns;
      const int cell = y / mesh_cell_rows * cells.columns + x / mesh_cell_columns;
      const int place = y % mesh_cell_rows * mesh_cell_columns + x % mesh_cell_columns;
      if (add(cell, place, grid))
        waitAround(x, y, 1);
    }
  }

  /** \brief Queues the quads about a quad or pixel that were not queued before. */
  void
  waitAround(int x, int y, int after)
  {
    const int columns = task.mesh.points.cols, rows = task.mesh.points.rows;
    for (int v = std::max(y - 1, 0); v <= std::min(y + after, rows - 1); ++v)
      for (int u = std::max(x - 1, 0); u <= std::min(x + after, columns - 1); ++u) {
        const int quad = v * columns + u;
        if (quad_seen[quad] == tensor)
          continue;
        quad_seen[quad] = tensor;
        waiting.push_back(quad);
      }
  }
};

HWY_ATTR void
computeTensors(const TensorTask& task)
{
  const TensorScratch scratch(task, task.scratch.loose);
  const int count = std::max(0, std::min(*task.pair_count, task.max_pairs));
  *task.count = count;
  task.starts[0] = 0;
  if (count == 0)
    return;
  const MeshCells cells = meshCells(task.mesh);
  fillBounds(task.mesh, cells, scratch);
  const float voxel_size = task.voxelSize();

  std::vector<std::vector<Entry>> entries(std::min(count, batch_size));
#pragma omp parallel
  {
    TensorComputation computation(task, scratch);
    for (int begin = 0; begin < count; begin += batch_size) {
      const int end = std::min(begin + batch_size, count);
#pragma omp for schedule(dynamic)
      for (int t = begin; t < end; ++t) {
        task.frames[t] = localFrame(task.mesh, task.pairs[t], voxel_size);
        entries[t - begin].clear();
        computation.compute(task.frames[t], entries[t - begin]);
      }
#pragma omp single
      for (int t = begin; t < end; ++t)
        task.starts[t + 1] =
            task.starts[t] + static_cast<std::uint32_t>(entries[t - begin].size());
#pragma omp for schedule(static)
      for (int t = begin; t < end; ++t) {
        std::uint32_t to = task.starts[t];
        for (const Entry& entry : entries[t - begin]) {
          if (to >= task.room)
            break;
          task.voxels[to] = entry.voxel;
          task.areas[to] = entry.area;
          ++to;
        }
      }
    }
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(computeTensors);

ScratchBytes
host::tensorScratchBytes(const TensorTask& task)
{
  return {0, HWY_NAMESPACE::TensorScratch(task, nullptr).bytes};
}

void
host::computeTensors(const TensorTask& task)
{
  HWY_DYNAMIC_DISPATCH(computeTensors)(task);
}

} // namespace pcl::device
#endif
