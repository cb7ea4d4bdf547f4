// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_reader.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/stream.h>

#include <array>

namespace pcl::gpu {

/** \brief Copies frames to the current device while it works on others: by a stream of its own,
 * from page-locked memory. */
class FrameUploader {
public:
  /** \brief Queues the copy of a frame's images.
   * \param[in] read the frame; not needed any more on return
   * \param[out] color,depth,mask on the device; mask empty if there is none
   * \param[in] used behind the last work that needs what was in these arrays
   * \param[in] stream in which they can be used from now on
   */
  void
  upload(const ReadFrame& read,
         DeviceArray2D<RGB>& color,
         DeviceArray2D<float>& depth,
         DeviceArray2D<std::uint8_t>& mask,
         const Event& used,
         const Stream& stream);

private:
  /** \brief Page-locked memory of a frame, and the end of its copy. */
  struct Staging {
    PageLockedMemory memory;
    Event copied = Event::create();
  };

  // One frame is staged while another is copied.
  std::array<Staging, 2> staging_;
  std::size_t next_ = 0;
  Stream stream_ = Stream::create();
};

} // namespace pcl::gpu
