// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_visibility.h"

#include <pcl/gpu/utils/device/cuda_block.cuh>
#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/device/cuda_launch.cuh>

#include <algorithm>
#include <vector>

namespace pcl {
namespace device {
namespace cuda {

namespace {

/** \brief One instance seen by one camera. */
struct CastItem {
  Instance instance;
  CameraModel camera;
  std::size_t first_key;
  int first_block;
};

/** \brief What one launch works on: as many as fit a kernel's parameters. */
constexpr int max_items = 20;
struct CastItems {
  CastItem items[max_items];
  int count;
};

/** \brief A triangle that touches too many pixels for the threads of one warp. */
struct LargeTriangle {
  int item;
  int triangle;
};

struct LargeTriangles {
  LargeTriangle* list;
  unsigned int* count; ///< may grow beyond the capacity; then the list is full
  unsigned int capacity;
};

constexpr int threads = 256;
constexpr int warps = threads / warp_size;

/** \brief Triangles that may touch more pixels are put on the list. */
constexpr int max_small_pixels = 1024;

/** \brief A large triangle's pixels are looked at in pieces of this size. */
constexpr int piece_columns = 32;
constexpr int piece_rows = 16;

constexpr unsigned int max_large_triangles = 1u << 20;

__device__ void
keepNearest(HitKey* pixel, HitKey key)
{
  // Most hits are farther than what is there: a look is cheaper than an atomic operation.
  if (key < __ldcg(pixel))
    atomicMin(pixel, key);
}

__device__ void
testPixel(const CastItem& item,
          const Triangle& triangle,
          std::uint32_t id,
          int x,
          int y,
          HitKey* keys)
{
  TriangleHit hit;
  if (hitsTriangle(item.camera, pixelSlopes(item.camera, x, y), triangle, hit))
    keepNearest(keys + item.first_key +
                    static_cast<std::size_t>(y) * item.camera.width + x,
                hitKey(hit.t, id));
}

__device__ int
itemOfBlock(const CastItems& items)
{
  int item = 0;
  while (item + 1 < items.count &&
         items.items[item + 1].first_block <= static_cast<int>(blockIdx.x))
    ++item;
  return item;
}

/** \brief The triangles of a warp, one a lane, and the pixels that they may touch. */
struct WarpTriangles {
  float corners[9][warp_size];
  int first_x[warp_size];
  int first_y[warp_size];
  int columns[warp_size];
  int end[warp_size]; ///< pixels of this lane and those before

  __device__ void
  store(int lane, const Triangle& triangle, const PixelRectangle& pixels)
  {
    const Vector3* const vertices[3] = {&triangle.a, &triangle.b, &triangle.c};
    for (int i = 0; i < 3; ++i) {
      corners[3 * i][lane] = vertices[i]->x;
      corners[3 * i + 1][lane] = vertices[i]->y;
      corners[3 * i + 2][lane] = vertices[i]->z;
    }
    first_x[lane] = pixels.first_x;
    first_y[lane] = pixels.first_y;
    columns[lane] = pixels.last_x - pixels.first_x + 1;
  }

  __device__ Triangle
  load(int lane) const
  {
    return {{corners[0][lane], corners[1][lane], corners[2][lane]},
            {corners[3][lane], corners[4][lane], corners[5][lane]},
            {corners[6][lane], corners[7][lane], corners[8][lane]}};
  }

