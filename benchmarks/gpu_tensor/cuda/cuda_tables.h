// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/tensor_library.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

// The tables of benchmark_tensors_cuda. Those that return whether results agree say
// where they do not.

/** \brief Tables 3 and 4 of Orts-Escolano et al. 2014: pairs, tensors and matching of a
 * frame. */
void
printTables(const RawDepth& depth, int repeats);

/** \brief Valid pairs of frames that come in turn, as a camera has them, beside those
 * of each frame again and again: a run profits from the times of the one before.
 */
void
printSequence(const std::vector<RawDepth>& depths, int repeats);

/** \brief Figure 11: 200 tensors, each computed by itself on one of a number of
 * streams, beside all of them in one call. */
bool
printStreamFigure(const RawDepth& depth, int repeats);

/** \brief Figure 13: time by number of tensors, and how much faster that is than the
 * straightforward implementation in one thread. */
bool
printCountFigure(const RawDepth& depth, int repeats);

/** \brief Recognition of a frame from host memory to host memory, and its stages.
 * \param[in] tensors of the scene, at most
 */
bool
printRecognition(const RawDepth& depth,
                 const std::shared_ptr<pcl::gpu::TensorLibrary>& library,
                 int tensors,
                 int repeats);

/** \brief Sizes of the stream that printStreaming() runs. */
struct StreamingOptions {
  int frames = 200;  ///< that are timed
  int devices = 1;   ///< the first ones
  int tensors = 200; ///< of a scene, at most
};

/** \brief Frames a second of DepthStreamRecognition, by devices and frames under way.
 * \param[in] depths frames that come in turn
 */
bool
printStreaming(const std::vector<RawDepth>& depths,
               const std::shared_ptr<pcl::gpu::TensorLibrary>& library,
               const StreamingOptions& options);

} // namespace benchmarks
