// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/cuda_boxes.cuh"
#include "light_grid/light_grid.h"
#include "tile_grid/cuda_lists.cuh"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/block/block_reduce.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 256;

/** \brief Blocks that measure the lists. */
constexpr int most_measure_blocks = 1024;

constexpr std::uint32_t no_cell = 0xffffffffu;

__global__ void
__launch_bounds__(threads) fitGrid(const __grid_constant__ ShadingScene scene,
                                   int light,
                                   const LightGridLists lists)
{
  waitForPreviousKernel();
  const WorldTriangles& world = scene.world;
  Box box = emptyBox();
  for (std::uint64_t id = blockIdx.x * threads + threadIdx.x; id < world.count;
       id += gridDim.x * threads)
    includeTriangle(box, world, static_cast<std::uint32_t>(id));
  Box all;
  if (!uniteOverGrid<threads>(box, lists.boxes, &lists.counts->ticket, all))
    return;
  __shared__ FaceWindow windows[light_faces];
  LightGrid& grid = *lists.grid;
  const GridLight grid_light = gridLight(scene.lights[light]);
  if (threadIdx.x < light_faces)
    windows[threadIdx.x] =
        makeFace(grid_light, threadIdx.x, all, grid.faces[threadIdx.x]);
  __syncwarp();
  if (threadIdx.x == 0)
    shareCells(grid_light, windows, lists.cells, grid);
}

/** \brief A triangle that touches more cells is given to them by all threads of a
 * warp. */
constexpr std::uint32_t most_own_cells = 8;

/** \brief Calls function(bounds, id) for each cell that the triangles of a warp are
 * seen in on one face; the cell is no_cell for threads that have none. All threads of
 * the warp must call, with triangles that are not everywhere.
 * \param[in] face of the thread's triangle
 * \param[in] is_seen whether there are cells
 * \return whether all calls for the thread's triangle returned true
 */
template <typename Function>
__device__ bool
forCellsOfWarp(const LightGrid& grid,
               int face,
               bool is_seen,
               const SeenTriangle& seen,
               std::uint32_t id,
               const Function& function)
{
  const CellRectangle cells = cellsOf(seen);
  const std::uint32_t count = is_seen ? cellCount(cells) : 0;
  const bool is_large = count > most_own_cells;
  int column = 0;
  int row = 0;
  bool more = count > 0 && !is_large;
  bool all = true;
  while (__any_sync(all_lanes, more)) {
    CellBounds bounds = {no_cell, 0};
    if (more) {
      bounds = boundsInCell(
          grid.faces[face], seen, cells.first_column + column, cells.first_row + row);
      if (++column == cells.columns) {
        column = 0;
        more = ++row < cells.rows;
      }
    }
    all = function(bounds, id) && all;
  }
  const int lane = threadIdx.x % warp_size;
  for (unsigned int left = __ballot_sync(all_lanes, is_large); left; left &= left - 1) {
    const int owner = __ffs(left) - 1;
    const auto of_owner = [&](int a) { return __shfl_sync(all_lanes, a, owner); };
    const SeenTriangle other = {of_owner(seen.first_u),
                                of_owner(seen.last_u),
                                of_owner(seen.first_v),
                                of_owner(seen.last_v),
                                of_owner(seen.depth_step)};
    const int other_face = of_owner(face);
    const auto other_id = static_cast<std::uint32_t>(of_owner(static_cast<int>(id)));
    const CellRectangle rectangle = cellsOf(other);
    const auto size = static_cast<int>(cellCount(rectangle));
    for (int first = 0; first < size; first += warp_size) {
      const int i = first + lane;
      CellBounds bounds = {no_cell, 0};
      if (i < size)
        bounds = boundsInCell(grid.faces[other_face],
                              other,
                              rectangle.first_column + i % rectangle.columns,
                              rectangle.first_row + i / rectangle.columns);
      const bool done = function(bounds, other_id);
      all = (__all_sync(all_lanes, done) || lane != owner) && all;
    }
  }
  return all;
}

/** \brief The same on all faces.
 * \param[in] visible whether the thread has a triangle
 * \return whether that is all for the thread's triangle; else each ray must test it
 */
