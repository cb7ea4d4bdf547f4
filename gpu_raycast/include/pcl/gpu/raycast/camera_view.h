// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Intrinsic parameters of a camera whose rays are all parallel to its z axis.
 *
 * Camera frame and pixel centres are those of PinholeCamera. The point (x, y, z) is
 * seen at u = scale_x x + cx, v = scale_y y + cy.
 *
 * \ingroup gpu_raycast
 */
struct PCL_EXPORTS OrthographicCamera {
  float scale_x = 0.0f; ///< pixels of a row for every metre
  float scale_y = 0.0f; ///< pixels of a column for every metre
  float cx = 0.0f;      ///< column at which the camera's z axis is seen, pixels
  float cy = 0.0f;      ///< row at which the camera's z axis is seen, pixels
  int width = 0;        ///< columns of the image
  int height = 0;       ///< rows of the image
};

/** \brief A camera with its image size, somewhere in the world.
 *
 * Holds a pinhole or an orthographic camera. Either sees the point (x, y, z) of its
 * frame at u = fx x / w + cx, v = fy y / w + cy. The divisor w is z for a pinhole and 1
 * for an orthographic camera.
 *
 * \ingroup gpu_raycast
 */
class PCL_EXPORTS CameraView {
public:
  /** \brief Largest width and height of an image, pixels. */
  static constexpr int max_size = 16384;

  /** \brief Places a pinhole camera.
   * \param[in] camera its intrinsics; width and height from 1 to max_size
   * \param[in] pose camera-to-world
   * \throws pcl::BadArgumentException naming the parameter and its value: intrinsics
   * that no camera has, an image size outside 1 to max_size, a pose that is not rigid
   */
  CameraView(const PinholeCamera& camera, const Pose& pose = Pose::Identity());

  /** \brief Places an orthographic camera.
   * \param[in] camera its intrinsics; width and height from 1 to max_size
   * \param[in] pose camera-to-world
   * \throws pcl::BadArgumentException naming the parameter and its value: scales that
   * are not positive, an image size outside 1 to max_size, a pose that is not rigid
   */
  CameraView(const OrthographicCamera& camera, const Pose& pose = Pose::Identity());

  /** \return whether all rays are parallel */
  bool
  isOrthographic() const
  {
    return orthographic_;
  }

  /** \return the focal length along a row, pixels; if orthographic, pixels for every
   * metre */
  float
  getFx() const
  {
    return intrinsics_.fx;
  }

  /** \return the focal length along a column, as along a row */
  float
  getFy() const
  {
    return intrinsics_.fy;
  }

  /** \return the column at which the camera's z axis is seen, pixels */
  float
  getCx() const
  {
    return intrinsics_.cx;
  }

  /** \return the row at which the camera's z axis is seen, pixels */
  float
  getCy() const
  {
    return intrinsics_.cy;
  }

  /** \return the columns of the image */
  int
  getWidth() const
  {
    return intrinsics_.width;
  }

  /** \return the rows of the image */
  int
  getHeight() const
  {
    return intrinsics_.height;
  }

  /** \return the pose, camera-to-world */
  Pose
  getPose() const
  {
    return Pose(pose_);
  }

private:
  // Poses are kept unaligned, so that vectors of views need no allocator of their own.
  using UnalignedPose = Eigen::Transform<float, 3, Eigen::Isometry, Eigen::DontAlign>;

  CameraView(const PinholeCamera& intrinsics, bool orthographic, const Pose& pose);

  PinholeCamera intrinsics_;
  bool orthographic_;
  UnalignedPose pose_;
};

} // namespace pcl::gpu
