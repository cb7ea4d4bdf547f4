// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "grid_clipping.hpp"
#include "host_tensor.h"
#include "local_frame.hpp"
#include "mesh_cells.hpp"
#include "point_pairs.hpp"
#include "tensor_entries.hpp"

#include <pcl/gpu/utils/device/scratch_pieces.hpp>

#include <algorithm>
#include <vector>

namespace pcl {
namespace device {

namespace {

/** \brief Tensors that are computed before their places are known. */
constexpr int batch_size = 512;

struct Scratch {
  TriangleBounds* cells;
  TriangleBounds* blocks;
  std::size_t bytes;

  Scratch(const TensorTask& task, void* memory)
  {
    const MeshCells mesh = meshCells(task.mesh);
    ScratchPieces pieces(memory);
    cells = pieces.take<TriangleBounds>(mesh.cells());
    blocks = pieces.take<TriangleBounds>(mesh.blocks());
    bytes = pieces.bytes();
  }
};

void
fillBounds(const TensorMesh& mesh, const MeshCells& cells, const Scratch& scratch)
{
#pragma omp parallel for schedule(static)
  for (int cell = 0; cell < cells.cells(); ++cell) {
    TriangleBounds bounds;
    bounds.clear();
    for (int i = 0; i < mesh_cell_size; ++i)
      bounds.add(boundsOf(mesh, cells, cell, i));
    scratch.cells[cell] = bounds;
  }
  for (int block = 0; block < cells.blocks(); ++block) {
    TriangleBounds bounds;
    bounds.clear();
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

/** \brief Computes tensors one after the other. */
class TensorComputation {
public:
  TensorComputation(const TensorTask& task, const Scratch& scratch)
  : task_(task)
  , cells_(meshCells(task.mesh))
  , scratch_(scratch)
  , range_(gridRange(task.grid_size, 0, task.grid_size))
  , units_(voxelCount(task.grid_size))
  {
    if (task.connected)
      quad_seen_.assign(std::size_t(task.mesh.points.rows) * task.mesh.points.cols, 0);
  }

  void
  compute(const TensorFrame& frame, std::vector<Entry>& entries)
  {
    const GridTransform grid = gridTransform(frame, task_.grid_size);
    std::fill(units_.begin(), units_.end(), 0);
    if (task_.connected)
      addConnected(frame, grid);
    else
      addAll(grid);
    for (int voxel = 0; voxel < static_cast<int>(units_.size()); ++voxel) {
      if (units_[voxel] == 0)
        continue;
      const float area = areaOfUnits(units_[voxel]);
      if (area > task_.min_area)
        entries.push_back({static_cast<std::uint16_t>(voxel), area});
    }
  }

private:
  /** \brief Adds a place of a cell; returns whether it has any area in the tensor. */
  bool
  add(int cell, int place, const GridTransform& grid)
  {
    std::uint64_t sum = 0;
    const auto addArea = [this, &sum](int voxel, double area) {
      const std::uint32_t units = areaUnits(area);
      units_[voxel] += units;
      sum += units;
    };
    const CellOrigin origin = cellOrigin(task_.mesh, cells_, cell);
    const int cut = addWithinVoxel(task_.mesh, origin, place, grid, range_, addArea);
    for (int i = 0; i < triangles_per_place; ++i) {
      if (!(cut >> i & 1))
        continue;
      const MeshTriangle triangle = cellTriangle(task_.mesh, origin, place, i);
      const LocalTriangle local(triangle, grid, range_);
      if (GridCuts<float>(local.triangle, local.range).is_flat)
        addToGrid(exactTriangle(triangle, grid), range_, addArea);
      else
        addToGrid(local.triangle, local.range, addArea);
    }
    return sum > 0;
  }

  void
  addAll(const GridTransform& grid)
  {
    for (int block = 0; block < cells_.blocks(); ++block) {
      if (!mayReach(scratch_.blocks[block], grid))
        continue;
      for (int i = 0; i < mesh_block_size; ++i) {
        const int cell = cells_.cellOfBlock(block, i);
        if (cell < 0 || !mayReach(scratch_.cells[cell], grid))
          continue;
        for (int j = 0; j < mesh_cell_size; ++j)
          add(cell, j, grid);
      }
    }
  }

  /** \brief Grows over quads from those at the pair's points. */
  void
  addConnected(const TensorFrame& frame, const GridTransform& grid)
  {
    if (!isFrame(frame))
      return;
    ++tensor_;
    const int columns = task_.mesh.points.cols;
    waiting_.clear();
    waitAround(frame.first % columns, frame.first / columns, 1, 0);
    waitAround(frame.second % columns, frame.second / columns, 1, 0);
    while (!waiting_.empty()) {
      const int quad = waiting_.back();
      waiting_.pop_back();
      const int x = quad % columns, y = quad / columns;
      const int cell = y / mesh_cell_rows * cells_.columns + x / mesh_cell_columns;
      const int place = y % mesh_cell_rows * mesh_cell_columns + x % mesh_cell_columns;
      if (add(cell, place, grid))
        waitAround(x, y, 1, 1);
    }
  }

  /** \brief Has the quads about a quad or pixel wait, those that did not already. */
  void
  waitAround(int x, int y, int before, int after)
  {
    const int columns = task_.mesh.points.cols, rows = task_.mesh.points.rows;
    for (int v = std::max(y - before, 0); v <= std::min(y + after, rows - 1); ++v)
      for (int u = std::max(x - before, 0); u <= std::min(x + after, columns - 1);
           ++u) {
        const int quad = v * columns + u;
        if (quad_seen_[quad] == tensor_)
          continue;
        quad_seen_[quad] = tensor_;
        waiting_.push_back(quad);
      }
  }

  const TensorTask& task_;
  MeshCells cells_;
  const Scratch& scratch_;
  GridRange range_;
  std::vector<std::uint64_t> units_;
  std::vector<int> quad_seen_; // the last tensor that saw a quad
  std::vector<int> waiting_;
  int tensor_ = 0;
};

} // namespace

std::size_t
host::tensorScratchBytes(const TensorTask& task)
{
  return Scratch(task, nullptr).bytes;
}

void
host::computeTensors(const TensorTask& task, void* memory)
{
  const Scratch scratch(task, memory);
  const int count = std::max(0, std::min(*task.pair_count, task.max_pairs));
  *task.count = count;
  task.starts[0] = 0;
  if (count == 0)
    return;
  const MeshCells cells = meshCells(task.mesh);
  fillBounds(task.mesh, cells, scratch);
  const float voxel_size = resolve(task.voxel_size, task.statistics);

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
          if (to >= task.max_entries)
            break;
          task.voxels[to] = entry.voxel;
          task.areas[to] = entry.area;
          ++to;
        }
      }
    }
  }
}

} // namespace device
} // namespace pcl
