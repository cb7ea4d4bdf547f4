// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_tile_samples.cuh"
#include "gathering_driver.h"
#include "similarity-inl.h"

#include <pcl/gpu/utils/device/cuda_launch.cuh>
#include <pcl/gpu/utils/device/parallel_for.hpp>

namespace pcl {
namespace device {

namespace {

/** \brief Pixels of a column of the tile that a thread has. */
constexpr int strip_rows = tile_columns * tile_rows / tile_threads;
static_assert(tile_columns == warp_size, "a warp has whole rows");

__global__ void
boundDepthsKernel(const __grid_constant__ FrameImages images,
                  DepthRange* block_depths,
                  int block_count)
{
  const int block = blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (block >= block_count)
    return;
  const BlockPlace place = placeOfBlock(block, images.groupsAcross());
  const int column = place.column + lane % block_columns;
  const int row = place.row + lane / block_columns;
  DepthRange range = no_depths;
  if (column < images.columns && row < images.rows) {
    const float depth =
        images.depth[static_cast<std::size_t>(row) * images.depth_stride + column];
    if (isDepth(depth))
      range = {depth, depth};
  }
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    range.nearest =
        fminf(range.nearest, __shfl_xor_sync(all_lanes, range.nearest, distance));
    range.farthest =
        fmaxf(range.farthest, __shfl_xor_sync(all_lanes, range.farthest, distance));
  }
  if (lane == 0)
    block_depths[block] = range;
}

/** \brief The tiles of any of the ranges that the lanes of a warp have. */
__device__ TileRange
unionOverWarp(const TileRange& range)
{
  constexpr int far_away = 0x7fff;
  const bool is_empty = isEmpty(range);
  const int x0 = -maxOverWarp(is_empty ? -far_away : -range.x0);
  const int y0 = -maxOverWarp(is_empty ? -far_away : -range.y0);
  const int x1 = maxOverWarp(is_empty ? -1 : static_cast<int>(range.x1));
  const int y1 = maxOverWarp(is_empty ? -1 : static_cast<int>(range.y1));
  return tileRange(x0, y0, x1, y1);
}

/** \brief Bounds the tiles of groups of a range: a group for each warp, a block for each
 * lane. */
__global__ void
__launch_bounds__(grouped_groups* warp_size)
    boundTilesKernel(const __grid_constant__ GatheringTask task)
{
  __shared__ TileRange group_tiles[grouped_groups];
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  const int group = blockIdx.x * grouped_groups + warp;
  const Frame& frame = task.frames[blockIdx.y];
  if (static_cast<int>(blockIdx.x) >= frame.images.groupRanges())
    return;
  TileRange range = no_tiles;
  if (group < frame.images.groups()) {
    const int block = group * group_blocks + lane;
    const BlockPlace place = placeOfBlock(block, frame.images.groupsAcross());
    const DepthRange depths = frame.images.block_depths[block];
    const RoughTileRange<float> rough = boundTiles(frame.projection,
                                                   task.view,
                                                   static_cast<float>(place.column),
                                                   static_cast<float>(place.row),
                                                   depths.nearest,
                                                   depths.farthest);
    range = tileRange(rough.x0, rough.y0, rough.x1, rough.y1);
    const std::size_t first_block =
        static_cast<std::size_t>(frame.first_group) * group_blocks;
    task.block_tiles[first_block + block] = range;
    range = unionOverWarp(range);
    if (lane == 0)
      task.group_tiles[frame.first_group + group] = range;
  }
  if (lane == 0)
    group_tiles[warp] = range;
  __syncthreads();
  if (warp == 0) {
    range = unionOverWarp(group_tiles[lane]);
    if (lane == 0)
      task.range_tiles[frame.first_range + blockIdx.x] = range;
  }
}

/** \brief The weighted sum of samples that a pixel sees, and what it compares them with. */
struct PixelSum {
  Reference reference;
  ColorSum sum;

