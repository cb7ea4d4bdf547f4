// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "driver.h"
#include "host_tile_grid.h"

#include <algorithm>
#include <cstring>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace pcl {
namespace device {

namespace {

/** \brief Rows that one thread of several works on. */
struct Band {
  int first_row, end_row;
};

Band
ownBand(int rows)
{
#if defined(_OPENMP)
  const int threads = omp_get_num_threads();
  const int thread = omp_get_thread_num();
#else
  const int threads = 1;
  const int thread = 0;
#endif
  const auto start = [&](int i) {
    return static_cast<int>(static_cast<long long>(rows) * i / threads);
  };
  return {start(thread), start(thread + 1)};
}

void
castTriangle(const CameraModel& camera,
             const Triangle& triangle,
             std::uint32_t id,
             const Band& band,
             HitKey* keys)
{
  const PixelRectangle pixels = pixelBounds(camera, triangle);
  const int first_y = std::max(pixels.first_y, band.first_row);
  const int last_y = std::min(pixels.last_y, band.end_row - 1);
  for (int y = first_y; y <= last_y; ++y) {
    HitKey* const row = keys + static_cast<std::size_t>(y) * camera.width;
    for (int x = pixels.first_x; x <= pixels.last_x; ++x) {
      TriangleHit hit;
      if (hitsTriangle(camera, pixelSlopes(camera, x, y), triangle, hit))
        row[x] = std::min(row[x], hitKey(hit.t, id));
    }
  }
}

void
castInstance(const CameraModel& camera,
             const Instance& instance,
             const Band& band,
             HitKey* keys)
{
  const int triangles = triangleCount(instance.mesh);
  for (int i = 0; i < triangles; ++i) {
    Triangle triangle;
    if (loadTriangle(instance.mesh, instance.transform, i, triangle))
      castTriangle(camera, triangle, instance.first_triangle + i, band, keys);
  }
}

void
resolve(const CastTask& task)
{
  const int height = task.views[0].camera.height;
  const int width = task.views[0].camera.width;
  const int rows = height * task.view_count;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows; ++row) {
    const int view = row / height;
    HitKey* const keys = task.keys + static_cast<std::size_t>(row) * width;
    const Instance* const instances =
        task.instances + static_cast<std::size_t>(view) * task.instance_count;
    for (int x = 0; x < width; ++x) {
      writePixel(instances,
                 task.instance_count,
                 task.views[view],
                 x,
                 row - view * height,
                 row,
                 keys[x],
                 task.images);
      keys[x] = no_hit;
    }
  }
}

class HostRayCastDriver : public RayCastDriver {
public:
  void
  fill(void* memory, unsigned char value, std::size_t bytes, Queue) const override
  {
    std::memset(memory, value, bytes);
  }

  std::size_t
  visibilityCounters(const CastTask&) const override
  {
    return 0;
  }

  std::size_t
  visibilityScratchBytes(const CastTask&) const override
  {
    return 0;
  }

  void
  castVisibility(const CastTask& task, void*, Queue) const override
  {
    for (int v = 0; v < task.view_count; ++v) {
      const CameraModel& camera = task.views[v].camera;
      const std::size_t pixels = static_cast<std::size_t>(camera.width) * camera.height;
#pragma omp parallel
      {
        const Band band = ownBand(camera.height);
        for (int i = 0; i < task.instance_count; ++i)
          castInstance(
              camera,
              task.instances[static_cast<std::size_t>(v) * task.instance_count + i],
              band,
              task.keys + v * pixels);
      }
    }
    resolve(task);
  }

  std::size_t
  tileGridScratchBytes(const CastTask& task, const GridLayout& layout) const override
  {
    return host::tileGridScratchBytes(task, layout);
  }

  void
  castTileGrid(const CastTask& task,
               const GridLayout& layout,
               void* scratch,
               Queue) const override
  {
    host::castTileGrid(task, layout, scratch);
    resolve(task);
  }
};

} // namespace

const RayCastDriver&
hostRayCastDriver()
{
  static const HostRayCastDriver driver;
  return driver;
}

} // namespace device
} // namespace pcl
