// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "image_reader.h"

#include "errors.h"

namespace pcl::gpu::apps {

DepthImage
readDepthImage(const std::string& path)
{
  return asInput([&] { return gpu::readDepthImage(path); });
}

ColorImage
readColorImage(const std::string& path)
{
  return asInput([&] { return gpu::readColorImage(path); });
}

} // namespace pcl::gpu::apps
