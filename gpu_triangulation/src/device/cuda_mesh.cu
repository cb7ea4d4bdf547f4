// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_block.cuh"
#include "cuda_driver.h"
#include "edges-inl.h"

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

// Quads are classified by segments of a row. Segments in order are quads in order; a few
// of them share a block when polygons are written.
constexpr int segment = 128;
constexpr int segments_per_block = 4;
constexpr int block_quads = segment * segments_per_block;
constexpr int write_threads = 128;
constexpr int quads_per_thread = block_quads / write_threads;
/** \brief The most numbers that the polygons of a quad take. */
constexpr int max_indices = 6;

/** \brief Where a frame's polygons go, in scratch memory. */
struct Places {
  /** \brief Polygons of every segment, padded with zeros to whole blocks. */
  int* segment_count;
  /** \brief For every block: 0, or 1 + the polygons of all blocks before and itself. */
  int* block_end;
  int blocks;

  Places(void* scratch, int rows, int columns)
  : segment_count(static_cast<int*>(scratch))
  , blocks(divideUp(rows * divideUp(columns, segment), segments_per_block))
  {
    block_end = segment_count + static_cast<std::size_t>(blocks) * segments_per_block;
  }

  std::size_t
  bytes() const
  {
    return sizeof(int) * blocks * (segments_per_block + 1);
  }
};

__device__ Vertex<float>
readVertex(const PtrStepSz<const Float4>& cloud,
           PtrStep<const Float4> normals,
           bool with_normal,
           int x,
           int y)
{
  const Float4 p = cloud.ptr(y)[x];
  Vertex<float> vertex{{p.x, p.y, p.z}, {NAN, NAN, NAN}};
  if (with_normal) {
    const Float4 n = normals.ptr(y)[x];
    vertex.normal = {n.x, n.y, n.z};
  }
  return vertex;
}

template <bool TestNormals, QuadCut Cut>
__device__ std::uint8_t
classifyPixel(const PtrStepSz<const Float4>& cloud,
              PtrStep<const Float4> normals,
              const MeshParameters& parameters,
              const EdgeThresholds& thresholds,
              int x,
              int y)
{
  const int right = x + parameters.column_step;
  const int down = y + parameters.row_step;
  if (right >= cloud.cols || down >= cloud.rows)
    return 0;
  // Divisions that few users need.
  if (parameters.column_step > 1 && x % parameters.column_step != 0)
    return 0;
  if (parameters.row_step > 1 && y % parameters.row_step != 0)
    return 0;
  const Vector3<float> viewpoint{
      parameters.viewpoint[0], parameters.viewpoint[1], parameters.viewpoint[2]};
  return static_cast<std::uint8_t>(classifyQuad<TestNormals, Cut>(
      readVertex(cloud, normals, TestNormals, x, y),
      readVertex(cloud, normals, TestNormals, right, y),
      readVertex(cloud, normals, TestNormals, x, down),
      readVertex(cloud, normals, TestNormals, right, down),
      viewpoint,
      thresholds));
}

/** \brief Finds the valid quads and counts each segment's polygons. */
template <bool TestNormals, QuadCut Cut>
__global__ void
__launch_bounds__(segment) classifyKernel(PtrStepSz<const Float4> cloud,
                                          PtrStep<const Float4> normals,
                                          const ResolutionStatistics* statistics,
                                          MeshParameters parameters,
                                          PtrStep<std::uint8_t> validity,
                                          Places places)
{
  using BlockReduce = cub::BlockReduce<int, segment>;
  __shared__ typename BlockReduce::TempStorage storage;
  __shared__ EdgeThresholds thresholds;
  if (threadIdx.x == 0)
    thresholds = resolveThresholds(parameters, statistics);
  __syncthreads();

  const int x = blockIdx.x * segment + threadIdx.x;
  const int y = blockIdx.y;
  std::uint8_t bits = 0;
  if (x < cloud.cols) {
    bits =
        classifyPixel<TestNormals, Cut>(cloud, normals, parameters, thresholds, x, y);
    validity.ptr(y)[x] = bits;
  }
  const int count = BlockReduce(storage).Sum(polygonCount(bits));
  if (threadIdx.x != 0)
    return;
  const int index = blockIdx.y * gridDim.x + blockIdx.x;
  places.segment_count[index] = count;
  if (index % segments_per_block == 0)
    places.block_end[index / segments_per_block] = 0;
  if (index == gridDim.x * gridDim.y - 1)
    for (int i = index + 1; i < places.blocks * segments_per_block; ++i)
      places.segment_count[i] = 0;
}

/** \brief Adds the number of polygons of all blocks before the calling one to a sum.
 *
 * Goes back over the counts of earlier blocks, many at once, until it meets a block that
 * has already published its own sum. The counts themselves are all there, so nothing is
 * waited for. All threads of the block must call.
 * \param[in,out] before in shared memory
 */
