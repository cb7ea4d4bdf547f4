// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Shows a video from other cameras: along a smooth path, or from new places.
 *
 * What a camera sees is found by SceneSurface, from the frames about the output's time. Eq. (1)
 * of Klose et al. 2015 then averages the samples of that surface, first by position alone, and
 * a second time by their distance from the first average's colours too, which leaves samples
 * out that belong to something else. All of this is our own: the paper compares with the
 * input's own pixels, of which such an output has none.
 *
 * Frames nearer in time count more: things that move are where they are at the output's time.
 * Pixels that no frame sees are transparent, and their depth is NaN. Their colours are made up
 * of the nearest pixels about, of the farthest surface that these show, or black where there
 * are none near enough. view() throws pcl::BadArgumentException also for a view that is none.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS VirtualViewEffect : public SceneSpaceEffect {
public:
  /** \brief Tells the camera of an output frame, given the input, whose depth is registered to
   * colour, and the frame's number. Its time tells what frames are used; it need not be that of
   * the output. Called from several threads. */
  using ViewFunction = std::function<SceneView(const RGBDVideo& video, int number)>;

  /** \brief Shows the input's own views. */
  VirtualViewEffect();
  ~VirtualViewEffect() override;

  /** \brief Sets the output's cameras.
   * \param[in] views tells them; none: those of the input
   */
  void
  setViews(ViewFunction views);

  /** \brief Sets the output's cameras.
   * \param[in] views one for each frame, as stabilizedViews() makes them
   * \throws pcl::BadArgumentException naming the parameter and its value: a view that is none
   */
  void
  setViews(std::vector<SceneView> views);

  /** \brief Sets how many frames before and after the output's time are used.
   * \param[in] frames 0 or more; 6 by default
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int frames);

  /** \return how many frames before and after the output's time are used */
  int
  getReach() const;

  /** \brief Sets which of them are used.
   * \param[in] frames 1, all of them, by default; 2: every other one, and so on
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setStep(int frames);

  /** \return the distance in time of frames that are used */
  int
  getStep() const;

  /** \brief Sets from how far away the colours of pixels that no frame sees are made up.
   * \param[in] pixels 0 or more; 24 by default; 0: such pixels are black
   * \throws pcl::BadArgumentException if negative
   */
  void
  setHoleReach(int pixels);

  /** \return from how far away colours are made up, pixels */
  int
  getHoleReach() const;

  /** \brief Sets the deviation of frames' distances in time.
   * \param[in] sigma frames; 3 by default; infinity: all frames count alike
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaFrame(float sigma);

  /** \return the deviation of distances in time, frames */
  float
  getSigmaFrame() const;

  /** \brief Sets the deviation of the positions of one surface.
   * \param[in] sigma metres; 0.05 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

  /** \brief Sets the deviation of colours from the first average's.
   * \param[in] sigma levels; 40 by default; infinity: there is one average only
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of colours from the first average's, levels */
  float
  getSigmaRGB() const;

  std::unique_ptr<SceneSpaceEffect>
  clone() const override;

  SceneView
  view(const RGBDVideo& video, int number) const override;

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
