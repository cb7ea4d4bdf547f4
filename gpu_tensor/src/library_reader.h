// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "file_source.h"

#include <pcl/gpu/tensor/tensor_library.h>

namespace pcl::gpu {

/** \brief Replaces parameters and models by those of a file; what TensorLibrary::load() does.
 * \param[in,out] library as it was if an exception is thrown
 * \param[in] source a file of library_format.h
 * \throws pcl::IOException naming the file and what is wrong with it
 */
void
loadLibrary(TensorLibrary& library, const ByteSource& source);

} // namespace pcl::gpu
