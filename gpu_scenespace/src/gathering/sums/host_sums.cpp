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
  gatherTiles<TilePixels<WeightedPixels<ColorSum>>>(task);
}

void
addToAveragesOnTarget(const AverageTask& task)
{
  gatherTiles<TilePixels<WeightedPixels<AverageSum>>>(task);
}

void
addToLayersOnTarget(const LayerTask& task)
{
  gatherTiles<TilePixels<LayeredPixels>>(task);
}

/** \brief A colour, for each of whose levels there is a register. */
template <typename Number>
HWY_INLINE Levels<Number>
levelsOfOne(PackedColor color)
{
  return {Number(redOf(color)), Number(greenOf(color)), Number(blueOf(color))};
}

/** \brief Sums the stored samples of a pixel: one after the other. */
HWY_INLINE void
sumPixel(const StoredSumTask& task, int column, int row)
{
  using Number = Lanes<hn::FixedTag<float, 1>>;
  using Pixel = WeightedPixel<Number, Levels<Number>, ColorSum>;
  const PixelReference reference =
      pixelReference(task.reference, task.view, task.exponents, column, row);
  const std::size_t number = task.store.pixel(column, row);
  ColorSum& sum = task.sums[number];
  Pixel pixel;
  pixel.color = levelsOfOne<Number>(reference.color);
  pixel.x = reference.x;
  pixel.y = reference.y;
  pixel.z = reference.z;
  pixel.position_exponent = reference.position_exponent;
  pixel.red = sum.red;
  pixel.green = sum.green;
  pixel.blue = sum.blue;
  pixel.weight = sum.weight;
  const std::uint32_t count = task.store.counts[number] & ~is_full;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StoredSample stored = loadSample(task.store, number, i);
    const StoredProjection& frame = task.frames[stored.frame - task.first_number];
    typename Pixel::Sample sample;
    sample.color = sample.levels = levelsOfOne<Number>(stored.color);
    sample.point = pointOf(frame,
                           Number(float(stored.position & 0xffff)),
                           Number(float(stored.position >> 16)),
                           Number(stored.depth));
    const Number zero(0.0f);
    pixel.add(task, Number(frame.weight_exponent), sample, zero <= zero);
  }
  store(pixel.red, &sum.red);
  store(pixel.green, &sum.green);
  store(pixel.blue, &sum.blue);
  store(pixel.weight, &sum.weight);
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