template <typename Function>
__device__ bool
forCellsOfWarp(const LightGridLists& lists,
               bool visible,
               const Triangle& triangle,
               std::uint32_t id,
               const Function& function)
{
  const LightGrid& grid = *lists.grid;
  const int only = visible ? onlyFace(grid, triangle) : 0;
  bool all = true;
  const auto forFace = [&](int face, bool wanted) {
    SeenTriangle seen = {};
    const LightSight sight =
        wanted ? seeTriangle(grid, face, triangle, seen) : LightSight::Nowhere;
    const bool everywhere =
        sight == LightSight::Anywhere || isEverywhere(lists, cellsOf(seen));
    const bool done = forCellsOfWarp(
        grid, face, sight == LightSight::Cells && !everywhere, seen, id, function);
    all = all && done && !everywhere;
  };
  forFace(only < 0 ? 0 : only, visible && only >= 0);
  if (__any_sync(all_lanes, only < 0))
    for (int face = 0; face < light_faces; ++face)
      forFace(face, visible && only < 0);
  return all;
}

/** \brief Counts the entries of each cell, or fills their lists; a triangle a
 * thread. */
template <bool fills>
__global__ void
__launch_bounds__(threads) enterTriangles(const __grid_constant__ ShadingScene scene,
                                          const LightGridLists lists)
{
  waitForPreviousKernel();
  const std::uint32_t id = blockIdx.x * threads + threadIdx.x;
  Triangle triangle = {};
  const bool visible = loadOccluder(scene, id, triangle);
  const bool all = forCellsOfWarp(
      lists, visible, triangle, id, [&](const CellBounds& at, std::uint32_t number) {
        const std::uint32_t i = addToList(lists.ends, at.cell, at.cell != no_cell);
        if (!fills || at.cell == no_cell)
          return true;
        if (i < lists.capacity)
          lists.entries[i] = {number, at.bounds};
        return i < lists.capacity;
      });
  if (fills && !all)
    lists.everywhere[atomicAdd(&lists.counts->everywhere, 1u)] = id;
}

/** \brief Measures the lists, whose places are known. */
__global__ void
__launch_bounds__(threads) measureLists(const LightGridLists lists)
{
  using Reduce = cub::BlockReduce<unsigned long long, threads>;
  __shared__ typename Reduce::TempStorage memory;
  waitForPreviousKernel();
  unsigned long long squares = 0;
  for (std::uint32_t cell = blockIdx.x * threads + threadIdx.x; cell + 1 < lists.cells;
       cell += gridDim.x * threads) {
    const unsigned long long length = lists.ends[cell + 1] - lists.ends[cell];
    squares += length * length;
  }
  squares = Reduce(memory).Sum(squares);
  if (threadIdx.x > 0)
    return;
  atomicAdd(&lists.counts->squares, squares);
  if (blockIdx.x == 0)
    lists.counts->entries = lists.ends[lists.cells - 1];
}

} // namespace

std::size_t
lightGridScanBytes(std::size_t triangles)
{
  const std::uint32_t cells = lightGridCells(triangles);
  std::size_t bytes = 0;
  findListStarts(nullptr, bytes, nullptr, cells, lightGridCapacity(triangles), nullptr);
  return bytes;
}

void
makeLightGrid(const LightGridTask& task, cudaStream_t stream)
{
  const ShadingScene& scene = task.scene;
  LightGridLists lists = task.lists;
  checkCuda(cudaMemsetAsync(lists.counts, 0, sizeof(*lists.counts), stream),
            "clearing a light's grid");
  checkCuda(cudaMemsetAsync(lists.ends, 0, lists.cells * sizeof(*lists.ends), stream),
            "clearing a light's grid");
  const auto blocks =
      static_cast<int>((std::size_t(scene.world.count) + threads - 1) / threads);
  launchOverlapping("fitGrid",
                    std::min(std::max(blocks, 1), most_partial_boxes),
                    threads,
                    stream)(fitGrid, scene, task.light, lists);
  if (blocks > 0) {
    launchOverlapping("countCells", blocks, threads, stream)(
        enterTriangles<false>, scene, lists);
    findListStarts(
        lists.scan, lists.scan_bytes, lists.ends, lists.cells, lists.capacity, stream);
    const auto cell_blocks = static_cast<int>((lists.cells + threads - 1) / threads);
    launchOverlapping("measureLists",
                      std::min(cell_blocks, most_measure_blocks),
                      threads,
                      stream)(measureLists, lists);
    launchOverlapping("fillCells", blocks, threads, stream)(
        enterTriangles<true>, scene, lists);
  }
  checkCuda(cudaMemcpyAsync(task.counts,
                            lists.counts,
                            sizeof(*task.counts),
                            cudaMemcpyDeviceToHost,
                            stream),
            "asking what is in a light's grid");
}

} // namespace pcl::device::cuda
