// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

#include <limits>

namespace pcl::gpu {

/** \brief Parameters of a DenoisingEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS DenoisingEffectParameters {
  /** \brief Frames before and after each one that are used, 0 or more; 3 sigma_f of
   * Klose et al.
   * 2015. */
  int reach = 18;
  /** \brief Deviation of similar colours of guides, levels; 0 stands for 0.7 times the
   * noise and 14 levels at least. */
  float sigma_rgb = 0.0f;
  /** \brief Deviation of the positions of one surface, metres. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of frames' distances in time, frames; infinity: all frames of the
   * window count alike. */
  float sigma_frame = std::numeric_limits<float>::infinity();

  /** \brief Rejects a negative reach or sigma_rgb, other deviations that are not
   * positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes the noise of a video.
 *
 * The average of eq. (1) of Klose et al. 2015 over the frames next to each one, as
 * SceneSpaceAverage makes it. The paper's own filter is SceneSpaceDenoising. Six
 * things make the average better than the paper's eq. (2), and are our own:
 * - all frames of the window count alike;
 * - colours are compared by guides;
 * - depth is filled;
 * - the average gets the frame's own light: its mean difference from the frame in cells
 *   of 16x16 pixels and their neighbours, as far as that exceeds noise, since exposure
 *   and reflections change from frame to frame;
 * - the noise that is left, which follows from the weights for each pixel, is removed
 *   by CollaborativeFilter: details that differ by less than the noise of a frame, but
 *   are seen in many frames, stay;
 * - levels near 0 and 255 are those that the noise was clipped from. This takes the
 *   noise as the same for all levels. Where bright levels have less, they become too
 *   bright, by 0.4 times the noise at most.
 *
 * ScenePreparation::noise is the deviation of the noise; where it is 0, there are only
 * the average and filled depth.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS DenoisingEffect
: public ParameterizedEffect<DenoisingEffect, DenoisingEffectParameters> {
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
