// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Takes a video through a lens of any size: sharp at one distance, blurred before and
 * behind it.
 *
 * Klose et al. 2015 average the samples of a double cone about a pixel's ray, which also sees
 * what is hidden. This is a thin lens instead, our own: the mean of what many pinholes spread
 * over the lens see, each rendered from the output's own frame and from some others that saw
 * more. What hides what differs from pinhole to pinhole, as it does for a lens. What is in
 * focus has the input's own pixels, as sharp as they are.
 *
 * The depth of outputs is that of the input.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS VirtualApertureEffect : public SceneSpaceEffect {
public:
  VirtualApertureEffect();
  ~VirtualApertureEffect() override;

  /** \brief Sets the size of the lens.
   * \param[in] diameter metres; 0.03 by default; 0: everything is sharp
   * \throws pcl::BadArgumentException if negative or not finite
   */
  void
  setAperture(float diameter);

  /** \return the diameter of the lens, metres */
  float
  getAperture() const;

  /** \brief Sets the distance that is sharp, for all frames.
   * \param[in] distance metres along the camera's z axis; 2 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setFocusDistance(float distance);

  /** \return the distance that is sharp where no pixel tells it, metres */
  float
  getFocusDistance() const;

  /** \brief Has what a pixel shows be sharp, in each frame anew: then compute() waits for the
   * device. Where the pixel has no depth, the distance of setFocusDistance() is sharp.
   * compute() throws pcl::BadArgumentException for a pixel outside the frame.
   * \param[in] column,row of the pixel; both -1, as by default: none
   * \throws pcl::BadArgumentException naming the parameter and its value if below -1, or if
   * only one is -1
   */
  void
  setFocusPixel(int column, int row);

  /** \return the column of the pixel that is sharp; -1: none */
  int
  getFocusColumn() const;

  /** \return the row of the pixel that is sharp; -1: none */
  int
  getFocusRow() const;

  /** \brief Sets the shape of the lens, and of bright spots out of focus.
   * \param[in] blades sides of a regular polygon, 3 or more; 0 by default: a disc
   * \param[in] turn of the polygon, radians; 0: a corner is on the right
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setBlades(int blades, float turn = 0.0f);

  /** \return the sides of the lens; 0: a disc */
  int
  getBlades() const;

  /** \return the turn of the lens, radians */
  float
  getTurn() const;

  /** \brief Sets the number of pinholes. What is blurred over more than about 4 sqrt(n)
   * pixels looks like several pictures.
   * \param[in] samples 1 or more; 64 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setLensSamples(int samples);

  /** \return the number of pinholes */
  int
  getLensSamples() const;

  /** \brief Sets how far away in time other frames are used, to see what the own one does not.
   * \param[in] frames 0 or more; 6 by default
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how far away in time other frames are used */
  int
  getReach() const;

  /** \brief Sets which of them are used.
   * \param[in] frames distance in time of one to the next; 3 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setStep(int frames);

  /** \return the distance in time of frames that are used */
  int
  getStep() const;

  /** \brief Sets the deviation of the positions of one surface.
   * \param[in] sigma metres; 0.05 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

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