  /** \brief Adds a sample at a point (x, y, z) with a colour as a number and as its
   * components. */
  __device__ void
  add(float4 point,
      PackedColor color,
      float red,
      float green,
      float blue,
      float color_exponent,
      float time_exponent)
  {
    // All products of differences fit into an integer and into a float.
    const unsigned int difference = __vabsdiffu4(color, reference.color);
    const unsigned int square = __dp4a(difference, difference, 0u);
    const float weight = powerOfTwo(similarityExponent(
        static_cast<float>(square),
        squaredLength(
            reference.x - point.x, reference.y - point.y, reference.z - point.z),
        color_exponent,
        reference.position_exponent,
        time_exponent));
    sum.weight += weight;
    sum.red = fmaf(weight, red, sum.red);
    sum.green = fmaf(weight, green, sum.green);
    sum.blue = fmaf(weight, blue, sum.blue);
  }
};

/** \brief Sums of a strip of pixels for each thread. */
template <int Footprint>
class StripSums {
public:
  static __device__ float4
  makeSample(const ScenePoint<float>& point, unsigned int, float, PackedColor color)
  {
    return {point.x, point.y, point.z, __uint_as_float(color & color_bits)};
  }

  __device__
  StripSums(const SumTask& task, int tile_x, int tile_y)
  : task_(task)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size * strip_rows)
  {
    const ViewGeometry& view = task.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k) {
      pixels_[k] = {};
      if (column_ < view.columns && row_ + k < view.rows) {
        pixels_[k].reference =
            referenceOf(task.reference, view, task.exponents, column_, row_ + k);
        pixels_[k].reference.color &= color_bits;
        pixels_[k].sum = task.sums[outputPlace(k)];
      }
    }
  }

  __device__ void
  beginFrame(const Frame& frame)
  {
    time_exponent_ = timeExponent(task_.exponents, frame.projection.time);
  }

  /** \brief Adds samples row by row of cells: those that all pixels of the strip see are read
   * once. */
  __device__ void
  add(const Frame&, const TileSampler<Footprint>& samples)
  {
    const int footprint = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp() * strip_rows * cells + samples.lane();
#pragma unroll
    for (int i = 0; i < strip_rows + (Footprint == 0 ? max_footprint : Footprint) - 1;
         ++i) {
      if (Footprint == 0 && i >= strip_rows + footprint - 1)
        break;
      const int begin = samples.start(first_cell + i * cells);
      const int end = samples.start(first_cell + i * cells + footprint);
#pragma unroll 1
      for (int place = begin; place < end; ++place) {
        const float4 sample = samples.sample(place);
        const PackedColor color = __float_as_uint(sample.w);
        const float red = static_cast<float>(redOf(color)),
                    green = static_cast<float>(greenOf(color)),
                    blue = static_cast<float>(blueOf(color));
#pragma unroll
        for (int k = 0; k < strip_rows; ++k)
          if (i - k >= 0 && i - k < footprint)
            pixels_[k].add(
                sample, color, red, green, blue, task_.exponents.color, time_exponent_);
      }
    }
  }

  __device__ void
  write() const
  {
    const ViewGeometry& view = task_.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        task_.sums[outputPlace(k)] = pixels_[k].sum;
  }

private:
  __device__ std::size_t
  outputPlace(int k) const
  {
    return static_cast<std::size_t>(row_ + k) * task_.gathering.view.columns + column_;
  }

  const SumTask& task_;
  int column_, row_;
  float time_exponent_ = 0.0f;
  PixelSum pixels_[strip_rows];
};

/** \brief Rows of cells whose samples are appended to a pixel's set in one go. */
constexpr int merged_rows = 3;

/** \brief Samples of some rows of cells that a pixel sees, one after the other. */
struct SampleRanges {
  int begins[merged_rows]; ///< places in the order of samples
  int ends[merged_rows];   ///< how many samples they have up to there

  /** \brief Place of a sample in the order. */
  __device__ int
  placeOf(int number) const
  {
    int place = begins[0] + number;
#pragma unroll
    for (int i = 1; i < merged_rows; ++i)
      if (number >= ends[i - 1])
        place = begins[i] + number - ends[i - 1];
    return place;
  }

  /** \brief Those that another lane has. */
  __device__ SampleRanges
  ofLane(int lane) const
  {
    SampleRanges its;
#pragma unroll
    for (int i = 0; i < merged_rows; ++i) {
      its.begins[i] = __shfl_sync(all_lanes, begins[i], lane);
      its.ends[i] = __shfl_sync(all_lanes, ends[i], lane);
    }
    return its;
  }
};

