// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

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

struct TestShadows {
  static __device__ void
  run(const RenderTask& task, int x, int y)
  {
    testShadows(task, x, y, static_cast<int>(blockIdx.z));
  }
};

struct OccludeByRays {
  static __device__ void
  run(const RenderTask& task, int x, int y)
  {
    occludeByRays(task, x, y);
  }
};

struct OccludeInImage {
  static __device__ void
  run(const RenderTask& task, int x, int y)
  {
    occludeInImage(task, x, y);
  }
};

template <bool bounces>
struct Shade {
  static __device__ void
  run(const RenderTask& task, int x, int y)
  {
    shadePixel<bounces>(task, x, y);
  }
};

template <typename Step>
__global__ void
__launch_bounds__(threads) renderPixels(const __grid_constant__ RenderTask task)
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
    Step::run(task, x, y);
}

template <typename Step>
void
launch(const char* name, const RenderTask& task, int layers, cudaStream_t stream)
{
  const CameraModel& camera = task.view.camera;
  const dim3 grid((camera.width + block_columns - 1) / block_columns,
                  (camera.height + block_rows - 1) / block_rows,
                  layers);
  launchOverlapping(name, &renderPixels<Step>, grid, threads, 0, stream, task);
}

class CudaRenderDriver : public RenderDriver {
public:
  void
  testShadows(const RenderTask& task, Queue queue) const override
  {
    launch<TestShadows>("testShadows", task, task.scene.light_count, queue);
  }

  void
  occludeAmbientLight(const RenderTask& task, Queue queue) const override
  {
    if (task.occlusion.method == AmbientOcclusion::Rays)
      launch<OccludeByRays>("occludeByRays", task, 1, queue);
    else
      launch<OccludeInImage>("occludeInImage", task, 1, queue);
  }

  void
  shade(const RenderTask& task, bool bounces, Queue queue) const override
  {
    if (bounces)
      launch<Shade<true>>("shade with bounces", task, 1, queue);
    else
      launch<Shade<false>>("shade", task, 1, queue);
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
