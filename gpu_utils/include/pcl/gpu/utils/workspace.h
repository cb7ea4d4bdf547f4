// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_memory.h>
#include <pcl/gpu/utils/impl/unshared.h>
#include <pcl/pcl_exports.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Scratch memory of an algorithm object.
 *
 * Grows to the largest size asked for and stays there, so that a second run on the same
 * sizes allocates nothing and can be captured into a CUDA graph. Divide it anew at the
 * start of each run:
 * \code
 * workspace.reserve(Workspace::bytesFor<float>(n) + Workspace::bytesFor<int>(m));
 * float* values = workspace.take<float>(n);
 * int* counts = workspace.take<int>(m);
 * \endcode
 * One workspace belongs to one object and serves one run at a time: a copy of it starts
 * empty, and an assignment changes nothing, so that the copy of an algorithm object
 * gets scratch memory of its own. A move takes the memory over.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS Workspace {
public:
  /** \brief Alignment of every piece, bytes. */
  static constexpr std::size_t alignment = 256;

  /** \brief Returns the bytes to reserve for a piece.
   * \param[in] count number of elements
   * \return bytes that take<T>(count) uses up
   */
  template <typename T>
  static constexpr std::size_t
  bytesFor(std::size_t count)
  {
    return (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }

  /** \brief Starts a run: all pieces taken before become invalid.
   * \param[in] bytes the sum of bytesFor() of all pieces; memory is allocated, on the
   * current device, only if the present memory is smaller or lives elsewhere
   * \return whether memory was allocated; if so, the contents that earlier runs left
   * are lost
   * \throws DeviceException if memory runs out
   */
  bool
  reserve(std::size_t bytes);

  /** \brief Takes the next piece of the reserved memory.
   * \param[in] count number of elements
   * \return the piece, with undefined contents
   * \throws pcl::ComputeFailedException if less than that is left
   */
  template <typename T>
  T*
  take(std::size_t count)
  {
    static_assert(alignof(T) <= alignment, "pieces are aligned to 256 bytes only");
    return static_cast<T*>(takeBytes(bytesFor<T>(count)));
  }

private:
  void*
  takeBytes(std::size_t bytes);

  struct Run {
    DeviceMemory memory;
    std::size_t used = 0;
  };

  detail::Unshared<Run> run_;
};

} // namespace pcl::gpu