/** \brief Sets of a strip of pixels for each thread. As many threads as a group has samples
 * write those of a pixel together, so that memory is written by whole sectors.
 */
template <int Footprint>
class StripSets {
public:
  static __device__ float4
  makeSample(const ScenePoint<float>&,
             unsigned int packed_place,
             float depth,
             PackedColor color)
  {
    return {__uint_as_float(packed_place), depth, __uint_as_float(color), 0.0f};
  }

  __device__
  StripSets(const StoreTask& task, int tile_x, int tile_y)
  : store_(task.store)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size * strip_rows)
  {
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      // A pixel outside is as one whose set is full.
      ends_[k].count = isInside(k) ? store_.counts[pixel(k)] : is_full;
  }

  __device__ void
  beginFrame(const Frame&)
  {
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      ends_[k].beginFrame();
  }

  __device__ void
  add(const Frame& frame, const TileSampler<Footprint>& samples)
  {
    const int footprint = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp() * strip_rows * cells + samples.lane();
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      for (int i = 0; i < footprint; i += merged_rows) {
        SampleRanges ranges;
        int total = 0;
#pragma unroll
        for (int j = 0; j < merged_rows; ++j) {
          const int cell = first_cell + (k + i + j) * cells;
          const bool is_seen = i + j < footprint;
          ranges.begins[j] = is_seen ? samples.start(cell) : 0;
          total += is_seen ? samples.start(cell + footprint) - ranges.begins[j] : 0;
          ranges.ends[j] = total;
        }
        const std::uint32_t count = ends_[k].count;
        if (!ends_[k].hasRoom(total, store_.capacity))
          total = 0;
        ends_[k].count += total;
        appendTogether(frame, samples, k, ranges, total, count);
      }
  }

  __device__ void
  write() const
  {
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (isInside(k))
        store_.counts[pixel(k)] = ends_[k].count;
  }

private:
  static constexpr int teams = warp_size / sample_group;

  /** \brief Appends to the sets of a row of pixels, one for each lane.
   * \param[in] ranges,total what this lane's pixel is given
   * \param[in] count samples that it has already
   */
  __device__ void
  appendTogether(const Frame& frame,
                 const TileSampler<Footprint>& samples,
                 int k,
                 const SampleRanges& ranges,
                 int total,
                 std::uint32_t count)
  {
    const int team = samples.lane() / sample_group,
              member = samples.lane() % sample_group;
    const std::size_t first_pixel = pixel(k) - samples.lane();
    for (int i = 0; i < warp_size; i += teams) {
      const int owner = i + team;
      const SampleRanges its_ranges = ranges.ofLane(owner);
      const int its_total = __shfl_sync(all_lanes, total, owner);
      const std::uint32_t its_count = __shfl_sync(all_lanes, count, owner);
      // Each has its own place in groups. The first of them may have been begun.
#pragma unroll 1
      for (int number = member - static_cast<int>(its_count % sample_group);
           number < its_total;
           number += sample_group)
        if (number >= 0) {
          const float4 sample = samples.sample(its_ranges.placeOf(number));
          storeSample(store_,
                      first_pixel + owner,
                      its_count + number,
                      {__float_as_uint(sample.x),
                       sample.y,
                       __float_as_uint(sample.z),
                       frame.number});
        }
    }
  }

  __device__ bool
  isInside(int k) const
  {
    return column_ < store_.columns && row_ + k < store_.rows;
  }

  __device__ std::size_t
  pixel(int k) const
  {
    return static_cast<std::size_t>(row_ + k) * store_.columns + column_;
  }

  const SampleStore& store_;
  int column_, row_;
  SetEnd ends_[strip_rows];
};

template <int Footprint, template <int> class Consumer, typename Task>
__global__ void
__launch_bounds__(tile_threads, 4) gatherKernel(const __grid_constant__ Task task)
{
  extern __shared__ __align__(16) unsigned char shared[];
  auto& memory = *reinterpret_cast<TileMemory<Footprint>*>(shared);
  const TileArea& area = task.gathering.tiles;
  const int tile_x = area.x0 + blockIdx.x % area.columns;
  const int tile_y = area.y0 + blockIdx.x / area.columns;
  Consumer<Footprint> consumer(task, tile_x, tile_y);
  TileSampler<Footprint>(task.gathering, memory, tile_x, tile_y).gather(consumer);
  consumer.write();
}

