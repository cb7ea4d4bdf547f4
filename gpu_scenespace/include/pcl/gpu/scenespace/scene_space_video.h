// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/scenespace/scene_space_resources.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief A video made from another one by an effect, frame by frame as they are read.
 *
 * Together with openRGBDFolder() and writeRGBDFolder() it processes videos of any
 * length from disk to disk. Frames depend neither on memory nor on devices. Frames can
 * be read on several threads at once: each device makes one at a time, and is busy with
 * the next one while one is copied if there are two threads for it.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceVideo : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose depth is registered to colour, see RegisteredRGBDVideo
   * \param[in] effect the maker of frames
   * \param[in] preparation of the video's frames
   * \param[in] resources devices, memory, threads
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, no
   * effect, as SceneFrameStore, too little memory
   * \throws DeviceException if a device fails
   */
  SceneSpaceVideo(RGBDVideo::ConstPtr video,
                  SceneSpaceEffect::ConstPtr effect,
                  const ScenePreparation& preparation = {},
                  const SceneSpaceResources& resources = {});

  ~SceneSpaceVideo() override;

  int
  size() const override;

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

private:
  struct Worker;

  RGBDVideo::ConstPtr video_;
  SceneSpaceEffect::ConstPtr effect_;
  std::vector<std::unique_ptr<Worker>> workers_; ///< one for each device
};

} // namespace pcl::gpu
