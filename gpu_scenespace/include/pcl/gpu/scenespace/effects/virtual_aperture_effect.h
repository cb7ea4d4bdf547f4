// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

namespace pcl::gpu {

/** \brief Parameters of a VirtualApertureEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS VirtualApertureEffectParameters {
  /** \brief Diameter of the lens, metres, 0 or more. */
  float aperture = 0.03f;
  /** \brief Distance in focus, metres along the z axis, where the focus pixel has no
   * depth or there is none. */
  float focus_distance = 2.0f;
  /** \brief Column of the pixel of each frame whose depth is in focus; -1 where there
   * is none. */
  int focus_column = -1;
  /** \brief Row of that pixel; -1 where there is none. */
  int focus_row = -1;
  /** \brief Blades of the diaphragm: sides of the polygon that the aperture is, 3 or
   * more; 0: round. */
  int blades = 0;
  /** \brief Angle that the polygon is turned by, radians. */
  float turn = 0.0f;
  /** \brief Places on the lens that are averaged, 1 or more. */
  int lens_samples = 64;
  /** \brief Frames before and after each one that are used, 0 or more. */
  int reach = 6;
  /** \brief Distance of the frames within reach that are used: every step-th one, 1 or
   * more. */
  int step = 3;
  /** \brief Deviation of the positions of one surface, metres. */
  float sigma_xyz = 0.05f;

  /** \brief Rejects an aperture or a reach that is negative, a focus distance or a
   * deviation that is not positive, a focus pixel of which one number is -1 and the
   * other is not or that is below -1, 1 or 2 blades, a turn that is not finite, numbers
   * of samples or a step below 1.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Takes a video through a lens of any size: sharp at one distance, blurred
 * before and behind it.
 *
 * Klose et al. 2015 average the samples of a double cone about a pixel's ray, which
 * also has hidden ones. This is a thin lens instead, our own: the mean of the pictures
 * of many pinholes spread over the lens, each rendered from the output's own frame and
 * from some others that saw more. Hidden parts differ from pinhole to pinhole, as they
 * do for a lens. Things in focus have the input's own pixels, as sharp as they are.
 *
 * The depth of outputs is that of the input.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS VirtualApertureEffect
: public ParameterizedEffect<VirtualApertureEffect, VirtualApertureEffectParameters> {
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
