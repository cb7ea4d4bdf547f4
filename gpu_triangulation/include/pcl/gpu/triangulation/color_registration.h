// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a ColorRegistration.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS ColorRegistrationParameters {
  PinholeCamera depth_camera; ///< took the depth map; must be set; its size may be 0
  PinholeCamera color_camera; ///< took the image; must be set; its size may be 0
  /** \brief Maps points of the colour camera's frame into the depth camera's. */
  Pose color_camera_pose = Pose::Identity();
  /** \brief Distance behind the nearest surface at which a point still counts as seen,
   * metres. */
  float occlusion_tolerance = 0.03f;

  /** \brief Rejects a camera that is set and invalid, a pose that is not rigid, a
   * tolerance that is not finite and positive.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Gives every pixel of a depth map the colour that a second camera saw there.
 *
 * Each measured point is projected into the colour camera. A depth buffer at the colour
 * image's resolution finds the points that this camera cannot see. They, and points
 * outside its image, get no colour instead of their occluder's. O(pixels).
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS ColorRegistration
: public Parameterized<ColorRegistrationParameters> {
public:
  /** \brief Looks up the colours. Steady state neither allocates nor waits.
   * \param[in] depth metres
   * \param[in] image the colour camera's image, of any size
   * \param[out] colors of \a depth's size: the nearest pixel's colour with alpha 255,
   * or all 0 for points that are missing, outside the image, or hidden
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if a camera was not set or its size is set and is
   * not that of its image
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth,
          const ColorMap& image,
          ColorMap& colors,
          const Stream& stream = {});

private:
  Workspace workspace_;
};

} // namespace pcl::gpu
