// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <memory>
#include <string>

namespace benchmarks {

/** \brief Source and destination of a library. */
struct LibrarySource {
  int models = 20;  ///< that are learned; the first ones are always the same
  int views = 42;   ///< of each, with 150 tensors at most
  std::string file; ///< that it is read from, if not empty, instead of learned
  std::string save; ///< file that it is written to; may be empty
};

/** \brief Reads a library, or learns objects of some 0.2 m with bumps and dents, each
 * from its mesh. */
std::shared_ptr<pcl::gpu::TensorLibrary>
objectLibrary(const LibrarySource& source);

/** \brief A depth map of 640 x 480 of the first five objects on a table, about 1 m
 * away, with a Kinect's noise.
 * \param[in] turn how far the camera has gone around the table, radians
 */
RawDepth
renderObjects(float turn = 0.0f);

} // namespace benchmarks
