// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <memory>

namespace pcl::gpu {

/** \brief Host memory whose copies to and from CUDA devices overlap other work (see
 * copyAsync()). Without a CUDA device it is ordinary host memory.
 * \ingroup gpu_utils
 */
class PCL_EXPORTS PageLockedMemory {
public:
  /** \brief Makes the memory at least as large as asked. Loses the contents if it has
   * to grow; then no copy from or to it may be under way.
   * \param[in] bytes size in bytes
   * \throws DeviceException if there is not enough memory
   */
  void
  reserve(std::size_t bytes);

  /** \return its first byte; null before the first reserve() */
  void*
  get() const
  {
    return memory_.get();
  }

private:
  std::shared_ptr<void> memory_;
  std::size_t bytes_ = 0;
};

} // namespace pcl::gpu
