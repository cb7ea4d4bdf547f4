// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "visibility/cuda_cast_items.cuh"
#include "visibility/cuda_warp_pixels.cuh"
#include "visibility/resolve.hpp"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

/** \brief A triangle that touches too many pixels for the threads of one warp. */
struct LargeTriangle {
  int item;
  std::uint32_t id;
};

struct LargeTriangles {
  LargeTriangle* list; ///< has room for all triangles of a launch
  unsigned int* count;
};

constexpr int threads = 128;

// All threads that a multiprocessor has room for: loads are waited for most of the
// time.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ >= 900
constexpr int blocks_at_once = 2048 / threads;
#else
constexpr int blocks_at_once = 1024 / threads;
#endif

constexpr int warps = threads / warp_size;

/** \brief Triangles that may touch more pixels are put on the list. */
constexpr int max_small_pixels = 256;

/** \brief A large triangle's pixels are looked at in pieces of this size. */
constexpr int piece_columns = 32;
constexpr int piece_rows = 16;

/** \brief Finds the key of a pixel. Takes numbers from the item only then, because
 * registers are scarce. */
struct KeyOfItem {
  const CastItem& item;
  HitKey* keys; ///< of all views

  __device__ HitKey*
  operator()(int x, int y) const
  {
    return keys + item.first_key + static_cast<std::size_t>(y) * item.camera.width + x;
  }
};

/** \brief Tests each triangle against the pixels that it may touch.
 *
 * The threads of a warp look at one triangle each. The pixels of these triangles are
 * then tested by all threads alike, however they are spread over the triangles.
 */
__global__ void
__launch_bounds__(threads, blocks_at_once)
    testTriangles(const __grid_constant__ CastItems items,
                  HitKey* keys,
                  LargeTriangles large)
{
  waitForPreviousKernel();
  __shared__ TriangleRow all_rows[warps][warp_size];
  const int item_number = itemOfBlock(items);
  const CastItem& item = items.items[item_number];
  const std::uint32_t id = item.instance.first_triangle +
                           (blockIdx.x - item.first_block) * threads + threadIdx.x;

  int count = 0;
  Triangle triangle;
  PixelRectangle pixels;
  if (loadIfExists(item.instance, id, triangle)) {
    pixels = pixelBounds(item.camera, triangle);
    count = pixelCount(pixels);
    if (count > max_small_pixels) {
      large.list[atomicAdd(large.count, 1u)] = {item_number, id};
      count = 0;
    }
  }
  testPixelsOfWarp(item.camera,
                   all_rows[threadIdx.x / warp_size],
                   triangle,
                   id,
                   pixels,
                   count,
                   KeyOfItem{item, keys});
}

/** \brief Tests one piece of a large triangle's pixels by a warp. */
__device__ void
testPiece(const CastItem& item,
          const Triangle& triangle,
          std::uint32_t id,
          const PixelRectangle& piece,
          int lane,
          HitKey* keys)
{
  if (!mayHitWithin(item.camera, piece, triangle))
    return;
  const int columns = piece.last_x - piece.first_x + 1;
  const float inverse_columns = roughReciprocal(static_cast<float>(columns));
  const int count = pixelCount(piece);
  for (int i = lane; i < count; i += warp_size) {
    const int2 pixel = pixelOf(i, columns, inverse_columns);
    const int x = piece.first_x + pixel.x;
    const int y = piece.first_y + pixel.y;
    TriangleHit hit;
    if (hitsTriangle(item.camera, pixelSlopes(item.camera, x, y), triangle, hit))
      atomicMin(KeyOfItem{item, keys}(x, y), hitKey(hit.t, id));
  }
}

/** \brief Tests the triangles on the list, each by several warps. */
__global__ void
__launch_bounds__(threads) testLargeTriangles(const __grid_constant__ CastItems items,
                                              HitKey* keys,
                                              LargeTriangles large)
{
  waitForPreviousKernel();
  const unsigned int count = *large.count;
  if (count == 0)
    return;
  const int lane = threadIdx.x % warp_size;
  const unsigned int all_warps = gridDim.x * warps;
  const unsigned int shares = min(max(4 * all_warps / count, 16u), 1024u);
  const unsigned int first = blockIdx.x * warps + threadIdx.x / warp_size;
  for (unsigned long long unit = first; unit < 1ull * count * shares;
       unit += all_warps) {
    const LargeTriangle entry = large.list[unit / shares];
    const CastItem& item = items.items[entry.item];
    Triangle triangle{};
    loadTriangle(item.instance, entry.id, triangle);
    const PixelRectangle pixels = pixelBounds(item.camera, triangle);
    const int columns = divideUp(pixels.last_x - pixels.first_x + 1, piece_columns);
    const int rows = divideUp(pixels.last_y - pixels.first_y + 1, piece_rows);
    for (int i = unit % shares; i < columns * rows; i += shares) {
      PixelRectangle piece;
      piece.first_x = pixels.first_x + i % columns * piece_columns;
      piece.first_y = pixels.first_y + i / columns * piece_rows;
      piece.last_x = min(piece.first_x + piece_columns - 1, pixels.last_x);
      piece.last_y = min(piece.first_y + piece_rows - 1, pixels.last_y);
      testPiece(item, triangle, entry.id, piece, lane, keys);
    }
  }
}

constexpr int resolve_columns = 32;
constexpr int resolve_rows = 8;

__device__ void
clearCounters(const CastTask& task)
{
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0)
    for (std::size_t i = threadIdx.x; i < task.counter_count; i += resolve_columns)
      task.counters[i] = 0;
}

