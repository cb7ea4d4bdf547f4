// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/depth_filling.hpp"

#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
DepthFilling::compute(const DeviceArray2D<float>& depth,
                      const DeviceArray2D<RGB>& color,
                      DeviceArray2D<float>& filled,
                      const Stream& stream)
{
  checkSameSize("colour", color, "depth", depth);
  checkDevice("colour", color, "depth", deviceOf(depth));
  checkApart("colour", color, filled);
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  createOn(device, filled, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  device::DepthFillingTask task{};
  task.depth = inputView<float>(depth);
  task.color = inputView<device::PackedColor>(color);
  task.filled = outputView<float>(filled);
  std::size_t bytes = 0;
  for (int axis = 0; axis < device::axis_count; ++axis) {
    task.bits[axis] = device::linesOf(axis, depth.cols(), depth.rows());
    bytes += Workspace::bytesFor<std::uint32_t>(task.bits[axis].size());
  }
  scratch_.reserve(bytes);
  for (device::DepthBits& bits : task.bits)
    bits.words = scratch_.take<std::uint32_t>(bits.size());
  for (int axis = 0; axis < device::axis_count; ++axis) {
    const device::DepthBits& bits = task.bits[axis];
    parallelFor2D(device,
                  bits.lines,
                  bits.line_words,
                  device::MarkDepth{task.depth, bits, axis},
                  stream);
  }
  parallelFor2D(device, depth.cols(), depth.rows(), device::FillDepth{task}, stream);
}

} // namespace pcl::gpu
