// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "light_grid/light_grid.h"
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
 * \tparam step a function of the task, a pixel and \a arguments
 */
template <auto step, typename... Arguments>
__global__ void
__launch_bounds__(threads)
    renderPixels(const __grid_constant__ RenderTask task, Arguments... arguments)
{
  waitForPreviousKernel();
  const int2 pixel = ownPixel();
  if (pixel.x < task.view.camera.width && pixel.y < task.view.camera.height)
    step(task, pixel.x, pixel.y, arguments...);
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
  EntryRange range = {0, 0};
  if (is_open) {
    place = placeOfRay(lists, frame, ray);
    range = entriesOf(lists, place.cell);
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
__launch_bounds__(threads)
    testShadowsByGrid(const __grid_constant__ RenderTask task,
                      const __grid_constant__ LightGridLists lists,
                      int light)
{
  waitForPreviousKernel();
  const int2 pixel = ownPixel();
  const bool is_pixel =
      pixel.x < task.view.camera.width && pixel.y < task.view.camera.height;
  Ray ray = {};
  const bool has_ray = is_pixel && shadowRayOfPixel(task, pixel.x, pixel.y, light, ray);
  const bool is_occluded = isOccludedFromLight(lists, task.scene, has_ray, ray);
  if (is_pixel)
    visibleSamples(task, pixel.x, pixel.y, light) = has_ray && !is_occluded ? 1 : 0;
}

dim3
blocksFor(const CameraModel& camera)
{
  return dim3((camera.width + block_columns - 1) / block_columns,
              (camera.height + block_rows - 1) / block_rows);
}

template <auto step, typename... Arguments>
void
render(const char* name,
       const RenderTask& task,
       cudaStream_t stream,
       Arguments... arguments)
{
  launchOverlapping(name, blocksFor(task.view.camera), threads, stream)(
      renderPixels<step, Arguments...>, task, arguments...);
}

} // namespace

void
testShadows(const ShadowTask& task, cudaStream_t stream)
{
  const RenderTask& picture = task.picture;
  if (task.grid)
    launchOverlapping("testShadowsByGrid",
                      blocksFor(picture.view.camera),
                      threads,
                      stream)(testShadowsByGrid,
                              picture,
                              lightGridIn(task.grid, picture.scene.triangle_count),
                              task.light);
  else
    render<testShadowsByHierarchy>(
        "testShadowsByHierarchy", picture, stream, task.light);
}

void
occludeAmbientLight(const RenderTask& task, cudaStream_t stream)
{
  if (task.occlusion.method == AmbientOcclusion::Rays)
    render<occludeByRays>("occludeByRays", task, stream);
  else
    render<occludeInImage>("occludeInImage", task, stream);
}

void
shade(const RenderTask& task, cudaStream_t stream)
{
  if (task.has_bounces)
    render<shadePixel<true>>("shade with bounces", task, stream);
  else
    render<shadePixel<false>>("shade", task, stream);
}

} // namespace pcl::device::cuda