  /** \brief The lane whose pixels the i-th of all is one of. */
  __device__ int
  owner(int i) const
  {
    int lane = 0;
    for (int step = warp_size / 2; step > 0; step /= 2)
      if (end[lane + step - 1] <= i)
        lane += step;
    return lane;
  }
};

__device__ int
inclusiveSumOverWarp(int value, int lane)
{
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const int before = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance)
      value += before;
  }
  return value;
}

/** \brief Tests each triangle against the pixels that it may touch.
 *
 * A thread looks at one triangle first. The pixels of a warp's triangles are then tested by
 * all its threads alike, however they are spread over the triangles.
 */
__global__ void
__launch_bounds__(threads) testTriangles(const __grid_constant__ CastItems items,
                                         HitKey* keys,
                                         LargeTriangles large)
{
  waitForPreviousKernel();
  __shared__ WarpTriangles all_triangles[warps];
  const int lane = threadIdx.x % warp_size;
  WarpTriangles& triangles = all_triangles[threadIdx.x / warp_size];
  const int item_number = itemOfBlock(items);
  const CastItem& item = items.items[item_number];
  const MeshArrays& mesh = item.instance.mesh;
  const int number = (blockIdx.x - item.first_block) * threads + threadIdx.x;

  int count = 0;
  Triangle triangle;
  if (number < triangleCount(mesh) &&
      loadTriangle(mesh, item.instance.transform, number, triangle)) {
    const PixelRectangle pixels = pixelBounds(item.camera, triangle);
    count = pixelCount(pixels);
    if (count > max_small_pixels) {
      const unsigned int slot = atomicAdd(large.count, 1u);
      if (slot < large.capacity) {
        large.list[slot] = {item_number, number};
        count = 0;
      }
    }
    if (count > 0)
      triangles.store(lane, triangle, pixels);
  }
  const int end = inclusiveSumOverWarp(count, lane);
  triangles.end[lane] = end;
  const int total = __shfl_sync(all_lanes, end, warp_size - 1);
  __syncwarp();

  const std::uint32_t first_id = item.instance.first_triangle + (number - lane);
  for (int i = lane; i < total; i += warp_size) {
    const int owner = triangles.owner(i);
    const int pixel = i - (owner > 0 ? triangles.end[owner - 1] : 0);
    const int columns = triangles.columns[owner];
    const int row = pixel / columns;
    testPixel(item,
              triangles.load(owner),
              first_id + owner,
              triangles.first_x[owner] + pixel - row * columns,
              triangles.first_y[owner] + row,
              keys);
  }
}

/** \brief Tests one piece of a large triangle's pixels; a warp's threads go along rows. */
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
  const int x = piece.first_x + lane;
  if (x > piece.last_x)
    return;
  for (int y = piece.first_y; y <= piece.last_y; ++y)
    testPixel(item, triangle, id, x, y, keys);
}

/** \brief Tests the triangles on the list, each by several warps. */
__global__ void
__launch_bounds__(threads) testLargeTriangles(const __grid_constant__ CastItems items,
                                              HitKey* keys,
                                              LargeTriangles large)
{
  waitForPreviousKernel();
  const unsigned int count = min(*large.count, large.capacity);
  if (count == 0)
    return;
  const int lane = threadIdx.x % warp_size;
  const unsigned int all_warps = gridDim.x * warps;
  const unsigned int shares = min(max(4 * all_warps / count, 16u), 1024u);
  const unsigned int first = blockIdx.x * warps + threadIdx.x / warp_size;
  for (unsigned int unit = first; unit < count * shares; unit += all_warps) {
    const LargeTriangle entry = large.list[unit / shares];
    const CastItem& item = items.items[entry.item];
    Triangle triangle{};
    loadTriangle(item.instance.mesh, item.instance.transform, entry.triangle, triangle);
    const PixelRectangle pixels = pixelBounds(item.camera, triangle);
    const int columns = divideUp(pixels.last_x - pixels.first_x + 1, piece_columns);
    const int rows = divideUp(pixels.last_y - pixels.first_y + 1, piece_rows);
    for (int i = unit % shares; i < columns * rows; i += shares) {
      PixelRectangle piece;
      piece.first_x = pixels.first_x + i % columns * piece_columns;
      piece.first_y = pixels.first_y + i / columns * piece_rows;
      piece.last_x = min(piece.first_x + piece_columns - 1, pixels.last_x);
      piece.last_y = min(piece.first_y + piece_rows - 1, pixels.last_y);
      testPiece(item,
                triangle,
                item.instance.first_triangle + entry.triangle,
                piece,
                lane,
                keys);
    }
  }
}

constexpr int resolve_columns = 32;
constexpr int resolve_rows = 8;

struct ResolveParameters {
  const Instance* instances;
  int instance_count;
  const View* views;
  HitKey* keys;
  int width;
  int height;
  int rows; ///< of all views
  ImageArrays images;
  unsigned int* counters;
  int counter_count;
};

__global__ void
__launch_bounds__(resolve_columns* resolve_rows)
    writeImages(const __grid_constant__ ResolveParameters parameters)
{
  waitForPreviousKernel();
  if (blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.y == 0)
    for (int i = threadIdx.x; i < parameters.counter_count; i += resolve_columns)
      parameters.counters[i] = 0;
  const int x = blockIdx.x * resolve_columns + threadIdx.x;
  if (x >= parameters.width)
    return;
  for (int row = blockIdx.y * resolve_rows + threadIdx.y; row < parameters.rows;
       row += gridDim.y * resolve_rows) {
    HitKey* const pixel =
        parameters.keys + static_cast<std::size_t>(row) * parameters.width + x;
    const HitKey key = *pixel;
    if (key != no_hit)
      *pixel = no_hit;
    if (parameters.images.depth.data)
      at(parameters.images.depth, row, x) = key == no_hit ? notANumber() : depthOf(key);
    if (parameters.images.triangles.data)
      at(parameters.images.triangles, row, x) =
          key == no_hit ? -1 : static_cast<int>(triangleOf(key));
    if (parameters.images.needTriangles()) {
      const int view = row / parameters.height;
      writeSurface(parameters.instances +
                       static_cast<std::size_t>(view) * parameters.instance_count,
                   parameters.instance_count,
                   parameters.views[view],
                   x,
                   row - view * parameters.height,
                   row,
                   key,
                   parameters.images);
    }
  }
}

std::size_t
itemCount(const CastTask& task)
{
  return static_cast<std::size_t>(task.instance_count) * task.view_count;
}

unsigned int
largeCapacity(const CastTask& task)
{
  std::size_t triangles = 0;
  for (int i = 0; i < task.instance_count; ++i)
    triangles += task.instances[i].mesh.triangles_size;
  return static_cast<unsigned int>(std::min<std::size_t>(
      triangles * std::min(max_items, task.view_count), max_large_triangles));
}

} // namespace

