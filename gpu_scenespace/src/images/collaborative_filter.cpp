// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/collaborative_filter.h"
#include "frames/resources.h"

#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

static_assert(CollaborativeFilterParameters::max_group_size == device::max_group_size,
              "");
static_assert(CollaborativeFilterParameters::max_search_reach ==
                  device::max_group_reach,
              "");

/** \brief Numbers that the host's registers read behind the last one that counts. */
constexpr std::size_t slack = 2 * device::block_side;

/** \brief Pieces of scratch memory that have the size of a plane. */
constexpr std::size_t plane_pieces = device::plane_count + 2;

/** \brief The orthonormal cosine transform (DCT-II) of 8 numbers. */
void
setCosines(float* cosines)
{
  constexpr int side = device::block_side;
  for (int k = 0; k < side; ++k)
    for (int i = 0; i < side; ++i)
      cosines[k * side + i] =
          static_cast<float>(std::sqrt((k == 0 ? 1.0 : 2.0) / side) *
                             std::cos(M_PI * (2 * i + 1) * k / (2 * side)));
}

/** \brief The mean of a level with normal noise that is clipped to 0 to 255. */
double
clippedMean(double level, double noise)
{
  const auto below = [&](double end) {
    return 0.5 * std::erfc((level - end) / (noise * std::sqrt(2.0)));
  };
  const auto density = [&](double end) {
    const double units = (end - level) / noise;
    return std::exp(-0.5 * units * units) / std::sqrt(2.0 * M_PI);
  };
  return 255.0 * (1.0 - below(255.0)) + level * (below(255.0) - below(0.0)) +
         noise * (density(0.0) - density(255.0));
}

/** \brief The inverse of clippedMean() for whole levels, by bisection. */
device::UnclippedLevels
unclippedLevels(double noise)
{
  device::UnclippedLevels levels{};
  for (int i = 0; i <= 256; ++i) {
    double low = 0.0, high = 255.0;
    if (noise == 0.0)
      low = high = std::min(i, 255);
    while (high - low > 1e-4) {
      const double middle = 0.5 * (low + high);
      (clippedMean(middle, noise) < i ? low : high) = middle;
    }
    levels.of[i] = static_cast<float>(i == 0 ? 0.0 : high);
  }
  return levels;
}

} // namespace

struct CollaborativeFilter::Buffers {
  float clipped_noise = 0.0f; ///< that the levels are of
  device::UnclippedLevels unclipped = unclippedLevels(0.0);
  const device::UnclippedLevels as_they_are = unclipped;
  Workspace scratch;
  DeviceArray2D<RGB> first_result;
};

void
CollaborativeFilterParameters::validate() const
{
  checkBetween<int>("group size", group_size, 1, max_group_size, "1 to 16 blocks");
  checkBetween<int>(
      "search reach", search_reach, 0, max_search_reach, "0 to 10 pixels");
  checkBetween("threshold", threshold, 0.0f, 100.0f, "0 to 100");
  checkNotNegative("clipped noise", clipped_noise);
}

void
CollaborativeFilter::compute(const DeviceArray2D<RGB>& color,
                             const DeviceArray2D<float>& variance,
                             DeviceArray2D<RGB>& result,
                             const Stream& stream)
{
  checkSameSize("variance", variance, "colour", color);
  checkDevice("variance", variance, "colour", deviceOf(color));
  checkApart("colour", color, result);
  checkApart("variance", variance, result);
  Buffers& data = buffers_.get();
  const Device device = deviceOf(color);
  const ScopedDevice scope(device);
  const int columns = color.cols(), rows = color.rows();
  createOn(device, result, rows, columns);
  if (color.empty())
    return;
  createOn(device, data.first_result, rows, columns);

  if (data.clipped_noise != parameters_.clipped_noise) {
    data.clipped_noise = parameters_.clipped_noise;
    data.unclipped = unclippedLevels(data.clipped_noise);
  }
  device::BlockGroupTask task{};
  task.grid = device::gridOf(columns, rows);
  task.group_size = parameters_.group_size;
  task.search_reach = parameters_.search_reach;
  task.threshold_square = parameters_.threshold * parameters_.threshold;
  setCosines(task.cosines);
  const std::size_t size = task.grid.pixels() + slack;
  float *planes[device::plane_count], *brightness, *variances;
  takePieces(data.scratch,
             Piece{planes[0], size},
             Piece{planes[1], size},
             Piece{planes[2], size},
             Piece{brightness, size},
             Piece{variances, size},
             Piece{task.blocks, task.grid.blocks()});
  std::copy_n(planes, device::plane_count, task.planes);
  task.variances = variances;
  const int plane_columns = task.grid.columns, plane_rows = task.grid.rows;
  const auto forPixels = [&](const auto& step) {
    parallelFor2D(device, plane_columns, plane_rows, step, stream);
  };
  const auto filter = [&](const float* compared,
                          const device::UnclippedLevels& levels,
                          DeviceArray2D<RGB>& filtered) {
    task.compared = compared;
    dispatch(device, PCL_GPU_BOTH(filterBlocks), task, stream);
    const device::MergeBlocks merge{
        task.grid, task.blocks, levels, outputView<device::PackedColor>(filtered)};
    parallelFor2D(device, columns, rows, merge, stream);
  };
  forPixels(device::SplitPlanes{inputView<device::PackedColor>(color),
                                {planes[0], planes[1], planes[2]},
                                plane_columns});
  parallelFor2D(
      device,
      plane_columns - device::block_side + 1,
      plane_rows - device::block_side + 1,
      device::MeanVariances{inputView<float>(variance), variances, plane_columns},
      stream);
  filter(planes[0], data.as_they_are, data.first_result);
  forPixels(device::CopyBrightness{
      inputView<device::PackedColor>(data.first_result), brightness, plane_columns});
  filter(brightness, data.unclipped, result);
}

std::size_t
CollaborativeFilter::estimateMemory(int columns, int rows)
{
  const device::BlockGrid grid = device::gridOf(columns, rows);
  return plane_pieces * Workspace::bytesFor<float>(grid.pixels() + slack) +
         Workspace::bytesFor<device::BlockEstimate>(grid.blocks()) +
         arrayMemory(paddedPixels(columns, rows) * sizeof(RGB));
}

} // namespace pcl::gpu