/** \brief Turns keys into images. */
__global__ void
__launch_bounds__(resolve_columns* resolve_rows)
    writeImages(const __grid_constant__ CastTask task)
{
  waitForPreviousKernel();
  clearCounters(task);
  const int x = blockIdx.x * resolve_columns + threadIdx.x;
  if (x >= task.width)
    return;
  const int rows = task.firstRow(task.view_count);
  for (int row = blockIdx.y * resolve_rows + threadIdx.y; row < rows;
       row += gridDim.y * resolve_rows) {
    HitKey& key = task.keysOfRow(row)[x];
    const int view = row / task.height;
    writePixel(task, view, x, row - task.firstRow(view), key);
    key = no_hit;
  }
}

constexpr int pixels_at_once = 4;

/** \brief Turns keys into depth and triangles, several pixels at once. */
__global__ void
__launch_bounds__(resolve_columns* resolve_rows)
    writeDepthAndTriangles(const __grid_constant__ CastTask task)
{
  waitForPreviousKernel();
  clearCounters(task);
  const int x = (blockIdx.x * resolve_columns + threadIdx.x) * pixels_at_once;
  if (x >= task.width)
    return;
  const int rows = task.firstRow(task.view_count);
  for (int row = blockIdx.y * resolve_rows + threadIdx.y; row < rows;
       row += gridDim.y * resolve_rows) {
    auto* const pair = reinterpret_cast<ulonglong2*>(task.keysOfRow(row) + x);
    const ulonglong2 left = pair[0];
    const ulonglong2 right = pair[1];
    const HitKey keys[pixels_at_once] = {left.x, left.y, right.x, right.y};
    float depths[pixels_at_once];
    int triangles[pixels_at_once];
    for (int i = 0; i < pixels_at_once; ++i) {
      depths[i] = keys[i] == no_hit ? notANumber() : depthOf(keys[i]);
      triangles[i] = static_cast<int>(triangleOf(keys[i])); // no_hit makes -1
    }
    // Pixels without a hit need no clearing.
    if ((left.x & left.y) != no_hit)
      pair[0] = {no_hit, no_hit};
    if ((right.x & right.y) != no_hit)
      pair[1] = {no_hit, no_hit};
    if (task.images.depth.data)
      reinterpret_cast<float4&>(at(task.images.depth, row, x)) = {
          depths[0], depths[1], depths[2], depths[3]};
    if (task.images.triangles.data)
      reinterpret_cast<int4&>(at(task.images.triangles, row, x)) = {
          triangles[0], triangles[1], triangles[2], triangles[3]};
  }
}

template <typename T>
bool
canBeWrittenAtOnce(const PtrStep<T>& image)
{
  constexpr std::size_t bytes = pixels_at_once * sizeof(T);
  return reinterpret_cast<std::uintptr_t>(image.data) % bytes == 0 &&
         image.step % bytes == 0;
}

std::size_t
itemCount(const CastTask& task)
{
  return static_cast<std::size_t>(task.instance_count) * task.view_count;
}

/** \brief Triangles that one launch may look at. */
std::size_t
trianglesOfLaunch(const CastTask& task)
{
  const std::size_t launched = std::min<std::size_t>(max_items, itemCount(task));
  std::size_t most = 0;
  for (int i = 0; i < task.instance_count; ++i)
    most = std::max<std::size_t>(most, task.instances[i].mesh.triangles_size);
  return std::min(launched * most, sceneTriangles(task) * std::size_t(task.view_count));
}

/** \brief Counters of large triangles, one a launch. */
std::size_t
launchCount(const CastTask& task)
{
  return (itemCount(task) + max_items - 1) / max_items;
}

} // namespace

CastMemorySize
visibilityMemory(const CastTask& task)
{
  return {pixelsOfViews(task),
          launchCount(task),
          trianglesOfLaunch(task) * sizeof(LargeTriangle)};
}

void
castVisibility(const CastTask& task, cudaStream_t stream)
{
  int multiprocessors = 0, device = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
      "asking for the number of multiprocessors");
  LargeTriangles large = {static_cast<LargeTriangle*>(task.scratch), task.counters};
  const std::size_t end = itemCount(task);
  for (std::size_t start = 0; start < end; start += max_items, ++large.count) {
    int blocks = 0;
    const CastItems items = castItems(task, start, end, threads, blocks);
    if (blocks == 0)
      continue;
    launchOverlapping("testTriangles", blocks, threads, stream)(
        testTriangles, items, task.keys, large);
    launchOverlapping("testLargeTriangles", 8 * multiprocessors, threads, stream)(
        testLargeTriangles, items, task.keys, large);
  }
  endStage(task, "cast");
  if (!task.leaves_keys)
    resolve(task, stream);
}

void
resolve(const CastTask& task, cudaStream_t stream)
{
  const bool at_once = !task.images.needTriangles() &&
                       task.width % pixels_at_once == 0 &&
                       canBeWrittenAtOnce(task.images.depth) &&
                       canBeWrittenAtOnce(task.images.triangles);
  const int columns = at_once ? task.width / pixels_at_once : task.width;
  const int rows = task.firstRow(task.view_count);
  const dim3 block(resolve_columns, resolve_rows);
  const dim3 grid(divideUp(columns, resolve_columns),
                  std::min(divideUp(rows, resolve_rows), 65535));
  if (at_once)
    launchOverlapping("writeDepthAndTriangles", grid, block, stream)(
        writeDepthAndTriangles, task);
  else
    launchOverlapping("writeImages", grid, block, stream)(writeImages, task);
  endStage(task, "images");
}

} // namespace pcl::device::cuda
