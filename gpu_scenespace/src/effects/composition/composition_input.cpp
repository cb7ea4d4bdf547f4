// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition_input.h"

#include "gathering/gathering_input.h"

#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
maskDepth(const DeviceArray2D<float>& depth,
          const DeviceArray2D<std::uint8_t>& mask,
          std::uint8_t kept,
          DeviceArray2D<float>& masked,
          const Stream& stream)
{
  const Device device = deviceOf(depth);
  createOn(device, masked, depth.rows(), depth.cols());
  const device::MaskDepth step{depth.ptr(),
                               strideOf(depth),
                               mask.ptr(),
                               strideOf(mask),
                               kept,
                               masked.ptr(),
                               strideOf(masked)};
  parallelFor2D(device, depth.cols(), depth.rows(), step, stream);
}

void
dropEdges(const DeviceArray2D<float>& depth,
          int margin,
          DeviceArray2D<float>& kept,
          const Stream& stream)
{
  const Device device = deviceOf(depth);
  createOn(device, kept, depth.rows(), depth.cols());
  const device::DropEdges step{depth.ptr(),
                               strideOf(depth),
                               kept.ptr(),
                               strideOf(kept),
                               depth.cols(),
                               depth.rows(),
                               margin};
  parallelFor2D(device, depth.cols(), depth.rows(), step, stream);
}

void
fillHoles(const SceneImage& image,
          int reach,
          DeviceArray2D<RGB>& filled,
          const Stream& stream)
{
  const Device device = deviceOf(image.color);
  createOn(device, filled, image.color.rows(), image.color.cols());
  device::FillHoles task{};
  task.color = packedColors(image.color);
  task.color_stride = strideOf(image.color);
  task.depth = image.depth.ptr();
  task.depth_stride = strideOf(image.depth);
  task.filled = packedColors(filled);
  task.filled_stride = strideOf(filled);
  task.columns = filled.cols();
  task.rows = filled.rows();
  task.reach = reach;
  parallelFor2D(device, task.columns, task.rows, task, stream);
}

} // namespace pcl::gpu
