// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_reader.h"

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <array>
#include <vector>

namespace pcl::gpu {

/** \brief Rejects frames whose depth is of another camera than colour.
 * \throws pcl::BadArgumentException naming the frame
 */
void
checkRegistered(const RGBDFrame& frame);

/** \brief Returns how a frame was taken.
 * \throws pcl::BadArgumentException as SceneFrame::upload()
 */
SceneView
checkedView(const RGBDFrame& frame, int number);

/** \brief Copies an image's pixels to the current device. */
template <typename T>
void
copyPixels(
    const T* pixels, int width, int height, DeviceArray2D<T>& to, const Stream& stream)
{
  createOn(currentDevice(), to, height, width);
  const std::size_t row_bytes = width * sizeof(T);
  copyAsync2D(pixels, row_bytes, to.ptr(), to.step(), row_bytes, height, stream);
}

/** \brief Copies frames to the current device while it works on others: by a stream of its
 * own, from page-locked memory. */
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

/** \brief Parts of frames on the current device, which are copied there all at once. */
class FrameParts {
public:
  /** \brief A part of a frame that was read. */
  struct Part {
    FrameReader::FramePtr read;
    int number; ///< of the frame
    ImageRegion region;
  };

  /** \brief Returns the bytes that the images of a part take. */
  static std::size_t
  imageBytes(const ImageRegion& region);

  /** \brief Begins with no parts, once the former ones are no longer needed.
   * \param[in] bytes of the images of all parts that will be added
   */
  void
  begin(std::size_t bytes);

  /** \brief Adds parts, whose images are copied to page-locked memory by all processors. */
  void
  add(const std::vector<Part>& parts);

  /** \brief Queues the copy of the parts, and what makes frames of them.
   * \param[in] copies the queue of copies
   * \param[in] stream in which the frames can be used from now on
   */
  const std::vector<SceneFrame::ConstPtr>&
  upload(const Stream& copies, const Stream& stream);

  /** \brief Notes that all that needs the frames has been queued. */
  void
  markUsed(const Stream& stream);

  /** \brief Returns the bytes of images that there has been room made for. */
  std::size_t
  capacity() const
  {
    return capacity_;
  }

private:
  /** \brief A part in page-locked memory. */
  struct Taken {
    SceneView view;
    ImageRegion region;
  };

  PageLockedMemory staging_;
  Workspace memory_;
  std::size_t capacity_ = 0, used_bytes_ = 0;
  std::vector<Taken> parts_;
  std::vector<SceneFrame::Ptr> pool_;
  std::vector<SceneFrame::ConstPtr> frames_;
  Event copied_ = Event::create(), used_ = Event::create();
};

} // namespace pcl::gpu
