// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/memory.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief A part of an image's pixels.
 *
 * \ingroup gpu_scenespace
 */
struct ImageRegion {
  int column = 0;  ///< of its first pixel
  int row = 0;     ///< of its first pixel
  int columns = 0; ///< pixels
  int rows = 0;    ///< pixels
};

/** \brief An output camera: one of the video's own, or any other.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SceneView {
  /** \brief The largest width and height of an output, pixels. */
  static constexpr int max_size = 16384;

  PinholeCamera camera;         ///< with the size of the output
  Pose pose = Pose::Identity(); ///< camera-to-world
  float time = 0.0f;            ///< in frames, as SceneFrame::getNumber()

  /** \brief Rejects views that nothing can be seen from.
   * \throws pcl::BadArgumentException naming the parameter and its value: a camera or a
   * pose that is none, a size below 1 or above max_size, a time that is not finite
   */
  void
  validate() const;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu
