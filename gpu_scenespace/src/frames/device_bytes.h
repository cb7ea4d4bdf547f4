// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>

namespace pcl::gpu {

/** \brief Returns the pixels of an image whose rows begin where a GPU has them begin. */
std::size_t
paddedPixels(int width, int height);

/** \brief Returns the bytes of device memory that an array takes: a GPU hands out large ones in
 * pieces of two million. */
std::size_t
arrayMemory(std::size_t bytes);

} // namespace pcl::gpu
