// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Projects a depth map to an organized cloud in the camera's frame.
 *
 * p = (z (u - cx) / fx, z (v - cy) / fy, z): Orts-Escolano et al. 2014, eq. (2), where u
 * is the column and v the row (the paper's text has them the other way round). A pixel
 * without measurement becomes a point of NaN. O(pixels).
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS DepthMapProjection {
public:
  /** \brief Sets the camera that took the depth map.
   * \param[in] camera its intrinsics; width and height may be 0
   * \throws pcl::BadArgumentException as PinholeCamera::validate()
   */
  void
  setCamera(const PinholeCamera& camera);

  /** \return the camera that took the depth map */
  const PinholeCamera&
  getCamera() const;

  /** \brief Has clouds keep every n-th row and column of the depth map only, from the first
   * one on: as many as rows / n and columns / n, rounded up.
   * \param[in] step n, 1 or more; 1 by default. Clouds with colours keep all
   * \throws pcl::BadArgumentException if less than 1
   */
  void
  setSamplingStep(int step);

  /** \return every how many rows and columns clouds keep one */
  int
  getSamplingStep() const;

  /** \return the intrinsics that the pixels of the cloud have: those of the camera, but for
   * the sampling step */
  PinholeCamera
  getCloudCamera() const;

  /** \brief Projects raw depth.
   * \param[in] depth raw depth; 0 is no measurement
   * \param[in] scale metres for one unit of \a depth: 0.001 for millimetres
   * \param[out] cloud of the same size, but for the sampling step
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set, \a scale is not finite and
   * positive, or the camera's width and height are set and are not those of \a depth
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const RawDepthMap& depth,
          float scale,
          OrganizedCloud& cloud,
          const Stream& stream = {}) const;

  /** \brief Projects depth in metres. See above.
   * \param[in] depth metres
   * \param[out] cloud of the same size, but for the sampling step
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set or the sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth,
          OrganizedCloud& cloud,
          const Stream& stream = {}) const;

  /** \brief Projects depth in metres together with a colour for each of its pixels.
   * \param[in] depth metres
   * \param[in] colors of the same size; see ColorRegistration for a camera of its own
   * \param[out] cloud of the same size; points without colour are black
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if no camera was set or the sizes differ
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DepthMap& depth,
          const ColorMap& colors,
          DeviceArray2D<PointXYZRGB>& cloud,
          const Stream& stream = {}) const;

private:
  template <typename Depth>
  void
  run(const Depth& depth,
      float scale,
      OrganizedCloud& cloud,
      const Stream& stream) const;

  PinholeCamera camera_;
  int sampling_step_ = 1;
};

} // namespace pcl::gpu
