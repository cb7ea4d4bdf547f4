// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

namespace benchmarks {

/** \brief Prints a table of pairs, tensors and matching of a frame on the host device
 * and by the straightforward implementation, and how far their results agree.
 * \return whether they do
 */
bool
compareTensors(const RawDepth& depth, int rounds);

} // namespace benchmarks
