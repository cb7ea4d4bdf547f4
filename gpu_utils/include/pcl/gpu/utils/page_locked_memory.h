// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <memory>

namespace pcl::gpu {

/** \brief Host memory that copies to and from CUDA devices run beside other work with, see
 * copyAsync(). Without a CUDA device it is host memory like any other.
 * \ingroup gpu_utils
 */
class PCL_EXPORTS PageLockedMemory {
public:
  /** \brief Makes the memory at least as large as asked; what was in it is lost if it has to
   * grow. No copy from or to it may be under way then.
   * \param[in] bytes how much
   * \throws DeviceException if there is not so much
   */
  void
  reserve(std::size_t bytes);

  /** \return its first byte; null before the first reserve() */
  void*
  get() const;

private:
  std::shared_ptr<void> memory_;
  std::size_t bytes_ = 0;
};

} // namespace pcl::gpu
