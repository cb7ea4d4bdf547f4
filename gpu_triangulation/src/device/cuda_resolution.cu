// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_block.cuh"
#include "cuda_driver.h"
#include "edges-inl.h"
#include "resolution_sums.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>

#include <cub/block/block_reduce.cuh>

namespace pcl {
namespace device {
namespace cuda {

namespace {

constexpr int warp_size = 32;
/** \brief A warp's outer lanes only serve their neighbours. */
constexpr int columns_per_warp = warp_size - 2;
constexpr int rows_per_warp = 4;
constexpr int block_warps = 8;
constexpr int block_threads = warp_size * block_warps;

using BlockReduce = cub::BlockReduce<ResolutionSums,
                                     warp_size,
                                     cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                                     block_warps>;

struct AddSums {
  __device__ ResolutionSums
  operator()(const ResolutionSums& a, const ResolutionSums& b) const
  {
    return a + b;
  }
};

/** \brief A point with its normal. */
struct Sample {
  Vector3<float> point, normal;
};

__device__ Vector3<float>
readVector(PtrStep<const Float4> image, int x, int y)
{
  const Float4 p = image.ptr(y)[x];
  return {p.x, p.y, p.z};
}

/** \brief Reads a pixel; NaN outside the image. */
template <bool WithNormals>
__device__ Sample
readSample(const PtrStepSz<const Float4>& cloud,
           PtrStep<const Float4> normals,
           int x,
           int y)
{
  if (x < 0 || x >= cloud.cols || y < 0 || y >= cloud.rows)
    return {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
  Sample sample{readVector(cloud, x, y), {NAN, NAN, NAN}};
  if (WithNormals)
    sample.normal = readVector(normals, x, y);
  return sample;
}

/** \brief The value of the lane on the right. */
__device__ float
fromRight(float value)
{
  return __shfl_down_sync(all_lanes, value, 1);
}

/** \brief The value of the lane on the left. */
__device__ float
fromLeft(float value)
{
  return __shfl_up_sync(all_lanes, value, 1);
}

template <bool WithNormals, typename FromSide>
__device__ Sample
sampleFrom(const Sample& own, const FromSide& from_side)
{
  Sample sample = own;
  sample.point = {
      from_side(own.point.x), from_side(own.point.y), from_side(own.point.z)};
  if (WithNormals)
    sample.normal = {
        from_side(own.normal.x), from_side(own.normal.y), from_side(own.normal.z)};
  return sample;
}

/** \brief What is measured between two neighbours. */
struct Edge {
  float distance, angle;
};

template <bool WithNormals>
__device__ Edge
compare(const Sample& p, const Sample& q)
{
  return {distance(p.point, q.point),
          WithNormals ? angleBetween(p.normal, q.normal) : NAN};
}

template <bool WithNormals, typename FromSide>
__device__ Edge
edgeFrom(const Edge& own, const FromSide& from_side)
{
  return {from_side(own.distance), WithNormals ? from_side(own.angle) : NAN};
}

/** \brief A pixel's edges to the neighbours that come after it. */
struct Edges {
  Edge right, down, down_right, down_left;
};

template <int Neighbors, bool WithNormals>
__device__ Edges
measureEdges(const Sample& own, const Sample& right, const Sample& down)
{
  Edges edges{};
  edges.right = compare<WithNormals>(own, right);
  edges.down = compare<WithNormals>(own, down);
  if (Neighbors == 8) {
    edges.down_right =
        compare<WithNormals>(own, sampleFrom<WithNormals>(down, fromRight));
    edges.down_left =
        compare<WithNormals>(own, sampleFrom<WithNormals>(down, fromLeft));
  }
  return edges;
}

/** \brief Means over a pixel's neighbours. */
struct PixelMeans {
  NeighborMean<float> distance, angle;

  __device__ void
  addEdge(const Edge& edge)
  {
    add(distance, edge.distance);
    add(angle, edge.angle);
  }
};

__device__ void
addPixel(MeanSums& sums, const NeighborMean<float>& mean)
{
  if (!(mean.count > 0.0f))
    return;
  const double value = mean.sum / mean.count;
  sums = sums + MeanSums{1.0, value, value * value};
}

/** \brief Sums over the pixels of one warp's part of the image.
 *
 * A lane goes down its column and measures each edge once; the neighbours' edges come
 * from the lanes beside it and from the row before.
 */
template <int Neighbors, bool WithNormals>
__device__ ResolutionSums
sumColumns(const PtrStepSz<const Float4>& cloud,
           PtrStep<const Float4> normals,
           int x,
           int y0)
{
  const int lane = threadIdx.x;
  ResolutionSums sums{};
  // Read at once, so that the loads' latencies overlap.
  Sample rows[rows_per_warp + 2];
#pragma unroll
  for (int i = 0; i < rows_per_warp + 2; ++i)
    rows[i] = readSample<WithNormals>(cloud, normals, x, y0 - 1 + i);
  Edges above{};
#pragma unroll
  for (int i = -1; i < rows_per_warp; ++i) {
    const Sample& own = rows[i + 1];
    const Sample& down = rows[i + 2];
    const Sample right = sampleFrom<WithNormals>(own, fromRight);
    const Edges edges = measureEdges<Neighbors, WithNormals>(own, right, down);
    if (i >= 0) {
      PixelMeans means{};
      means.addEdge(edges.right);
      means.addEdge(edgeFrom<WithNormals>(edges.right, fromLeft));
      means.addEdge(edges.down);
      means.addEdge(above.down);
      if (Neighbors == 8) {
        means.addEdge(edges.down_right);
        means.addEdge(edges.down_left);
        means.addEdge(edgeFrom<WithNormals>(above.down_right, fromLeft));
        means.addEdge(edgeFrom<WithNormals>(above.down_left, fromRight));
      }
      // Pixels outside the image have no neighbours, as all their edges are NaN.
      if (lane > 0 && lane < warp_size - 1) {
        addPixel(sums.distance, means.distance);
        addPixel(sums.angle, means.angle);
      }
    }
    above = edges;
  }
  return sums;
}

template <int Neighbors, bool WithNormals>
__global__ void
__launch_bounds__(block_threads) resolutionKernel(PtrStepSz<const Float4> cloud,
                                                  PtrStep<const Float4> normals,
                                                  ResolutionSums* parts,
                                                  unsigned int* ticket,
                                                  ResolutionStatistics* statistics)
{
  __shared__ typename BlockReduce::TempStorage storage;
  const int x = blockIdx.x * columns_per_warp + threadIdx.x - 1;
  const int y0 = (blockIdx.y * block_warps + threadIdx.y) * rows_per_warp;
  const ResolutionSums sums = sumColumns<Neighbors, WithNormals>(cloud, normals, x, y0);

  const int thread = threadIdx.y * warp_size + threadIdx.x;
  const ResolutionSums block_sums = BlockReduce(storage).Reduce(sums, AddSums());
  if (thread == 0)
    parts[blockIdx.y * gridDim.x + blockIdx.x] = block_sums;
  if (!isLastBlock(ticket))
    return;

  // In an order that does not depend on the blocks' own: the same bits on every run.
  const unsigned int blocks = gridDim.x * gridDim.y;
  ResolutionSums total{};
  for (unsigned int i = thread; i < blocks; i += block_threads)
    total = total + parts[i];
  const ResolutionSums frame = BlockReduce(storage).Reduce(total, AddSums());
  if (thread == 0)
    *statistics = statisticsOf(frame);
}

dim3
gridFor(int rows, int columns)
{
  // An empty frame has statistics too.
  return dim3(divideUp(columns > 0 ? columns : 1, columns_per_warp),
              divideUp(rows > 0 ? rows : 1, block_warps * rows_per_warp));
}

} // namespace

std::size_t
resolutionScratchBytes(int rows, int columns)
{
  const dim3 grid = gridFor(rows, columns);
  return sizeof(ResolutionSums) * grid.x * grid.y;
}

void
measureResolution(const PtrStepSz<const Float4>& cloud,
                  PtrStep<const Float4> normals,
                  int neighbors,
                  void* scratch,
                  unsigned int* ticket,
                  ResolutionStatistics* statistics,
                  cudaStream_t stream)
{
  const auto kernel =
      neighbors == 4
          ? (normals.data ? resolutionKernel<4, true> : resolutionKernel<4, false>)
          : (normals.data ? resolutionKernel<8, true> : resolutionKernel<8, false>);
  kernel<<<gridFor(cloud.rows, cloud.cols), dim3(warp_size, block_warps), 0, stream>>>(
      cloud, normals, static_cast<ResolutionSums*>(scratch), ticket, statistics);
  checkLaunch("resolutionKernel");
}

} // namespace cuda
} // namespace device
} // namespace pcl
