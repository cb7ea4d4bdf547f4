// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <nanobind/nanobind.h>

namespace pcl_gpu_python {

/** \brief Adds Python's exceptions to a module. Those of the library become these. */
void
bindErrors(nanobind::module_& module);

/** \brief Throws if Ctrl-C was pressed. The calling thread may hold the interpreter's
 * lock or not. */
void
checkSignals();

} // namespace pcl_gpu_python
