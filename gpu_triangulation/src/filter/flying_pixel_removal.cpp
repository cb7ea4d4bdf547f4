// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/flying_pixels.hpp"

#include <pcl/gpu/triangulation/flying_pixel_removal.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

void
FlyingPixelRemovalParameters::validate() const
{
  checkNotNegative("flying pixel tolerance", tolerance);
  checkNotNegative("flying pixel tolerance growth", tolerance_growth);
}

template <typename Depth>
void
FlyingPixelRemoval::run(const Depth& depth,
                        float scale,
                        DepthMap& cleaned,
                        const Stream& stream) const
{
  const Device device = deviceOf(depth);
  const ScopedDevice scope(device);
  checkApart("depth", depth, cleaned);
  createOn(device, cleaned, depth.rows(), depth.cols());
  if (depth.empty())
    return;
  const device::RemoveFlyingPixels remove{
      device::depthInput(inputView<typename Depth::type>(depth), scale),
      parameters_.tolerance,
      parameters_.tolerance_growth,
      outputView<float>(cleaned)};
  parallelFor2D(device, depth.cols(), depth.rows(), remove, stream);
}

void
FlyingPixelRemoval::compute(const RawDepthMap& depth,
                            float scale,
                            DepthMap& cleaned,
                            const Stream& stream) const
{
  checkPositive("depth scale", scale);
  run(depth, scale, cleaned, stream);
}

void
FlyingPixelRemoval::compute(const DepthMap& depth,
                            DepthMap& cleaned,
                            const Stream& stream) const
{
  run(depth, 1.0f, cleaned, stream);
}

} // namespace pcl::gpu
