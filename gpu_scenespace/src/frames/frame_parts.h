// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief Parts of frames on the current device, which are copied there all at once. */
class FrameParts {
public:
  /** \brief Bytes that the images of a part take. */
  static std::size_t
  imageBytes(const ImageRegion& region);

  /** \brief Begins with no frames, once nobody needs the former ones.
   * \param[in] bytes of the images of all parts that will be added
   */
  void
  begin(std::size_t bytes);

  /** \brief Adds a part of a frame, whose images are to be copied by copyImages().
   * \param[in] taken how the frame was taken
   * \return where to
   */
  char*
  add(const SceneView& taken, const ImageRegion& region);

  /** \brief Copies the images of a part; by any thread. */
  static void
  copyImages(const RGBDFrame& frame, const ImageRegion& region, char* place);

  /** \brief Queues the copy of the parts, and what makes frames of them.
   * \param[in] copies the queue of copies
   * \param[in] stream in which the frames can be used from now on
   */
  const std::vector<SceneFrame::ConstPtr>&
  upload(const Stream& copies, const Stream& stream);

  /** \brief Notes that all that needs the frames has been queued. */
  void
  markUsed(const Stream& stream);

  /** \brief Bytes of images that there has been room made for. */
  std::size_t
  capacity() const
  {
    return capacity_;
  }

private:
  /** \brief A part in page-locked memory. */
  struct Part {
    SceneView taken;
    ImageRegion region;
  };

  PageLockedMemory staging_;
  Workspace memory_;
  std::size_t capacity_ = 0, used_bytes_ = 0;
  std::vector<Part> parts_;
  std::vector<SceneFrame::Ptr> pool_;
  std::vector<SceneFrame::ConstPtr> frames_;
  Event copied_ = Event::create(), used_ = Event::create();
};

} // namespace pcl::gpu
