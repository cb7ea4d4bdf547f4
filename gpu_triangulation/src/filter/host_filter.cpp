// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "filter/host_filter.cpp"
#include "filter/filter.h"

#include <hwy/foreach_target.h>
// foreach_target.h comes first; these are read once for each target.
#include "filter/bilateral-inl.h"
#include "host_tile-inl.h"
#include "vector-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

/** \brief Reads depth of area and halo in metres, missing_depth where there is none. */
HWY_INLINE void
loadDepth(const DepthInput& input, const TileArea& area, int halo, float* tile)
{
  const FloatTag tag;
  const int count = area.columns + 2 * halo;
  const int padded = (count + float_lanes - 1) / float_lanes * float_lanes;
  const int first = area.x0 - halo;
  for (int i = 0; i < area.rows + 2 * halo; ++i) {
    float* to = tile + i * tile_stride;
    std::fill(to, to + padded, 0.0f);
    const int y = area.y0 - halo + i;
    if (y >= 0 && y < input.rows) {
      const int begin = std::max(0, -first);
      const int end = std::min(count, input.columns - first);
      const auto copy = [&](const auto* row) HWY_ATTR {
        std::copy(row + first + begin, row + first + end, to + begin);
      };
      if (input.raw)
        copy(input.row<std::uint16_t>(y));
      else
        copy(input.row<float>(y));
    }
    for (int x = 0; x < padded; x += float_lanes)
      store(measuredDepth(load(tag, to + x), FloatLanes(input.scale)), to + x);
  }
}

/** \brief The domain kernel over the whole window, row by row. */
struct DomainWindow {
  float exponent[(2 * max_halo + 1) * (2 * max_halo + 1)];

  explicit DomainWindow(const DepthBilateralFilterParameters& filter)
  {
    const DomainKernel<max_halo> kernel(filter.sigma_s);
    float* next = exponent;
    for (int dy = -filter.window_radius; dy <= filter.window_radius; ++dy)
      for (int dx = -filter.window_radius; dx <= filter.window_radius; ++dx)
        *next++ = kernel.at(dx, dy);
  }
};

/** \brief Filters the register that starts at \a center. */
HWY_INLINE FloatLanes
filterLanes(const float* center,
            const DepthBilateralFilterParameters& filter,
            const DomainWindow& window)
{
  const FloatTag tag;
  const int radius = filter.window_radius;
  const FloatLanes depth = load(tag, center);
  const FloatLanes range_scale = rangeScale(depth, filter);
  BilateralSum<FloatLanes> sum{0.0f, 0.0f};
  const float* exponent = window.exponent;
  for (int dy = -radius; dy <= radius; ++dy) {
    const float* row = center + dy * tile_stride;
    for (int dx = -radius; dx <= radius; ++dx)
      addNeighbor(
          sum, (load(tag, row + dx) - depth) * range_scale, FloatLanes(*exponent++));
  }
  return filteredDepth(depth, sum, range_scale);
}

/** \brief Projects the register of pixels that starts at (x, y). */
HWY_INLINE void
projectLanes(
    FloatLanes depth, int x, int y, const Intrinsics& camera, int count, Float4* to)
{
  const FloatLanes columns{
      hn::Add(hn::Set(FloatTag(), static_cast<float>(x)), hn::Iota(FloatTag(), 0.0f))};
  const FloatLanes px = projectCoordinate(
      columns, depth, FloatLanes(camera.cx), FloatLanes(camera.inverse_fx));
  const FloatLanes py = projectCoordinate(FloatLanes(static_cast<float>(y)),
                                          depth,
                                          FloatLanes(camera.cy),
                                          FloatLanes(camera.inverse_fy));
  storePoints(px, py, depth, FloatLanes(1.0f), count, to);
}

HWY_ATTR void
filterAndProject(const FilterTask& task)
{
  const FloatTag tag;
  const DepthInput& input = task.input;
  PtrStep<float> filtered = task.filtered;
  PtrStep<Float4> cloud = task.cloud;
  const bool is_filtered = task.is_filtered;
  const Intrinsics camera = task.camera;
  const int halo = is_filtered ? task.filter.window_radius : 0;
  const DomainWindow window(task.filter);
  const int tiles = tileCount(input.columns, input.rows);
#pragma omp parallel for schedule(dynamic)
  for (int index = 0; index < tiles; ++index) {
    const TileArea area = tileArea(index, input.columns, input.rows);
    alignas(64) float tile[tile_height * tile_stride];
    loadDepth(input, area, halo, tile);
    for (int y = 0; y < area.rows; ++y)
      for (int x = 0; x < area.columns; x += float_lanes) {
        const float* center = tile + (y + halo) * tile_stride + x + halo;
        const FloatLanes depth = is_filtered ? filterLanes(center, task.filter, window)
                                             : unfilteredDepth(load(tag, center));
        const int count = std::min(float_lanes, area.columns - x);
        if (filtered.data) {
          alignas(64) float lanes[float_lanes];
          store(depth, lanes);
          std::memcpy(
              filtered.ptr(area.y0 + y) + area.x0 + x, lanes, count * sizeof(float));
        }
        if (cloud.data)
          projectLanes(depth,
                       area.x0 + x,
                       area.y0 + y,
                       camera,
                       count,
                       cloud.ptr(area.y0 + y) + area.x0 + x);
      }
  }
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE
namespace pcl::device {

HWY_EXPORT(filterAndProject);

void
host::filterAndProject(const FilterTask& task)
{
  HWY_DYNAMIC_DISPATCH(filterAndProject)(task);
}

} // namespace pcl::device
#endif
