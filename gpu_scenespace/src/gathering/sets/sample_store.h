// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sets/sets.h"

#include <pcl/gpu/scenespace/gathering/sample_sets.h>

namespace pcl::gpu {

static_assert(SampleSets::group_size == device::sample_group, "both have one layout");
static_assert(SampleSets::is_full == device::is_full, "both mark the same");

/** \brief View of sets that samples are stored through. */
inline device::SampleStore
sampleStore(const SampleSets& sets)
{
  const auto writable = [](const auto* memory) {
    return const_cast<std::remove_const_t<std::remove_pointer_t<decltype(memory)>>*>(
        memory);
  };
  return {writable(sets.getPositions().ptr()),
          writable(sets.getDepths().ptr()),
          writable(sets.getColors().ptr()),
          writable(sets.getFrameHighBytes().ptr()),
          writable(sets.getCounts().ptr()),
          sets.getCapacity(),
          sets.getColumns(),
          sets.getRows(),
          sets.getRegion().column,
          sets.getRegion().row};
}

} // namespace pcl::gpu
