// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "mesh/edges-inl.h"
#include "mesh/mesh.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_block_order.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>
#include <pcl/gpu/utils/internal/device/with_constant.hpp>

namespace pcl::device::cuda {

namespace {

constexpr int block_threads = 160;
/** \brief Quads of a thread, each block_threads after the other. */
constexpr int quads_per_thread = 3;
constexpr int block_quads = quads_per_thread * block_threads;
constexpr int block_warps = block_threads / warp_size;
/** \brief The most numbers that the polygons of a quad take. */
constexpr int max_indices = 6;

__device__ Vertex<float>
readVertex(const PtrStepSz<const Float4>& cloud,
           PtrStep<const Float4> normals,
           bool with_normal,
           int x,
           int y)
{
  Vertex<float> vertex{vectorOf(cloud.ptr(y)[x]), {NAN, NAN, NAN}};
  if (with_normal)
    vertex.normal = vectorOf(normals.ptr(y)[x]);
  return vertex;
}

/** \brief The vertices of the quad that begins at a pixel, if there is one. */
struct Quad {
  bool exists;
  int x, y;
  Vertex<float> own, right, down, down_right;
};

template <bool TestNormals>
__device__ Quad
readQuad(const PtrStepSz<const Float4>& cloud,
         PtrStep<const Float4> normals,
         const MeshParameters& parameters,
         int x,
         int y)
{
  const int right = x + parameters.column_step;
  const int down = y + parameters.row_step;
  Quad quad{};
  quad.x = x;
  quad.y = y;
  quad.exists = right < cloud.cols && down < cloud.rows;
  // Divisions that few users need.
  if (parameters.column_step > 1)
    quad.exists = quad.exists && x % parameters.column_step == 0;
  if (parameters.row_step > 1)
    quad.exists = quad.exists && y % parameters.row_step == 0;
  if (quad.exists) {
    quad.own = readVertex(cloud, normals, TestNormals, x, y);
    quad.right = readVertex(cloud, normals, TestNormals, right, y);
    quad.down = readVertex(cloud, normals, TestNormals, x, down);
    quad.down_right = readVertex(cloud, normals, TestNormals, right, down);
  }
  return quad;
}

template <bool TestNormals, Cut Way>
__device__ std::uint8_t
classify(const PtrStepSz<const Float4>& cloud,
         const Quad& quad,
         const MeshParameters& parameters,
         const EdgeThresholds& thresholds)
{
  const Vector3<float> viewpoint{
      parameters.viewpoint[0], parameters.viewpoint[1], parameters.viewpoint[2]};
  if (!quad.exists)
    return 0;
  const auto point_at = [&](int columns, int rows) {
    const int x = quad.x + columns * parameters.column_step;
    const int y = quad.y + rows * parameters.row_step;
    if (x < 0 || x >= cloud.cols || y < 0 || y >= cloud.rows)
      return Vector3<float>{NAN, NAN, NAN};
    return vectorOf(cloud.ptr(y)[x]);
  };
  return static_cast<std::uint8_t>(classifyQuad<TestNormals, Way>(quad.own,
                                                                  quad.right,
                                                                  quad.down,
                                                                  quad.down_right,
                                                                  point_at,
                                                                  viewpoint,
                                                                  thresholds));
}

/** \brief Finds the valid quads and writes their polygons, through shared memory.
 *
 * The task's members are handed over one by one: with the whole of it, some of the
 * kernels need more registers.
 */
template <bool TestNormals, Cut Way>
__global__ void
__launch_bounds__(block_threads)
    triangulateKernel(PtrStepSz<const Float4> cloud,
                      PtrStep<const Float4> normals,
                      const ResolutionStatistics* statistics,
                      MeshParameters parameters,
                      BlockOrder order,
                      PtrStep<std::uint8_t> validity,
                      int* indices,
                      int* polygon_count)
{
  constexpr int vertices = Way == Cut::Quad ? 4 : 3;
  __shared__ EdgeThresholds thresholds;
  __shared__ int warp_count[quads_per_thread * block_warps];
  __shared__ int staged[block_quads * max_indices];
  __shared__ unsigned int begin;
  const int thread = threadIdx.x;
  const int lane = thread % warp_size;
  waitForPreviousKernel();
  const unsigned int run = order.run();
  if (thread == 0) {
    thresholds = resolveThresholds(parameters, statistics);
    begin = 0;
  }

  std::uint8_t bits[quads_per_thread];
  int own[quads_per_thread];   // the quad's pixel
  int place[quads_per_thread]; // of its polygons among those of its warp
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    own[i] = blockIdx.x * block_quads + i * block_threads + thread;
    const int y = own[i] / cloud.cols;
    const int x = own[i] - y * cloud.cols;
    const Quad quad = readQuad<TestNormals>(cloud, normals, parameters, x, y);
    // The thresholds are there by the time that the first quad is.
    if (i == 0)
      __syncthreads();
    bits[i] = classify<TestNormals, Way>(cloud, quad, parameters, thresholds);
    if (y < cloud.rows)
      validity.ptr(y)[x] = bits[i];
    const int count = polygonCount(bits[i]);
    const unsigned int some = __ballot_sync(all_lanes, count > 0);
    const unsigned int two = __ballot_sync(all_lanes, count > 1);
    place[i] = lanesBefore(some, lane) + lanesBefore(two, lane);
    if (lane == 0)
      warp_count[i * block_warps + thread / warp_size] = __popc(some) + __popc(two);
  }
  __syncthreads();

  int total = 0;
#pragma unroll
  for (int i = 0; i < quads_per_thread * block_warps; ++i) {
    if (i % block_warps == thread / warp_size)
      place[i / block_warps] += total;
    total += warp_count[i];
  }
  if (thread == 0)
    order.publishCount(run, total);
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i)
    writePolygons(bits[i],
                  own[i],
                  parameters.column_step,
                  parameters.row_step * cloud.cols,
                  staged + place[i] * vertices);
  order.addCountsBefore<block_threads>(run, &begin);
  __syncthreads();
  if (thread == 0) {
    order.publishEnd(run, begin + total);
    if (blockIdx.x == gridDim.x - 1) {
      *polygon_count = begin + total;
      order.finish(run);
    }
  }
  int* to = indices + static_cast<std::size_t>(begin) * vertices;
  for (int i = thread; i < total * vertices; i += block_threads)
    to[i] = staged[i];
}

int
blocksFor(const MeshTask& task)
{
  return divideUp(task.cloud.rows * task.cloud.cols, block_quads);
}

} // namespace

std::size_t
meshScratchBytes(const MeshTask& task)
{
  return BlockOrder::bytes(blocksFor(task));
}

void
triangulate(const MeshTask& task, cudaStream_t stream)
{
  const int blocks = blocksFor(task);
  const auto kernel = withConstant<int(Cut::Left), int(Cut::Quad)>(
      static_cast<int>(task.parameters.cut), [&](auto way) {
        constexpr Cut cut = static_cast<Cut>(way.value);
        return task.parameters.test_normals ? triangulateKernel<true, cut>
                                            : triangulateKernel<false, cut>;
      });
  launchOverlapping("triangulateKernel", blocks, block_threads, stream)(
      kernel,
      task.cloud,
      task.normals,
      task.statistics,
      task.parameters,
      BlockOrder(task.scratch, blocks),
      task.validity,
      task.indices,
      task.polygon_count);
}

} // namespace pcl::device::cuda
