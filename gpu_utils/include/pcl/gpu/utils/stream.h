// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <memory>

struct CUevent_st;
struct CUstream_st;

namespace pcl::gpu {

class Event;

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
  /** \brief Refers to the default stream of the current device. */
  Stream() = default;

  /** \brief Refers to a stream that the caller owns.
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
  get() const
  {
    return handle_.get();
  }

  /** \brief Waits until all work queued so far is done.
   * \throws DeviceException if queued work failed
   */
  void
  synchronize() const;

  /** \brief Makes work queued from now on wait for an event. Returns at once. The
   * stream must be on the current device; the event may be on any.
   * \param[in] event an event; if it was not recorded, nothing waits
   * \throws DeviceException if the CUDA runtime refuses
   */
  void
  waitFor(const Event& event) const;

private:
  std::shared_ptr<CUstream_st> handle_;
};

/** \brief Position in a stream that other streams can wait for, also on other devices:
 * a CUDA event without timing. On the host device it has no meaning.
 *
 * Copies share the event; the last one destroys it.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS Event {
public:
  /** \brief Makes an event that is never recorded. */
  Event() = default;

  /** \brief Creates an event on the current device.
   * \return an event; on the host device the same as Event()
   * \throws DeviceException if the CUDA runtime refuses
   */
  static Event
  create();

  /** \brief Places the event after all work queued so far.
   * \param[in] stream a queue of the device that the event was created on, which is
   * current
   * \throws DeviceException if the CUDA runtime refuses
   */
  void
  record(const Stream& stream) const;

  /** \brief Waits until all work before the event is done. Returns at once if the event
   * was not recorded.
   * \throws DeviceException if queued work failed
   */
  void
  synchronize() const;

  /** \return the `cudaEvent_t`; null on the host */
  CUevent_st*
  get() const
  {
    return handle_.get();
  }

private:
  std::shared_ptr<CUevent_st> handle_;
};

} // namespace pcl::gpu
