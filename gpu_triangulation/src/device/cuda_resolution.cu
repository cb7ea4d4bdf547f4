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

constexpr int block_columns = 32;
constexpr int block_rows = 8;
constexpr int rows_per_thread = 4;
constexpr int block_threads = block_columns * block_rows;

using BlockReduce = cub::BlockReduce<ResolutionSums,
                                     block_columns,
                                     cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                                     block_rows>;

struct AddSums {
  __device__ ResolutionSums
  operator()(const ResolutionSums& a, const ResolutionSums& b) const
  {
    return a + b;
  }
};

/** \brief Reads position or normal; NaN outside the image. */
__device__ Vector3<float>
readVector(PtrStep<const Float4> image, int rows, int columns, int x, int y)
{
  if (x < 0 || x >= columns || y < 0 || y >= rows)
    return {NAN, NAN, NAN};
  const Float4 p = image.ptr(y)[x];
  return {p.x, p.y, p.z};
}

__device__ void
addPixel(MeanSums& sums, const NeighborMean<float>& mean)
{
  if (!(mean.count > 0.0f))
    return;
  const double value = mean.sum / mean.count;
  sums = sums + MeanSums{1.0, value, value * value};
}

template <int Neighbors, bool WithNormals>
__global__ void
__launch_bounds__(block_threads)
resolutionKernel(PtrStepSz<const Float4> cloud,
                 PtrStep<const Float4> normals,
                 ResolutionSums* parts,
                 unsigned int* ticket,
                 ResolutionStatistics* statistics)
{
  __shared__ typename BlockReduce::TempStorage storage;
  const int x = blockIdx.x * block_columns + threadIdx.x;
  ResolutionSums sums{};
#pragma unroll 1
  for (int i = 0; i < rows_per_thread; ++i) {
    const int y = (blockIdx.y * rows_per_thread + i) * block_rows + threadIdx.y;
    const Vector3<float> point = readVector(cloud, cloud.rows, cloud.cols, x, y);
    Vector3<float> normal{NAN, NAN, NAN};
    if (WithNormals)
      normal = readVector(normals, cloud.rows, cloud.cols, x, y);
    NeighborMean<float> distances{0.0f, 0.0f};
    NeighborMean<float> angles{0.0f, 0.0f};
#pragma unroll
    for (int neighbor = 0; neighbor < 9; ++neighbor) {
      const int dx = neighbor % 3 - 1;
      const int dy = neighbor / 3 - 1;
      const bool beside = dx == 0 || dy == 0;
      if (neighbor == 4 || (Neighbors == 4 && !beside))
        continue;
      add(distances,
          distance(point, readVector(cloud, cloud.rows, cloud.cols, x + dx, y + dy)));
      if (WithNormals)
        add(angles,
            angleBetween(normal,
                         readVector(normals, cloud.rows, cloud.cols, x + dx, y + dy)));
    }
    addPixel(sums.distance, distances);
    addPixel(sums.angle, angles);
  }

  const int thread = threadIdx.y * block_columns + threadIdx.x;
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
  return dim3(divideUp(columns > 0 ? columns : 1, block_columns),
              divideUp(rows > 0 ? rows : 1, block_rows * rows_per_thread));
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
  const auto kernel = neighbors == 4
                          ? (normals.data ? resolutionKernel<4, true>
                                          : resolutionKernel<4, false>)
                          : (normals.data ? resolutionKernel<8, true>
                                          : resolutionKernel<8, false>);
  kernel<<<gridFor(cloud.rows, cloud.cols), dim3(block_columns, block_rows), 0, stream>>>(
      cloud, normals, static_cast<ResolutionSums*>(scratch), ticket, statistics);
  checkLaunch("resolutionKernel");
}

} // namespace cuda
} // namespace device
} // namespace pcl
