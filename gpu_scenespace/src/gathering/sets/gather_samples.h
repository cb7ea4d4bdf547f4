// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sets/sets.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Returns the region of an output that sets are wanted of.
 * \throws pcl::BadArgumentException if it lies beyond the output
 */
ImageRegion
wantedRegion(const SampleGatheringParameters& parameters, const SceneView& view);

/** \brief Gives sets the size that is wanted, on the current device, and empties them.
 * \throws pcl::BadArgumentException as wantedRegion()
 */
device::SampleStore
emptySets(const SampleGatheringParameters& parameters,
          const SceneView& view,
          SampleSets& sets,
          const Stream& stream);

/** \brief Returns the bytes of device memory that sets take. */
std::size_t
setsMemory(const ImageRegion& region, int max_samples);

} // namespace pcl::gpu
