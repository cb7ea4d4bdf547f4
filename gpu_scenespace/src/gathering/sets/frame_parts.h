// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_reader.h"

#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief A part of a frame. */
struct FramePart {
  int number; ///< of the frame in the video
  ImageRegion region;
};

/** \brief Parts of frames on the current device, which are copied there all at once. */
class FrameParts {
public:
  /** \brief Returns the bytes that the images of a part take. */
  static std::size_t
  imageBytes(const ImageRegion& region);

  /** \brief Brings parts of frames, as they were read, to the device, once the former
   * ones are no longer needed.
   * \param[in] bytes of the images of all parts, at least
   * \param[in] copies the queue of copies
   * \param[in] stream in which the frames can be used from now on
   */
  const std::vector<SceneFrame::ConstPtr>&
  load(FrameReader& reader,
       const std::vector<FramePart>& parts,
       std::size_t bytes,
       const Stream& copies,
       const Stream& stream);

  /** \brief Notes that all work on the frames has been queued. */
  void
  markUsed(const Stream& stream)
  {
    used_.record(stream);
  }

  std::size_t capacity = 0; ///< bytes of images for which memory was taken

private:
  PageLockedMemory staging_;
  Workspace memory_;
  std::vector<SceneFrame::Ptr> pool_;
  std::vector<SceneFrame::ConstPtr> frames_;
  Event copied_ = Event::create(), used_ = Event::create();
};

} // namespace pcl::gpu
