// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_space_effect.h>
#include <pcl/gpu/utils/private_buffers.h>

#include <functional>
#include <vector>

namespace pcl::gpu {

/** \brief Parameters of a VirtualViewEffect.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS VirtualViewEffectParameters {
  /** \brief Returns the camera of an output frame, given the input, whose depth is
   * registered to colour, and the frame's number. Its time chooses the frames that are
   * used; it need not be that of the output. Called from several threads. */
  using ViewFunction = std::function<SceneView(const RGBDVideo& video, int number)>;

  /** \brief Cameras of the output; none: those of the input. */
  ViewFunction views;
  /** \brief Frames before and after the output's time that are used, 0 or more. */
  int reach = 6;
  /** \brief Distance of the frames within reach that are used: every step-th one, 1 or
   * more. */
  int step = 1;
  /** \brief Distance from which colours are made up where no frame sees anything,
   * pixels, 0 or more; 0: none are. */
  int hole_reach = 24;
  /** \brief Deviation of frames' distances in time, frames; infinity: all frames count
   * alike. */
  float sigma_frame = 3.0f;
  /** \brief Deviation of the positions of one surface, metres. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of colours from the first average's, levels; infinity: there is
   * one average only. */
  float sigma_rgb = 40.0f;

  /** \brief Makes a function of a list of views.
   * \param[in] views one for each frame, as stabilizedViews() makes them
   * \return the function; it throws pcl::BadArgumentException for frames without a view
   * \throws pcl::BadArgumentException naming the parameter and its value: an invalid
   * view
   */
  static ViewFunction
  viewsOf(std::vector<SceneView> views);

  /** \brief Rejects reaches that are negative, a step below 1, deviations that are not
   * positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Shows a video from other cameras: along a smooth path, or from new places.
 *
 * SceneSurface finds the surface that a camera sees, from frames about the output's
 * time. Eq. (1) of Klose et al. 2015 then averages the samples of that surface, first
 * by position alone, and a second time by their distance from the first average's
 * colours too, which leaves samples out that belong to something else. All of this is
 * our own: the paper compares with the input's own pixels, of which such an output has
 * none.
 *
 * Frames nearer in time count more: things that move are where they are at the output's
 * time. Pixels that no frame sees are transparent, and their depth is NaN. Their
 * colours are made up of the nearest pixels about, of the farthest surface that these
 * show, or black where there are none near enough. view() throws
 * pcl::BadArgumentException also for an invalid view.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS VirtualViewEffect
: public ParameterizedEffect<VirtualViewEffect, VirtualViewEffectParameters> {
public:
  SceneView
  view(const RGBDVideo& video, int number) const override;

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
