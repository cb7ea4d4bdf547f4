// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Returns scratch memory for tasks that leave something there for their next
 * run.
 * \param[in] device the current device
 * \param[in,out] workspace is used for nothing else
 * \param[in] bytes its size
 * \param[in] stream the queue to join
 * \return the memory: zero when it is new, else as the last run left it
 * \throws DeviceException if memory runs out
 */
inline void*
keptScratch(const Device& device,
            Workspace& workspace,
            std::size_t bytes,
            const Stream& stream)
{
  const bool is_new = workspace.reserve(Workspace::bytesFor<char>(bytes));
  void* const scratch = workspace.take<char>(bytes);
  if (is_new)
    fillAsync(device, scratch, 0, bytes, stream);
  return scratch;
}

} // namespace pcl::gpu
