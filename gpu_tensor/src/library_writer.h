// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_library.h>

#include <cstddef>
#include <functional>

namespace pcl::gpu {

/** \brief Takes the next bytes of a file. */
using ByteSink = std::function<void(const void* bytes, std::size_t count)>;

/** \brief Writes a library in the format of library_format.h.
 * \throws whatever \a sink throws
 */
void
writeLibrary(const TensorLibrary& library, const ByteSink& sink);

} // namespace pcl::gpu
