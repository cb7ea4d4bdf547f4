// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/non_local_means.h"

#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>

namespace pcl::gpu {

static_assert(NonLocalMeansParameters::max_patch_reach == device::max_patch_reach, "");
static_assert(NonLocalMeansParameters::max_search_reach == device::max_search_reach,
              "");
static_assert(NonLocalMeans::max_variance == device::max_variance, "");

void
NonLocalMeansParameters::validate() const
{
  checkBetween<int>("patch reach", patch_reach, 0, max_patch_reach, "0 to 3 pixels");
  checkBetween<int>(
      "search reach", search_reach, 0, max_search_reach, "0 to 10 pixels");
  checkBetween("strength", strength, 0.01f, 100.0f, "0.01 to 100");
}

void
NonLocalMeans::compute(const DeviceArray2D<RGB>& color,
                       const DeviceArray2D<float>& variance,
                       DeviceArray2D<RGB>& result,
                       const Stream& stream) const
{
  checkSameSize("variance", variance, "colour", color);
  checkDevice("variance", variance, "colour", deviceOf(color));
  checkApart("variance", variance, result);
  run(color, &variance, 1.0f, result, stream);
}

void
NonLocalMeans::compute(const DeviceArray2D<RGB>& color,
                       float sigma,
                       DeviceArray2D<RGB>& result,
                       const Stream& stream) const
{
  checkPositive("sigma", sigma);
  const float variance =
      std::min(std::max(sigma * sigma, device::min_variance), max_variance);
  run(color, nullptr, 2.0f * variance, result, stream);
}

void
NonLocalMeans::run(const DeviceArray2D<RGB>& color,
                   const DeviceArray2D<float>* variance,
                   float pair_variance,
                   DeviceArray2D<RGB>& result,
                   const Stream& stream) const
{
  checkApart("colour", color, result);
  const Device device = deviceOf(color);
  const ScopedDevice scope(device);
  createOn(device, result, color.rows(), color.cols());
  if (color.empty())
    return;
  constexpr double log2e = 1.4426950408889634;
  const int side = 2 * parameters_.patch_reach + 1;
  const double steepness =
      log2e / (double(parameters_.strength) * parameters_.strength);
  device::NonLocalMeansTask task{};
  task.color = inputView<device::PackedColor>(color);
  if (variance)
    task.variance = inputView<float>(*variance);
  task.output = outputView<device::PackedColor>(result);
  task.patch_reach = parameters_.patch_reach;
  task.search_reach = parameters_.search_reach;
  task.slope = static_cast<float>(-steepness / (3.0 * side * side * pair_variance));
  task.offset = static_cast<float>(steepness);
  dispatch(device, PCL_GPU_BOTH(removeNoise), task, stream);
}

} // namespace pcl::gpu
