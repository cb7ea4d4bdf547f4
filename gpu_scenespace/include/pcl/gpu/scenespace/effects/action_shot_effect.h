// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

#include <limits>
#include <vector>

namespace pcl::gpu {

/** \brief Parameters of an ActionShotEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS ActionShotEffectParameters {
  /** \brief Numbers of the frames whose movers appear, in any order; none: those that
   * interval chooses. */
  std::vector<int> frames;
  /** \brief Frames from one whose movers appear to the next, from the first frame on, 1
   * or more. */
  int interval = 15;
  /** \brief Frames before each output frame whose movers are shown, 0 or more. */
  int reach_before = std::numeric_limits<int>::max();
  /** \brief Frames after each output frame whose movers are shown, 0 or more; 0: no
   * mover appears before its own frame. */
  int reach_after = std::numeric_limits<int>::max();
  /** \brief Shows an output frame's own movers even if it is not among those chosen. */
  bool own_movers_shown = true;
  /** \brief Frames after which a mover's opacity has halved; infinity: movers do not
   * fade. */
  float half_life = std::numeric_limits<float>::infinity();
  /** \brief Difference of depth that does not count, as a part of the depth, 0 to 1:
   * movers that are so little behind something are in front of it. */
  float tolerance = 0.02f;
  /** \brief Maker of the background, whose camera is the output's; null: an
   * InpaintingEffect. A copy of it works: to change its parameters, set another. */
  SceneSpaceEffect::ConstPtr background;

  /** \brief Rejects negative numbers of frames or reaches, an interval below 1, a
   * half-life that is not positive, a tolerance outside of 0 to 1.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Shows movers of several times at once, each at its place in space: an action
 * shot, or a strobe.
 *
 * ScenePreparation::masks shows the movers. The background is made by an effect of its
 * own, InpaintingEffect by default, which has no movers. Before it, each of the chosen
 * frames' movers are rendered from their samples into the output's camera. Things
 * before them hide them. Among them, the nearest is in front, and of those that are
 * equally far the newest. Where movers are translucent, more than two of one pixel are
 * blended in an order that may differ from that of their depths.
 *
 * Klose et al. 2015 name action shots as an application. The method is our own.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS ActionShotEffect
: public ParameterizedEffect<ActionShotEffect, ActionShotEffectParameters> {
public:
  SceneView
  view(const RGBDVideo& video, int number) const override;

  EffectMemory
  workingMemory(const SceneView& view) const override;

  /** \brief Makes an output frame, as SceneSpaceEffect says. Apart from the background,
   * steady state neither allocates nor waits.
   * \param[in] frames of the input
   * \param[in] number of the output frame, from 0 to the video's size less 1
   * \param[out] image of the size of view()
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the number, if there is no such frame or
   * one that has been chosen is not in the video
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

  /** \brief Returns the maker of the background. */
  SceneSpaceEffect::ConstPtr
  background() const;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
