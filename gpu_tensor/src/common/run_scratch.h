// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/task_parts.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

namespace pcl::gpu {

/** \brief Takes memory for a run; what is kept is zero when it is new.
 * \param[in] forget whether what the run before kept is of no use to this one
 */
inline device::ScratchMemory
takeScratch(const Device& device,
            const device::ScratchBytes& bytes,
            bool forget,
            Workspace& kept,
            Workspace& loose,
            const Stream& stream)
{
  device::ScratchMemory memory{};
  const bool is_new = kept.reserve(Workspace::bytesFor<char>(bytes.kept));
  memory.kept = kept.take<char>(bytes.kept);
  if ((is_new || forget) && bytes.kept > 0)
    fillAsync(device, memory.kept, 0, bytes.kept, stream);
  loose.reserve(Workspace::bytesFor<char>(bytes.loose));
  memory.loose = loose.take<char>(bytes.loose);
  return memory;
}

} // namespace pcl::gpu
