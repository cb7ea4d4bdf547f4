// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Gives every pixel of a depth map the colour that a second camera saw there.
 *
 * Each measured point is projected into the colour camera. A depth buffer at the colour
 * image's resolution finds out what that camera cannot see: such points, and those
 * outside its image, get no colour instead of their occluder's. O(pixels).
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS ColorRegistration {
public:
  /** \brief Sets the camera that took the depth map.
   * \param[in] camera its intrinsics; width and height may be 0
   * \throws pcl::BadArgumentException as PinholeCamera::validate()
   */
  void
  setDepthCamera(const PinholeCamera& camera);

  /** \brief Sets the camera that took the colour image.
   * \param[in] camera its intrinsics; width and height may be 0
   * \throws pcl::BadArgumentException as PinholeCamera::validate()
   */
  void
  setColorCamera(const PinholeCamera& camera);

  /** \brief Sets where the colour camera is, as seen from the depth camera.
   * \param[in] pose maps points of the colour camera's frame into the depth camera's;
   * identity by default
   * \throws pcl::BadArgumentException as validatePose()
   */
  void
  setColorCameraPose(const Pose& pose);

  /** \brief Sets how far behind the nearest surface a point still counts as seen.
   * \param[in] tolerance metres; 0.03 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setOcclusionTolerance(float tolerance);

  /** \brief Looks up the colours. Steady state neither allocates nor waits.
   * \param[in] depth metres
   * \param[in] image the colour camera's image, of any size
   * \param[out] colors of \a depth's size: the nearest pixel's colour with alpha 255, or
   * all 0 for points that are missing, outside the image, or hidden
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
  PinholeCamera depth_camera_;
  PinholeCamera color_camera_;
  Pose pose_ = Pose::Identity();
  float tolerance_ = 0.03f;
  Workspace workspace_;
};

} // namespace pcl::gpu
