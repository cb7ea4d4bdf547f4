// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Removes the noise of a video.
 *
 * The average of eq. (1) of Klose et al. 2015 over the frames next to each one, as
 * SceneSpaceAverage makes it. Four things make it better than the paper's eq. (2), and are our
 * own: all frames of the window count alike, colours are compared by guides, depth is filled,
 * and the noise that is left, which the weights tell for each pixel, is removed by
 * non-local means.
 *
 * ScenePreparation::noise is the deviation of the noise; where it is 0, there are neither guides
 * nor non-local means.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS DenoisingEffect : public SceneSpaceEffect {
public:
  DenoisingEffect();
  ~DenoisingEffect() override;

  /** \brief Sets how many frames before and after each one are used.
   * \param[in] frames 0 or more; 18 by default, 3 sigma_f of Klose et al. 2015
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how many frames before and after each one are used */
  int
  getReach() const;

  /** \brief Sets the deviation of similar colours of guides.
   * \param[in] sigma levels; 0 by default, which stands for 0.7 times the noise and 14 levels at
   * least
   * \throws pcl::BadArgumentException if negative
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of similar colours, levels; 0: by the noise */
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
   * \param[in] sigma frames; infinity by default: all frames of the window count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaFrame(float sigma);

  /** \return the deviation of distances in time, frames */
  float
  getSigmaFrame() const;

  std::unique_ptr<SceneSpaceEffect>
  clone() const override;

  EffectMemory
  workingMemory(const SceneView& view) const override;

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
