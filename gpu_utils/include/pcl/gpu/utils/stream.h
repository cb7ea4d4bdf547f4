// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <memory>

struct CUstream_st;

namespace pcl {
namespace gpu {

/** \brief The queue of device work that a call joins: a CUDA stream, or the host.
 *
 * Everything that runs on a CUDA device takes a stream and returns once its work is
 * queued; work on one stream runs in order. On the host device calls finish before they
 * return and the stream has no meaning.
 *
 * A `cudaStream_t` converts to a Stream, which then does not own it. Copies share the
 * stream; the last copy of an owned one destroys it.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS Stream {
public:
  /** \brief The default stream of the current device. */
  Stream() = default;

  /** \brief Refers to a stream that somebody else owns.
   * \param[in] handle a `cudaStream_t`; null is the default stream
   */
  Stream(CUstream_st* handle);

  /** \brief Creates a stream on the current device.
   * \return an owned stream that does not wait for the default stream; on the host
   * device the same as Stream()
   * \throws DeviceException if the CUDA runtime refuses
   */
  static Stream
  create();

  /** \return the `cudaStream_t`; null for the default stream and on the host */
  CUstream_st*
  get() const;

  /** \brief Waits until all work queued so far is done.
   * \throws DeviceException if queued work failed
   */
  void
  synchronize() const;

private:
  std::shared_ptr<CUstream_st> handle_;
};

} // namespace gpu
} // namespace pcl
