// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_light_grid.h"
#include "render_driver.h"

#include <pcl/gpu/utils/device/cuda_launch.cuh>

namespace pcl {
namespace device {

namespace {

// A warp has 8 x 4 neighbouring pixels, whose rays take much the same way.
constexpr int warp_columns = 8;
constexpr int warp_rows = 4;
constexpr int block_columns = 16;
constexpr int block_rows = 8;
constexpr int threads = block_columns * block_rows;

struct TestShadowsByHierarchy {
  int light;

  __device__ void
  operator()(const RenderTask& task, int x, int y) const
  {
    testShadowsByHierarchy(task, x, y, light);
  }
};

struct TestShadowsByGrid {
  LightGridLists lists;
  int light;

  __device__ void
  operator()(const RenderTask& task, int x, int y) const
  {
    testShadowsByGrid(task, lists, x, y, light);
  }
};

struct OccludeByRays {
  __device__ void
  operator()(const RenderTask& task, int x, int y) const
  {
    occludeByRays(task, x, y);
  }
};

struct OccludeInImage {
  __device__ void
  operator()(const RenderTask& task, int x, int y) const
  {
    occludeInImage(task, x, y);
  }
};

template <bool bounces>
struct Shade {
  __device__ void
  operator()(const RenderTask& task, int x, int y) const
  {
    shadePixel<bounces>(task, x, y);
  }
};

template <typename Step>
__global__ void
__launch_bounds__(threads) renderPixels(const __grid_constant__ RenderTask task,
                                        const __grid_constant__ Step step)
{
  waitForPreviousKernel();
  const int lane = threadIdx.x % (warp_columns * warp_rows);
  const int warp = threadIdx.x / (warp_columns * warp_rows);
  const int warp_x = warp % (block_columns / warp_columns);
  const int warp_y = warp / (block_columns / warp_columns);
  const int x =
      blockIdx.x * block_columns + warp_x * warp_columns + lane % warp_columns;
  const int y = blockIdx.y * block_rows + warp_y * warp_rows + lane / warp_columns;
  if (x < task.view.camera.width && y < task.view.camera.height)
    step(task, x, y);
}

template <typename Step>
void
launch(const char* name, const RenderTask& task, const Step& step, cudaStream_t stream)
{
  const CameraModel& camera = task.view.camera;
  const dim3 grid((camera.width + block_columns - 1) / block_columns,
                  (camera.height + block_rows - 1) / block_rows);
  launchOverlapping(name, &renderPixels<Step>, grid, threads, 0, stream, task, step);
}

class CudaRenderDriver : public RenderDriver {
public:
  void
  testShadowsByHierarchy(const RenderTask& task, int light, Queue queue) const override
  {
    launch("testShadowsByHierarchy", task, TestShadowsByHierarchy{light}, queue);
  }

  std::size_t
  lightGridBytes(std::size_t triangles) const override
  {
    return cuda::lightGridBytes(triangles);
  }

  void
  testShadowsByGrid(const RenderTask& task,
                    int light,
                    void* scratch,
                    Queue queue) const override
  {
    const LightGridLists lists = cuda::makeLightGrid(task.scene, light, scratch, queue);
    launch("testShadowsByGrid", task, TestShadowsByGrid{lists, light}, queue);
  }

  void
  occludeAmbientLight(const RenderTask& task, Queue queue) const override
  {
    if (task.occlusion.method == AmbientOcclusion::Rays)
      launch("occludeByRays", task, OccludeByRays{}, queue);
    else
      launch("occludeInImage", task, OccludeInImage{}, queue);
  }

  void
  shade(const RenderTask& task, bool bounces, Queue queue) const override
  {
    if (bounces)
      launch("shade with bounces", task, Shade<true>{}, queue);
    else
      launch("shade", task, Shade<false>{}, queue);
  }
};

} // namespace

const RenderDriver&
cudaRenderDriver()
{
  static const CudaRenderDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
