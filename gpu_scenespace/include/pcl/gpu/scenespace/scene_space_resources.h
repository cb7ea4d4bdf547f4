// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Devices, memory and threads that process a video.
 *
 * \ingroup gpu_scenespace
 */
struct SceneSpaceResources {
  /** \brief Devices that share the work; none: the current one. */
  std::vector<Device> devices;
  /** \brief Bytes of each device's memory that may be used; 0: half of the free
   * bytes. */
  std::size_t memory = 0;
  /** \brief Threads that read frames; 0: as many as the processor has, 8 at most for
   * each device. */
  int reading_threads = 0;
  /** \brief Bytes of the host's memory in which frames that were read are kept. Devices
   * that share the work read them once, as does one without memory for all that it
   * needs at a time. */
  std::size_t host_memory = std::size_t(1) << 30;
};

} // namespace pcl::gpu
