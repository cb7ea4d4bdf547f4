// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

/** \file
 * \brief What the modules of the package share: a library of its own, because each
 * module has its own copy of all other code.
 */

namespace pcl_gpu_python {

/** \brief Returns the stream that calls of this thread join. */
PCL_EXPORTS pcl::gpu::Stream
currentStream();

/** \brief Makes a stream the current one. */
PCL_EXPORTS void
pushStream(const pcl::gpu::Stream& stream);

/** \brief Makes the former stream the current one again. */
PCL_EXPORTS void
popStream();

} // namespace pcl_gpu_python
