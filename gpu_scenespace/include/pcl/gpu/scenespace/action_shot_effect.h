// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>

#include <vector>

namespace pcl::gpu {

/** \brief Shows what moves at several times at once, each where it was in space: an action shot,
 * or a strobe.
 *
 * ScenePreparation::masks tells what moves. The background is made by an effect of its own,
 * InpaintingEffect by default, which has no movers. Before it, each of the chosen frames'
 * movers are rendered from their samples into the output's camera. They are hidden by what is
 * before them; among them, the nearest is in front, and of those that are equally far the
 * newest. Where movers are translucent, more than two of one pixel are blended in an order
 * that may differ from that of their depths.
 *
 * Klose et al. 2015 name action shots as an application; how they are made here is our own.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS ActionShotEffect : public SceneSpaceEffect {
public:
  ActionShotEffect();
  ~ActionShotEffect() override;

  /** \brief Sets the frames whose movers appear.
   * \param[in] numbers of frames of the video, in any order; none by default: those that
   * setInterval() says
   * \throws pcl::BadArgumentException if one is negative
   */
  void
  setFrames(const std::vector<int>& numbers);

  /** \return numbers of the frames whose movers appear, ascending; none: those that
   * getInterval() says */
  const std::vector<int>&
  getFrames() const;

  /** \brief Has the movers of frames appear at regular intervals: of the first frame, and of
   * each that is \a interval frames after another one of these.
   * \param[in] interval frames, 1 or more; 15 by default
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setInterval(int interval);

  /** \return the interval of frames whose movers appear */
  int
  getInterval() const;

  /** \brief Sets how far before and after each output frame movers are shown.
   * \param[in] before,after frames, 0 or more; both without bounds by default. 0 after: no
   * mover appears before it has been there
   * \throws pcl::BadArgumentException if negative
   */
  void
  setReach(int before, int after);

  /** \return how far before each output frame movers are shown, frames */
  int
  getReachBefore() const;

  /** \return how far after each output frame movers are shown, frames */
  int
  getReachAfter() const;

  /** \brief Sets whether an output frame's own movers appear even if it is not among those
   * chosen.
   * \param[in] shown true by default
   */
  void
  setOwnMoversShown(bool shown);

  /** \return whether an output frame's own movers appear in any case */
  bool
  areOwnMoversShown() const;

  /** \brief Has movers fade with their distance in time from the output frame.
   * \param[in] half_life frames after which a mover's opacity has halved; infinity by default:
   * they do not fade
   * \throws pcl::BadArgumentException if not positive
   */
  void
  setFade(float half_life);

  /** \return frames after which a mover's opacity has halved */
  float
  getFade() const;

  /** \brief Sets what difference of depth does not count.
   * \param[in] tolerance as a part of the depth, 0 to 1; 0.02 by default: movers that are so
   * little behind something are in front of it
   * \throws pcl::BadArgumentException otherwise
   */
  void
  setTolerance(float tolerance);

  /** \return what difference of depth does not count, as a part of the depth */
  float
  getTolerance() const;

  /** \brief Sets what makes the background.
   * \param[in] effect is copied; an InpaintingEffect as it is made by default. The output's
   * camera is the effect's
   */
  void
  setBackground(const SceneSpaceEffect& effect);

  /** \return what makes the background */
  const SceneSpaceEffect&
  getBackground() const;

  std::unique_ptr<SceneSpaceEffect>
  clone() const override;

  SceneView
  view(const RGBDVideo& video, int number) const override;

  EffectMemory
  workingMemory(const SceneView& view) const override;

  /** \brief Makes an output frame, as SceneSpaceEffect says. Besides what the background wants,
   * steady state neither allocates nor waits.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the number, if there is no such frame or one that
   * has been chosen is not in the video
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