std::size_t
visibilityCounters(const CastTask& task)
{
  return (itemCount(task) + max_items - 1) / max_items;
}

std::size_t
visibilityScratchBytes(const CastTask& task)
{
  return largeCapacity(task) * sizeof(LargeTriangle);
}

void
castVisibility(const CastTask& task, void* scratch, cudaStream_t stream)
{
  int multiprocessors = 0, device = 0;
  checkCuda(cudaGetDevice(&device), "asking for the current device");
  checkCuda(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
      "asking for the number of multiprocessors");
  const CameraModel& first = task.views[0].camera;
  const std::size_t pixels = static_cast<std::size_t>(first.width) * first.height;
  LargeTriangles large = {
      static_cast<LargeTriangle*>(scratch), task.counters, largeCapacity(task)};
  const std::size_t all_items = itemCount(task);
  for (std::size_t start = 0; start < all_items; start += max_items, ++large.count) {
    CastItems items{};
    items.count = static_cast<int>(std::min<std::size_t>(max_items, all_items - start));
    int blocks = 0;
    for (int i = 0; i < items.count; ++i) {
      const std::size_t view = (start + i) / task.instance_count;
      const Instance& instance = task.instances[start + i];
      items.items[i] = {instance, task.views[view].camera, view * pixels, blocks};
      blocks += divideUp(instance.mesh.triangles_size, threads);
    }
    if (blocks == 0)
      continue;
    launchOverlapping("testTriangles",
                      &testTriangles,
                      blocks,
                      threads,
                      0,
                      stream,
                      items,
                      task.keys,
                      large);
    launchOverlapping("testLargeTriangles",
                      &testLargeTriangles,
                      4 * multiprocessors,
                      threads,
                      0,
                      stream,
                      items,
                      task.keys,
                      large);
  }
}

void
resolve(const CastTask& task, cudaStream_t stream)
{
  const CameraModel& first = task.views[0].camera;
  const int rows = first.height * task.view_count;
  const ResolveParameters parameters = {task.device_instances,
                                        task.instance_count,
                                        task.device_views,
                                        task.keys,
                                        first.width,
                                        first.height,
                                        rows,
                                        task.images,
                                        task.counters,
                                        static_cast<int>(visibilityCounters(task))};
  const dim3 block(resolve_columns, resolve_rows);
  const dim3 grid(divideUp(first.width, resolve_columns),
                  std::min(divideUp(rows, resolve_rows), 65535));
  launchOverlapping("writeImages", &writeImages, grid, block, 0, stream, parameters);
}

} // namespace cuda
} // namespace device
} // namespace pcl
