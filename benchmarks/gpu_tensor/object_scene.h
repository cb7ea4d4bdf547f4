// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <memory>

namespace benchmarks {

/** \brief Learns objects of some 0.2 m with bumps and dents, each from its mesh.
 * \param[in] objects how many; the first ones are always the same
 * \param[in] views of each, with 150 tensors at most
 */
std::shared_ptr<pcl::gpu::TensorLibrary>
learnObjects(int objects, int views);

/** \brief A depth map of 640 x 480 of the first five objects on a table, about 1 m away, with a
 * Kinect's noise. */
RawDepth
renderObjects();

} // namespace benchmarks
