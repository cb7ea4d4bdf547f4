// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Renders pictures of any camera, also of one that took no frame. */
class ViewRendering {
public:
  /** \brief Parameters of averages; their noise becomes that of the frames. If
   * sigma_rgb is infinite, there is one average; else one by position, and one more by
   * the colours of the first, too. */
  SceneSpaceAverageParameters average;
  std::vector<int> numbers;         ///< of the frames that are used
  std::vector<float> color_weights; ///< of these frames for colours; none: all 1

  ViewRendering();

  /** \brief Takes the frames about one. That one gives the surfaces, the others only
   * surfaces that it does not see. */
  void
  setWindow(const RGBDVideo& video, int middle, int reach, int step);

  /** \brief Renders a view. */
  void
  render(SceneFrameStore& frames,
         const SceneView& view,
         SceneImage& image,
         const Stream& stream);

  /** \brief Averages by position, and once more by the first average's colours too.
   * \param[in] depth of the surface whose samples count
   */
  void
  averageTwice(SceneFrameStore& frames,
               const SceneView& view,
               const DeviceArray2D<float>& depth,
               SceneImage& image,
               const Stream& stream);

private:
  std::vector<float> surface_weights_; ///< of the frames
  SceneSurface surface_;
  SceneSpaceAverage average_;
  DeviceArray2D<float> depth_;
  SceneImage first_;
};

} // namespace pcl::gpu
