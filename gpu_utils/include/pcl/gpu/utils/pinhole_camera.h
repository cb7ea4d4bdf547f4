// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Intrinsic parameters of a pinhole camera without distortion.
 *
 * Camera frame: right-handed, z forward, x right, y down, metres. Pixel centres lie at
 * integer coordinates, column u to the right and row v downwards, so that the point
 * (x, y, z) is seen at u = fx x / z + cx, v = fy y / z + cy. This is the convention of
 * PCL and OpenNI, and of every module here.
 *
 * \ingroup gpu_utils
 */
struct PCL_EXPORTS PinholeCamera {
  float fx = 0.0f; ///< focal length along a row, pixels
  float fy = 0.0f; ///< focal length along a column, pixels
  float cx = 0.0f; ///< column of the principal point, pixels
  float cy = 0.0f; ///< row of the principal point, pixels
  int width = 0;   ///< columns of the image; 0: those of the image used
  int height = 0;  ///< rows of the image; 0: those of the image used

  /** \brief Returns a camera with square pixels whose axis goes through the image's
   * centre.
   * \param[in] angle field of view over the image's height, radians, above 0 and below
   * pi
   * \param[in] width columns, 1 or more
   * \param[in] height rows, 1 or more
   * \return the camera
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  static PinholeCamera
  fromFieldOfView(float angle, int width, int height);

  /** \brief Returns the camera of the same image with another number of pixels.
   * \param[in] new_width columns, 1 or more
   * \param[in] new_height rows, 1 or more
   * \return the camera; its image also begins at -0.5
   * \throws pcl::BadArgumentException naming the parameter and its value: a size below
   * 1, or a camera without a size
   */
  PinholeCamera
  resized(int new_width, int new_height) const;

  /** \brief Checks the intrinsics.
   * \throws pcl::BadArgumentException naming the parameter and its value: a focal
   * length that is not finite and positive, a principal point that is not finite, a
   * negative width or height
   */
  void
  validate() const;
};

} // namespace pcl::gpu
