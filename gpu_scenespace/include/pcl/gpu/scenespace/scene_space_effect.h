// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>
#include <pcl/gpu/scenespace/scene_frame_cache.h>
#include <pcl/gpu/scenespace/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>

namespace pcl::gpu {

/** \brief Makes the frames of one video from those of another: what SceneSpaceVideo asks of
 * denoising, inpainting and the like, and of your own effects.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceEffect {
public:
  /** \brief An effect that several own, and none changes. */
  using ConstPtr = std::shared_ptr<const SceneSpaceEffect>;

  virtual ~SceneSpaceEffect() = default;

  /** \brief An effect with the same settings and memory of its own, for another device.
   * \return the effect
   */
  virtual std::unique_ptr<SceneSpaceEffect>
  clone() const = 0;

  /** \brief The camera of an output frame.
   * \param[in] video the input, whose depth is registered to colour
   * \param[in] number of the output frame, from 0 to video.size() - 1
   * \return by default that of the input's frame
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   */
  virtual SceneView
  view(const RGBDVideo& video, int number) const;

  /** \brief Bytes of the device's memory that the effect takes, besides frames.
   * \param[in] view the output
   * \return an upper bound
   */
  virtual std::size_t
  estimateMemory(const SceneView& view) const = 0;

  /** \brief Makes an output frame.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view(); it may be read while the next output is made, into
   * another one: nothing else may use its arrays
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws what SceneFrameCache::get() throws
   * \throws DeviceException if the device fails or runs out of memory
   */
  virtual void
  compute(SceneFrameCache& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) = 0;
};

} // namespace pcl::gpu
