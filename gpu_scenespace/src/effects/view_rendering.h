// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/scenespace/scene_space_effect.h>

namespace pcl::gpu {

/** \brief Frames, and their weights for finding surfaces and for averaging colours. */
struct ViewSources {
  std::vector<int> numbers;
  std::vector<float> surface_weights, color_weights;

  /** \brief Takes the frames about one. It gives the surfaces; others only those that
   * it does not see. Colours count the same. */
  void
  setWindow(const RGBDVideo& video, int middle, int reach, int step);
};

/** \brief Pictures of any camera, also of one that took no frame. */
class ViewRendering {
public:
  /** \brief Parameters of averages. If sigma_rgb is infinite, there is one average;
   * else one by position, and one more by the colours of the first, too. */
  SceneSpaceAverageParameters average;

  ViewRendering();

  /** \brief Renders a view. */
  void
  render(SceneFrameStore& frames,
         const SceneView& view,
         const ViewSources& sources,
         SceneImage& image,
         const Stream& stream);

  /** \brief Averages by position, and once more by the first average's colours too.
   * \param[in] depth of the surface whose samples count
   * \param[in] weights of frames
   */
  void
  averageTwice(SceneFrameStore& frames,
               const SceneView& view,
               const DeviceArray2D<float>& depth,
               const std::vector<int>& numbers,
               const std::vector<float>& weights,
               SceneImage& image,
               const Stream& stream);

private:
  SceneSurface surface_;
  SceneSpaceAverage average_;
  DeviceArray2D<float> depth_;
  SceneImage first_;
};

} // namespace pcl::gpu
