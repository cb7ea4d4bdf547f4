// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_block.cuh"
#include "cuda_driver.h"
#include "edges-inl.h"

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <algorithm>

namespace pcl {
namespace device {
namespace cuda {

namespace {

// A block takes a segment of one row, so that blocks in order are quads in order.
constexpr int block_threads = 256;
constexpr int quads_per_thread = 4;
constexpr int segment = block_threads * quads_per_thread;
/** \brief The most numbers that the polygons of a quad take. */
constexpr int max_indices = 6;

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
  if (right >= cloud.cols || down >= cloud.rows || x % parameters.column_step != 0 ||
      y % parameters.row_step != 0)
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

/** \brief Finds the valid quads; the last block turns counts into places. */
template <bool TestNormals, QuadCut Cut>
__global__ void
__launch_bounds__(block_threads)
classifyKernel(PtrStepSz<const Float4> cloud,
               PtrStep<const Float4> normals,
               const ResolutionStatistics* statistics,
               MeshParameters parameters,
               PtrStep<std::uint8_t> validity,
               int* segment_begin,
               unsigned int* ticket,
               int* polygon_count)
{
  using BlockReduce = cub::BlockReduce<int, block_threads>;
  using BlockScan = cub::BlockScan<int, block_threads>;
  __shared__ union {
    typename BlockReduce::TempStorage reduce;
    typename BlockScan::TempStorage scan;
  } storage;

  const EdgeThresholds thresholds = resolveThresholds(parameters, statistics);
  const int y = blockIdx.y;
  int count = 0;
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    const int x = blockIdx.x * segment + i * block_threads + threadIdx.x;
    if (x >= cloud.cols)
      break;
    const std::uint8_t bits =
        classifyPixel<TestNormals, Cut>(cloud, normals, parameters, thresholds, x, y);
    validity.ptr(y)[x] = bits;
    count += polygonCount(bits);
  }
  const int block_count = BlockReduce(storage.reduce).Sum(count);
  if (threadIdx.x == 0)
    segment_begin[blockIdx.y * gridDim.x + blockIdx.x] = block_count;
  if (!isLastBlock(ticket))
    return;

  const int segments = gridDim.x * gridDim.y;
  int total = 0;
  for (int i0 = 0; i0 < segments; i0 += block_threads) {
    const int i = i0 + threadIdx.x;
    int begin = i < segments ? segment_begin[i] : 0;
    int sum;
    BlockScan(storage.scan).ExclusiveSum(begin, begin, sum);
    __syncthreads();
    if (i < segments)
      segment_begin[i] = total + begin;
    total += sum;
  }
  if (threadIdx.x == 0)
    *polygon_count = total;
}

/** \brief Writes each segment's polygons to their place, through shared memory. */
__global__ void
__launch_bounds__(block_threads)
writeKernel(PtrStepSz<const std::uint8_t> validity,
            int row_step,
            int column_step,
            int vertices,
            const int* segment_begin,
            int* indices)
{
  using BlockScan = cub::BlockScan<int, block_threads>;
  __shared__ typename BlockScan::TempStorage storage;
  __shared__ int staged[segment * max_indices];

  const int y = blockIdx.y;
  const int x0 = blockIdx.x * segment + threadIdx.x * quads_per_thread;
  std::uint8_t bits[quads_per_thread];
  int count = 0;
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    bits[i] = x0 + i < validity.cols ? validity.ptr(y)[x0 + i] : 0;
    count += polygonCount(bits[i]);
  }
  int begin, total;
  BlockScan(storage).ExclusiveSum(count, begin, total);
  int* to = staged + begin * vertices;
#pragma unroll
  for (int i = 0; i < quads_per_thread; ++i) {
    writePolygons(
        bits[i], y * validity.cols + x0 + i, column_step, row_step * validity.cols, to);
    to += polygonCount(bits[i]) * vertices;
  }
  __syncthreads();
  const std::size_t place =
      static_cast<std::size_t>(segment_begin[blockIdx.y * gridDim.x + blockIdx.x]) *
      vertices;
  for (int i = threadIdx.x; i < total * vertices; i += block_threads)
    indices[place + i] = staged[i];
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
  return sizeof(int) * rows * divideUp(columns, segment);
}

void
triangulate(const PtrStepSz<const Float4>& cloud,
            PtrStep<const Float4> normals,
            const ResolutionStatistics* statistics,
            const MeshParameters& parameters,
            void* scratch,
            unsigned int* ticket,
            PtrStep<std::uint8_t> validity,
            int* indices,
            int* polygon_count,
            cudaStream_t stream)
{
  int* segment_begin = static_cast<int*>(scratch);
  const dim3 grid(divideUp(cloud.cols, segment), cloud.rows);
  const auto classify = parameters.test_normals
                            ? chooseClassifyKernel<true>(parameters.cut)
                            : chooseClassifyKernel<false>(parameters.cut);
  classify<<<grid, block_threads, 0, stream>>>(cloud,
                                               normals,
                                               statistics,
                                               parameters,
                                               validity,
                                               segment_begin,
                                               ticket,
                                               polygon_count);
  checkLaunch("classifyKernel");
  writeKernel<<<grid, block_threads, 0, stream>>>(
      PtrStepSz<const std::uint8_t>(
          cloud.rows, cloud.cols, validity.data, validity.step),
      parameters.row_step,
      parameters.column_step,
      parameters.cut == QuadCut::Quad ? 4 : 3,
      segment_begin,
      indices);
  checkLaunch("writeKernel");
}

} // namespace cuda
} // namespace device
} // namespace pcl
