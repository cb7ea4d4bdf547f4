// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace pcl {
namespace gpu {

/** \brief With what a video is processed.
 *
 * \ingroup gpu_scenespace
 */
struct SceneSpaceResources {
  /** \brief Devices that share the work, frame by frame; none: the current one. */
  std::vector<Device> devices;
  /** \brief Bytes of each device's memory that may be used; 0: half of what is free. */
  std::size_t memory = 0;
  /** \brief Threads that read frames; 0: as many as the processor has, 8 at most for each
   * device. */
  int reading_threads = 0;
  /** \brief Bytes of the host's memory in which frames that were read are kept. Devices that
   * share the work read them once, as does one without memory for all that it needs at a
   * time. */
  std::size_t host_memory = std::size_t(1) << 30;
};

/** \brief A video made from another one by an effect, frame by frame as they are read.
 *
 * Together with openRGBDFolder() and writeRGBDFolder() it processes videos of any length from
 * disk to disk. What the frames look like depends neither on memory nor on devices. Frames
 * can be read on several threads at once; each device makes one at a time.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceVideo : public RGBDVideo {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose depth is registered to colour, see RegisteredRGBDVideo
   * \param[in] effect what is made of it
   * \param[in] preparation what is done with its frames first
   * \param[in] resources with what
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, no effect,
   * what SceneFrameCache rejects, too little memory
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
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace gpu
} // namespace pcl
