// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

namespace pcl::gpu {

/** \brief Parameters of an InpaintingEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS InpaintingEffectParameters {
  /** \brief Frames before and after each one that are looked at, 0 or more. */
  int reach = 60;
  /** \brief Distance of the frames within reach that are used, counted from the
   * output's own: every step-th one, 1 or more. */
  int step = 2;
  /** \brief Deviation of similar colours: levels of 0 to 255, all three components
   * together; infinity: colours are not compared, and their mean is used. */
  float sigma_rgb = 30.0f;
  /** \brief Deviation of the positions of one surface, metres. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of frames' distances in time, frames; infinity: all frames within
   * reach count alike. Frames far off in time are used for places that no other frame
   * sees. */
  float sigma_frame = 5.0f;
  /** \brief Part of the objects that is left: 0: nothing, 1: the input. From 0.5 on,
   * depth is that of the objects. */
  float opacity = 0.0f;

  /** \brief Rejects a negative reach, a step below 1, an opacity outside of 0 to 1,
   * deviations that are not positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes objects from a video: masked pixels show the background, as other
 * frames see it.
 *
 * ScenePreparation::masks shows the objects, and ScenePreparation::mask_margin how far
 * around them pixels are replaced as well. All other pixels keep their colours and
 * depths as they have been prepared, and frames without a mask do so as a whole.
 *
 * Klose et al. 2015 name inpainting as an application. The method is our own:
 * - the depth of the background is that of the nearest surface that frames see outside
 *   of their masks, see SceneSurface;
 * - its colour is a mode of samples' colours, not their mean, which things that come
 *   and go would show in: an average at that depth, as SceneSpaceAverage makes it, and
 *   from there a step of mean shift, in colours and positions;
 * - frames near in time count more: they are the most alike in light, and the sharpest
 *   in sum, as errors of poses grow with time;
 * - differences of colours at the border of the mask from those that other frames see
 *   there are carried on into the mask: exposures differ, and no seam is left;
 * - pixels that no frame sees are filled smoothly from those around them (pull-push,
 *   Gortler et al. 1996, The Lumigraph).
 *
 * Filled parts of noisy videos have less noise, and show by that: remove it first, see
 * DenoisingEffect.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS InpaintingEffect
: public ParameterizedEffect<InpaintingEffect, InpaintingEffectParameters> {
public:
  EffectMemory
  workingMemory(const SceneView& view) const override;

  /** \brief Makes an output frame, as SceneSpaceEffect says. Steady state neither
   * allocates nor waits.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws as SceneFrameStore::get()
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) override;

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
