// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/depth_png.h"

#include <pcl/gpu/utils/image_file.h>

#include <utility>

namespace pcl::gpu::test {

Image<std::uint16_t>
readDepthImage(const std::string& path)
{
  DepthImage read = gpu::readDepthImage(path);
  Image<std::uint16_t> image;
  image.rows = read.height;
  image.columns = read.width;
  image.data = std::move(read.pixels);
  return image;
}

} // namespace pcl::gpu::test