__device__ void
addPolygonsBefore(const Places& places, int* before)
{
  constexpr int loads = 8;
  constexpr int chunk = loads * write_threads;
  bool summed = false;
  int count = 0;
  for (int end = blockIdx.x; end > 0 && !summed; end -= chunk) {
    const int begin = end > chunk ? end - chunk : 0;
    const int published =
        begin > 0 ? *static_cast<volatile int*>(places.block_end + begin - 1) : 0;
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int block = begin + i * write_threads + threadIdx.x;
      if (block < end) {
        const int4 counts = reinterpret_cast<const int4*>(places.segment_count)[block];
        count += counts.x + counts.y + counts.z + counts.w;
      }
    }
    // Threads may see it at different times: the first one's answer is for all.
    const int agreed = __syncthreads_or(threadIdx.x == 0 ? published : 0);
    summed = agreed != 0;
    if (threadIdx.x == 0 && summed)
      count += published - 1;
  }
  count = sumOverWarp(count);
  if (threadIdx.x % warpSize == 0)
    atomicAdd(before, count);
}

/** \brief Writes the polygons of a few segments to their place, through shared memory. */
__global__ void
__launch_bounds__(write_threads) writeKernel(PtrStepSz<const std::uint8_t> validity,
                                             int row_step,
                                             int column_step,
                                             int vertices,
                                             Places places,
                                             int* indices,
                                             int* polygon_count)
{
  using BlockScan = cub::BlockScan<int, write_threads>;
  __shared__ typename BlockScan::TempStorage storage;
  __shared__ int staged[block_quads * max_indices];
  __shared__ int begin;

  const int segments_per_row = divideUp(validity.cols, segment);
  const int first_quad = threadIdx.x * quads_per_thread;
  const int index = blockIdx.x * segments_per_block + first_quad / segment;
  const int y = index / segments_per_row;
  const int x = index % segments_per_row * segment + first_quad % segment;
  if (threadIdx.x == 0)
    begin = 0;
  std::uint8_t bits[quads_per_thread];
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i)
    bits[i] = y < validity.rows && x + i < validity.cols ? validity.ptr(y)[x + i] : 0;
  __syncthreads();
  addPolygonsBefore(places, &begin);
  int count = 0;
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i)
    count += polygonCount(bits[i]);
  int own_begin, total;
  BlockScan(storage).ExclusiveSum(count, own_begin, total);
  int* to = staged + own_begin * vertices;
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    writePolygons(
        bits[i], y * validity.cols + x + i, column_step, row_step * validity.cols, to);
    to += polygonCount(bits[i]) * vertices;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const int end = begin + total;
    *static_cast<volatile int*>(places.block_end + blockIdx.x) = end + 1;
    if (blockIdx.x == gridDim.x - 1)
      *polygon_count = end;
  }
  int* place = indices + static_cast<std::size_t>(begin) * vertices;
  for (int i = threadIdx.x; i < total * vertices; i += write_threads)
    place[i] = staged[i];
}

template <bool TestNormals>
auto
chooseClassifyKernel(QuadCut cut)
{
  switch (cut) {
  case QuadCut::Right:
    return classifyKernel<TestNormals, QuadCut::Right>;
  case QuadCut::Adaptive:
    return classifyKernel<TestNormals, QuadCut::Adaptive>;
  case QuadCut::Quad:
    return classifyKernel<TestNormals, QuadCut::Quad>;
  default:
    return classifyKernel<TestNormals, QuadCut::Left>;
  }
}

} // namespace

std::size_t
meshScratchBytes(int rows, int columns)
{
  return Places(nullptr, rows, columns).bytes();
}

void
triangulate(const PtrStepSz<const Float4>& cloud,
            PtrStep<const Float4> normals,
            const ResolutionStatistics* statistics,
            const MeshParameters& parameters,
            void* scratch,
            PtrStep<std::uint8_t> validity,
            int* indices,
            int* polygon_count,
            cudaStream_t stream)
{
  const Places places(scratch, cloud.rows, cloud.cols);
  const dim3 grid(divideUp(cloud.cols, segment), cloud.rows);
  const auto classify = parameters.test_normals
                            ? chooseClassifyKernel<true>(parameters.cut)
                            : chooseClassifyKernel<false>(parameters.cut);
  classify<<<grid, segment, 0, stream>>>(
      cloud, normals, statistics, parameters, validity, places);
  checkLaunch("classifyKernel");
  writeKernel<<<places.blocks, write_threads, 0, stream>>>(
      PtrStepSz<const std::uint8_t>(
          cloud.rows, cloud.cols, validity.data, validity.step),
      parameters.row_step,
      parameters.column_step,
      parameters.cut == QuadCut::Quad ? 4 : 3,
      places,
      indices,
      polygon_count);
  checkLaunch("writeKernel");
}

} // namespace cuda
} // namespace device
} // namespace pcl
