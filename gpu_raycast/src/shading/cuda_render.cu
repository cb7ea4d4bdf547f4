// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shading/render.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

namespace pcl::device::cuda {

namespace {

// A warp has 8 x 4 neighbouring pixels, whose rays take much the same way.
constexpr int warp_columns = 8;
constexpr int warp_rows = 4;
constexpr int block_columns = 16;
constexpr int block_rows = 8;
constexpr int threads = block_columns * block_rows;

/** \brief The pixel of a thread. */
__device__ int2
ownPixel()
{
  const int lane = threadIdx.x % (warp_columns * warp_rows);
  const int warp = threadIdx.x / (warp_columns * warp_rows);
  const int warp_x = warp % (block_columns / warp_columns);
  const int warp_y = warp / (block_columns / warp_columns);
  return make_int2(blockIdx.x * block_columns + warp_x * warp_columns +
                       lane % warp_columns,
                   blockIdx.y * block_rows + warp_y * warp_rows + lane / warp_columns);
}

/** \brief Runs one step of a picture; a thread has a pixel.
 * \tparam step a function of the task and a pixel
 */
template <auto step>
__global__ void
__launch_bounds__(threads) renderPixels(const __grid_constant__ RenderTask task)
{
  waitForPreviousKernel();
  const int2 pixel = ownPixel();
  if (pixel.x < task.view.camera.width && pixel.y < task.view.camera.height)
    step(task, pixel.x, pixel.y);
}

/** \brief Entries that a thread loads together. */
constexpr int batch = 8;

/** \brief Returns whether something hides the light of a grid from the rays of a warp:
 * the answer of isOccludedFromLight() in host code. All threads of the warp must call.
 *
 * Each thread first notes which of a number of entries its ray may hit; then the
 * threads test their finds together.
 * \param[in] has_ray whether the thread has one
 */
__device__ bool
isOccludedFromLight(const LightGridLists& lists,
                    const ShadingScene& scene,
                    bool has_ray,
                    const Ray& ray)
{
  RayFrame frame = {};
  bool is_open = has_ray && makeRayFrame(ray, frame);
  const bool is_ray = is_open;
  const std::uint32_t everywhere = lists.counts->everywhere;
  for (std::uint32_t i = 0; i < everywhere && __any_sync(all_lanes, is_open); ++i)
    is_open = is_open && !isHitByRay(scene, frame, lists.everywhere[i]);

  RayPlace place = {};
  ListRange range = {0, 0};
  if (is_open) {
    place = placeOfRay(*lists.grid, frame, ray.origin);
    range = listOf(lists.ends, place.cell, lists.capacity);
  }
  while (__any_sync(all_lanes, range.first < range.end)) {
    unsigned int candidates = 0;
    for (int i = 0; i < warp_size; i += batch) {
      if (!__any_sync(all_lanes, range.first + i < range.end))
        break;
#pragma unroll
      for (int j = i; j < i + batch; ++j)
        if (range.first + j < range.end &&
            mayHit(lists.entries[range.first + j], place))
          candidates |= 1u << j;
    }
    while (__any_sync(all_lanes, candidates != 0)) {
      if (candidates != 0) {
        const int i = __ffs(static_cast<int>(candidates)) - 1;
        candidates &= candidates - 1;
        if (isHitByRay(scene, frame, lists.entries[range.first + i].id)) {
          is_open = false;
          candidates = 0;
          range.end = 0;
        }
      }
      __syncwarp();
    }
    range.first += warp_size;
  }
  return is_ray && !is_open;
}

__global__ void
__launch_bounds__(threads) testShadowsByGrid(const __grid_constant__ RenderTask task)
{
  waitForPreviousKernel();
  const int2 pixel = ownPixel();
  const bool is_pixel =
      pixel.x < task.view.camera.width && pixel.y < task.view.camera.height;
  Ray ray = {};
  const bool has_ray = is_pixel && shadowRayOfPixel(task, pixel.x, pixel.y, ray);
  const bool is_occluded = isOccludedFromLight(task.grid, task.scene, has_ray, ray);
  if (is_pixel)
    visibleSamples(task, pixel.x, pixel.y, task.light) =
        has_ray && !is_occluded ? 1 : 0;
}

void
launch(const char* name,
       void (*kernel)(RenderTask),
       const RenderTask& task,
       cudaStream_t stream)
{
  const CameraModel& camera = task.view.camera;
  const dim3 blocks(divideUp(camera.width, block_columns),
                    divideUp(camera.height, block_rows));
  launchOverlapping(name, blocks, threads, stream)(kernel, task);
}

} // namespace

void
testShadows(const RenderTask& task, cudaStream_t stream)
{
  if (task.grid.grid)
    launch("testShadowsByGrid", testShadowsByGrid, task, stream);
  else
    launch(
        "testShadowsByHierarchy", renderPixels<testShadowsByHierarchy>, task, stream);
}

void
occludeAmbientLight(const RenderTask& task, cudaStream_t stream)
{
  if (task.occlusion.by_rays)
    launch("occludeByRays", renderPixels<occludeByRays>, task, stream);
  else
    launch("occludeInImage", renderPixels<occludeInImage>, task, stream);
}

void
shade(const RenderTask& task, cudaStream_t stream)
{
  if (task.has_bounces)
    launch("shade with bounces", renderPixels<shadePixel<true>>, task, stream);
  else
    launch("shade", renderPixels<shadePixel<false>>, task, stream);
}

} // namespace pcl::device::cuda
