// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Removes objects from a video: masked pixels show what lies behind, as other frames
 * see it.
 *
 * ScenePreparation::masks tells where the objects are, and ScenePreparation::mask_margin how far
 * around them pixels are replaced as well. All other pixels keep their colours and depths as
 * they have been prepared, and frames without a mask do so as a whole.
 *
 * Klose et al. 2015 name inpainting as an application; how it is done here is our own:
 * - the depth of the background is that of the nearest surface that frames see outside of their
 *   masks, see SceneSurface;
 * - its colour is a mode of samples' colours, not their mean, which things that come and go
 *   would show in: an average at that depth, as SceneSpaceAverage makes it, and from there
 *   a step of mean shift, in colours and positions;
 * - frames near in time count more: they are the most alike in light, and the sharpest in
 *   sum, as errors of poses grow with time;
 * - what the colours at the border of the mask differ by from those that other frames see there
 *   is carried on into the mask: exposures differ, and no seam is left;
 * - pixels that no frame sees are filled smoothly from those around them (pull-push, Gortler et
 *   al. 1996, The Lumigraph).
 *
 * Where colours have noise, what is filled in has less, and shows by that: remove it first, see
 * DenoisingEffect.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS InpaintingEffect : public SceneSpaceEffect {
public:
  InpaintingEffect();
  ~InpaintingEffect() override;

  /** \brief Sets how far before and after each frame others are looked at.
   * \param[in] frames 0 or more; 60 by default
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how far before and after each frame others are looked at, frames */
  int
  getReach() const;

  /** \brief Sets which of the frames within reach are used: every \a step-th one, counted from
   * the output's own.
   * \param[in] step frames, 1 or more; 2 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setStep(int step);

  /** \return from each frame that is used to the next one, frames */
  int
  getStep() const;

  /** \brief Sets the deviation of similar colours.
   * \param[in] sigma levels of 0 to 255, all three components together; 30 by default;
   * infinity: colours are not compared, and their mean is used
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of similar colours, levels */
  float
  getSigmaRGB() const;

  /** \brief Sets the deviation of the positions of one surface.
   * \param[in] sigma metres; 0.05 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

  /** \brief Sets the deviation of frames' distances in time.
   * \param[in] sigma frames; 5 by default; infinity: all frames within reach count alike. However
   * far in time, what no other frame sees is used
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaFrame(float sigma);

  /** \return the deviation of distances in time, frames */
  float
  getSigmaFrame() const;

  /** \brief Sets how much of the objects is left.
   * \param[in] opacity 0 to 1; 0 by default: nothing; 1: the input. From 0.5 on, depth is that
   * of the objects
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setOpacity(float opacity);

  /** \return how much of the objects is left */
  float
  getOpacity() const;

  std::unique_ptr<SceneSpaceEffect>
  clone() const override;

  EffectMemory
  workingMemory(const SceneView& view) const override;

  /** \brief Makes an output frame, as SceneSpaceEffect says. Steady state neither allocates nor
   * waits.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws what SceneFrameStore::get() throws
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(SceneFrameStore& frames,
          int number,
          SceneImage& image,
          const Stream& stream = {}) override;

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
