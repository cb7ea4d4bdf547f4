// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"

#include <pcl/gpu/utils/image_file.h>

#include <string>

namespace pcl_gpu_python {

/** \brief Copies an array on the host to an image.
 * \throws nb::value_error naming the argument, if the array is on another device
 */
template <typename Pixel>
pcl::gpu::Image<Pixel>
hostImageOf(const ArrayView& view, const char* name)
{
  checkOnHost(view, name);
  const auto input = imageFrom<Pixel>(view, name);
  pcl::gpu::Image<Pixel> image;
  image.resize(input->cols(), input->rows());
  if (!image.empty())
    input->download(image.pixels.data(), image.width * sizeof(Pixel));
  return image;
}

} // namespace pcl_gpu_python
