// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Has sharp frames stand in for those that the camera's shaking has blurred.
 *
 * Klose et al. 2015 weight eq. (2), with wide deviations, by the sharpness of samples' frames:
 * PreparedFrame::sharpness. Here this is taken as a part of that of the sharpest frame of the
 * window, and to a power. A blurred frame's own colours mislead the comparison, most of all next
 * to edges: samples are averaged by position first, and then compared with that average. And
 * a frame as sharp as its neighbours keeps its own colours, which averages are less sharp than.
 * These three things are our own.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS DeblurringEffect : public SceneSpaceEffect {
public:
  DeblurringEffect();
  ~DeblurringEffect() override;

  /** \brief Sets how many frames before and after each one are used.
   * \param[in] frames 0 or more; 10 by default
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how many frames before and after each one are used */
  int
  getReach() const;

  /** \brief Sets the power of sharpness that frames count by.
   * \param[in] power 0 or more; 16 by default; 0: sharp and blurred frames count alike
   * \throws pcl::BadArgumentException if negative or not finite
   */
  void
  setSharpnessPower(float power);

  /** \return the power of sharpness that frames count by */
  float
  getSharpnessPower() const;

  /** \brief Sets how much more a frame counts for its own output than others that are as
   * sharp.
   * \param[in] lead 1 or more; 50 by default
   * \throws pcl::BadArgumentException if below 1 or not finite
   */
  void
  setOwnLead(float lead);

  /** \return how much more a frame counts for its own output */
  float
  getOwnLead() const;

  /** \brief Sets the deviation of colours from the average by position.
   * \param[in] sigma levels; 60 by default; infinity: colours are not compared
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of colours, levels */
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
   * \param[in] sigma frames; 20 by default; infinity: all frames of the window count alike
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
