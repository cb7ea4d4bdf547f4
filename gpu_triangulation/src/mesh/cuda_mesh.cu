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
  QuadVertices<float> vertices;
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
  quad.exists = right < cloud.cols && down < cloud.rows;
  // Divisions that few users need.
  if (parameters.column_step > 1)
    quad.exists = quad.exists && x % parameters.column_step == 0;
  if (parameters.row_step > 1)
    quad.exists = quad.exists && y % parameters.row_step == 0;
  if (quad.exists) {
    quad.vertices[0] = readVertex(cloud, normals, TestNormals, x, y);
    quad.vertices[1] = readVertex(cloud, normals, TestNormals, right, y);
    quad.vertices[2] = readVertex(cloud, normals, TestNormals, x, down);
    quad.vertices[3] = readVertex(cloud, normals, TestNormals, right, down);
  }
  return quad;
}

/** \brief Edges of a quad: bits by QuadEdge. */
struct QuadEdges {
  unsigned int valid;
  unsigned int undecided; ///< long ones that may continue a surface
  bool right_is_shorter;  ///< of the diagonals
};

template <bool TestNormals, Cut Way>
__device__ QuadEdges
testQuad(const Quad& quad,
         const Vector3<float>& viewpoint,
         const EdgeThresholds& thresholds)
{
  QuadEdges edges{};
  if (!quad.exists)
    return edges;
  forEachEdge<Way>([&](QuadEdge edge) {
    const auto test = testEdge<TestNormals>(quad.vertices, edge, viewpoint, thresholds);
    edges.valid |= test.is_valid << edge;
    edges.undecided |= (test.is_long && thresholds.follows_surface) << edge;
  });
  edges.right_is_shorter = isRightDiagonalShorter(quad.vertices);
  return edges;
}

/** \brief Long edges of a block's quads: few, so that all threads share them. */
struct LongEdges {
  static constexpr int edges = 6;

  int count;
  unsigned short queue[block_quads * edges];
  unsigned int valid[block_quads]; ///< bits by QuadEdge

  /** \brief Adds a quad's undecided edges. */
  __device__ void
  add(int quad, unsigned int undecided)
  {
    valid[quad] = 0;
    if (undecided == 0)
      return;
    int place = atomicAdd(&count, __popc(undecided));
    for (int edge = 0; edge < edges; ++edge)
      if (undecided >> edge & 1)
        queue[place++] = static_cast<unsigned short>(quad * edges + edge);
  }

  /** \brief Decides on all edges. Their order does not matter. */
  __device__ void
  decide(const PtrStepSz<const Float4>& cloud,
         const MeshParameters& parameters,
         const Vector3<float>& viewpoint,
         const EdgeThresholds& thresholds)
  {
    for (int i = threadIdx.x; i < count; i += block_threads) {
      const int quad = queue[i] / edges;
      const QuadEdge edge = static_cast<QuadEdge>(queue[i] % edges);
      const int pixel = blockIdx.x * block_quads + quad;
      const int y = pixel / cloud.cols;
      const int x = pixel - y * cloud.cols;
      const auto point_at = [&](int columns, int rows) {
        const int u = x + columns * parameters.column_step;
        const int v = y + rows * parameters.row_step;
        if (u < 0 || u >= cloud.cols || v < 0 || v >= cloud.rows)
          return Vector3<float>{NAN, NAN, NAN};
        return vectorOf(cloud.ptr(v)[u]);
      };
      if (isLongEdgeValid(true, edge, point_at, viewpoint, thresholds))
        atomicOr(&valid[quad], 1u << edge);
    }
  }
};

/** \brief Returns the QuadValidity bits. */
template <Cut Way>
__device__ std::uint8_t
quadValidity(const QuadEdges& edges)
{
  bool valid[LongEdges::edges]{};
  forEachEdge<Way>([&](QuadEdge edge) { valid[edge] = edges.valid >> edge & 1; });
  return static_cast<std::uint8_t>(
      validityOf<float, Way>(valid, edges.right_is_shorter));
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
  __shared__ union {
    LongEdges long_edges;
    int staged[block_quads * max_indices];
  } shared;
  __shared__ unsigned int begin;
  const int thread = threadIdx.x;
  const int lane = thread % warp_size;
  waitForPreviousKernel();
  const unsigned int run = order.run();
  if (thread == 0) {
    thresholds = resolveThresholds(parameters, statistics);
    begin = 0;
    shared.long_edges.count = 0;
  }
  const Vector3<float> viewpoint{
      parameters.viewpoint[0], parameters.viewpoint[1], parameters.viewpoint[2]};

  QuadEdges edges[quads_per_thread];
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    const int in_block = i * block_threads + thread;
    const int pixel = blockIdx.x * block_quads + in_block;
    const int y = pixel / cloud.cols;
    const int x = pixel - y * cloud.cols;
    const Quad quad = readQuad<TestNormals>(cloud, normals, parameters, x, y);
    // The thresholds are there by the time that the first quad is.
    if (i == 0)
      __syncthreads();
    edges[i] = testQuad<TestNormals, Way>(quad, viewpoint, thresholds);
    if (thresholds.follows_surface)
      shared.long_edges.add(in_block, edges[i].undecided);
  }
  if (thresholds.follows_surface) {
    __syncthreads();
    shared.long_edges.decide(cloud, parameters, viewpoint, thresholds);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < quads_per_thread; ++i)
      edges[i].valid |= shared.long_edges.valid[i * block_threads + thread];
  }

  std::uint8_t bits[quads_per_thread];
  int own[quads_per_thread];   // the quad's pixel
  int place[quads_per_thread]; // of its polygons among those of its warp
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    own[i] = blockIdx.x * block_quads + i * block_threads + thread;
    const int y = own[i] / cloud.cols;
    const int x = own[i] - y * cloud.cols;
    bits[i] = quadValidity<Way>(edges[i]);
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
                  shared.staged + place[i] * vertices);
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
    to[i] = shared.staged[i];
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
