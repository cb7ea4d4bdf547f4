// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/array.h"

namespace pcl_gpu_python {

/** \brief Adds Device, Stream and the functions about them to a module. */
void
bindDevices(nb::module_& module);

/** \brief Adds CudaArray to a module. */
void
bindCudaArray(nb::module_& module);

} // namespace pcl_gpu_python
