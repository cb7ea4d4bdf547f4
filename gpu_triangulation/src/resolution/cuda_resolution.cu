// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "resolution/neighbors-inl.h"
#include "resolution/resolution.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/block/block_reduce.cuh>
#include <cuda/std/functional>

namespace pcl::device::cuda {

namespace {

/** \brief A warp's outer lanes only serve their neighbours. */
constexpr int columns_per_warp = warp_size - 2;
constexpr int rows_per_warp = 5;
constexpr int block_warps = 8;
constexpr int block_threads = warp_size * block_warps;

using BlockReduce = cub::BlockReduce<ResolutionSums,
                                     warp_size,
                                     cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                                     block_warps>;

/** \brief Sums of the blocks, for the last of them to add up. */
struct Scratch {
  unsigned int* ticket; ///< see isLastBlock()
  ResolutionSums* parts;

  __device__ explicit Scratch(void* memory)
  : ticket(static_cast<unsigned int*>(memory))
  , parts(reinterpret_cast<ResolutionSums*>(static_cast<char*>(memory) +
                                            alignof(ResolutionSums)))
  {}

  static std::size_t
  bytes(std::size_t blocks)
  {
    return alignof(ResolutionSums) + blocks * sizeof(ResolutionSums);
  }
};

/** \brief A point with its normal. */
struct Sample {
  Vector3<float> point, normal;
};

/** \brief Reads a pixel; NaN outside the image. */
template <bool WithNormals>
__device__ Sample
readSample(const ResolutionTask& task, int x, int y)
{
  if (x < 0 || x >= task.columns || y < 0 || y >= task.rows)
    return {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
  x *= task.column_step;
  y *= task.row_step;
  Sample sample{vectorOf(task.cloud.ptr(y)[x]), {NAN, NAN, NAN}};
  if (WithNormals)
    sample.normal = vectorOf(task.normals.ptr(y)[x]);
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

template <bool WithNormals>
__device__ Sample
sampleFromRight(const Sample& own)
{
  Sample sample = own;
  sample.point = {
      fromRight(own.point.x), fromRight(own.point.y), fromRight(own.point.z)};
  if (WithNormals)
    sample.normal = {
        fromRight(own.normal.x), fromRight(own.normal.y), fromRight(own.normal.z)};
  return sample;
}

/** \brief Length of the edge between two neighbours, NaN or infinite if one is missing,
 * and the angle at it if both have a normal. */
struct Edge {
  float length;
  float angle; ///< or 0
  int angles;  ///< 1 or 0
};

template <bool WithNormals>
__device__ Edge
measure(const Sample& p, const Sample& q)
{
  Edge edge{distance(p.point, q.point), 0.0f, 0};
  if (WithNormals) {
    const float angle = angleBetween(p.normal, q.normal);
    if (isFinite(angle)) {
      edge.angle = angle;
      edge.angles = 1;
    }
  }
  return edge;
}

/** \brief Sums of angles over edges. */
struct AngleSum {
  float sum;
  int count;

  __device__ AngleSum
  operator+(const Edge& edge) const
  {
    return {sum + edge.angle, count + edge.angles};
  }
};

__device__ MeanSums
oneValue(double value)
{
  return {1.0, value, value * value};
}

/** \brief Sums over the pixels of one warp's part of the image.
 *
 * A lane goes down its column. In every quad of pixels, whose upper left one is its
 * own, it measures the edges that end there or cross, each once for both ends; what
 * belongs to the quad's right pixels goes to the lane on the right. Of the row above,
 * the edges that end at the pixel or its right neighbour are kept.
 */
template <int Neighbors, bool WithNormals>
__device__ ResolutionSums
sumColumns(const ResolutionTask& task, int x, int y0)
{
  const int lane = threadIdx.x;
  ResolutionSums sums{};
  // Read at once, so that the loads' latencies overlap.
  Sample rows[rows_per_warp + 2];
#pragma unroll
  for (int i = 0; i < rows_per_warp + 2; ++i)
    rows[i] = readSample<WithNormals>(task, x, y0 - 1 + i);
  Sample right = sampleFromRight<WithNormals>(rows[0]);
  const Vector3<float> viewpoint{
      task.viewpoint[0], task.viewpoint[1], task.viewpoint[2]};
  const Edge none{NAN, 0.0f, 0};
  Edge up = none, up_right = none, left_up_of_right = none;
#pragma unroll
  for (int i = 0; i <= rows_per_warp; ++i) {
    const Sample& own = rows[i];
    const Sample& down = rows[i + 1];
    const Sample down_right = sampleFromRight<WithNormals>(down);
    const Edge to_down = measure<WithNormals>(own, down);
    Edge to_down_right = none, across = none;
    if (Neighbors == 8) {
      to_down_right = measure<WithNormals>(own, down_right);
      across = measure<WithNormals>(right, down);
    }
    if (i > 0) {
      const Edge to_right = measure<WithNormals>(own, right);
      NeighborSum<float> around{0.0f, 0.0f, INFINITY};
      add(around, nearer(to_right.length, fromLeft(to_right.length)));
      add(around, nearer(to_down.length, up.length));
      if (Neighbors == 8) {
        add(around, nearer(to_down_right.length, fromLeft(left_up_of_right.length)));
        add(around, nearer(fromLeft(across.length), up_right.length));
      }
      AngleSum angles{0.0f, 0};
      if (WithNormals) {
        const AngleSum rightwards = angles + to_right + across + left_up_of_right;
        angles = angles + to_right + to_down + to_down_right + up + up_right;
        angles.sum += fromLeft(rightwards.sum);
        angles.count += __shfl_up_sync(all_lanes, rightwards.count, 1);
      }
      // Pixels outside the image have no neighbours, as all their edges are NaN.
      if (lane > 0 && lane < warp_size - 1) {
        const float spacing =
            around.sum / around.count / distance(viewpoint, own.point);
        // Neither without neighbours nor at the viewpoint.
        if (isFinite(spacing)) {
          sums.spacing = sums.spacing + oneValue(spacing);
          sums.nearest += around.least;
        }
        if (angles.count > 0)
          sums.angle = sums.angle + oneValue(angles.sum / angles.count);
      }
    }
    up = to_down;
    up_right = across;
    left_up_of_right = to_down_right;
    right = down_right;
  }
  return sums;
}

template <int Neighbors, bool WithNormals>
__global__ void
__launch_bounds__(block_threads) resolutionKernel(ResolutionTask task)
{
  __shared__ typename BlockReduce::TempStorage storage;
  const int x = blockIdx.x * columns_per_warp + threadIdx.x - 1;
  const int y0 = (blockIdx.y * block_warps + threadIdx.y) * rows_per_warp;
  const Scratch scratch(task.scratch);
  waitForPreviousKernel();
  const ResolutionSums sums = sumColumns<Neighbors, WithNormals>(task, x, y0);

  const int thread = threadIdx.y * warp_size + threadIdx.x;
  const ResolutionSums block_sums =
      BlockReduce(storage).Reduce(sums, ::cuda::std::plus<>());
  if (thread == 0)
    scratch.parts[blockIdx.y * gridDim.x + blockIdx.x] = block_sums;
  if (!isLastBlock(scratch.ticket))
    return;

  // In an order that does not depend on the blocks' own: the same bits on every run.
  const unsigned int blocks = gridDim.x * gridDim.y;
  ResolutionSums total{};
  for (unsigned int i = thread; i < blocks; i += block_threads)
    total = total + scratch.parts[i];
  const ResolutionSums frame =
      BlockReduce(storage).Reduce(total, ::cuda::std::plus<>());
  if (thread == 0)
    *task.statistics = statisticsOf(frame);
}

dim3
gridFor(const ResolutionTask& task)
{
  // An empty frame has statistics too.
  return dim3(divideUp(task.columns > 0 ? task.columns : 1, columns_per_warp),
              divideUp(task.rows > 0 ? task.rows : 1, block_warps * rows_per_warp));
}

} // namespace

std::size_t
resolutionScratchBytes(const ResolutionTask& task)
{
  const dim3 grid = gridFor(task);
  return Scratch::bytes(grid.x * grid.y);
}

void
measureResolution(const ResolutionTask& task, cudaStream_t stream)
{
  const bool with_normals = task.normals.data != nullptr;
  const auto kernel =
      task.neighbors == 4
          ? (with_normals ? resolutionKernel<4, true> : resolutionKernel<4, false>)
          : (with_normals ? resolutionKernel<8, true> : resolutionKernel<8, false>);
  launchOverlapping(
      "resolutionKernel", gridFor(task), dim3(warp_size, block_warps), stream)(kernel,
                                                                               task);
}

} // namespace pcl::device::cuda
