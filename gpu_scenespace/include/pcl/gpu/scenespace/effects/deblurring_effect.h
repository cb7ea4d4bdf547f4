// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

namespace pcl::gpu {

/** \brief Parameters of a DeblurringEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS DeblurringEffectParameters {
  /** \brief Frames before and after each one that are used, 0 or more. */
  int reach = 10;
  /** \brief Power of sharpness by which frames count, 0 or more; 0: sharp and blurred
   * frames count alike. */
  float sharpness_power = 16.0f;
  /** \brief Factor by which a frame counts more for its own output than others that are
   * as sharp, 1 or more. */
  float own_lead = 50.0f;
  /** \brief Deviation of colours from the average by position, levels; infinity:
   * colours are not compared. */
  float sigma_rgb = 60.0f;
  /** \brief Deviation of the positions of one surface, metres. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of frames' distances in time, frames; infinity: all frames of the
   * window count alike. */
  float sigma_frame = 20.0f;

  /** \brief Rejects a negative reach or power, an own lead below 1, deviations that are
   * not positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Sharpens frames that the camera's shaking has blurred, by sharp ones next to
 * them.
 *
 * Klose et al. 2015 weight eq. (2), with wide deviations, by the sharpness of samples'
 * frames: PreparedFrame::sharpness. Here this is taken as a part of that of the
 * sharpest frame of the window, and to a power. A blurred frame's own colours mislead
 * the comparison, most of all next to edges: samples are averaged by position first,
 * and then compared with that average. And a frame as sharp as its neighbours keeps its
 * own colours, which averages are less sharp than. These three things are our own.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS DeblurringEffect
: public ParameterizedEffect<DeblurringEffect, DeblurringEffectParameters> {
public:
  EffectMemory
  workingMemory(const SceneView& view) const override;

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