__global__ void
sumStoredSamplesKernel(const __grid_constant__ StoredSumTask task)
{
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= task.view.columns || row >= task.view.rows)
    return;
  const std::size_t pixel = static_cast<std::size_t>(row) * task.view.columns + column;
  PixelSum pixel_sum{
      referenceOf(task.reference, task.view, task.exponents, column, row),
      task.sums[pixel]};
  pixel_sum.reference.color &= color_bits;
  const std::uint32_t count = task.store.counts[pixel] & ~is_full;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StoredSample sample = loadSample(task.store, pixel, i);
    const FrameProjection& frame =
        task.frames[sample.frame - task.first_number].projection;
    const ScenePoint<float> point =
        pointOf(frame,
                static_cast<float>(sample.position & 0xffff),
                static_cast<float>(sample.position >> 16),
                sample.depth);
    pixel_sum.add({point.x, point.y, point.z, 0.0f},
                  sample.color,
                  static_cast<float>(redOf(sample.color)),
                  static_cast<float>(greenOf(sample.color)),
                  static_cast<float>(blueOf(sample.color)),
                  task.exponents.color,
                  timeExponent(task.exponents, frame.time));
  }
  task.sums[pixel] = pixel_sum.sum;
}

template <int Footprint, template <int> class Consumer, typename Task>
void
launchGathering(const char* name, const Task& task, cudaStream_t stream)
{
  const auto kernel = gatherKernel<Footprint, Consumer, Task>;
  constexpr int bytes = sizeof(TileMemory<Footprint>);
  checkCuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "asking for shared memory");
  const TileArea& area = task.gathering.tiles;
  kernel<<<area.columns * area.rows, tile_threads, bytes, stream>>>(task);
  checkLaunch(name);
}

template <template <int> class Consumer, typename Task>
void
gather(const char* name, const Task& task, cudaStream_t stream)
{
  const GatheringTask& gathering = task.gathering;
  const dim3 grid(divideUp(gathering.most_groups, grouped_groups),
                  gathering.frame_count);
  boundTilesKernel<<<grid, grouped_groups * warp_size, 0, stream>>>(gathering);
  checkLaunch("boundTiles");
  if (gathering.view.footprint == 3)
    launchGathering<3, Consumer>(name, task, stream);
  else
    launchGathering<0, Consumer>(name, task, stream);
}

class CudaGatheringDriver final : public GatheringDriver {
public:
  void
  boundDepths(const FrameImages& images,
              DepthRange* block_depths,
              Queue queue) const override
  {
    constexpr int threads = 128, blocks = threads / warp_size;
    const int count = images.groups() * group_blocks;
    boundDepthsKernel<<<divideUp(count, blocks), threads, 0, queue>>>(
        images, block_depths, count);
    checkLaunch("boundDepths");
  }

  void
  addSamples(const SumTask& task, Queue queue) const override
  {
    gather<StripSums>("addSamples", task, queue);
  }

  void
  storeSamples(const StoreTask& task, Queue queue) const override
  {
    gather<StripSets>("storeSamples", task, queue);
  }

  void
  sumStoredSamples(const StoredSumTask& task, Queue queue) const override
  {
    const dim3 block(32, 8);
    const dim3 grid(divideUp(task.view.columns, block.x),
                    divideUp(task.view.rows, block.y));
    sumStoredSamplesKernel<<<grid, block, 0, queue>>>(task);
    checkLaunch("sumStoredSamples");
  }

  void
  divideSums(const ColorSum* sums,
             const ReferenceImages& reference,
             int columns,
             int rows,
             PackedColor* output,
             int output_stride,
             Queue queue) const override
  {
    parallelFor2D(CudaExecutor{queue},
                  columns,
                  rows,
                  DividePixel{sums, reference, columns, output, output_stride});
  }

  void
  clear(void* memory, std::size_t bytes, Queue queue) const override
  {
    checkCuda(cudaMemsetAsync(memory, 0, bytes, queue), "clearing memory");
  }
};

} // namespace

const GatheringDriver&
cudaGatheringDriver()
{
  static const CudaGatheringDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
