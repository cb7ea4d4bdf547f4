// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <memory>

namespace benchmarks {

/** \brief Prints a table of the stages of recognizing a library's objects in a frame on
 * the host device.
 * \param[in] tensors of the scene, at most
 */
void
printHostRecognition(const RawDepth& depth,
                     const std::shared_ptr<pcl::gpu::TensorLibrary>& library,
                     int tensors,
                     int rounds);

} // namespace benchmarks
