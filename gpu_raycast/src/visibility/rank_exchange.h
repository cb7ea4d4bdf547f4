// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/visibility.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Exchange of a cast's results by ranks that have triangles of their own. */
class RankExchange {
public:
  /** \brief Finds the ids of this rank's triangles, which count on over the ranks. The
   * first call exchanges the ranks' numbers of triangles and waits for them.
   * \param[in] triangles number of this rank's
   * \throws pcl::BadArgumentException if the ranks have too many together, or this one
   * has another number than at the first call
   * \throws CommunicationException if a process failed
   */
  device::IdRange
  ownIds(Communicator& communicator, std::size_t triangles, const Stream& stream);

  /** \brief Lowers a cast's keys to those of all ranks, and makes its images.
   * \param[in] task whose cast has left its keys
   * \throws CommunicationException if a process failed
   */
  void
  resolve(Communicator& communicator,
          const device::CastTask& task,
          const Stream& stream);

private:
  std::vector<std::size_t> first_triangles_; ///< of the ranks, and the number of all
  DeviceArray<char> packed_;                 ///< images without gaps between their rows
};

} // namespace pcl::gpu
