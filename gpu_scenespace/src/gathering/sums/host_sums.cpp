// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gathering/sums/host_sums.cpp"
#include "gathering/sums/sums.h"

#include <hwy/foreach_target.h>

// foreach_target.h comes first; these are read once for each target.
#include "gathering/sums/host_pixels-inl.h"

PCL_GPU_ELEMENT_NAMESPACE_BEGIN

void
addSamplesOnTarget(const SumTask& task)
{
  gatherTiles<TilePixels<SumPixel>>(task);
}

void
addToAveragesOnTarget(const AverageTask& task)
{
  gatherTiles<TilePixels<AveragePixel>>(task);
}

void
addToLayersOnTarget(const LayerTask& task)
{
  gatherTiles<TilePixels<LayeredPixel>>(task);
}

/** \brief Sums the stored samples of a pixel: one after the other. */
HWY_INLINE void
sumPixel(const StoredSumTask& task, int column, int row)
{
  using Number = Lanes<hn::FixedTag<float, 1>>;
  using Pixel = SumPixel<Number>;
  const std::size_t place = task.store.pixel(column, row);
  SumPixel<float> begun;
  begun.load(task, task.view, column, row, task.sums[place]);
  float numbers[Pixel::number_count];
  begun.forEachNumber(PlaneWriter{numbers, 1});
  Pixel pixel;
  pixel.forEachNumber(PlaneReader{numbers, 1});
  const std::uint32_t count = task.store.counts[place] & ~is_full;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StoredSample stored = loadSample(task.store, place, i);
    const StoredProjection& frame = task.frames[stored.frame - task.first_number];
    const Levels<Number> levels{Number(redOf(stored.color)),
                                Number(greenOf(stored.color)),
                                Number(blueOf(stored.color))};
    const ScenePoint<Number> point = pointOf(frame,
                                             Number(float(stored.position & 0xffff)),
                                             Number(float(stored.position >> 16)),
                                             Number(stored.depth));
    const Number zero(0.0f);
    pixel.add(task,
              Number(frame.weight_exponent),
              Pixel::sampleOf(point, levels, levels),
              zero <= zero);
  }
  pixel.forEachSum(PlaneWriter{numbers, 1});
  begun.forEachSum(PlaneReader{numbers, 1});
  task.sums[place] = begun.sum;
}

void
sumStoredOnTarget(const StoredSumTask& task)
{
#pragma omp parallel for schedule(dynamic, 4)
  for (int row = 0; row < task.store.rows; ++row)
    for (int column = 0; column < task.store.columns; ++column)
      sumPixel(task, task.store.first_column + column, task.store.first_row + row);
}

PCL_GPU_ELEMENT_NAMESPACE_END

#if HWY_ONCE

namespace pcl::device {

namespace {

HWY_EXPORT(addSamplesOnTarget);
HWY_EXPORT(addToAveragesOnTarget);
HWY_EXPORT(addToLayersOnTarget);
HWY_EXPORT(sumStoredOnTarget);

} // namespace

namespace host {

void
addSamples(const SumTask& task)
{
  HWY_DYNAMIC_DISPATCH(addSamplesOnTarget)(task);
}

void
addToAverages(const AverageTask& task)
{
  HWY_DYNAMIC_DISPATCH(addToAveragesOnTarget)(task);
}

void
addToLayers(const LayerTask& task)
{
  HWY_DYNAMIC_DISPATCH(addToLayersOnTarget)(task);
}

void
sumStoredSamples(const StoredSumTask& task)
{
  HWY_DYNAMIC_DISPATCH(sumStoredOnTarget)(task);
}

} // namespace host

} // namespace pcl::device

#endif
