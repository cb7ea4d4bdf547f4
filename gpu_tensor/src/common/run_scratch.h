// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/task_parts.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/kept_scratch.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

namespace pcl::gpu {

/** \brief Takes memory for a run. Kept memory is zero when it is new.
 * \param[in] forget whether this run cannot use the memory that the last run kept
 */
inline device::ScratchMemory
takeScratch(const Device& device,
            const device::ScratchBytes& bytes,
            bool forget,
            Workspace& kept,
            Workspace& loose,
            const Stream& stream)
{
  void* const memory = keptScratch(device, kept, bytes.kept, stream);
  if (forget)
    fillAsync(device, memory, 0, bytes.kept, stream);
  loose.reserve(Workspace::bytesFor<char>(bytes.loose));
  return {memory, loose.take<char>(bytes.loose)};
}

} // namespace pcl::gpu
