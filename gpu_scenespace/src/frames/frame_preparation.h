// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_reader.h"
#include "frames/frame_upload.h"

#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/utils/page_locked_memory.h>

#include <array>
#include <memory>

namespace pcl::gpu {

/** \brief A prepared frame, and the memory of its images. */
struct FrameImagesOnDevice {
  DeviceArray2D<RGB> color, guide;
  DeviceArray2D<float> depth, background_depth, object_depth;
  DeviceArray2D<std::uint8_t> mask;
  std::shared_ptr<SceneFrame> frame = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> background = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> objects = std::make_shared<SceneFrame>();
  float sharpness = 0.0f;

  /** \brief Returns whether the frame is in use. */
  bool
  isHeld() const;

  PreparedFrame
  prepared() const;
};

/** \brief Makes prepared frames of those that are read, on the current device. */
class FramePreparation {
public:
  /** \brief Queues the copy and the preparation of a frame.
   * \param[in] read the frame; not needed any more on return
   * \param[in] number of the frame
   * \param[in] preparation its parameters
   * \param[in] used behind the last work that needs the former \a images
   * \param[out] images the prepared frame
   * \param[in] stream in which it can be used from now on
   */
  void
  prepare(const ReadFrame& read,
          int number,
          const ScenePreparation& preparation,
          const Event& used,
          FrameImagesOnDevice& images,
          const Stream& stream);

private:
  /** \brief Page-locked memory of a frame, and the end of its copy. */
  struct Staging {
    PageLockedMemory memory;
    Event copied = Event::create();
  };

  /** \brief Copies a frame's images by a queue of its own, from page-locked memory. */
  void
  upload(const ReadFrame& read,
         const Event& used,
         FrameImagesOnDevice& images,
         const Stream& stream);

  NonLocalMeans guide_filter_;
  DepthFilling filling_;
  DeviceArray2D<float> without_edges_; ///< and then the depth with edges
  std::array<Staging, 2> staging_;     ///< one is filled while the other is copied
  std::size_t next_staging_ = 0;
  Stream copies_ = Stream::create();
};

} // namespace pcl::gpu
