// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/gathering.h"
#include "gathering/sets/cuda_pixel_sets.cuh"
#include "gathering/sums/cuda_pixel_average.cuh"
#include "gathering/sums/cuda_strip_pixels.cuh"

#include <pcl/gpu/utils/device/parallel_for.hpp>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <cub/device/device_radix_sort.cuh>

namespace pcl::device {

namespace {

__global__ void
boundDepthsKernel(const __grid_constant__ FrameImages images,
                  DepthRange* block_depths,
                  int block_count)
{
  const int block = blockIdx.x * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  const int lane = threadIdx.x % warp_size;
  if (block >= block_count)
    return;
  const BlockPlace place = placeOfBlock(images, block);
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

/** \brief Adds to the costs of tiles; all lanes of a warp call. Whole numbers, so that the order
 * does not matter. */
__device__ void
addCost(const GatheringTask& task, const TileRange& range, int cost)
{
  const TileArea& area = task.tiles;
  const int x0 = max(range.x0 - area.x0, 0), y0 = max(range.y0 - area.y0, 0);
  const int columns = min(range.x1 - area.x0 + 1, area.columns) - x0;
  const int rows = min(range.y1 - area.y0 + 1, area.rows) - y0;
  if (columns <= 0 || rows <= 0)
    return;
  for (int i = threadIdx.x % warp_size; i < columns * rows; i += warp_size)
    atomicAdd(&task.tile_costs[(y0 + i / columns) * area.columns + x0 + i % columns],
              cost);
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
    const BlockPlace place = placeOfBlock(frame.images, block);
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
    const int seen_blocks = __popc(__ballot_sync(all_lanes, !isEmpty(range)));
    range = unionOverWarp(range);
    if (lane == 0)
      task.group_tiles[frame.first_group + group] = range;
    addCost(task, range, seen_blocks);
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

/** \brief Shared memory of a block of threads. */
template <typename Consumer>
struct GatherMemory {
  typename Consumer::Samples::Memory tile;
  typename Consumer::Memory consumer;
};

template <typename Consumer, typename Task>
__global__ void
__launch_bounds__(Consumer::Samples::threads, 1024 / Consumer::Samples::threads)
    gatherKernel(const __grid_constant__ Task task)
{
  extern __shared__ __align__(16) unsigned char shared[];
  auto& memory = *reinterpret_cast<GatherMemory<Consumer>*>(shared);
  const GatheringTask& gathering = task.gathering;
  const int tile = gathering.tile_order[blockIdx.x];
  const int tile_x = gathering.tiles.x0 + tile % gathering.tiles.columns;
  const int tile_y = gathering.tiles.y0 + tile / gathering.tiles.columns;
  Consumer consumer(task, memory.consumer, tile_x, tile_y);
  typename Consumer::Samples(gathering, memory.tile, tile_x, tile_y).gather(consumer);
  consumer.write();
}

/** \brief Sums the samples of a pixel for each thread, a group at a time.
 * \tparam IsShared whether what is known of the frames has room in shared memory
 */
template <bool IsShared>
__global__ void
sumStoredSamplesKernel(const __grid_constant__ StoredSumTask task)
{
  extern __shared__ float shared_frames[];
  const StoredProjection* frames = task.frames;
  if constexpr (IsShared) {
    const int words = task.frame_count * (sizeof(StoredProjection) / sizeof(float));
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < words;
         i += blockDim.x * blockDim.y)
      shared_frames[i] = reinterpret_cast<const float*>(task.frames)[i];
    __syncthreads();
    frames = reinterpret_cast<const StoredProjection*>(shared_frames);
  }
  const int column = task.store.first_column + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = task.store.first_row + blockIdx.y * blockDim.y + threadIdx.y;
  if (!task.store.hasPixel(column, row))
    return;
  const std::size_t pixel = task.store.pixel(column, row);
  PixelSum pixel_sum;
  pixel_sum.load(referenceOf(task.reference, task.view, task.exponents, column, row),
                 task.sums[pixel]);
  const SampleStore& store = task.store;
  const int count = store.counts[pixel] & ~is_full;
  for (int first = 0; first < count; first += sample_group) {
    union {
      uint4 parts[2];
      std::uint32_t each[sample_group];
    } positions, colors;
    union {
      float4 parts[2];
      float each[sample_group];
    } depths;
    const std::size_t place = store.place(pixel, first);
    for (int part = 0; part < 2; ++part) {
      positions.parts[part] =
          reinterpret_cast<const uint4*>(store.positions + place)[part];
      colors.parts[part] = reinterpret_cast<const uint4*>(store.colors + place)[part];
      depths.parts[part] = reinterpret_cast<const float4*>(store.depths + place)[part];
    }
    const uint2 high_bytes =
        *reinterpret_cast<const uint2*>(store.frame_high_bytes + place);
#pragma unroll
    for (int i = 0; i < sample_group; ++i) {
      if (first + i >= count)
        break;
      const unsigned int high =
          (i < 4 ? high_bytes.x : high_bytes.y) >> 8 * (i % 4) & 0xff;
      const unsigned int number = colors.each[i] >> 24 | high << 8;
      const StoredProjection& frame = frames[number - task.first_number];
      const ScenePoint<float> point =
          pointOf(frame,
                  static_cast<float>(positions.each[i] & 0xffff),
                  static_cast<float>(positions.each[i] >> 16),
                  depths.each[i]);
      const PackedColor color = colors.each[i] & color_bits;
      PixelSum::FrameValues values;
      values.color_exponent = task.exponents.color;
      values.time_exponent = timeExponent(task.exponents, frame.time);
      pixel_sum.add(
          values,
          PixelSum::Sample({}, 0, {point.x, point.y, point.z, __uint_as_float(color)}));
    }
  }
  task.sums[pixel] = pixel_sum.sum();
}

/** \brief Numbers tiles, for the sort by cost to move. */
struct NumberTile {
  std::uint32_t* numbers;

  PCL_GPU_HOST_DEVICE void
  operator()(int tile, int) const
  {
    numbers[tile] = tile;
  }
};

/** \brief Has the dearest tiles come first, so that none of them is begun late. */
void
orderTiles(const GatheringTask& task, cudaStream_t stream)
{
  const int tiles = task.tiles.columns * task.tiles.rows;
  parallelFor2D(CudaExecutor{stream}, tiles, 1, NumberTile{task.tile_numbers});
  std::size_t bytes = task.order_scratch_bytes;
  checkCuda(cub::DeviceRadixSort::SortPairsDescending(task.order_scratch,
                                                      bytes,
                                                      task.tile_costs,
                                                      task.sorted_costs,
                                                      task.tile_numbers,
                                                      task.tile_order,
                                                      tiles,
                                                      0,
                                                      cost_bits,
                                                      stream),
            "sorting tiles");
}

/** \brief Whether every GPU has the shared memory of a block of threads: Turing has 64 KiB. */
template <typename Consumer>
constexpr bool fits_every_gpu = sizeof(GatherMemory<Consumer>) <= 64 * 1024;

/** \brief Whether the current device has it. */
template <typename Consumer>
bool
fitsDevice()
{
  int device = 0, bytes = 0;
  checkCuda(cudaGetDevice(&device), "asking for the device");
  checkCuda(
      cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
      "asking how much shared memory there is");
  return sizeof(GatherMemory<Consumer>) <= static_cast<std::size_t>(bytes);
}

template <typename Consumer, typename Task>
void
launchGathering(const char* name, const Task& task, cudaStream_t stream)
{
  const auto kernel = gatherKernel<Consumer, Task>;
  constexpr int bytes = sizeof(GatherMemory<Consumer>);
  checkCuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "asking for shared memory");
  const TileArea& area = task.gathering.tiles;
  kernel<<<area.columns * area.rows, Consumer::Samples::threads, bytes, stream>>>(task);
  checkLaunch(name);
}

template <int Footprint>
using StripSums = StripPixels<Footprint, PixelSum>;

template <int Footprint>
using StripAverages = StripPixels<Footprint, PixelAverage>;

template <int Footprint>
using StripLayers = StripPixels<Footprint, PixelLayers>;

template <int Footprint>
using WaitingSets = PixelSets<Footprint, true>;

template <int Footprint>
using DirectSets = PixelSets<Footprint, false>;

static_assert(fits_every_gpu<StripSums<0>> && fits_every_gpu<StripAverages<0>> &&
                  fits_every_gpu<StripLayers<0>> && fits_every_gpu<DirectSets<0>>,
              "there is a way for every GPU");
static_assert(sizeof(GatherMemory<WaitingSets<3>>) <= 99 * 1024,
              "GPUs for desktops have it since Ampere");

template <template <int> class Consumer, typename Task>
void
gather(const char* name, const Task& task, cudaStream_t stream)
{
  const GatheringTask& gathering = task.gathering;
  const dim3 grid(divideUp(gathering.most_groups, grouped_groups),
                  gathering.frame_count);
  const int tiles = gathering.tiles.columns * gathering.tiles.rows;
  checkCuda(
      cudaMemsetAsync(gathering.tile_costs, 0, tiles * sizeof(std::uint32_t), stream),
      "clearing costs");
  boundTilesKernel<<<grid, grouped_groups * warp_size, 0, stream>>>(gathering);
  checkLaunch("boundTiles");
  orderTiles(gathering, stream);
  if (gathering.view.footprint == 3)
    launchGathering<Consumer<3>>(name, task, stream);
  else
    launchGathering<Consumer<0>>(name, task, stream);
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

  std::size_t
  orderScratchBytes(int tiles) const override
  {
    std::size_t bytes = 0;
    std::uint32_t* const none = nullptr;
    checkCuda(cub::DeviceRadixSort::SortPairsDescending(
                  nullptr, bytes, none, none, none, none, tiles, 0, cost_bits),
              "asking for the size of a sort");
    return bytes;
  }

  void
  addSamples(const SumTask& task, Queue queue) const override
  {
    gather<StripSums>("addSamples", task, queue);
  }

  void
  addToAverages(const AverageTask& task, Queue queue) const override
  {
    gather<StripAverages>("addToAverages", task, queue);
  }

  void
  addToLayers(const LayerTask& task, Queue queue) const override
  {
    gather<StripLayers>("addToLayers", task, queue);
  }

  void
  divideAverages(const DivideAverage& division,
                 int columns,
                 int rows,
                 Queue queue) const override
  {
    parallelFor2D(CudaExecutor{queue}, columns, rows, division);
  }

  void
  chooseLayers(const ChooseLayer& choice,
               int columns,
               int rows,
               Queue queue) const override
  {
    parallelFor2D(CudaExecutor{queue}, columns, rows, choice);
  }

  void
  storeSamples(const StoreTask& task, Queue queue) const override
  {
    const bool may_wait = task.gathering.view.footprint == 3
                              ? fitsDevice<WaitingSets<3>>()
                              : fitsDevice<WaitingSets<0>>();
    if (may_wait)
      gather<WaitingSets>("storeSamples", task, queue);
    else
      gather<DirectSets>("storeSamples", task, queue);
  }

  void
  sumStoredSamples(const StoredSumTask& task, Queue queue) const override
  {
    const dim3 block(32, 8);
    const dim3 grid(divideUp(task.store.columns, block.x),
                    divideUp(task.store.rows, block.y));
    const std::size_t bytes = task.frame_count * sizeof(StoredProjection);
    // As much as lets a multiprocessor have all the threads that it has registers for.
    constexpr std::size_t most_bytes = 24 * 1024;
    if (bytes <= most_bytes)
      sumStoredSamplesKernel<true><<<grid, block, bytes, queue>>>(task);
    else
      sumStoredSamplesKernel<false><<<grid, block, 0, queue>>>(task);
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

} // namespace pcl::device
