// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/filter.h"

#include <pcl/gpu/triangulation/depth_bilateral_filter.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
DepthBilateralFilterParameters::validate() const
{
  checkPositive("sigma_s", sigma_s);
  checkPositive("sigma_r", sigma_r);
  checkNotNegative("sigma_r growth", sigma_r_growth);
  checkBetween("window radius", window_radius, 1, max_window_radius, "1 to 16");
}

template <typename Depth>
void
DepthBilateralFilter::run(const Depth& depth,
                          float scale,
                          DepthMap& filtered,
                          const Stream& stream) const
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  checkApart("depth", depth, filtered);
  createOn(device, filtered, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  device::FilterTask task{};
  task.input = device::depthInput(inputView<typename Depth::type>(depth), scale);
  task.is_filtered = true;
  task.filter = parameters_;
  task.filtered = outputView<float>(filtered);
  dispatch(device, PCL_GPU_BOTH(filterAndProject), task, stream);
}

void
DepthBilateralFilter::compute(const RawDepthMap& depth,
                              float scale,
                              DepthMap& filtered,
                              const Stream& stream) const
{
  checkPositive("depth scale", scale);
  run(depth, scale, filtered, stream);
}

void
DepthBilateralFilter::compute(const DepthMap& depth,
                              DepthMap& filtered,
                              const Stream& stream) const
{
  run(depth, 1.0f, filtered, stream);
}

} // namespace pcl::gpu
